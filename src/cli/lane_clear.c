/* SPDX-License-Identifier: MIT */
#include "cli/lane_opts.h"

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	(void)argc;
	(void)argv;
	return nf_lane_plain_run(cli, params, nf_job_lane_clear, err);
}

const struct nf_cmd nf_cmd_lane_clear = {
	.name = "lane clear",
	.operands = "",
	.summary = "takes the entry for the next boot back",
	.description =
	        "Where an entry for the next boot is set, takes it back, so that the next boot is "
	        "the "
	        "default, and reads back that it is gone. Where none is set nothing is changed.",
	.examples = "lane clear # the next boot is the default again",
	.opts = nf_lane_plain_opts,
	.params_size = sizeof(struct nf_lane_plain),
	.target = NF_CMD_TARGET_OWN,
	.tidies = true,
	.test_long = "lane clear --root {lanes}",
	.test_short = "lane clear --root {lanes}",
	.run = run,
};
