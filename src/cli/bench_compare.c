/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "bench/words.h"
#include "cli/bench_opts.h"

struct params {
	struct nf_bench_params bench;
	bool shell;
	const char *name;
	const char *delta;
	const char *alpha;
	const char *old_program;
	const char *new_program;
	bool null_row;
	bool no_extension;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_BENCH_OPTS(struct params, bench, "20", "10"),
	{ NF_OPT_TEXT(0, "delta", struct params, delta, "1%", "SHARE",
		"slowdown that does not matter, as a ratio or with %") },
	{ NF_OPT_TEXT(0, "alpha", struct params, alpha, "1%", "SHARE",
		"share of such runs that may call something changed that is not") },
	{ NF_OPT_FLAG(0, "null", struct params, null_row,
		"compare the old side with itself, too; when that finds a difference nothing is decided") },
	{ NF_OPT_FLAG(0, "no-extension", struct params, no_extension,
		"one look at the data; else, if it fits --max-time, up to three times the sets when undecided") },
	{ NF_OPT_TEXT(0, "name", struct params, name, "command", "TEXT", "of the comparison") },
	{ NF_OPT_PATH(0, "old-program", struct params, old_program, NULL, "FILE",
		"benchmark program that holds the old side"), .def_text = "", .needs = "filter" },
	{ NF_OPT_PATH(0, "new-program", struct params, new_program, NULL, "FILE",
		"benchmark program that holds the new side"), .def_text = "", .needs = "filter" },
	{ NF_OPT_FLAG(0, "shell", struct params, shell,
		"the operands are text for /bin/sh, whose start is then part of the time") },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int parse_share(const char *option, const char *text, double min, double max, double *ret,
                       struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED], *end = NULL;

	errno = 0;
	double v = isdigit((unsigned char)text[0]) ? strtod(text, &end) : (double)NAN;
	if (end && *end == '%') {
		v /= 100;
		end++;
	}
	if (end && *end == '\0' && !errno && v >= min && v <= max) {
		*ret = v;
		return 0;
	}
	nf_opt_quote(text, quoted);
	return nf_fail(err, NF_EARG, "--%s: bad value %s; allowed: %g to %g, or with %%", option,
	               quoted, min, max);
}

static int side(const struct params *p, const char *text, struct nf_bench_words *ret_words,
                struct nf_variant *ret, struct nf_err *err)
{
	*ret = (struct nf_variant){ .label = text, .backend = NF_BACKEND_COMMAND };
	nf_bench_variant_set(&p->bench, ret);
	if (p->shell) {
		ret->shell = text;
		return 0;
	}
	int r = nf_bench_words_split(text, ret_words, err);
	ret->argv = (const char *const *)ret_words->word;
	return r;
}

static int compare(struct nf_cli *cli, const struct params *p, const struct nf_bench_opts *bench,
                   struct nf_err *err)
{
	struct nf_job_outcome outcome;
	struct nf_job_opts job;
	int r = nf_job_opts_fill(cli, &p->bench.job, &job, err);

	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	r = nf_job_bench_compare(&job, bench, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

static int compare_commands(struct nf_cli *cli, const struct params *p,
                            const struct nf_bench_opts *common, int argc, const char *const argv[],
                            struct nf_err *err)
{
	struct nf_bench_opts bench = *common;
	struct nf_bench_words words[2] = { 0 };
	struct nf_variant variant[2];
	int r = 0;

	if (argc != 2)
		return nf_fail(err, NF_EARG,
		               "%d operands; allowed: the old command and the new one, "
		               "each one text, or --filter and two programs",
		               argc);
	for (size_t i = 0; r == 0 && i < 2; i++)
		r = side(p, argv[i], &words[i], &variant[i], err);
	bench.variant = variant;
	bench.n_variants = 2;
	bench.name = &p->name;
	if (r == 0)
		r = compare(cli, p, &bench, err);
	nf_bench_words_fini(&words[0]);
	nf_bench_words_fini(&words[1]);
	return r;
}

/* The benchmarks of the old program that the filter finds; the new one must have them. */
static int compare_programs(struct nf_cli *cli, const struct params *p,
                            const struct nf_bench_opts *common, struct nf_err *err)
{
	struct nf_bench_opts bench = *common;
	const char *const program[] = { p->old_program, p->new_program };
	struct nf_variant variant[NF_BENCH_VARIANTS_MAX] = { 0 };
	const char *name[NF_BENCH_VARIANTS_MAX / 2];
	struct nf_bench_selection s = { 0 };
	int r = nf_bench_select(p->old_program, p->bench.filter, (unsigned)p->bench.threads,
	                        NF_BENCH_VARIANTS_MAX / 2, cli->stop, &s, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < 2 * s.n; i++) {
		nf_bench_variant_set(&p->bench, &variant[i]);
		variant[i].backend = NF_BACKEND_BUILTIN;
		variant[i].program = program[i % 2];
		variant[i].bench = s.row[i / 2]->name;
		variant[i].label = program[i % 2];
		name[i / 2] = s.label[i / 2];
	}
	bench.variant = variant;
	bench.n_variants = 2 * s.n;
	bench.name = name;
	r = compare(cli, p, &bench, err);
	nf_bench_selection_fini(&s);
	return r;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_bench_opts bench;

	int r = nf_bench_opts_fill(cli, &p->bench, &bench, err);
	if (r == 0)
		r = parse_share("delta", p->delta, 0.0001, 1, &bench.delta, err);
	if (r == 0)
		r = parse_share("alpha", p->alpha, 1e-6, 0.2, &bench.alpha, err);
	if (r < 0)
		return r;
	bench.null_row = p->null_row;
	bench.no_extension = p->no_extension;
	if (!p->bench.filter)
		return compare_commands(cli, p, &bench, argc, argv, err);
	if (argc > 0 || !p->old_program || !p->new_program)
		return nf_fail(err, NF_EARG,
		               "--filter: allowed: with --old-program and "
		               "--new-program, without commands");
	return compare_programs(cli, p, &bench, err);
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
