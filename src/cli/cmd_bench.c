/* SPDX-License-Identifier: MIT */
/* cmd_bench - the subcommands of `bench`, in the order of help; each is a file bench_<sub>.c. */
#include "cli/cmd.h"

/* clang-format off */
extern const struct nf_cmd nf_cmd_bench_list;

static const struct nf_cmd *const subs[] = {
	&nf_cmd_bench_list,
	NULL,
};
/* clang-format on */

const struct nf_cmd nf_cmd_bench = {
	.name = "bench",
	.summary = "benchmarks",
	.description = "Benchmarks that are built in, or that a program of your own holds "
	               "(noisefloor/bench.h).",
	.examples = "bench list # what there is\n"
	            "help bench list # the options of one subcommand",
	.subs = subs,
};
