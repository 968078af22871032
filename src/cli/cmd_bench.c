/* SPDX-License-Identifier: MIT */
/* cmd_bench - the subcommands of `bench`, in the order of help; each is a file bench_<sub>.c. */
#include "cli/cmd.h"

/* clang-format off */
extern const struct nf_cmd nf_cmd_bench_compare;
extern const struct nf_cmd nf_cmd_bench_convert;
extern const struct nf_cmd nf_cmd_bench_list;
extern const struct nf_cmd nf_cmd_bench_regress;
extern const struct nf_cmd nf_cmd_bench_run;
extern const struct nf_cmd nf_cmd_bench_sweep;

static const struct nf_cmd *const subs[] = {
	&nf_cmd_bench_list,
	&nf_cmd_bench_run,
	&nf_cmd_bench_compare,
	&nf_cmd_bench_regress,
	&nf_cmd_bench_sweep,
	&nf_cmd_bench_convert,
	NULL,
};
/* clang-format on */

const struct nf_cmd nf_cmd_bench = {
	.name = "bench",
	.summary = "how long programs take, and whether they became slower",
	.description = "Benchmarks that are built in, that a program of your own holds "
	               "(noisefloor/bench.h), or any command. Every set of values is measured in "
	               "a process of its own.",
	.examples = "bench list # what there is\n"
	            "bench run -- sort -R /etc/services # how long it takes\n"
	            "bench compare ./old ./new # is the new one slower?\n"
	            "bench sweep --env GOGC=50,100,200 -- ./server # which value is best?\n"
	            "help bench run # the options of one subcommand",
	.subs = subs,
};
