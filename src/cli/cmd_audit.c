/* SPDX-License-Identifier: MIT */
/* cmd_audit - the subcommands of `audit`, in the order of help; each is a file audit_<sub>.c. */
#include "cli/cmd.h"

/* clang-format off */
extern const struct nf_cmd nf_cmd_audit_log;
extern const struct nf_cmd nf_cmd_audit_run;
extern const struct nf_cmd nf_cmd_audit_src;

static const struct nf_cmd *const subs[] = {
	&nf_cmd_audit_src,
	&nf_cmd_audit_log,
	&nf_cmd_audit_run,
	NULL,
};
/* clang-format on */

const struct nf_cmd nf_cmd_audit = {
	.name = "audit",
	.summary = "what makes timing numbers wrong, looked for before they are taken",
	.description =
	        "Reads what is there, or watches it run, and tells what would make its timing "
	        "numbers wrong: macros that are not what they look like, input and output inside "
	        "of what is timed.",
	.examples = "audit src . # macros that are off and tested as on, prints in timed regions\n"
	            "help audit log # console lines inside a boot's phases\n"
	            "audit run -- ./program # I/O in the timed regions of a running program\n"
	            "help audit src # the options of one subcommand",
	.subs = subs,
};
