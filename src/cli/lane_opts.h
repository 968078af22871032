/* SPDX-License-Identifier: MIT */
/* lane_opts - options that the subcommands of `lane` share. */
#ifndef NF_CLI_LANE_OPTS_H
#define NF_CLI_LANE_OPTS_H

#include "cli/cmd.h"
#include "job/lane.h"

struct nf_lane_params {
	const char *root;
	int loader; /* index into nf_lane_loader_names */
	const char *entry;
	bool dry_run;
};
extern const char *const nf_lane_loader_names[]; /* "auto" first */

/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define NF_LANE_ROOT_OPT(S, F)                                                                     \
	{ NF_OPT_PATH(0, "root", S, F.root, NULL, "DIR",                                           \
		"a folder with proc/, sys/ and boot/ captured on another machine"),                \
	  .def_text = "this machine" }
#define NF_LANE_LOADER_OPT(S, F)                                                                   \
	{ NF_OPT_CHOICE(0, "loader", S, F.loader, nf_lane_loader_names, 0, "NAME",                 \
		"what boots the kernel once"), .def_text = "the one that boots this machine" }
#define NF_LANE_ENTRY_OPT(S, F)                                                                    \
	{ NF_OPT_TEXT(0, "entry", S, F.entry, NULL, "ENTRY",                                       \
		"realtime kernel by its id, release or title, where there are several"),           \
	  .def_text = "the only one" }
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

void nf_lane_opts_fill(const struct nf_cli *cli, const struct nf_lane_params *p,
                       struct nf_lane_opts *ret);
typedef int nf_lane_job(const struct nf_job_opts *o, const struct nf_lane_opts *l,
                        struct nf_job_outcome *ret, struct nf_err *err);
/* Runs the job and prints what it made. An exit code, or a negated error code. */
int nf_lane_command_run(struct nf_cli *cli, const struct nf_lane_params *p, nf_lane_job *job,
                        struct nf_err *err);

#endif
