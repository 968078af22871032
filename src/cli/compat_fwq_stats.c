/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>

#include "cli/compat.h"
#include "job/samplestats.h"
#include "report/describe.h"

struct params {
	struct nf_compat_params compat;
};

enum { ARENA_BYTES = 1 << 30, TABLE_BYTES = 1 << 20 };

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_COMPAT_HELP_OPT(struct params, compat),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static struct nf_describe_column column_of(const struct nf_rec_fwq_stats_column *c)
{
	const struct nf_rec_sample_figures *f = &c->figures;

	return (struct nf_describe_column){
		.heading = c->worker,
		.v = { (double)f->n, f->mean, f->sd.some ? f->sd.v : (double)NAN, f->min, f->p25,
		       f->p50, f->p75, f->max },
	};
}

static int print_figures(struct nf_cli *cli, const struct nf_rec_fwq_stats *s, struct nf_err *err)
{
	const struct nf_rec_fwq_stats_column *c = s->columns.items;
	struct nf_describe_column table[2];
	struct nf_buf out;

	nf_buf_init(&out, TABLE_BYTES);
	for (size_t i = 0; i < s->columns.n && i < 2; i++) {
		(void)nf_buf_addf(&out, "Worker  %" PRIu64 " on CPUs %s with std %.4f\n",
		                  c[i].worker, c[i].cpus, c[i].figures.sd.v);
		table[i] = column_of(&c[i]);
	}
	if (s->columns.n > 0)
		nf_describe_table(table, s->columns.n, &out);
	int r = nf_buf_failed(&out, "the figures", err);
	if (r == 0)
		r = nf_cli_write(cli, out.data, out.len_bytes, err);
	nf_buf_fini(&out);
	return r;
}

/* What a reader of the figures has to know, each by itself. */
static void print_footnotes(const struct nf_cli *cli, const struct nf_rec_sample_file *f)
{
	const struct nf_rec_fwq_stats *s = f->fwq_stats;

	if (s->stops_why)
		nf_cli_note(cli, "%s: %s; %s", f->path, s->stops_why,
		            s->columns.n == 0 ? "no figures are shown"
		            : s->ghz.some     ? "the one worker is shown"
		                              : "the figures are in ticks");
	for (size_t i = 0; i < f->notes.n; i++)
		nf_cli_note(cli, "%s: %s", f->path, ((const char *const *)f->notes.items)[i]);
	nf_cli_note(cli, "%s: the first sample of each worker is left out", f->path);
	if (s->ghz.some && f->workers.n > 1)
		nf_cli_note(cli, "%s: every worker is shown at the last Speed line's %f GHz",
		            f->path, s->ghz.v);
	if (s->columns.n == 1)
		nf_cli_note(cli,
		            "%s: one worker has the least and the largest std, it is shown once",
		            f->path);
	else if (f->workers.n > 2)
		nf_cli_note(cli,
		            "%s: only the workers with the least and with the largest std of %zu "
		            "are shown",
		            f->path, f->workers.n);
	nf_cli_note(cli, "%s: figures are in %s, std has divisor n - 1, percentiles are type 7",
	            f->path, s->ghz.some ? "microseconds" : "ticks");
}

static int show(struct nf_cli *cli, const char *path, struct nf_err *err)
{
	struct nf_rec_sample_file f = { 0 };
	struct nf_arena a;
	int exit_code = 0;

	nf_arena_init(&a, ARENA_BYTES);
	int r = nf_job_sample_file(path, &a, &f, err);
	if (r == 0 && f.workers.n > 0 && !f.fwq_stats)
		r = nf_fail(err, NF_EARG,
		            "%s: %s; allowed: a text file of FWQ, or 'noisefloor "
		            "stats'",
		            path, f.form);
	if (r == 0)
		r = nf_compat_say(cli, err, "%s\n", path);
	if (r == 0 && f.fwq_stats)
		r = print_figures(cli, f.fwq_stats, err);
	if (r == 0 && f.fwq_stats) {
		r = nf_cli_flush(cli, err);
		print_footnotes(cli, &f);
	}
	if (r == 0 && f.problem)
		nf_cli_note(cli, "%s: %s", path, f.problem);
	if (r == 0 && (f.problem || !f.fwq_stats || f.fwq_stats->columns.n == 0))
		exit_code = NF_EXIT_UNSUPPORTED;
	nf_arena_fini(&a);
	return r < 0 ? r : exit_code;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	int exit_code = 0;

	(void)params;
	for (int i = 0; i < argc; i++) {
		int r = show(cli, argv[i], err);

		if (r < 0)
			return r;
		exit_code = nf_exit_worse(exit_code, r);
	}
	return exit_code;
}

const struct nf_cmd nf_compat_fwq_stats = {
	.name = "fwq-stats",
	.operands = "FILE...",
	.min_operands = 1,
	.max_operands = NF_OPERANDS_ANY,
	.summary = "statistics of FWQ files as the script of that name prints them",
	.description = "Shows of each file the workers with the least and the largest standard "
	               "deviation. What that leaves out is told on standard error. 'noisefloor "
	               "stats' shows every worker, all samples and each worker's own rate.",
	.opts = opts,
	.params_size = sizeof(struct params),
	.run = run,
};
