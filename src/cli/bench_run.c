/* SPDX-License-Identifier: MIT */
#include "cli/bench_export.h"
#include "cli/bench_points.h"

struct params {
	struct nf_bench_params bench;
	const char *program;
	bool shell;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_BENCH_OPTS(struct params, bench, "5, of a command 20", "15"),
	{ NF_OPT_PATH(0, "program", struct params, program, NULL, "FILE",
		"benchmark program whose table it is, instead of the built-in one"), .def_text = "",
	  .needs = "filter" },
	NF_BENCH_LISTS_OPT(struct params, bench),
	{ NF_OPT_FLAG(0, "shell", struct params, shell,
		"the only operand is text for /bin/sh, whose start is then part of the time"),
	  .conflicts = "filter" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int measure(struct nf_cli *cli, const struct params *p, const struct nf_bench_opts *bench,
                   struct nf_err *err)
{
	struct nf_job_outcome outcome;
	struct nf_job_opts job;
	int r = nf_job_opts_fill(cli, &p->bench.job, &job, err);

	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	r = nf_job_cpus_blame(nf_job_bench_run(&job, bench, &outcome, err), bench->cpus, err);
	if (r == 0)
		r = nf_bench_export_print(cli, &p->bench.exports, &outcome, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

static int run_command(struct nf_cli *cli, const struct params *p,
                       const struct nf_bench_opts *common, int argc, const char *const argv[],
                       struct nf_err *err)
{
	struct nf_bench_opts bench = *common;
	struct nf_variant variant[NF_BENCH_VARIANTS_MAX];
	struct nf_bench_points points = { 0 };

	if (argc == 0)
		return nf_fail(err, NF_EARG,
		               "nothing to run; allowed: a command after --, or "
		               "--filter RE");
	if (p->shell && argc != 1)
		return nf_fail(err, NF_EARG,
		               "--shell: %d operands; allowed: one text for the shell", argc);
	int r = nf_bench_points_open(&points, &p->bench, 1, err);
	if (r == 0)
		r = nf_bench_points_used(&points, &p->bench, argv, (size_t)argc, err);
	if (r < 0)
		goto out;
	bench.variant = variant;
	bench.n_variants = points.lists.points;
	for (size_t i = 0; i < bench.n_variants; i++)
		nf_bench_points_variant(&points, i, &p->bench, p->shell, argv, (size_t)argc,
		                        &variant[i]);
	r = nf_arena_failed(&points.arena, "the commands", err);
	if (r == 0) {
		nf_bench_points_tell_apart(&points, variant, bench.n_variants);
		r = nf_arena_failed(&points.arena, "the commands", err);
	}
	if (r == 0)
		r = measure(cli, p, &bench, err);
out:
	nf_bench_points_fini(&points);
	return r;
}

static int run_table(struct nf_cli *cli, const struct params *p, const struct nf_bench_opts *common,
                     struct nf_err *err)
{
	struct nf_bench_opts bench = *common;
	struct nf_bench_selection s = { 0 };
	struct nf_variant variant[NF_BENCH_VARIANTS_MAX] = { 0 };
	int r = nf_bench_select(p->program, p->bench.filter, (unsigned)p->bench.threads,
	                        NF_BENCH_VARIANTS_MAX, cli->stop, &s, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < s.n; i++) {
		nf_bench_variant_set(&p->bench, &variant[i]);
		variant[i].backend = NF_BACKEND_BUILTIN;
		variant[i].program = p->program;
		variant[i].bench = s.row[i]->name;
		variant[i].label = s.label[i];
	}
	bench.variant = variant;
	bench.n_variants = s.n;
	r = measure(cli, p, &bench, err);
	nf_bench_selection_fini(&s);
	return r;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_bench_opts bench;
	int r = nf_bench_opts_fill(cli, &p->bench, &bench, err);

	if (r < 0)
		return r;
	if (!p->bench.filter)
		return run_command(cli, p, &bench, argc, argv, err);
	if (argc > 0)
		return nf_fail(err, NF_EARG, "--filter with a command; allowed: one of the two");
	return run_table(cli, p, &bench, err);
}

const struct nf_cmd nf_cmd_bench_run = {
	.name = "bench run",
	.operands = "[COMMAND [ARG...]]",
	.max_operands = NF_OPERANDS_ANY,
	.summary = "how long a command or a benchmark takes",
	.description =
	        "Runs a command, or benchmarks of a table ('bench list'), in fresh processes, each "
	        "in an environment of another length. Of a command every execution is one value: "
	        "from before its start to its end; with it how much CPU time it took, and how much "
	        "memory its largest process had. Of a benchmark a process gives several values, "
	        "each the time of one operation. The first execution of each is discarded. "
	        "Write -- before a command, so that its options stay its own.\n\n"
	        "The estimated time is printed first; --max-time makes it shorter. A command that "
	        "ends with a status other than 0, crashes or takes longer than --timeout has "
	        "failed: exit code 5. What it leaves running in its process group is ended.\n\n"
	        "The median is that of all values of all sets; the median of the sets' medians "
	        "is named as such. The run folder holds every value in the order they were "
	        "measured.",
	.examples = "bench run -- sort -R /etc/services # twenty times\n"
	            "bench run --sets 100 --max-time 5m -- make -C src # more of them\n"
	            "bench run --prepare 'rm -f out' -- cp big out # not timed, before each\n"
	            "bench run -L n=1,4,16 -- head -c {n}M /dev/zero # a row each\n"
	            "bench run --filter '^sync' # a suite of the table\n"
	            "bench run --shell 'sort data | uniq -c' # with its shell",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.test_long = "bench run --sets 1000 --max-time 1h -- sleep 0.2",
	.test_short = "bench run --sets 5 -- true",
	.run = run,
};
