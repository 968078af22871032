/* SPDX-License-Identifier: MIT */
#include "cli/bench_sweep_args.h"

#include <string.h>

static int add_axis(struct nf_sweep_spec *s, const struct nf_sweep_axis *axis, struct nf_err *err)
{
	if (s->n_axes == NF_SWEEP_KNOBS_MAX)
		return nf_fail(err, NF_EARG, "more than %d knobs; allowed: 1 to %d",
		               NF_SWEEP_KNOBS_MAX, NF_SWEEP_KNOBS_MAX);
	s->axis[s->n_axes++] = *axis;
	return 0;
}

/* "NAME=a,b" with its values, "NAME" with none. */
static int take_axis(const char *text, bool is_arg, struct nf_arena *a, struct nf_sweep_spec *s,
                     struct nf_err *err)
{
	char *name = nf_arena_strdup(a, text), *equals = name ? strchr(name, '=') : NULL;
	struct nf_sweep_axis axis = { .name = name, .is_arg = is_arg };
	size_t n = 1;

	if (!name)
		return nf_arena_failed(a, "the points of a sweep", err);
	if (!equals)
		return add_axis(s, &axis, err);
	*equals = '\0';
	for (const char *p = equals + 1; *p; p++)
		n += *p == ',';
	const char **value = nf_arena_alloc(a, n, sizeof(*value));
	if (!value)
		return nf_arena_failed(a, "the points of a sweep", err);
	for (char *at = equals + 1; at;) {
		char *comma = strchr(at, ',');

		value[axis.n++] = at;
		if (comma)
			*comma++ = '\0';
		at = comma;
	}
	axis.value = value;
	return add_axis(s, &axis, err);
}

static int take_pairs(const char *option, const char *text, struct nf_arena *a,
                      struct nf_sweep_pairs *ret, struct nf_err *err)
{
	struct nf_sweep_pair *pair = nf_arena_alloc(a, NF_SWEEP_KNOBS_MAX, sizeof(*pair));
	char *copy = nf_arena_strdup(a, text);
	struct nf_err why = { 0 };
	size_t n;

	if (!pair || !copy)
		return nf_arena_failed(a, "the points of a sweep", err);
	int r = nf_sweep_pairs_split(copy, pair, NF_SWEEP_KNOBS_MAX, &n, &why);
	if (r < 0)
		return nf_fail(err, why.code, "--%s: %s", option, why.msg);
	*ret = (struct nf_sweep_pairs){ .pair = pair, .n = n };
	return 0;
}

/* A knob of the points that no option declares is an environment variable. */
static int declare_knobs(const struct nf_sweep_pairs *point, struct nf_sweep_spec *s,
                         struct nf_err *err)
{
	for (size_t i = 0; i < point->n; i++) {
		const struct nf_sweep_axis axis = { .name = point->pair[i].name };
		bool known = false;

		for (size_t k = 0; k < s->n_axes; k++)
			known = known || strcmp(s->axis[k].name, axis.name) == 0;
		int r = known ? 0 : add_axis(s, &axis, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int nf_sweep_args_spec(const struct nf_sweep_args *args, struct nf_arena *arena,
                       struct nf_sweep_spec *ret, struct nf_err *err)
{
	struct nf_sweep_spec s = { .workers = args->workers };
	struct nf_sweep_pairs *point = nf_arena_alloc(arena, NF_OPT_LIST_MAX, sizeof(*point));
	int r = nf_arena_failed(arena, "the points of a sweep", err);

	for (size_t i = 0; r == 0 && i < args->env.n; i++)
		r = take_axis(args->env.item[i], false, arena, &s, err);
	for (size_t i = 0; r == 0 && i < args->arg.n; i++)
		r = take_axis(args->arg.item[i], true, arena, &s, err);
	for (size_t i = 0; r == 0 && i < args->point.n; i++)
		r = take_pairs("point", args->point.item[i], arena, &point[i], err);
	if (r == 0 && args->point.n > 0)
		r = declare_knobs(&point[0], &s, err);
	if (r == 0 && args->base)
		r = take_pairs("base", args->base, arena, &s.base, err);
	if (r < 0)
		return r;
	s.point = point;
	s.n_points = args->point.n;
	*ret = s;
	return 0;
}
