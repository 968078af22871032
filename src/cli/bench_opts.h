/* SPDX-License-Identifier: MIT */
/* bench_opts - what `bench run` and `bench compare` share. */
#ifndef NF_CLI_BENCH_OPTS_H
#define NF_CLI_BENCH_OPTS_H

#include "cli/bench_select.h"
#include "cli/jobs.h"
#include "job/bench.h"
#include "samples/results.h"

struct nf_bench_params {
	struct nf_job_params job;
	const char *filter;
	int64_t threads;
	int64_t sets;
	int64_t iters;
	int64_t max_time_ns;
	bool max_time_given;
	int64_t timeout_ns;
	const char *cpus;
	const char *setup;
	const char *prepare;
	const char *cleanup;
	const char *input;
	const char *output;
	int report; /* 0: none; else enum nf_interchange_id + 1 */
	const char *report_file;
	const char *report_bench;
	int better; /* enum nf_better */
	struct nf_opt_list exports;
	bool any_status;
	int64_t seed;
	bool seed_given;
	struct nf_opt_list lists; /* of NF_BENCH_LISTS_OPT */
};

extern const char *const nf_bench_report_names[]; /* of NF_BENCH_OPTS's --report */

/* SETS, ITERS: their defaults in words. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define NF_BENCH_OPTS(S, F, SETS, ITERS)                                                                        \
	{ NF_OPT_TEXT('f', "filter", S, F.filter, NULL, "RE",                                      \
		"benchmarks of a table instead of commands: those whose name this extended "       \
		"regular expression finds") },                                                     \
	{ NF_OPT_COUNT('t', "threads", S, F.threads, 1, NF_BENCH_THREADS_MAX, 0,                   \
		"of a benchmark of a table"), .def_text = "its own", .needs = "filter" },          \
	{ NF_OPT_COUNT('n', "sets", S, F.sets, 1, NF_BENCH_SETS_MAX, 0,                            \
		"processes that each is run in; else NOISEFLOOR_BENCH_SETS"),                      \
	  .def_text = SETS },                                                          \
	{ NF_OPT_COUNT(0, "iters", S, F.iters, 1, NF_BENCH_ITERS_MAX, 0,                           \
		"values of a set of a built-in benchmark, after one that is discarded; else "      \
		"NOISEFLOOR_BENCH_ITERS. A command gives one"), .def_text = ITERS },                \
	{ NF_OPT_DURATION(0, "max-time", S, F.max_time_ns, 1000000, NF_PROBE_MAX_NS,               \
		INT64_C(60000000000), "how long all of it may take: fewer values, then fewer sets"),                  \
	  NF_OPT_GIVEN(S, F.max_time_given) },                                                      \
	{ NF_OPT_DURATION(0, "timeout", S, F.timeout_ns, 1000000, NF_PROBE_MAX_NS, 0,              \
		"an execution that takes longer is ended and has failed"), .def_text = "none" },   \
	{ NF_OPT_CPUS('c', "cpus", S, F.cpus, NULL,                                                \
		"CPUs that every set is bound to; one that is absent or not allowed is an error"), \
	  .def_text = "those of this process" },                                                   \
	{ NF_OPT_TEXT(0, "setup", S, F.setup, NULL, "TEXT",                                        \
		"for /bin/sh once for each command, before its first execution"), .def_text = "" }, \
	{ NF_OPT_TEXT(0, "prepare", S, F.prepare, NULL, "TEXT",                                    \
		"for /bin/sh before each execution, not timed"), .def_text = "" },                 \
	{ NF_OPT_TEXT(0, "cleanup", S, F.cleanup, NULL, "TEXT",                                    \
		"for /bin/sh after each execution, not timed"), .def_text = "" },                  \
	{ NF_OPT_PATH(0, "input", S, F.input, NULL, "FILE",                                        \
		"standard input of the command"), .def_text = "/dev/null" },                       \
	{ NF_OPT_PATH(0, "output", S, F.output, NULL, "FILE",                                      \
		"new file for the standard output and error of all sets"), .def_text = "/dev/null" }, \
	{ NF_OPT_CHOICE(0, "report", S, F.report, nf_bench_report_names, 0, "FORM",                \
		"the command reports its own numbers, on its standard output: all of them are "    \
		"values; auto tells the form from what it says"), .def_text = "",                  \
	  .conflicts = "filter" },                                                                 \
	{ NF_OPT_PATH(0, "report-file", S, F.report_file, NULL, "FILE",                            \
		"the command reports in this file, which it makes and which is removed after it "  \
		"was read"), .def_text = "standard output", .needs = "report" },                   \
	{ NF_OPT_TEXT(0, "report-bench", S, F.report_bench, NULL, "NAME",                          \
		"which of the benchmarks that it reports; where one has several units, also "       \
		"\"NAME UNIT\""), .def_text = "the only one", .needs = "report" },                \
	{ NF_OPT_CHOICE(0, "better", S, F.better, nf_better_names, 0, "WAY",                       \
		"which way is better of what the command reports, whatever it says itself"),       \
	  .def_text = "as it says, else larger where the unit ends in /s", .needs = "report" },    \
	{ NF_OPT_LIST(0, "export", S, F.exports, "FORM=FILE",                                      \
		"also write the results as other programs read them; FORM as for bench convert --to") }, \
	{ NF_OPT_FLAG(0, "any-status", S, F.any_status,                                            \
		"an exit status other than 0 is no failure") },                                    \
	{ NF_OPT_COUNT(0, "seed", S, F.seed, 0, INT64_C(1) << 53, 1,                               \
		"seed of the order of the sets and of the padding of their environment"),      \
	  NF_OPT_GIVEN(S, F.seed_given) },                                                          \
	{ NF_OPT_TEXT(0, "tag", S, F.job.tag, NULL, "TEXT",                                        \
		"last part of the run folder's name and the label that runs are compared by"),     \
	  .def_text = "the command" }
/* For those who make variants of bench_points.h. */
#define NF_BENCH_LISTS_OPT(S, F)                                                                   \
	{ NF_OPT_LIST('L', "parameter-list", S, F.lists, "NAME=VALUE,...",                         \
		"the command once for each value, {NAME} in it replaced; several lists: every "    \
		"combination"), .conflicts = "filter" }
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* The common part of a job's options; -NF_EARG: a NOISEFLOOR_BENCH_ variable that is no number in range. */
NF_NODISCARD int nf_bench_opts_fill(struct nf_cli *cli, const struct nf_bench_params *p,
                                    struct nf_bench_opts *ret, struct nf_err *err);
/* What the options say of every variant. */
void nf_bench_variant_set(const struct nf_bench_params *p, struct nf_variant *v);

#endif
