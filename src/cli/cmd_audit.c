/* SPDX-License-Identifier: MIT */
/* cmd_audit - the subcommands of `audit`, in the order of help; each is a file audit_<sub>.c. */
#include "cli/cmd.h"

/* clang-format off */
extern const struct nf_cmd nf_cmd_audit_src;

static const struct nf_cmd *const subs[] = {
	&nf_cmd_audit_src,
	NULL,
};
/* clang-format on */

const struct nf_cmd nf_cmd_audit = {
	.name = "audit",
	.summary = "what makes timing numbers wrong, looked for before they are taken",
	.description =
	        "Reads what is there and tells what would make its timing numbers wrong, each "
	        "finding with its places.",
	.examples = "audit src . # macros that are off and tested as on, prints in timed regions\n"
	            "help audit src # the options of one subcommand",
	.subs = subs,
};
