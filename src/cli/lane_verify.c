/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"
#include "cli/lane_opts.h"

struct params {
	struct nf_lane_params lane;
	struct nf_lane_trip_params trip;
	int expect;
};

static const char *const lanes[] = {
	[NF_EXPECT_ANY] = "any", [NF_EXPECT_GENERIC] = "generic", [NF_EXPECT_RT] = "rt", NULL
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_LANE_ROOT_OPT(struct params, lane),
	NF_LANE_LOADER_OPT(struct params, lane),
	{ NF_OPT_CHOICE(0, "expect-lane", struct params, expect, lanes, NF_EXPECT_ANY, "LANE",
		"lane that the kernel has to be of") },
	NF_LANE_TRIP_OPTS(struct params, trip),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	static const struct nf_job_params none;
	const struct params *p = params;
	struct nf_lane_verify_opts v = { .base = p->trip.base,
		                         .overlay = p->trip.overlay,
		                         .expect = (enum nf_expect_lane)p->expect,
		                         .owner_issue = p->trip.issue,
		                         .intent = p->trip.intent };
	struct nf_job_outcome outcome;
	struct nf_job_opts o;

	(void)argc;
	(void)argv;
	int r = nf_job_opts_fill(cli, &none, &o, err);
	if (r < 0)
		return r;
	nf_lane_opts_fill(cli, &p->lane, &v.lane);
	nf_job_outcome_init(&outcome);
	r = nf_job_lane_verify(&o, &v, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

const struct nf_cmd nf_cmd_lane_verify = {
	.name = "lane verify",
	.operands = "",
	.summary = "the kernel that runs, held to profiles",
	.description =
	        "Reads which kernel runs, whether it is realtime, and what it says to the lines of "
	        "a "
	        "base profile and an overlay (kernel configuration, command line, sysctls: "
	        "`posture "
	        "--check`), and prints a KernelValidationRun. A line that cannot be read does not "
	        "hold. Nothing is changed. Exit 1: a line does not hold, or it is another lane; 3: "
	        "nothing was asked for.",
	.examples = "lane verify --expect-lane rt --overlay rt.profile # as it should be?\n"
	            "--target root@board --json lane verify # another machine, as JSON",
	.opts = opts,
	.params_size = sizeof(struct params),
	.target = NF_CMD_TARGET_OWN,
	.tidies = true,
	.test_long = "lane verify --expect-lane generic --root {lanes}",
	.test_short = "lane verify --expect-lane generic --root {lanes}",
	.run = run,
};
