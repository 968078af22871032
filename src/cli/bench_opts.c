/* SPDX-License-Identifier: MIT */
#include "cli/bench_opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/interchange.h"
#include "cli/bench_export.h"

const char *const nf_bench_report_names[] = {
	"",
#define X(symbol, name, what) [NF_INTERCHANGE_##symbol + 1] = (name),
#include "interchange.def"
#undef X
	[NF_INTERCHANGE_AUTO + 1] = "auto",
	NULL,
};

#define MIN_ITERATION_NS 1000000

/* A number from the environment, of those the command allows; unset: 0. */
static int from_environment(const char *name, int64_t max, size_t *ret, struct nf_err *err)
{
	const char *text = getenv(name);
	char quoted[NF_OPT_QUOTED];

	if (!text || !*text) {
		*ret = 0;
		return 0;
	}
	errno = 0;
	long v = strspn(text, "0123456789") == strlen(text) ? strtol(text, NULL, 10) : 0;
	if (v >= 1 && v <= max && !errno) {
		*ret = (size_t)v;
		return 0;
	}
	nf_opt_quote(text, quoted);
	return nf_fail(err, NF_EARG, "%s: bad value %s; allowed: 1 to %lld", name, quoted,
	               (long long)max);
}

static void say(void *ctx, const char *line)
{
	struct nf_cli *cli = ctx;

	if (!cli->global->quiet)
		nf_cli_say(cli, "%s", line);
}

int nf_bench_opts_fill(struct nf_cli *cli, const struct nf_bench_params *p,
                       struct nf_bench_opts *ret, struct nf_err *err)
{
	struct nf_bench_opts o = {
		.max_time_ns = p->max_time_ns,
		.min_iteration_ns = MIN_ITERATION_NS,
		.seed = (uint64_t)p->seed,
		.cpus = p->cpus,
		.output = p->output,
		.say = say,
		.say_ctx = cli,
	};
	int r = from_environment("NOISEFLOOR_BENCH_SETS", NF_BENCH_SETS_MAX, &o.sets, err);

	if (r == 0)
		r = from_environment("NOISEFLOOR_BENCH_ITERS", NF_BENCH_ITERS_MAX, &o.iters, err);
	if (r == 0)
		r = nf_bench_export_check(&p->exports, err);
	if (r < 0)
		return r;
	if (p->sets)
		o.sets = (size_t)p->sets;
	if (p->iters)
		o.iters = (size_t)p->iters;
	*ret = o;
	return 0;
}

void nf_bench_variant_set(const struct nf_bench_params *p, struct nf_variant *v)
{
	v->setup = p->setup;
	v->prepare = p->prepare;
	v->cleanup = p->cleanup;
	v->input = p->input;
	v->output = p->output;
	v->any_status = p->any_status;
	v->timeout_ns = p->timeout_ns;
	v->threads = (unsigned)p->threads;
	if (!p->report)
		return;
	v->backend = NF_BACKEND_REPORT;
	v->report_form = p->report - 1;
	v->report_file = p->report_file;
	v->bench = p->report_bench;
	v->better = p->better;
}
