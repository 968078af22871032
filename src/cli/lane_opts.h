/* SPDX-License-Identifier: MIT */
/* lane_opts - options that the subcommands of `lane` share. */
#ifndef NF_CLI_LANE_OPTS_H
#define NF_CLI_LANE_OPTS_H

#include "cli/cmd.h"
#include "job/lane_trip.h"

struct nf_lane_params {
	const char *root;
	int loader; /* index into nf_lane_loader_names */
	const char *entry;
	bool dry_run;
};
struct nf_lane_trip_params {
	const char *base, *overlay, *issue, *intent;
	const char *tag;
	int64_t boot_ns, down_ns, lost_ns, poll_ns;
	const char *resume;
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
#define NF_LANE_TRIP_OPTS(S, F)                                                                    \
	{ NF_OPT_PATH(0, "base", S, F.base, NULL, "PROFILE",                                       \
		"file with lines that hold in every lane (posture --check)"), .def_text = "none" }, \
	{ NF_OPT_PATH(0, "overlay", S, F.overlay, NULL, "PROFILE",                                 \
		"file with lines that hold in the realtime lane besides"), .def_text = "none" },   \
	{ NF_OPT_TEXT(0, "issue", S, F.issue, NULL, "TEXT", "what asked for it, for the record"),  \
	  .def_text = "none" },                                                                    \
	{ NF_OPT_TEXT(0, "intent", S, F.intent, NULL, "TEXT", "what it is for, for the record"),   \
	  .def_text = "none" }
#define NF_LANE_WAIT_OPTS(S, F)                                                                    \
	{ NF_OPT_TEXT(0, "tag", S, F.tag, NULL, "TEXT", "last part of the run folder's name"),     \
	  .def_text = "the command" },                                                             \
	{ NF_OPT_DURATION(0, "boot-timeout", S, F.boot_ns, INT64_C(1000000000),                    \
		INT64_C(3600000000000), INT64_C(300000000000),                                     \
		"how long a boot may take, from the reboot to the first answer") },                \
	{ NF_OPT_DURATION(0, "down-timeout", S, F.down_ns, INT64_C(1000000000),                    \
		INT64_C(3600000000000), INT64_C(90000000000),                                      \
		"how long a machine that was asked to reboot may go on running") },                \
	{ NF_OPT_DURATION(0, "lost-timeout", S, F.lost_ns, INT64_C(1000000000),                    \
		INT64_C(3600000000000), INT64_C(180000000000),                                     \
		"how long a lost connection is looked for") },                                     \
	{ NF_OPT_DURATION(0, "poll", S, F.poll_ns, INT64_C(10000000), INT64_C(60000000000),        \
		INT64_C(1000000000), "pause between two tries to reach it") },                     \
	{ NF_OPT_PATH(0, "resume", S, F.resume, NULL, "RUN",                                       \
		"goes on with a run of this command that was interrupted or went wrong"),          \
	  .def_text = "a new one" }
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

void nf_lane_opts_fill(const struct nf_cli *cli, const struct nf_lane_params *p,
                       struct nf_lane_opts *ret);
typedef int nf_lane_job(const struct nf_job_opts *o, const struct nf_lane_opts *l,
                        struct nf_job_outcome *ret, struct nf_err *err);
/* Runs the job and prints what it made. An exit code, or a negated error code. */
int nf_lane_command_run(struct nf_cli *cli, const struct nf_lane_params *p, nf_lane_job *job,
                        struct nf_err *err);

/* What a command asks for that only names the machine and its loader, and such a command. */
struct nf_lane_plain {
	struct nf_lane_params lane;
};
extern const struct nf_opt nf_lane_plain_opts[];
int nf_lane_plain_run(struct nf_cli *cli, const struct nf_lane_plain *p, nf_lane_job *job,
                      struct nf_err *err);
/* A line on what is done next, for who watches a terminal. */
void nf_lane_tell(const struct nf_cli *cli, const char *text);
/* To the realtime kernel and back; hooks: those that measure, NULL: it is only verified. */
int nf_lane_trip_run(struct nf_cli *cli, const struct nf_lane_params *p,
                     const struct nf_lane_trip_params *trip, const struct nf_lane_trip_hooks *hooks,
                     struct nf_err *err);

#endif
