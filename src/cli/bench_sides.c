/* SPDX-License-Identifier: MIT */
#include "cli/bench_sides.h"
#include "cli/bench_export.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/words.h"
#include "cli/bench_export.h"
#include "cli/bench_points.h"

int nf_bench_share_parse(const char *option, const char *text, double min, double max, double *ret,
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

int nf_bench_sides_fill(const struct nf_bench_sides_params *p, struct nf_bench_opts *bench,
                        struct nf_err *err)
{
	int r = nf_bench_share_parse("delta", p->delta, 0.0001, 1, &bench->delta, err);

	if (r == 0)
		r = nf_bench_share_parse("alpha", p->alpha, 1e-6, 0.2, &bench->alpha, err);
	bench->null_row = p->null_row;
	bench->no_extension = p->no_extension;
	return r;
}

static int compare(struct nf_cli *cli, const struct nf_bench_params *p,
                   const struct nf_bench_opts *bench, struct nf_err *err)
{
	struct nf_job_outcome outcome;
	struct nf_job_opts job;
	int r = nf_job_opts_fill(cli, &p->job, &job, err);

	if (r < 0)
		return r;
	nf_job_outcome_init(&outcome);
	r = nf_job_cpus_blame(nf_job_bench_compare(&job, bench, &outcome, err), bench->cpus, err);
	if (r == 0)
		r = nf_bench_export_print(cli, &p->exports, &outcome, err);
	nf_job_outcome_fini(&outcome);
	return r;
}

/* --- two commands --- */

/* Both sides at every point of the parameter lists: a comparison each. */
static int compare_points(struct nf_cli *cli, const struct nf_bench_params *p,
                          const struct nf_bench_sides_params *s, const struct nf_bench_opts *common,
                          struct nf_bench_points *points, const struct nf_bench_words words[2],
                          struct nf_err *err)
{
	struct nf_variant variant[NF_BENCH_VARIANTS_MAX];
	const char *name[NF_BENCH_VARIANTS_MAX / 2];
	struct nf_bench_opts bench = *common;
	size_t n = points->lists.points;

	for (size_t i = 0; i < 2 * n; i++)
		nf_bench_points_variant(points, i / 2, p, s->shell,
		                        (const char *const *)words[i % 2].word, words[i % 2].n,
		                        &variant[i]);
	for (size_t i = 0; i < n; i++)
		name[i] = nf_bench_points_name(points, i,
		                               s->name               ? s->name
		                               : points->lists.n > 0 ? NULL
		                                                     : "command");
	int r = nf_arena_failed(&points->arena, "the commands", err);
	if (r < 0)
		return r;
	bench.variant = variant;
	bench.n_variants = 2 * n;
	bench.name = name;
	return compare(cli, p, &bench, err);
}

static int compare_commands(struct nf_cli *cli, const struct nf_bench_params *p,
                            const struct nf_bench_sides_params *s,
                            const struct nf_bench_opts *common, const char *const argv[],
                            struct nf_err *err)
{
	struct nf_bench_words words[2] = { 0 };
	struct nf_bench_points points = { 0 };
	char *text[2][2] = { { (char *)(uintptr_t)argv[0] }, { (char *)(uintptr_t)argv[1] } };
	int r = nf_bench_points_open(&points, p, 2, err);

	if (r == 0)
		r = nf_bench_points_used(&points, p, argv, 2, err);
	for (size_t i = 0; r == 0 && !s->shell && i < 2; i++)
		r = nf_bench_words_split(argv[i], &words[i], err);
	if (r == 0 && s->shell) {
		const struct nf_bench_words whole[2] = { { text[0], 1 }, { text[1], 1 } };

		r = compare_points(cli, p, s, common, &points, whole, err);
	} else if (r == 0) {
		r = compare_points(cli, p, s, common, &points, words, err);
	}
	nf_bench_words_fini(&words[0]);
	nf_bench_words_fini(&words[1]);
	nf_bench_points_fini(&points);
	return r;
}

/* --- two programs --- */

/* The benchmarks of two programs: those of both, and those that one of them lacks. Names are borrowed. */
struct merged {
	const struct nf_bench_row *both[NF_BENCH_VARIANTS_MAX / 2];
	const char *name[NF_BENCH_VARIANTS_MAX / 2];
	size_t n;
	const char *only_old[NF_BENCH_VARIANTS_MAX / 2];
	size_t n_only_old;
	const char *only_new[NF_BENCH_VARIANTS_MAX / 2];
	size_t n_only_new;
};

static bool has(const struct nf_bench_selection *s, const char *bench)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->row[i]->name, bench) == 0)
			return true;
	return false;
}

static void merge(const struct nf_bench_selection *old, const struct nf_bench_selection *new_,
                  struct merged *m)
{
	for (size_t i = 0; i < old->n; i++) {
		if (!has(new_, old->row[i]->name)) {
			m->only_old[m->n_only_old++] = old->label[i];
			continue;
		}
		m->both[m->n] = old->row[i];
		m->name[m->n++] = old->label[i];
	}
	for (size_t i = 0; i < new_->n; i++)
		if (!has(old, new_->row[i]->name))
			m->only_new[m->n_only_new++] = new_->label[i];
}

static int run_merged(struct nf_cli *cli, const struct nf_bench_params *p,
                      const char *const program[2], const struct nf_bench_opts *common,
                      const struct merged *m, struct nf_err *err)
{
	struct nf_variant variant[NF_BENCH_VARIANTS_MAX] = { 0 };
	struct nf_bench_opts bench = *common;

	if (m->n == 0)
		return nf_fail(err, NF_EARG,
		               "--filter finds %zu benchmarks in the old program and %zu in the "
		               "new one, none in both; allowed: programs that share one",
		               m->n_only_old, m->n_only_new);
	for (size_t i = 0; i < 2 * m->n; i++) {
		nf_bench_variant_set(p, &variant[i]);
		variant[i].backend = NF_BACKEND_BUILTIN;
		variant[i].program = program[i % 2];
		variant[i].bench = m->both[i / 2]->name;
		variant[i].label = program[i % 2];
	}
	bench.variant = variant;
	bench.n_variants = 2 * m->n;
	bench.name = m->name;
	bench.only_old = m->only_old;
	bench.n_only_old = m->n_only_old;
	bench.only_new = m->only_new;
	bench.n_only_new = m->n_only_new;
	return compare(cli, p, &bench, err);
}

static int compare_programs(struct nf_cli *cli, const struct nf_bench_params *p,
                            const struct nf_bench_sides_params *s,
                            const struct nf_bench_opts *common, struct nf_err *err)
{
	const char *const program[] = { s->old_program, s->new_program };
	struct nf_bench_selection list[2] = { 0 };
	struct merged m = { .n = 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < 2; i++)
		r = nf_bench_select(program[i], p->filter, (unsigned)p->threads,
		                    NF_BENCH_VARIANTS_MAX / 2, cli->stop, &list[i], err);
	if (r == 0) {
		merge(&list[0], &list[1], &m);
		r = run_merged(cli, p, program, common, &m, err);
	}
	nf_bench_selection_fini(&list[0]);
	nf_bench_selection_fini(&list[1]);
	return r;
}

int nf_bench_sides_run(struct nf_cli *cli, const struct nf_bench_params *p,
                       const struct nf_bench_sides_params *s, int argc, const char *const argv[],
                       struct nf_err *err)
{
	struct nf_bench_opts bench;
	int r = nf_bench_opts_fill(cli, p, &bench, err);

	if (r == 0)
		r = nf_bench_sides_fill(s, &bench, err);
	if (r < 0)
		return r;
	if (p->filter && (argc > 0 || !s->old_program || !s->new_program))
		return nf_fail(err, NF_EARG,
		               "--filter: allowed: with --old-program and "
		               "--new-program, without commands");
	if (p->filter)
		return compare_programs(cli, p, s, &bench, err);
	if (argc != 2)
		return nf_fail(err, NF_EARG,
		               "%d operands; allowed: the old command and the new one, "
		               "each one text, or --filter and two programs",
		               argc);
	return compare_commands(cli, p, s, &bench, argv, err);
}
