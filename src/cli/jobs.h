/* SPDX-License-Identifier: MIT */
/*
 * jobs - what the commands that measure share: the options of every probe, the limits, and the way
 * from a job's outcome to standard output and an exit code.
 */
#ifndef NF_CLI_JOBS_H
#define NF_CLI_JOBS_H

#include "cli/cmd.h"
#include "job/job.h"
#include "measure/probe_wake.h"

struct nf_job_params {
	const char *tag;
	bool no_samples;
	int clock; /* enum nf_tick_want */
	const char *budget; /* file; NULL: the default */
	bool why;
};
extern const char *const nf_clock_names[], *const nf_policy_names[];

/* S: the command's parameter struct, in which F is a struct nf_job_params. A type and a member cannot be
 * put in parentheses. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define NF_JOB_OPTS(S, F)                                                                          \
	{ NF_OPT_TEXT(0, "tag", S, F.tag, NULL, "TEXT",                                            \
		"last part of the run folder's name and the label that runs are compared by"),     \
	  .def_text = "the command" },                                                             \
	{ NF_OPT_FLAG(0, "no-samples", S, F.no_samples, "keep the summaries, not the raw samples") }, \
	{ NF_OPT_CHOICE(0, "clock", S, F.clock, nf_clock_names, NF_TICK_AUTO, "NAME",              \
		"what intervals are measured with: the counter if it can be trusted, the counter "  \
		"or nothing, or CLOCK_MONOTONIC_RAW") }
#define NF_WHY_OPT(S, F)                                                                           \
	{ NF_OPT_FLAG(0, "why", S, F.why,                                                          \
		"trace the kernel's events meanwhile and name what caused the noise (as root, with " \
		"tracefs mounted); tracing adds to the noise") }
#define NF_BUDGET_OPT(S, F)                                                                        \
	{ NF_OPT_PATH(0, "budget", S, F.budget, NULL, "FILE",                                      \
		"file with the limits to judge by, lines of name = value"), .carried = true }
/* The budget of periodic wake-ups: the same for wake and host. */
#define NF_TIMING_OPTS(S, F)                                                                       \
	{ NF_OPT_DURATION('p', "period", S, F.period_ns, NF_WAKE_PERIOD_MIN_NS,                    \
		NF_WAKE_PERIOD_MAX_NS, 4000000, "time from one activation to the next"),           \
	  NF_OPT_GIVEN(S, F.period_given), .conflicts = "budget" },                                \
	{ NF_OPT_DURATION(0, "max-jitter", S, F.max_jitter_ns, 0, INT64_C(3600000000000), 0,       \
		"limit: how far an interval may be from the period"),                              \
	  NF_OPT_GIVEN(S, F.max_jitter_given), .def_text = "a quarter of the period",              \
	  .conflicts = "budget" },                                                                 \
	{ NF_OPT_DURATION(0, "max-latency", S, F.max_latency_ns, 0, INT64_C(3600000000000), 0,     \
		"limit: the longest interval"),                                                    \
	  NF_OPT_GIVEN(S, F.max_latency_given), .def_text = "five quarters of the period",         \
	  .conflicts = "budget" }
/* clang-format on */

struct nf_timing_params {
	int64_t period_ns;
	int64_t max_jitter_ns;
	int64_t max_latency_ns;
	bool period_given;
	bool max_jitter_given;
	bool max_latency_given;
};
/* The options' budget, where no budget file was given (they exclude each other). */
void nf_timing_set(const struct nf_timing_params *p, const char *budget_file,
                   struct nf_job_budget *budget);

struct nf_probe_params {
	const char *cpus;
	int64_t duration_ns;
	bool duration_given;
	int policy; /* enum nf_policy */
	bool policy_given;
	int64_t priority;
	bool priority_given;
	int64_t seed;
	int64_t max_sample_bytes; /* 0: the probe's own */
};

enum { NF_PROBE_PRIORITY = 80 };
#define NF_PROBE_MAX_NS (INT64_C(7) * 24 * 3600 * 1000000000)
/* The rows of what a probe may take; each command lists those that bear on its probe. */
/* clang-format off */
#define NF_CPUS_OPT(S, F)                                                                          \
	{ NF_OPT_CPUS('c', "cpus", S, F.cpus, "allowed",                                           \
		"CPUs to measure; one that is absent or not allowed is an error") }
/* LO: the shortest; DEF: when none is given, in ns; WORDS: shown instead of it, or NULL. */
#define NF_DURATION_OPT(S, F, LO, DEF, WORDS)                                                      \
	{ NF_OPT_DURATION('d', "duration", S, F.duration_ns, LO, NF_PROBE_MAX_NS, DEF,             \
		"how long to measure"), NF_OPT_GIVEN(S, F.duration_given), .def_text = WORDS }
#define NF_POLICY_OPTS(S, F, WORDS)                                                                \
	{ NF_OPT_CHOICE(0, "policy", S, F.policy, nf_policy_names, NF_POLICY_OTHER, "NAME",        \
		"scheduling policy of the measuring threads; refused when it cannot be had"),      \
	  NF_OPT_GIVEN(S, F.policy_given), .def_text = WORDS },                                    \
	{ NF_OPT_INT(0, "priority", S, F.priority, 1, 99, NF_PROBE_PRIORITY,                       \
		"priority under fifo and rr"), NF_OPT_GIVEN(S, F.priority_given),                  \
	  .needs = "policy" }
#define NF_SEED_OPT(S, F)                                                                          \
	{ NF_OPT_COUNT(0, "seed", S, F.seed, 0, INT64_C(1) << 53, 1,                               \
		"seed of everything that is drawn at random") }
#define NF_SAMPLE_MEMORY_OPT(S, F)                                                                 \
	{ NF_OPT_COUNT(0, "max-sample-bytes", S, F.max_sample_bytes, 1, INT64_C(1) << 40, 0,       \
		"memory for raw samples, in bytes; what does not fit is counted as dropped, and "   \
		"limits that hold are then not decided"), .def_text = "256 MiB" }
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* The common part of a probe's config, over what the probe's defaults() wrote. */
NF_NODISCARD int nf_probe_common_set(struct nf_probe_common *common,
                                     const struct nf_probe_params *p, struct nf_err *err);

/* --runs: a folder, or a name that is free in one. Whether it can be written to is found out later. */
NF_NODISCARD int nf_runs_check(const char *runs, struct nf_err *err);
/* Everything but the limits; cli must outlive o. */
NF_NODISCARD int nf_job_opts_fill(const struct nf_cli *cli, const struct nf_job_params *p,
                                  struct nf_job_opts *ret, struct nf_err *err);

/* Prints what a job made (the summary only if asked for) and says so when it ended early. The exit
 * code, or a negated error. */
int nf_job_print(struct nf_cli *cli, const struct nf_job_outcome *o, bool summary,
                 struct nf_err *err);

/* A failed job's r, passed on. When the CPU list is what it failed for, the message gets the option's
 * name. */
int nf_job_cpus_blame(int r, const char *cpus, struct nf_err *err);

/* A command that runs one probe: its config with defaults, the common options over them, then what
 * `set` (may be NULL) takes from the command's own params, run, print. */
struct nf_probe_command {
	const struct nf_probe *probe;
	size_t cfg_size;
	int (*set)(void *cfg, const void *params, struct nf_job_opts *job, struct nf_err *err);
};
int nf_probe_command_run(struct nf_cli *cli, const struct nf_probe_command *c,
                         const struct nf_job_params *job, const struct nf_probe_params *common,
                         const void *params, struct nf_err *err);

/* A zeroed config with the probe's defaults; free() it. */
NF_NODISCARD int nf_probe_config(const struct nf_probe *probe, size_t size, void **ret,
                                 struct nf_err *err);

#endif
