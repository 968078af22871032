/* SPDX-License-Identifier: MIT */
#include "cli/bench_sides.h"

struct params {
	struct nf_bench_params bench;
	struct nf_bench_sides_params sides;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_BENCH_OPTS(struct params, bench, "20", "10"),
	NF_BENCH_SIDES_OPTS(struct params, sides, "command"),
	{ NF_OPT_FLAG(0, "shell", struct params, sides.shell,
		"the operands are text for /bin/sh, whose start is then part of the time") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;

	return nf_bench_sides_run(cli, &p->bench, &p->sides, argc, argv, err);
}

const struct nf_cmd nf_cmd_bench_compare = {
	.name = "bench compare",
	.operands = "[OLD NEW]",
	.max_operands = 2,
	.summary = "whether a new command is slower than an old one",
	.description =
	        "Runs two commands in turn, in an order that is drawn at random, and decides: "
	        "REGRESSED or IMPROVED when they differ by more than --delta, which is wrong in at "
	        "most --alpha of such runs; SAME when the interval of their ratio is within "
	        "--delta; else INCONCLUSIVE, with the slowdown that would have been found. Each "
	        "operand is a command line; quotes work as in a shell, what needs one is "
	        "refused without --shell. Or the sides are two benchmark programs (--filter, "
	        "--old-program, --new-program), and all their benchmarks are decided together.\n\n"
	        "The estimated time is printed first. Where --max-time does not allow as many sets "
	        "as a decision needs, it says so and stops: exit code 3. Other exit codes: 1 "
	        "regressed, 3 not decided, 5 a side failed.\n\n"
	        "Blocks of sets that the system disturbed (steal, throttling, a change of "
	        "frequency) are left out whichever side was slower, at most a fifth of them.",
	.examples = "bench compare './old -n 5' './new -n 5' # is the new one slower?\n"
	            "bench compare --delta 5% --max-time 5m ./old ./new # small changes are fine\n"
	            "bench compare --null ./old ./new # is the machine fit to tell?",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.test_long = "bench compare --sets 1000 --max-time 1h 'sleep 0.2' 'sleep 0.2'",
	.test_short = "bench compare --delta 100% --no-extension 'sleep 0.01' 'sleep 0.01'",
	.run = run,
};
