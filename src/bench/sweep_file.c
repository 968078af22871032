/* SPDX-License-Identifier: MIT */
#include "bench/sweep_file.h"

#include <string.h>

#include "base/utf8.h"
#include "noisefloor/bench.h"

struct knob {
	struct nf_conf_text name;
	struct nf_conf_int kind;
};
struct axis {
	struct nf_conf_text name;
	struct nf_conf_list values;
};
struct pair {
	struct nf_conf_text name;
	struct nf_conf_text value;
};

/* clang-format off */
static const char *const kinds[] = { "env", "arg", NULL };

#define INT_TYPE(lo, hi) { .kind = NF_CONF_INT, .size = sizeof(struct nf_conf_int), .min = (lo), .max = (hi) }
#define NAMED_TYPE(T, member, type, least, words) { .kind = NF_CONF_NAMED, .size = sizeof(struct nf_conf_list), \
	.item = (type), .entry_size = sizeof(T), .value_off = offsetof(T, member), .min = (least), \
	.what = (words) }

static const struct nf_conf_type kind_type = { .kind = NF_CONF_ENUM, .size = sizeof(struct nf_conf_int), .names = kinds };
static const struct nf_conf_type sets_type = INT_TYPE(1, 1000);
static const struct nf_conf_type iters_type = INT_TYPE(1, 100000);
static const struct nf_conf_type threads_type = INT_TYPE(1, NF_BENCH_THREADS_MAX);
static const struct nf_conf_type seed_type = INT_TYPE(0, INT64_C(1) << 53);
static const struct nf_conf_type time_type = { .kind = NF_CONF_DURATION, .size = sizeof(struct nf_conf_int),
	.min = 1000000, .max = INT64_C(604800000000000) };
static const struct nf_conf_type delta_type = { .kind = NF_CONF_SHARE, .size = sizeof(struct nf_conf_real), .low = 0.0001, .high = 1 };
/* May be empty: a variable that is set to nothing. */
static const struct nf_conf_type value_type = { .kind = NF_CONF_TEXT, .size = sizeof(struct nf_conf_text), .what = "a value" };
static const struct nf_conf_type values_type = { .kind = NF_CONF_LIST, .size = sizeof(struct nf_conf_list), .item = &value_type,
	.min = 1, .max = NF_SWEEP_POINTS_MAX };
static const struct nf_conf_type words_type = { .kind = NF_CONF_LIST, .size = sizeof(struct nf_conf_list), .item = &value_type,
	.min = 1, .max = 1000, .what = "a list of words" };

static const struct nf_conf_type knobs_type = NAMED_TYPE(struct knob, kind, &kind_type, 1, "a mapping from names to env or arg");
static const struct nf_conf_type grid_type = NAMED_TYPE(struct axis, values, &values_type, 1, "a mapping from names to lists of values");
static const struct nf_conf_type point_type = NAMED_TYPE(struct pair, value, &value_type, 1, "a mapping from names to values");
static const struct nf_conf_type points_type = { .kind = NF_CONF_LIST, .size = sizeof(struct nf_conf_list), .item = &point_type,
	.min = 2, .max = NF_SWEEP_POINTS_MAX, .what = "a list of mappings from names to values" };
static const struct nf_conf_type command_type = { .kind = NF_CONF_EITHER, .size = sizeof(struct nf_sweep_command),
	.what = "a list of words, or a command line in one text",
	.scalar = &nf_conf_text, .scalar_off = offsetof(struct nf_sweep_command, text),
	.list = &words_type, .list_off = offsetof(struct nf_sweep_command, words) };

static const struct nf_conf_field benchmark_fields[] = {
	{ NF_CONF_TEXT_ROW("name", &nf_conf_text, struct nf_sweep_benchmark, name, "its name, as `bench list` has it"), .required = true },
	{ NF_CONF_TEXT_ROW("program", &nf_conf_text, struct nf_sweep_benchmark, program, "benchmark program that holds it, instead of this one") },
	{ NF_CONF_INT_ROW("threads", &threads_type, struct nf_sweep_benchmark, threads, "its number of threads, instead of its own default") },
	{ .key = NULL },
};
static const struct nf_conf_type benchmark_type = { .kind = NF_CONF_MAP, .size = sizeof(struct nf_sweep_benchmark), .fields = benchmark_fields };

#define F struct nf_sweep_file
static const struct nf_conf_field fields[] = {
	{ NF_CONF_STRUCT_ROW("command", &command_type, struct nf_sweep_command, F, command, "what is run at every point; {NAME} stands for an argument"),
	  .group = 1, .required = true },
	{ NF_CONF_TEXT_ROW("shell", &nf_conf_text, F, shell, "the same as text for /bin/sh, whose start is then part of the time"), .group = 1 },
	{ NF_CONF_STRUCT_ROW("benchmark", &benchmark_type, struct nf_sweep_benchmark, F, benchmark, "a benchmark of a table instead"), .group = 1 },
	{ NF_CONF_LIST_ROW("knobs", &knobs_type, F, knobs, "what kind each knob is: an environment variable, which is what a knob that is not "
		"named here is, or an argument") },
	{ NF_CONF_LIST_ROW("grid", &grid_type, F, grid, "the values of each knob: every combination is a point, the last knob changes fastest"), .group = 2, .required = true },
	{ NF_CONF_LIST_ROW("points", &points_type, F, points, "the points, one by one, each with a value of every knob"), .group = 2 },
	{ NF_CONF_LIST_ROW("base", &point_type, F, base, "the point that the others are compared with, instead of the first; knobs left out are as in the first") },
	{ NF_CONF_TEXT_ROW("workers", &nf_conf_text, F, workers, "the knob that is a number of threads or workers: points with more than there are CPUs are told") },
	{ NF_CONF_INT_ROW("sets", &sets_type, F, sets, "processes that each point is run in, as --sets") },
	{ NF_CONF_INT_ROW("iters", &iters_type, F, iters, "values of a set of a benchmark, as --iters") },
	{ NF_CONF_INT_ROW("max_time", &time_type, F, max_time, "how long all of it may take, as --max-time") },
	{ NF_CONF_INT_ROW("timeout", &time_type, F, timeout, "an execution that takes longer has failed") },
	{ NF_CONF_TEXT_ROW("prepare", &nf_conf_text, F, prepare, "text for /bin/sh before each execution, not timed") },
	{ NF_CONF_TEXT_ROW("cleanup", &nf_conf_text, F, cleanup, "text for /bin/sh after each execution, not timed") },
	{ NF_CONF_TEXT_ROW("input", &nf_conf_text, F, input, "file for standard input") },
	{ NF_CONF_BOOL_ROW("any_status", &nf_conf_bool, F, any_status, "an exit status other than 0 is no failure"), .def = "false" },
	{ NF_CONF_REAL_ROW("delta", &delta_type, F, delta, "difference that does not matter, as --delta") },
	{ NF_CONF_INT_ROW("seed", &seed_type, F, seed, "of the order of the sets and of the padding of their environment, as --seed") },
	{ .key = NULL },
};
#undef F
const struct nf_conf_type nf_sweep_file_type = { .kind = NF_CONF_MAP, .size = sizeof(struct nf_sweep_file), .fields = fields };
/* clang-format on */

/* --- to what a sweep is made of --- */

static bool is_arg(const struct nf_sweep_file *f, const char *name)
{
	const struct knob *k = f->knobs.items;

	for (size_t i = 0; i < f->knobs.n; i++)
		if (strcmp(k[i].name.v, name) == 0)
			return k[i].kind.v == 1;
	return false;
}

static bool has_axis(const struct nf_sweep_spec *s, const char *name)
{
	for (size_t i = 0; i < s->n_axes; i++)
		if (strcmp(s->axis[i].name, name) == 0)
			return true;
	return false;
}

static int add_axis(const struct nf_sweep_file *f, const struct nf_conf_text *name,
                    struct nf_sweep_spec *s, struct nf_conf_pos *ret_at, struct nf_err *err)
{
	if (has_axis(s, name->v))
		return 0;
	if (s->n_axes == NF_SWEEP_KNOBS_MAX) {
		*ret_at = name->pos;
		return nf_fail(err, NF_EARG, "more than %d knobs; allowed: 1 to %d",
		               NF_SWEEP_KNOBS_MAX, NF_SWEEP_KNOBS_MAX);
	}
	s->axis[s->n_axes++] = (struct nf_sweep_axis){
		.name = name->v,
		.is_arg = is_arg(f, name->v),
		.at = name->pos,
	};
	return 0;
}

static void take_values(const struct nf_conf_list *list, struct nf_arena *a,
                        struct nf_sweep_axis *ret)
{
	const struct nf_conf_text *item = list->items;
	const char **value = nf_arena_alloc(a, list->n ? list->n : 1, sizeof(*value));

	for (size_t i = 0; value && i < list->n; i++)
		value[i] = item[i].v;
	ret->value = value;
	ret->n = value ? list->n : 0;
}

static void take_point(const struct nf_conf_list *list, struct nf_arena *a,
                       struct nf_sweep_pairs *ret)
{
	const struct pair *item = list->items;
	struct nf_sweep_pair *pair = nf_arena_alloc(a, list->n ? list->n : 1, sizeof(*pair));

	for (size_t i = 0; pair && i < list->n; i++)
		pair[i] =
		        (struct nf_sweep_pair){ item[i].name.v, item[i].value.v, item[i].name.pos };
	*ret = (struct nf_sweep_pairs){ pair, pair ? list->n : 0, list->pos };
}

static int take_grid(const struct nf_sweep_file *f, struct nf_arena *a, struct nf_sweep_spec *s,
                     struct nf_conf_pos *ret_at, struct nf_err *err)
{
	const struct axis *axis = f->grid.items;

	for (size_t i = 0; i < f->grid.n; i++) {
		int r = add_axis(f, &axis[i].name, s, ret_at, err);

		if (r < 0)
			return r;
		take_values(&axis[i].values, a, &s->axis[s->n_axes - 1]);
	}
	return 0;
}

static int take_points(const struct nf_sweep_file *f, struct nf_arena *a, struct nf_sweep_spec *s,
                       struct nf_conf_pos *ret_at, struct nf_err *err)
{
	const struct nf_conf_list *list = f->points.items;
	struct nf_sweep_pairs *point;

	if (f->points.n == 0)
		return 0;
	const struct pair *first = list[0].items;
	for (size_t i = 0; i < list[0].n; i++) {
		int r = add_axis(f, &first[i].name, s, ret_at, err);

		if (r < 0)
			return r;
	}
	point = nf_arena_alloc(a, f->points.n, sizeof(*point));
	for (size_t i = 0; point && i < f->points.n; i++)
		take_point(&list[i], a, &point[i]);
	s->point = point;
	s->n_points = point ? f->points.n : 0;
	return 0;
}

static int check_knobs(const struct nf_sweep_file *f, const struct nf_sweep_spec *s,
                       struct nf_conf_pos *ret_at, struct nf_err *err)
{
	const struct knob *k = f->knobs.items;

	for (size_t i = 0; i < f->knobs.n; i++)
		if (!has_axis(s, k[i].name.v)) {
			*ret_at = k[i].name.pos;
			return nf_fail(err, NF_EARG,
			               "knob '%.*s' has no values; allowed: those of the grid or "
			               "of the points",
			               NF_UTF8_CUT(k[i].name.v, 60));
		}
	return 0;
}

int nf_sweep_file_spec(const struct nf_sweep_file *f, struct nf_arena *a, struct nf_sweep_spec *ret,
                       struct nf_conf_pos *ret_at, struct nf_err *err)
{
	struct nf_sweep_spec s = { .workers = f->workers.v, .workers_at = f->workers.pos };
	int r = take_grid(f, a, &s, ret_at, err);

	if (r == 0)
		r = take_points(f, a, &s, ret_at, err);
	if (r == 0)
		r = check_knobs(f, &s, ret_at, err);
	if (r == 0 && f->base.n > 0)
		take_point(&f->base, a, &s.base);
	if (r == 0)
		r = nf_arena_failed(a, "the points of a sweep", err);
	if (r == 0)
		*ret = s;
	return r;
}
