/* SPDX-License-Identifier: MIT */
/* cmd_lab - the subcommands of `lab`, in the order of help; each is a file lab_<sub>.c. */
#include "cli/cmd.h"

/* clang-format off */
extern const struct nf_cmd nf_cmd_lab_console;
extern const struct nf_cmd nf_cmd_lab_doctor;
extern const struct nf_cmd nf_cmd_lab_phases;
extern const struct nf_cmd nf_cmd_lab_run;
extern const struct nf_cmd nf_cmd_lab_power;
extern const struct nf_cmd nf_cmd_lab_shell;

static const struct nf_cmd *const subs[] = {
	&nf_cmd_lab_console,
	&nf_cmd_lab_phases,
	&nf_cmd_lab_run,
	&nf_cmd_lab_shell,
	&nf_cmd_lab_power,
	&nf_cmd_lab_doctor,
	NULL,
};
/* clang-format on */

const struct nf_cmd nf_cmd_lab = {
	.name = "lab",
	.summary = "boards behind a serial console, timed from the host",
	.description = "A board's own clock is not to be trusted: its console is timed from the "
	               "host.",
	.examples = "lab console /dev/ttyUSB0 # what comes, with the time of every line\n"
	            "lab phases logs/ --t0 'Starting kernel' --phase login='login:'\n"
	            "help lab phases # the options of one subcommand",
	.subs = subs,
};
