/* SPDX-License-Identifier: MIT */
/* cmd_selftest - the subcommands of `selftest`, in the order of help; each is a file selftest_<sub>.c. */
#include "cli/cmd.h"

/* clang-format off */
extern const struct nf_cmd nf_cmd_selftest_aa;
extern const struct nf_cmd nf_cmd_selftest_inject;

static const struct nf_cmd *const subs[] = {
	&nf_cmd_selftest_inject,
	&nf_cmd_selftest_aa,
	NULL,
};
/* clang-format on */

const struct nf_cmd nf_cmd_selftest = {
	.name = "selftest",
	.summary = "whether the tool sees on this machine what is there",
	.description = "Experiments with a known answer, on the machine as it is.",
	.examples = "selftest inject -d 5s # bursts of 20 us, a hundred times a second\n"
	            "selftest aa -r 20 # is 'bench compare' right here?",
	.subs = subs,
};
