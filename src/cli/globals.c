/* SPDX-License-Identifier: MIT */
#include "cli/cmd.h"

static const char *const shells[] = { "", "bash", NULL };

/* clang-format off */
const struct nf_opt nf_global_opts[] = {
	{ NF_OPT_FLAG(0, "json", struct nf_globals, json,
		"print the record as one JSON document on standard output, nothing else") },
	{ NF_OPT_FLAG('q', "quiet", struct nf_globals, quiet,
		"no summary and no progress; the run folder and the exit status tell"),
	  .conflicts = "json" },
	{ NF_OPT_FLAG(0, "strict", struct nf_globals, strict,
		"a partial result, or a limit that could not be judged, exits 3") },
	{ NF_OPT_FLAG(0, "no-color", struct nf_globals, no_color, "no colours, also on a terminal") },
	{ NF_OPT_PATH(0, "runs", struct nf_globals, runs, "./runs", "DIR",
		"folder in which each run makes its own folder of evidence") },
	{ NF_OPT_TEXT(0, "target", struct nf_globals, target, NULL, "USER@HOST",
		"measure that machine, over ssh: noisefloor is copied there, run, and removed") },
	{ NF_OPT_PATH(0, "ssh-config", struct nf_globals, ssh_config, NULL, "FILE",
		"configuration for ssh, instead of the user's"), .needs = "target" },
	{ NF_OPT_PATH(0, "target-binary", struct nf_globals, target_binary, NULL, "FILE",
		"the static noisefloor that is copied to the target"),
	  .needs = "target", .def_text = "the installed one of its architecture" },
	{ NF_OPT_DURATION(0, "target-timeout", struct nf_globals, target_timeout_ns, INT64_C(1000000000),
		INT64_C(30) * 24 * 3600 * 1000000000, INT64_C(7200000000000),
		"time after which the command on the target is asked to end and to keep what it has"),
	  NF_OPT_GIVEN(struct nf_globals, target_timeout_given), .needs = "target",
	  .def_text = "two hours, and twice the durations that are given" },
	{ NF_OPT_TEXT(0, "reached", struct nf_globals, reached, NULL, "TEXT",
		"how this machine was reached, for the record"), .hidden = true },
	{ NF_OPT_FLAG('h', "help", struct nf_globals, help, "show help, also for one command") },
	{ NF_OPT_FLAG(0, "version", struct nf_globals, version, "show the version") },
	{ NF_OPT_FLAG(0, "print-man", struct nf_globals, print_man, "print a man page"), .hidden = true },
	{ NF_OPT_FLAG(0, "print-commands", struct nf_globals, print_commands,
		"print the command table for tests"), .hidden = true },
	{ NF_OPT_CHOICE(0, "print-completion", struct nf_globals, print_completion, shells, 0, "SHELL",
		"print a completion script"), .hidden = true },
	{ .kind = NF_OPT_END },
};
/* clang-format on */
