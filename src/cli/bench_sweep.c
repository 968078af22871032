/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "base/utf8.h"
#include "bench/sweep_file.h"
#include "bench/words.h"
#include "cli/bench_export.h"
#include "cli/bench_opts.h"
#include "cli/bench_sides.h"
#include "cli/bench_sweep_args.h"
#include "job/bench_sweep.h"

enum { ARENA_BYTES = 64 << 20, CSV_BYTES = 64 << 20 };
static const double default_delta = 0.01, default_alpha = 0.05;

struct params {
	struct nf_bench_params bench;
	struct nf_sweep_args knobs;
	const char *program;
	bool shell;
	const char *delta;
	const char *csv;
	const char *resume;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_LIST('e', "env", struct params, knobs.env, "NAME=A,B",
		"an environment variable and its values; NAME alone declares one of listed points") },
	{ NF_OPT_LIST('a', "arg", struct params, knobs.arg, "NAME=A,B",
		"text that stands as {NAME} in the command, and its values; of a benchmark: threads=1,2") },
	{ NF_OPT_LIST('p', "point", struct params, knobs.point, "NAME=A,NAME2=B",
		"a point, instead of the full grid of the values") },
	{ NF_OPT_TEXT(0, "base", struct params, knobs.base, NULL, "NAME=A,NAME2=B",
		"the point that the others are compared with"), .def_text = "the first" },
	{ NF_OPT_TEXT(0, "workers", struct params, knobs.workers, NULL, "NAME",
		"the knob that is a number of threads or workers: too many for the CPUs are told"), .def_text = "" },
	NF_BENCH_OPTS(struct params, bench, "20", "10"),
	{ NF_OPT_PATH(0, "program", struct params, program, NULL, "FILE",
		"benchmark program whose table it is, instead of the built-in one"), .def_text = "", .needs = "filter" },
	{ NF_OPT_FLAG(0, "shell", struct params, shell,
		"the only operand is text for /bin/sh, whose start is then part of the time"), .conflicts = "filter" },
	{ NF_OPT_TEXT(0, "delta", struct params, delta, NULL, "SHARE",
		"difference that does not matter, as a ratio or with %"), .def_text = "1%" },
	{ NF_OPT_PATH(0, "csv", struct params, csv, NULL, "FILE",
		"a line a point, in a new file; derived/sweep.csv of the run folder has the same"), .def_text = "" },
	{ NF_OPT_PATH(0, "resume", struct params, resume, NULL, "RUN",
		"run folder of the same sweep, which was killed or stopped: what it has is not run again"), .def_text = "" },
	{ .kind = NF_OPT_END },
};
/* clang-format on */

/* What is borrowed while the job runs. */
struct request {
	struct nf_arena arena;
	struct nf_conf file;
	bool has_file;
	char file_sha256[NF_SHA256_HEX];
	struct nf_bench_words words;
	struct nf_bench_selection selection;
	struct nf_variant form;
	struct nf_variant variant[NF_SWEEP_POINTS_MAX];
	struct nf_sweep sweep;
	struct nf_bench_sweep_opts job;
};

static void fini(struct request *q)
{
	nf_bench_selection_fini(&q->selection);
	nf_bench_words_fini(&q->words);
	if (q->has_file)
		nf_conf_fini(&q->file);
	nf_arena_fini(&q->arena);
}

/* --- the target --- */

static int take_benchmark(struct nf_cli *cli, struct request *q, const char *program,
                          const char *filter, struct nf_err *err)
{
	int r = nf_bench_select(program, filter, q->form.threads, NF_SWEEP_POINTS_MAX, cli->stop,
	                        &q->selection, err);

	if (r < 0)
		return r;
	if (q->selection.n != 1)
		return nf_fail(err, NF_EARG,
		               "--filter finds %zu benchmarks (%.*s, %.*s...); allowed: "
		               "one a sweep",
		               q->selection.n, NF_UTF8_CUT(q->selection.row[0]->name, 100),
		               NF_UTF8_CUT(q->selection.row[1]->name, 100));
	q->form.backend = NF_BACKEND_BUILTIN;
	q->form.program = program;
	q->form.bench = q->selection.row[0]->name;
	return 0;
}

static int target_of_options(struct nf_cli *cli, const struct params *p, int argc,
                             const char *const argv[], struct request *q, struct nf_err *err)
{
	q->form.backend = NF_BACKEND_COMMAND;
	nf_bench_variant_set(&p->bench, &q->form);
	if (p->bench.filter && argc > 0)
		return nf_fail(err, NF_EARG, "--filter with a command; allowed: one of the two");
	if (p->bench.filter)
		return take_benchmark(cli, q, p->program, p->bench.filter, err);
	if (argc == 0)
		return nf_fail(err, NF_EARG,
		               "nothing to run; allowed: a command after --, --filter "
		               "RE, or a YAML file without --env, --arg and --point");
	if (p->shell && argc != 1)
		return nf_fail(err, NF_EARG,
		               "--shell: %d operands; allowed: one text for the shell", argc);
	q->form.argv = p->shell ? NULL : argv;
	q->form.shell = p->shell ? argv[0] : NULL;
	return 0;
}

static int take_words(const struct nf_conf_list *list, struct request *q, struct nf_err *err)
{
	const struct nf_conf_text *item = list->items;
	const char **word = nf_arena_alloc(&q->arena, list->n + 1, sizeof(*word));

	for (size_t i = 0; word && i < list->n; i++)
		word[i] = item[i].v;
	q->form.argv = word;
	return nf_arena_failed(&q->arena, "a command", err);
}

/* The benchmark whose name is the file's, told from others that a filter would find, too. */
static int benchmark_of_file(struct nf_cli *cli, const struct nf_sweep_benchmark *b,
                             struct request *q, struct nf_err *err)
{
	q->form.backend = NF_BACKEND_BUILTIN;
	q->form.threads = (unsigned)b->threads.v;
	q->form.program = b->program.v;
	int r = nf_bench_list_make(b->program.v, cli->stop, &q->selection.list, err);
	if (r < 0)
		return r;
	const struct nf_bench_row *row = nf_bench_list_find(&q->selection.list, b->name.v);
	if (!row)
		return nf_bench_list_refuse(&q->selection.list, b->name.v, b->program.v, err);
	q->form.bench = row->name;
	return 0;
}

static int target_of_file(struct nf_cli *cli, const struct nf_sweep_file *f, struct request *q,
                          struct nf_conf_pos *ret_at, struct nf_err *err)
{
	int r = 0;

	q->form.backend = NF_BACKEND_COMMAND;
	q->form.prepare = f->prepare.v;
	q->form.cleanup = f->cleanup.v;
	q->form.input = f->input.v;
	q->form.any_status = f->any_status.v;
	q->form.timeout_ns = q->form.timeout_ns ? q->form.timeout_ns : f->timeout.v;
	if (f->benchmark.pos.line) {
		*ret_at = f->benchmark.name.pos;
		r = benchmark_of_file(cli, &f->benchmark, q, err);
	} else if (f->shell.v) {
		q->form.shell = f->shell.v;
	} else if (f->command.text.v) {
		*ret_at = f->command.text.pos;
		r = nf_bench_words_split(f->command.text.v, &q->words, err);
		q->form.argv = (const char *const *)q->words.word;
	} else {
		r = take_words(&f->command.words, q, err);
	}
	return r;
}

/* --- the file --- */

/* What an option says goes before what the file says. */
static void merge(const struct params *p, const struct nf_sweep_file *f, struct nf_bench_opts *b)
{
	if (!p->bench.sets && f->sets.v)
		b->sets = (size_t)f->sets.v;
	if (!p->bench.iters && f->iters.v)
		b->iters = (size_t)f->iters.v;
	if (!p->bench.max_time_given && f->max_time.v)
		b->max_time_ns = f->max_time.v;
	if (!p->bench.seed_given && f->seed.pos.line)
		b->seed = (uint64_t)f->seed.v;
	if (!p->delta && f->delta.pos.line)
		b->delta = f->delta.v;
}

/* What the file has a key for is said there. */
static int check_alone(const struct params *p, int argc, struct nf_err *err)
{
	const struct nf_bench_params *b = &p->bench;
	const char *option = p->knobs.base      ? "--base"
	                     : p->knobs.workers ? "--workers"
	                     : p->shell         ? "--shell"
	                     : b->filter        ? "--filter"
	                     : b->setup         ? "--setup"
	                     : b->prepare       ? "--prepare"
	                     : b->cleanup       ? "--cleanup"
	                     : b->input         ? "--input"
	                     : b->any_status    ? "--any-status"
	                     : b->report        ? "--report"
	                                        : NULL;

	if (argc > 1)
		return nf_fail(err, NF_EARG,
		               "%d operands and no knobs; allowed: --env, --arg or "
		               "--point and a command, or one YAML file",
		               argc);
	if (option)
		return nf_fail(err, NF_EARG, "%s with a YAML file; allowed: the file says it",
		               option);
	return 0;
}

static int read_file(const char *path, struct request *q, struct nf_err *err)
{
	struct nf_buf text;
	uint8_t sum[NF_SHA256_BYTES];
	struct nf_sha256 s;
	int fd = nf_open_input(path, "a YAML file", err);

	if (fd < 0)
		return fd;
	nf_buf_init(&text, NF_CONF_BYTES_MAX + 1);
	int r = nf_read_all(fd, &text, path, err);
	(void)close(fd);
	if (r == 0)
		r = nf_conf_read(&nf_sweep_file_type, path, text.data, text.len_bytes, NULL,
		                 &q->file, err);
	q->has_file = r == 0;
	nf_sha256_init(&s);
	nf_sha256_add(&s, text.data, text.len_bytes);
	nf_sha256_done(&s, sum);
	nf_sha256_hex(sum, q->file_sha256);
	nf_buf_fini(&text);
	return r;
}

/* An owner's complaint gets the place. */
static int blame(const struct request *q, struct nf_conf_pos at, int r, const struct nf_err *why,
                 struct nf_err *err)
{
	if (r == 0)
		return 0;
	if (r != -NF_EARG && r != -NF_EDATA) {
		*err = *why;
		return r;
	}
	return nf_conf_refuse(&q->file, at, err, "%s", why->msg);
}

static int points_of_file(struct nf_cli *cli, const struct params *p, const char *path,
                          struct request *q, struct nf_err *err)
{
	struct nf_sweep_spec spec;
	struct nf_conf_pos at = { 0 };
	struct nf_err why = { 0 };
	int r = read_file(path, q, err);

	if (r < 0)
		return r;
	const struct nf_sweep_file *f = q->file.root;
	merge(p, f, &q->job.bench);
	q->form.timeout_ns = p->bench.timeout_ns;
	r = target_of_file(cli, f, q, &at, &why);
	if (r == 0) {
		at = f->pos;
		r = nf_sweep_file_spec(f, &q->arena, &spec, &at, &why);
	}
	if (r == 0)
		r = nf_sweep_make(&spec, &q->arena, &q->sweep, &at, &why);
	if (r == 0) {
		at = f->pos;
		r = nf_sweep_variants(&q->sweep, &q->form, &q->arena, q->variant, &why);
	}
	q->job.file = path;
	q->job.file_sha256 = q->file_sha256;
	return blame(q, at, r, &why, err);
}

static int points_of_options(struct nf_cli *cli, const struct params *p, int argc,
                             const char *const argv[], struct request *q, struct nf_err *err)
{
	struct nf_sweep_spec spec;
	struct nf_conf_pos ignored;
	int r = target_of_options(cli, p, argc, argv, q, err);

	if (r == 0)
		r = nf_sweep_args_spec(&p->knobs, &q->arena, &spec, err);
	if (r == 0)
		r = nf_sweep_make(&spec, &q->arena, &q->sweep, &ignored, err);
	if (r == 0)
		r = nf_sweep_variants(&q->sweep, &q->form, &q->arena, q->variant, err);
	return r;
}

/* --- the CSV file --- */

/* Whether it can be made, before anything is measured; a run that is killed leaves none. */
static int check_csv(const char *path, struct nf_err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0 && errno == EEXIST)
		return nf_fail(err, NF_EEXIST, "--csv: %s exists; allowed: a new file", path);
	if (fd < 0 && nf_errno_is_of_path(errno))
		return nf_fail(err, NF_EARG,
		               "--csv: %s: %s; allowed: a new file in a folder that exists", path,
		               strerror(errno));
	if (fd < 0)
		return nf_fail_os(err, errno, "--csv: %s", path);
	(void)close(fd);
	if (unlink(path) < 0)
		return nf_fail_os(err, errno, "--csv: %s", path);
	return 0;
}

static int write_csv(const char *path, const struct nf_buf *csv, struct nf_err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0 && errno == EEXIST)
		return nf_fail(err, NF_EEXIST,
		               "--csv: %s was made by another; nothing was overwritten", path);
	if (fd < 0)
		return nf_fail_os(err, errno, "--csv: %s", path);
	int r = nf_write_all(fd, csv->data, csv->len_bytes, path, err);
	if (close(fd) < 0 && r == 0)
		r = nf_fail_os(err, errno, "--csv: %s", path);
	return r;
}

/* --- the command --- */

static int measure(struct nf_cli *cli, const struct params *p, struct request *q,
                   struct nf_err *err)
{
	struct nf_job_outcome outcome;
	struct nf_job_opts job;
	struct nf_buf csv;
	int r = nf_job_opts_fill(cli, &p->bench.job, &job, err);

	if (r == 0 && p->csv)
		r = check_csv(p->csv, err);
	if (r < 0)
		return r;
	q->job.bench.variant = q->variant;
	q->job.bench.n_variants = q->sweep.n_points;
	q->job.sweep = &q->sweep;
	q->job.resume = p->resume;
	nf_buf_init(&csv, CSV_BYTES);
	nf_job_outcome_init(&outcome);
	r = nf_job_bench_sweep(&job, &q->job, &csv, &outcome, err);
	if (r == 0 && p->csv)
		r = write_csv(p->csv, &csv, err);
	if (r == 0)
		r = nf_bench_export_print(cli, &p->bench.exports, &outcome, err);
	nf_job_outcome_fini(&outcome);
	nf_buf_fini(&csv);
	return r;
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	bool of_options = p->knobs.env.n + p->knobs.arg.n + p->knobs.point.n > 0;
	/* Too large for a stack; one sweep a process. */
	struct request *q = calloc(1, sizeof(*q));

	if (!q)
		return nf_fail_nomem(err, "a sweep", sizeof(*q));
	nf_arena_init(&q->arena, ARENA_BYTES);
	q->job.bench.delta = default_delta;
	int r = nf_bench_opts_fill(cli, &p->bench, &q->job.bench, err);
	q->job.bench.delta = default_delta;
	q->job.bench.alpha = default_alpha;
	if (r == 0 && p->delta)
		r = nf_bench_share_parse("delta", p->delta, 0.0001, 1, &q->job.bench.delta, err);
	if (r == 0 && !of_options && argc >= 1)
		r = check_alone(p, argc, err);
	if (r == 0 && !of_options && argc == 1)
		r = points_of_file(cli, p, argv[0], q, err);
	else if (r == 0)
		r = points_of_options(cli, p, argc, argv, q, err);
	if (r == 0)
		r = measure(cli, p, q, err);
	fini(q);
	free(q);
	return r;
}

const struct nf_cmd nf_cmd_bench_sweep = {
	.name = "bench sweep",
	.operands = "[FILE | COMMAND [ARG...]]",
	.max_operands = NF_OPERANDS_ANY,
	.summary = "which knob matters: one command or benchmark at many points",
	.description =
	        "Runs a command or a benchmark at every point of a grid of knobs, or at points "
	        "that "
	        "are listed. A knob is an environment variable, or text that stands as {NAME} in "
	        "the command. The points take turns in an order that is drawn at random "
	        "(Williams designs), so that a drift falls on all alike, and each is compared with "
	        "the base in the same row. Points are marked slower or faster at a false discovery "
	        "rate of 5 % (Benjamini-Hochberg), same where the interval lies within --delta, "
	        "else "
	        "open. A grid of two knobs is also drawn as a map.\n\n"
	        "Or one YAML file says all of it (docs/SWEEP_FILE.md); --sets, --iters, "
	        "--max-time, "
	        "--timeout, --seed and --delta go before what it says.\n\n"
	        "Every set is on the disk before the next one begins. What was killed or stopped "
	        "goes "
	        "on with --resume and its run folder: the same knobs, command, program and "
	        "machine, "
	        "or it is refused; the plan stays, --max-time does not matter. A set that was "
	        "interrupted is run again, and told; its row is left out of the comparison.\n\n"
	        "What the machine cannot show is said as a claim ceiling: one CPU, more threads or "
	        "workers than CPUs, too few sets. Exit code 5: a point failed.",
	.examples =
	        "bench sweep --env GOGC=50,100,200 -- ./server -c # one knob\n"
	        "bench sweep --env A=1,2 --arg N=1,2,4 --csv out.csv -- ./prog -n {N} # a grid\n"
	        "bench sweep --point A=1,B=1 --point A=2,B=8 -- ./prog # listed points\n"
	        "bench sweep --filter '^sync.mutex$' --arg threads=1,2,4 # threads\n"
	        "bench sweep sweep.yaml --resume runs/20260102T030405Z-host-bench_sweep # go on",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.test_long = "bench sweep --env A=1,2 --sets 1000 --max-time 1h -- sleep 0.2",
	.test_short = "bench sweep --env A=1,2 --sets 2 -- true",
	.run = run,
};
