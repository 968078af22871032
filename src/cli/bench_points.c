/* SPDX-License-Identifier: MIT */
#include "cli/bench_points.h"

#include <stdlib.h>
#include <string.h>

#include "bench/words.h"

enum { ARENA_BYTES = 64 << 20, BESIDE = 4 /* texts of options that lists are looked for in */ };

int nf_bench_points_open(struct nf_bench_points *p, const struct nf_bench_params *params,
                         size_t texts, struct nf_err *err)
{
	nf_arena_init(&p->arena, ARENA_BYTES);
	return nf_bench_lists_parse(&params->lists, NF_BENCH_VARIANTS_MAX / texts, &p->arena,
	                            &p->lists, err);
}

void nf_bench_points_fini(struct nf_bench_points *p)
{
	nf_arena_fini(&p->arena);
}

int nf_bench_points_used(const struct nf_bench_points *p, const struct nf_bench_params *params,
                         const char *const *word, size_t n, struct nf_err *err)
{
	const char **all = calloc(n + BESIDE, sizeof(*all));
	size_t k = 0;

	if (!all)
		return nf_fail_nomem(err, "the words of a command", n * sizeof(*all));
	for (size_t i = 0; i < n; i++)
		all[k++] = word[i];
	all[k++] = params->setup;
	all[k++] = params->prepare;
	all[k++] = params->cleanup;
	all[k++] = params->input;
	int r = nf_bench_lists_used(&p->lists, all, k, err);
	free(all);
	return r;
}

static const char *joined(struct nf_arena *a, const char *const *word, size_t n)
{
	struct nf_buf text;

	nf_buf_init(&text, NF_BENCH_LABEL_MAX);
	nf_bench_words_join(word, n, &text);
	if (text.failed)
		a->failed = text.failed;
	const char *ret = text.failed ? NULL : nf_arena_strdup(a, text.data);
	nf_buf_fini(&text);
	return ret;
}

void nf_bench_points_variant(struct nf_bench_points *p, size_t point,
                             const struct nf_bench_params *params, bool shell,
                             const char *const *word, size_t n, struct nf_variant *ret)
{
	struct nf_arena *a = &p->arena;
	const char **own = nf_arena_alloc(a, n + 1, sizeof(*own));

	*ret = (struct nf_variant){ .backend = NF_BACKEND_COMMAND };
	nf_bench_variant_set(params, ret);
	for (size_t i = 0; own && i < n; i++)
		own[i] = nf_bench_lists_apply(&p->lists, point, word[i], a);
	if (!own || a->failed)
		return;
	ret->argv = shell ? NULL : own;
	ret->shell = shell ? own[0] : NULL;
	ret->label = shell ? own[0] : joined(a, own, n);
	ret->setup = nf_bench_lists_apply(&p->lists, point, ret->setup, a);
	ret->prepare = nf_bench_lists_apply(&p->lists, point, ret->prepare, a);
	ret->cleanup = nf_bench_lists_apply(&p->lists, point, ret->cleanup, a);
	ret->input = nf_bench_lists_apply(&p->lists, point, ret->input, a);
}

const char *nf_bench_points_name(struct nf_bench_points *p, size_t point, const char *text)
{
	const char *const *knob = nf_bench_lists_knobs(&p->lists, point, &p->arena);
	const char *name = text;

	for (; knob && *knob; knob++)
		name = name ? nf_arena_printf(&p->arena, "%s %s", name, *knob)
		            : nf_arena_strdup(&p->arena, *knob);
	return name;
}

void nf_bench_points_tell_apart(struct nf_bench_points *p, struct nf_variant *variant, size_t n)
{
	bool same = false;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			same = same || strcmp(variant[i].label, variant[k].label) == 0;
	for (size_t i = 0; same && i < n; i++)
		variant[i].label = nf_bench_points_name(p, i, variant[i].label);
}
