/* SPDX-License-Identifier: MIT */
#include "cli/bench_opts.h"
#include "cli/bench_sides.h"
#include "job/bench_aa.h"

struct params {
	struct nf_bench_params bench; /* of it sets, iters, max_time_ns, seed and job */
	int64_t repeats;
	const char *delta;
	const char *alpha;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_COUNT('r', "repeats", struct params, repeats, NF_AA_REPEATS_MIN, NF_AA_REPEATS_MAX, 50,
		"trials of each comparison") },
	{ NF_OPT_DURATION(0, "max-time", struct params, bench.max_time_ns, 1000000, NF_PROBE_MAX_NS,
		INT64_C(300000000000), "how long all of it may take: fewer repeats") },
	{ NF_OPT_COUNT('n', "sets", struct params, bench.sets, 1, NF_BENCH_SETS_MAX, 0,
		"processes a side; else NOISEFLOOR_BENCH_SETS"), .def_text = "20" },
	{ NF_OPT_COUNT(0, "iters", struct params, bench.iters, 1, NF_BENCH_ITERS_MAX, 0,
		"values of a set, after one that is discarded; else NOISEFLOOR_BENCH_ITERS"), .def_text = "10" },
	{ NF_OPT_TEXT(0, "delta", struct params, delta, "1%", "SHARE",
		"slowdown that does not matter, as a ratio or with %") },
	{ NF_OPT_TEXT(0, "alpha", struct params, alpha, "1%", "SHARE",
		"share of comparisons that may call something changed that is not") },
	{ NF_OPT_COUNT(0, "seed", struct params, bench.seed, 0, INT64_C(1) << 53, 1,
		"seed of the order of the sets and of the padding of their environment") },
	{ NF_OPT_TEXT(0, "tag", struct params, bench.job.tag, NULL, "TEXT",
		"last part of the run folder's name and the label that runs are compared by"),
	  .def_text = "the command" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_job_outcome outcome;
	struct nf_bench_opts bench;
	struct nf_job_opts job;
	int r = nf_bench_opts_fill(cli, &p->bench, &bench, err);

	(void)argc;
	(void)argv;
	if (r == 0)
		r = nf_bench_share_parse("delta", p->delta, 0.0001, 0.04, &bench.delta, err);
	if (r == 0)
		r = nf_bench_share_parse("alpha", p->alpha, 1e-6, 0.2, &bench.alpha, err);
	if (r == 0)
		r = nf_job_opts_fill(cli, &p->bench.job, &job, err);
	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	r = nf_job_bench_aa(&job, &bench, (size_t)p->repeats, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_selftest_aa = {
	.name = "selftest aa",
	.operands = "",
	.summary = "how often 'bench compare' is right on this machine",
	.description =
	        "Compares work with itself, with 5 % and with 20 % more of it, again and again, as "
	        "'bench compare' does: the work is a chain of multiplications (suite spin), so "
	        "what "
	        "differs is known. Counted is what the comparisons say, beside what is to be "
	        "expected of sets that scatter as they did.\n\n"
	        "It fails (exit code 1) when verdicts are wrong more often than --alpha allows, or "
	        "a difference is found less often than the scatter explains, each by more than "
	        "chance does in one run of a hundred. A machine that is too noisy to find anything "
	        "does not fail: it sees that here. The estimated time is printed first; --max-time "
	        "makes fewer repeats of it.",
	.examples = "selftest aa # about two minutes\n"
	            "selftest aa --max-time 20s # fewer repeats\n"
	            "selftest aa --repeats 500 --max-time 1h # tighter bounds",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.test_long = "selftest aa --repeats 1000 --max-time 10h",
	.test_short = "selftest aa --repeats 5 --sets 5 --iters 1",
	.run = run,
};
