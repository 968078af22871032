/* SPDX-License-Identifier: MIT */
/* cmd_lane - the subcommands of `lane`, in the order of help; each is a file lane_<sub>.c. */
#include "cli/cmd.h"

/* clang-format off */
extern const struct nf_cmd nf_cmd_lane_arm;
extern const struct nf_cmd nf_cmd_lane_campaign;
extern const struct nf_cmd nf_cmd_lane_clear;
extern const struct nf_cmd nf_cmd_lane_status;
extern const struct nf_cmd nf_cmd_lane_verify;

static const struct nf_cmd *const subs[] = {
	&nf_cmd_lane_status,
	&nf_cmd_lane_arm,
	&nf_cmd_lane_clear,
	&nf_cmd_lane_verify,
	&nf_cmd_lane_campaign,
	NULL,
};
/* clang-format on */

const struct nf_cmd nf_cmd_lane = {
	.name = "lane",
	.summary = "boots a machine into its realtime kernel once, and back",
	.description =
	        "A lane is one of the kernels that a machine can boot: generic or realtime. What "
	        "boots by default is never changed: the realtime kernel is asked for at the next "
	        "boot only, so that whatever happens there the one after is the default again.",
	.examples = "lane status # which kernels are there, what boots by default and next\n"
	            "lane arm # the realtime kernel at the next boot, once\n"
	            "--target root@board lane campaign # measured in both kernels\n"
	            "help lane arm # the options of one subcommand",
	.subs = subs,
};
