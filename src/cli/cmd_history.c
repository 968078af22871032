/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "job/history.h"

/* The smallest change of level that is worth a line: the delta of comparisons. */
#define MIN_RATIO 0.01

struct params {
	const char *host;
	const char *tag;
	const char *lane;
	int64_t seed;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_TEXT(0, "host", struct params, host, NULL, "NAME",
		"only runs of this host (its label or machine hash)"), .def_text = "every host" },
	{ NF_OPT_TEXT(0, "tag", struct params, tag, NULL, "TEXT", "only runs with this tag"),
	  .def_text = "every tag" },
	{ NF_OPT_TEXT(0, "lane", struct params, lane, NULL, "NAME",
		"only runs of this lane: generic, rt, unknown"), .def_text = "every lane" },
	{ NF_OPT_COUNT(0, "seed", struct params, seed, 0, INT64_C(1) << 53, 1,
		"seed of the permutations that steps are tested by") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_history_opts o = { .runs_dir = cli->global->runs,
		                     .metric = argc > 0 ? argv[0] : NULL,
		                     .host = p->host,
		                     .tag = p->tag,
		                     .lane = p->lane,
		                     .min_ratio = MIN_RATIO,
		                     .seed = (uint64_t)p->seed };
	struct nf_job_outcome outcome;

	nf_job_outcome_init(&outcome);
	int r = nf_job_history(&o, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_history = {
	.name = "history",
	.operands = "[METRIC]",
	.max_operands = 1,
	.summary = "one figure over many runs, and where its level changed",
	.description =
	        "Reads the committed runs of the folder of --runs and shows a figure of theirs "
	        "over "
	        "time, one series per machine, lane and tag, with the steps that its level took. "
	        "Without METRIC the figures that there are.\n\n"
	        "A step is advisory: it is found by energy statistics on the logarithm of the "
	        "values, "
	        "needs five runs on each side, p of 0.01 at most among 999 permutations, a change "
	        "of 1 % and 90 % of the values on the other side. A single odd run is no step.\n\n"
	        "What was read is kept in an index beside the runs (" NF_HISTORY_INDEX
	        "); it is made from the folders and may be removed at any time.",
	.examples = "history # which figures there are\n"
	            "history wake.late.p99 # how wake-ups have gone\n"
	            "--runs /srv/runs history noise.ratio --host lab3 # of one machine\n"
	            "--json history numa.speedup # as JSON",
	.opts = opts,
	.params_size = sizeof(struct params),
	.test_long = "history --runs {runs}",
	.test_short = "history --runs {runs}",
	.run = run,
};
