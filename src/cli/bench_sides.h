/* SPDX-License-Identifier: MIT */
/* bench_sides - old against new, both run in turn: what `bench compare` and `bench regress` share. */
#ifndef NF_CLI_BENCH_SIDES_H
#define NF_CLI_BENCH_SIDES_H

#include "cli/bench_opts.h"

struct nf_bench_sides_params {
	bool shell;
	const char *name;
	const char *delta;
	const char *alpha;
	const char *old_program;
	const char *new_program;
	bool null_row;
	bool no_extension;
};

/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define NF_BENCH_SIDES_OPTS(S, F, COMMANDS)                                                        \
	NF_BENCH_LISTS_OPT(S, bench),                                                              \
	{ NF_OPT_TEXT(0, "delta", S, F.delta, "1%", "SHARE",                                       \
		"slowdown that does not matter, as a ratio or with %") },                          \
	{ NF_OPT_TEXT(0, "alpha", S, F.alpha, "1%", "SHARE",                                       \
		"share of such runs that may call something changed that is not") },               \
	{ NF_OPT_FLAG(0, "null", S, F.null_row,                                                    \
		"compare the old side with itself, too; when that finds a difference nothing is decided") }, \
	{ NF_OPT_FLAG(0, "no-extension", S, F.no_extension,                                        \
		"one look at the data; else, if it fits --max-time, up to three times the sets when undecided") }, \
	{ NF_OPT_TEXT(0, "name", S, F.name, NULL, "TEXT", "of the comparison of commands"),        \
	  .def_text = COMMANDS, .conflicts = "filter" },                                           \
	{ NF_OPT_PATH(0, "old-program", S, F.old_program, NULL, "FILE",                            \
		"benchmark program that holds the old side"), .def_text = "", .needs = "filter new-program" }, \
	{ NF_OPT_PATH(0, "new-program", S, F.new_program, NULL, "FILE",                            \
		"benchmark program that holds the new side"), .def_text = "", .needs = "filter old-program" }
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* A ratio or a percentage. -NF_EARG names the option. */
NF_NODISCARD int nf_bench_share_parse(const char *option, const char *text, double min, double max,
                                      double *ret, struct nf_err *err);
/* delta, alpha and how it is looked at. */
NF_NODISCARD int nf_bench_sides_fill(const struct nf_bench_sides_params *p,
                                     struct nf_bench_opts *bench, struct nf_err *err);
/* Two commands as operands, or --filter and two programs: an exit code, or a negated error. */
int nf_bench_sides_run(struct nf_cli *cli, const struct nf_bench_params *p,
                       const struct nf_bench_sides_params *s, int argc, const char *const argv[],
                       struct nf_err *err);

#endif
