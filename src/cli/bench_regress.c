/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "bench/words.h"
#include "cli/bench_export.h"
#include "cli/bench_git.h"
#include "cli/bench_points.h"
#include "cli/bench_sides.h"
#include "job/bench_regress.h"

struct params {
	struct nf_bench_params bench;
	struct nf_bench_sides_params sides;
	const char *program;
	const char *baseline;
	const char *save;
	int64_t sessions;
	const char *threshold; /* NULL: by the sessions' spread */
	bool any_machine;
	const char *commit;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_BENCH_OPTS(struct params, bench, "20", "10"),
	{ NF_OPT_PATH('b', "baseline", struct params, baseline, NULL, "FILE",
		"stored sessions to compare with, instead of an old side that runs again"), .def_text = "",
	  .conflicts = "save-baseline old-program null no-extension" },
	{ NF_OPT_PATH(0, "save-baseline", struct params, save, NULL, "FILE",
		"add a session to these, or begin them"), .def_text = "",
	  .conflicts = "old-program null no-extension" },
	{ NF_OPT_COUNT(0, "sessions", struct params, sessions, 1, 100, 1, "to add"), .needs = "save-baseline" },
	{ NF_OPT_TEXT(0, "threshold", struct params, threshold, NULL, "SHARE",
		"the plain rule: regressed when a median is more than this worse than the stored one, whatever the noise"),
	  .def_text = "by how the sessions differ", .needs = "baseline", .conflicts = "delta alpha" },
	{ NF_OPT_FLAG(0, "any-machine", struct params, any_machine,
		"sessions of other machines count, too"), .needs = "baseline" },
	{ NF_OPT_TEXT(0, "commit", struct params, commit, NULL, "TEXT",
		"what is measured, to be kept with a session"), .def_text = "that of the current folder, from git",
	  .needs = "save-baseline" },
	{ NF_OPT_PATH(0, "program", struct params, program, NULL, "FILE",
		"benchmark program whose table it is, instead of the built-in one"), .def_text = "",
	  .needs = "filter", .conflicts = "old-program" },
	NF_BENCH_SIDES_OPTS(struct params, sides, "the command"),
	{ NF_OPT_FLAG(0, "shell", struct params, sides.shell,
		"commands are text for /bin/sh, whose start is then part of the time"), .conflicts = "filter" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int regress(struct nf_cli *cli, const struct params *p, const struct nf_bench_opts *bench,
                   struct nf_bench_regress_opts *o, struct nf_err *err)
{
	char commit[NF_GIT_COMMIT_MAX];
	struct nf_job_outcome outcome;
	struct nf_job_opts job;
	int r = nf_job_opts_fill(cli, &p->bench.job, &job, err);

	o->path = p->save ? p->save : p->baseline;
	o->save = p->save != NULL;
	o->sessions = (size_t)p->sessions;
	o->any_machine = p->any_machine;
	o->has_threshold = p->threshold != NULL;
	if (r == 0 && p->threshold)
		r = nf_bench_share_parse("threshold", p->threshold, 0, 10, &o->threshold, err);
	if (r < 0)
		return r;
	if (p->save && p->commit) {
		o->commit = p->commit;
	} else if (p->save) {
		nf_bench_git(commit, &o->dirty);
		o->commit = commit[0] ? commit : NULL;
	}
	nf_job_outcome_init(&outcome);
	r = nf_job_cpus_blame(nf_job_bench_regress(&job, bench, o, &outcome, err), bench->cpus,
	                      err);
	if (r == 0)
		r = nf_bench_export_print(cli, &p->bench.exports, &outcome, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

/* The name that stored sessions are found by: of all points the same, their knobs are kept apart. */
static int key_name(const struct params *p, int argc, const char *const argv[], struct nf_buf *ret,
                    struct nf_err *err)
{
	if (p->sides.name)
		nf_buf_adds(ret, p->sides.name);
	else if (p->sides.shell)
		nf_buf_adds(ret, argv[0]);
	else
		nf_bench_words_join(argv, (size_t)argc, ret);
	if (p->bench.report_bench && !p->sides.name)
		(void)nf_buf_addf(ret, ": %s", p->bench.report_bench);
	return nf_buf_failed(ret, "the command's name", err);
}

static int regress_command(struct nf_cli *cli, const struct params *p,
                           const struct nf_bench_opts *common, int argc, const char *const argv[],
                           struct nf_err *err)
{
	struct nf_bench_opts bench = *common;
	struct nf_variant variant[NF_BENCH_VARIANTS_MAX];
	struct nf_bench_key key[NF_BENCH_VARIANTS_MAX] = { 0 };
	struct nf_bench_regress_opts o = { .key = key };
	struct nf_bench_points points = { 0 };
	struct nf_buf name;

	if (argc == 0 || (p->sides.shell && argc != 1))
		return nf_fail(err, NF_EARG,
		               "%d operands; allowed: a command after --%s, or --filter RE", argc,
		               p->sides.shell ? " as one text" : "");
	nf_buf_init(&name, NF_BENCH_LABEL_MAX);
	int r = nf_bench_points_open(&points, &p->bench, 1, err);
	if (r == 0)
		r = nf_bench_points_used(&points, &p->bench, argv, (size_t)argc, err);
	if (r == 0)
		r = key_name(p, argc, argv, &name, err);
	if (r < 0)
		goto out;
	bench.variant = variant;
	bench.n_variants = points.lists.points;
	for (size_t i = 0; i < bench.n_variants; i++) {
		nf_bench_points_variant(&points, i, &p->bench, p->sides.shell, argv, (size_t)argc,
		                        &variant[i]);
		key[i] = (struct nf_bench_key){
			.bench = name.data,
			.is_command = true,
			.knobs = nf_bench_lists_knobs(&points.lists, i, &points.arena),
		};
	}
	r = nf_arena_failed(&points.arena, "the commands", err);
	if (r == 0) {
		nf_bench_points_tell_apart(&points, variant, bench.n_variants);
		r = nf_arena_failed(&points.arena, "the commands", err);
	}
	if (r == 0)
		r = regress(cli, p, &bench, &o, err);
out:
	nf_buf_fini(&name);
	nf_bench_points_fini(&points);
	return r;
}

/* What of the baseline the filter would have found. */
struct covered {
	regex_t re;
	const struct params *p;
};

static bool covers(void *ctx, const struct nf_rec_bench_stored *s)
{
	const struct covered *c = ctx;

	return !s->is_command && !s->knobs.n && (s->program != NULL) == (c->p->program != NULL) &&
	       (s->threads.some ? s->threads.v : 0) == (uint64_t)c->p->bench.threads &&
	       regexec(&c->re, s->bench, 0, NULL, 0) == 0;
}

static int regress_table(struct nf_cli *cli, const struct params *p,
                         const struct nf_bench_opts *common, struct nf_err *err)
{
	struct nf_bench_opts bench = *common;
	struct nf_bench_selection s = { 0 };
	struct nf_variant variant[NF_BENCH_VARIANTS_MAX] = { 0 };
	struct nf_bench_key key[NF_BENCH_VARIANTS_MAX] = { 0 };
	struct covered covered = { .p = p };
	struct nf_bench_regress_opts o = { .key = key, .covers = covers, .covers_ctx = &covered };
	int r = nf_bench_filter_compile(p->bench.filter, &covered.re, err);

	if (r < 0)
		return r;
	r = nf_bench_select(p->program, p->bench.filter, (unsigned)p->bench.threads,
	                    NF_BENCH_VARIANTS_MAX, cli->stop, &s, err);
	for (size_t i = 0; r == 0 && i < s.n; i++) {
		nf_bench_variant_set(&p->bench, &variant[i]);
		variant[i].backend = NF_BACKEND_BUILTIN;
		variant[i].program = p->program;
		variant[i].bench = s.row[i]->name;
		variant[i].label = s.label[i];
		key[i].bench = s.row[i]->name;
		key[i].program = p->program;
		key[i].threads = (unsigned)p->bench.threads;
	}
	bench.variant = variant;
	bench.n_variants = s.n;
	if (r == 0)
		r = regress(cli, p, &bench, &o, err);
	nf_bench_selection_fini(&s);
	regfree(&covered.re);
	return r;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_bench_opts bench;
	int r;

	if (!p->baseline && !p->save)
		return nf_bench_sides_run(cli, &p->bench, &p->sides, argc, argv, err);
	r = nf_bench_opts_fill(cli, &p->bench, &bench, err);
	if (r == 0)
		r = nf_bench_sides_fill(&p->sides, &bench, err);
	if (r < 0)
		return r;
	if (!p->bench.filter)
		return regress_command(cli, p, &bench, argc, argv, err);
	if (argc > 0)
		return nf_fail(err, NF_EARG, "--filter with a command; allowed: one of the two");
	return regress_table(cli, p, &bench, err);
}

const struct nf_cmd nf_cmd_bench_regress = {
	.name = "bench regress",
	.operands = "[OLD NEW | COMMAND [ARG...]]",
	.max_operands = NF_OPERANDS_ANY,
	.summary = "a gate: whether something became slower",
	.description =
	        "Where the old side can run again it is run again, in turn with the new one, as "
	        "'bench compare' does: two commands, or two programs with --filter. A benchmark "
	        "that only one of the programs has is NEW or GONE. That is the form to prefer: "
	        "what the machine does meanwhile falls on both sides.\n\n"
	        "Where it cannot, --save-baseline keeps sessions in a file, and --baseline "
	        "compares one with those of this machine: a median beyond what their spread "
	        "allows is measured again in a second session, and REGRESSED only when both "
	        "together are beyond their bound. It takes three stored sessions, better more, "
	        "of different days and boots; the slowdown that would be found is said. With "
	        "--sessions several are measured at once, which shows less of how days differ. "
	        "--max-time is that of a session.\n\n"
	        "--threshold is the plain rule that others publish: regressed when the median is "
	        "more than that above the stored one; where larger is better, when one over it is "
	        "above one over the stored. Nothing is said then of how often noise "
	        "does that.\n\n"
	        "Exit codes: 0 nothing became slower, 1 something did, 3 not decided, too few "
	        "sessions, or those of another machine, 5 something failed. A benchmark that is "
	        "GONE fails under --strict only (3).",
	.examples = "bench regress './old -n 5' './new -n 5' # both run in turn\n"
	            "bench regress --filter . --old-program ./bench.old --new-program ./bench\n"
	            "bench regress --save-baseline base.json --sessions 5 --filter '^mem'\n"
	            "bench regress --baseline base.json --filter '^mem' # beside what was stored\n"
	            "bench regress --baseline base.json --threshold 10% -- ./prog # the plain rule",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.test_long = "bench regress --save-baseline {out} --sessions 100 -- sleep 0.2",
	.test_short = "bench regress --delta 100% --no-extension 'sleep 0.01' 'sleep 0.01'",
	.run = run,
};
