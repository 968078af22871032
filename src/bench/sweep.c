/* SPDX-License-Identifier: MIT */
#include "bench/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "bench/protocol.h"
#include "noisefloor/bench.h"

enum { TEXT_BYTES = 4 << 20, NAME_BYTES = 100 };

/* What C allows for an identifier: it stands in the environment, in {} and in front of '='. */
static bool is_name(const char *s)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
	size_t n = strlen(s);

	return n > 0 && n <= NAME_BYTES && strchr(letters, s[0]) &&
	       strspn(s + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") ==
	               n - 1;
}

static int find_knob(const struct nf_sweep *s, const char *name)
{
	for (size_t i = 0; i < s->n_knobs; i++)
		if (strcmp(s->knob[i].name, name) == 0)
			return (int)i;
	return -1;
}

static int refuse(struct nf_conf_pos at, struct nf_conf_pos *ret_at, int r)
{
	*ret_at = at;
	return r;
}

/* --- knobs --- */

static int add_knob(const struct nf_sweep_axis *axis, struct nf_arena *a, struct nf_sweep *s,
                    struct nf_err *err)
{
	struct nf_sweep_knob *k = &s->knob[s->n_knobs];
	char quoted[NF_QUOTED];
	size_t room = axis->n ? axis->n : NF_SWEEP_POINTS_MAX;

	nf_quote(axis->name, quoted);
	if (!is_name(axis->name))
		return nf_fail(err, NF_EARG,
		               "knob %s; allowed: a name of letters, digits and _, which begins "
		               "with no digit",
		               quoted);
	if (find_knob(s, axis->name) >= 0)
		return nf_fail(err, NF_EARG, "knob %s comes twice; allowed: once", quoted);
	*k = (struct nf_sweep_knob){
		.name = nf_arena_strdup(a, axis->name),
		.is_arg = axis->is_arg,
		.value = nf_arena_alloc(a, room, sizeof(*k->value)),
	};
	if (!k->value)
		return nf_arena_failed(a, "the points of a sweep", err);
	s->n_knobs++;
	return 0;
}

/* The index of a value, which is added where it is new; is_new may be NULL. */
static size_t value_index(struct nf_sweep_knob *k, const char *value, struct nf_arena *a,
                          bool *ret_new)
{
	for (size_t i = 0; i < k->n; i++)
		if (strcmp(k->value[i], value) == 0) {
			*ret_new = false;
			return i;
		}
	*ret_new = true;
	k->value[k->n] = nf_arena_strdup(a, value);
	return k->n++;
}

static int add_knobs(const struct nf_sweep_spec *spec, struct nf_arena *a, struct nf_sweep *s,
                     struct nf_conf_pos *ret_at, struct nf_err *err)
{
	if (spec->n_axes == 0)
		return nf_fail(err, NF_EARG, "no knobs; allowed: 1 to %d", NF_SWEEP_KNOBS_MAX);
	for (size_t i = 0; i < spec->n_axes; i++) {
		const struct nf_sweep_axis *axis = &spec->axis[i];
		int r = add_knob(axis, a, s, err);

		if (r < 0)
			return refuse(axis->at, ret_at, r);
		for (size_t v = 0; v < axis->n; v++) {
			bool is_new;

			(void)value_index(&s->knob[i], axis->value[v], a, &is_new);
			if (!is_new)
				return refuse(axis->at, ret_at,
				              nf_fail(err, NF_EARG,
				                      "knob %s has the value '%.*s' twice; "
				                      "allowed: each value once",
				                      axis->name, NF_UTF8_CUT(axis->value[v], 60)));
		}
	}
	return nf_arena_failed(a, "the points of a sweep", err);
}

/* --- points --- */

static int make_grid(const struct nf_sweep_spec *spec, struct nf_sweep *s, struct nf_err *err)
{
	size_t n = 1;

	s->grid = true;
	for (size_t k = 0; k < s->n_knobs; k++) {
		if (s->knob[k].n == 0)
			return nf_fail(err, NF_EARG,
			               "knob %s has no values; allowed: values, or points that are "
			               "listed",
			               spec->axis[k].name);
		n *= s->knob[k].n; /* at most 128 before, and a list of a file or a command line */
		if (n > NF_SWEEP_POINTS_MAX)
			return nf_fail(err, NF_EARG, "more than %d points; allowed: 2 to %d",
			               NF_SWEEP_POINTS_MAX, NF_SWEEP_POINTS_MAX);
	}
	s->n_points = n;
	for (size_t p = 0; p < n; p++) {
		size_t rest = p;

		for (size_t k = s->n_knobs; k-- > 0;) { /* the last knob changes fastest */
			s->point[p].index[k] = rest % s->knob[k].n;
			s->point[p].value[k] = s->knob[k].value[rest % s->knob[k].n];
			rest /= s->knob[k].n;
		}
	}
	return 0;
}

/* The values of all knobs from pairs; a knob that is not there keeps what `value` has. */
static int take_pairs(const struct nf_sweep *s, const struct nf_sweep_pairs *pairs,
                      const char **value, struct nf_conf_pos *ret_at, struct nf_err *err)
{
	bool seen[NF_SWEEP_KNOBS_MAX] = { false };

	for (size_t i = 0; i < pairs->n; i++) {
		const struct nf_sweep_pair *p = &pairs->pair[i];
		int k = find_knob(s, p->name);
		char quoted[NF_QUOTED];

		nf_quote(p->name, quoted);
		if (k < 0 || seen[k])
			return refuse(p->at, ret_at,
			              nf_fail(err, NF_EARG, "%s %s; allowed: each knob once",
			                      quoted, k < 0 ? "is no knob" : "comes twice"));
		seen[k] = true;
		value[k] = p->value;
	}
	return 0;
}

static int list_points(const struct nf_sweep_spec *spec, struct nf_arena *a, struct nf_sweep *s,
                       struct nf_conf_pos *ret_at, struct nf_err *err)
{
	if (spec->n_points > NF_SWEEP_POINTS_MAX)
		return nf_fail(err, NF_EARG, "%zu points; allowed: 2 to %d", spec->n_points,
		               NF_SWEEP_POINTS_MAX);
	for (size_t k = 0; k < s->n_knobs; k++)
		if (s->knob[k].n > 0)
			return refuse(spec->axis[k].at, ret_at,
			              nf_fail(err, NF_EARG,
			                      "knob %s has values beside points that are listed; "
			                      "allowed: a grid, or points",
			                      s->knob[k].name));
	s->n_points = spec->n_points;
	for (size_t p = 0; p < s->n_points; p++) {
		int r = take_pairs(s, &spec->point[p], s->point[p].value, ret_at, err);

		if (r < 0)
			return r;
		for (size_t k = 0; k < s->n_knobs; k++) {
			bool is_new;

			if (!s->point[p].value[k])
				return refuse(spec->point[p].at, ret_at,
				              nf_fail(err, NF_EARG,
				                      "point %zu does not say %s; allowed: a value "
				                      "for each knob",
				                      p + 1, s->knob[k].name));
			s->point[p].index[k] =
			        value_index(&s->knob[k], s->point[p].value[k], a, &is_new);
			s->point[p].value[k] = s->knob[k].value[s->point[p].index[k]];
		}
	}
	return nf_arena_failed(a, "the points of a sweep", err);
}

static bool same_point(const struct nf_sweep *s, size_t p, const char *const *value)
{
	for (size_t k = 0; k < s->n_knobs; k++)
		if (strcmp(s->point[p].value[k], value[k]) != 0)
			return false;
	return true;
}

static int choose_base(const struct nf_sweep_spec *spec, struct nf_sweep *s,
                       struct nf_conf_pos *ret_at, struct nf_err *err)
{
	const char *value[NF_SWEEP_KNOBS_MAX];

	memcpy(value, s->point[0].value, sizeof(value));
	int r = take_pairs(s, &spec->base, value, ret_at, err);
	if (r < 0)
		return r;
	for (s->base = 0; s->base < s->n_points; s->base++)
		if (same_point(s, s->base, value))
			return 0;
	return refuse(
	        spec->base.at, ret_at,
	        nf_fail(err, NF_EARG, "the base is none of the points; allowed: one of them"));
}

static int check_points(const struct nf_sweep_spec *spec, struct nf_sweep *s,
                        struct nf_conf_pos *ret_at, struct nf_err *err)
{
	if (s->n_points < 2)
		return nf_fail(err, NF_EARG, "%zu point; allowed: 2 to %d", s->n_points,
		               NF_SWEEP_POINTS_MAX);
	for (size_t p = 1; !s->grid && p < s->n_points; p++)
		for (size_t q = 0; q < p; q++)
			if (same_point(s, p, s->point[q].value))
				return refuse(spec->point[p].at, ret_at,
				              nf_fail(err, NF_EARG,
				                      "point %zu is the same as point %zu; "
				                      "allowed: each once",
				                      p + 1, q + 1));
	return 0;
}

/* --- what is made of them --- */

static void make_labels(struct nf_sweep *s, struct nf_arena *a)
{
	struct nf_buf label;

	nf_buf_init(&label, TEXT_BYTES);
	for (size_t p = 0; p < s->n_points; p++) {
		nf_buf_clear(&label);
		for (size_t k = 0; k < s->n_knobs; k++)
			(void)nf_buf_addf(&label, "%s%s=%s", k ? " " : "", s->knob[k].name,
			                  s->point[p].value[k]);
		if (label.failed && !a->failed)
			a->failed = label.failed;
		s->point[p].label = nf_arena_strdup(a, label.data);
	}
	nf_buf_fini(&label);
}

static int count_workers(const struct nf_sweep_spec *spec, struct nf_sweep *s,
                         struct nf_conf_pos *ret_at, struct nf_err *err)
{
	int k = spec->workers ? find_knob(s, spec->workers) : -1;

	if (!spec->workers)
		return 0;
	if (k < 0)
		return refuse(spec->workers_at, ret_at,
		              nf_fail(err, NF_EARG,
		                      "workers: '%.*s' is no knob; allowed: one of the "
		                      "knobs",
		                      NF_UTF8_CUT(spec->workers, 60)));
	for (size_t p = 0; p < s->n_points; p++) {
		char *end = NULL;
		const char *text = s->point[p].value[k];

		errno = 0;
		unsigned long long v =
		        text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
		if (!end || *end || errno || v == 0 || v > 1000000)
			return refuse(spec->workers_at, ret_at,
			              nf_fail(err, NF_EARG,
			                      "workers: %s has the value '%.*s'; allowed: whole "
			                      "numbers from 1 on",
			                      spec->workers, NF_UTF8_CUT(text, 60)));
		s->point[p].workers = v;
	}
	return 0;
}

int nf_sweep_make(const struct nf_sweep_spec *spec, struct nf_arena *a, struct nf_sweep *ret,
                  struct nf_conf_pos *ret_at, struct nf_err *err)
{
	struct nf_sweep *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return nf_fail_nomem(err, "the points of a sweep", sizeof(*s));
	*ret_at = (struct nf_conf_pos){ 0 };
	r = add_knobs(spec, a, s, ret_at, err);
	if (r == 0)
		r = spec->n_points ? list_points(spec, a, s, ret_at, err) : make_grid(spec, s, err);
	if (r == 0)
		r = check_points(spec, s, ret_at, err);
	if (r == 0)
		r = choose_base(spec, s, ret_at, err);
	if (r == 0)
		r = count_workers(spec, s, ret_at, err);
	if (r == 0) {
		make_labels(s, a);
		r = nf_arena_failed(a, "the points of a sweep", err);
	}
	if (r == 0)
		*ret = *s;
	free(s);
	return r;
}

/* --- variants --- */

struct fill {
	const struct nf_sweep *s;
	size_t point;
	struct nf_arena *a;
	struct nf_buf out;
	bool used[NF_SWEEP_KNOBS_MAX];
};

/* The knob whose {NAME} stands at p; -1: none. */
static int argument_at(const struct nf_sweep *s, const char *p)
{
	for (size_t k = 0; k < s->n_knobs; k++) {
		size_t n = strlen(s->knob[k].name);

		if (s->knob[k].is_arg && strncmp(p + 1, s->knob[k].name, n) == 0 && p[1 + n] == '}')
			return (int)k;
	}
	return -1;
}

/* Other braces stay as they are: a shell has its own use for them. */
static const char *filled(struct fill *f, const char *text)
{
	if (!text)
		return NULL;
	nf_buf_clear(&f->out);
	for (const char *p = text; *p; p++) {
		int k = *p == '{' ? argument_at(f->s, p) : -1;

		if (k < 0) {
			(void)nf_buf_addc(&f->out, *p);
			continue;
		}
		f->used[k] = true;
		(void)nf_buf_adds(&f->out, f->s->point[f->point].value[k]);
		p += strlen(f->s->knob[k].name) + 1;
	}
	if (f->out.failed && !f->a->failed)
		f->a->failed = f->out.failed;
	return nf_arena_strdup(f->a, f->out.data);
}

static const char *const *filled_argv(struct fill *f, const char *const *argv)
{
	const char **list;
	size_t n = 0;

	if (!argv)
		return NULL;
	while (argv[n])
		n++;
	list = nf_arena_alloc(f->a, n + 1, sizeof(*list));
	for (size_t i = 0; list && i < n; i++)
		list[i] = filled(f, argv[i]);
	return list;
}

static const char *const *environment(struct fill *f)
{
	const struct nf_sweep *s = f->s;
	const char **list = nf_arena_alloc(f->a, s->n_knobs + 1, sizeof(*list));
	size_t n = 0;

	for (size_t k = 0; list && k < s->n_knobs; k++)
		if (!s->knob[k].is_arg) {
			f->used[k] = true;
			list[n++] = nf_arena_printf(f->a, "%s=%s", s->knob[k].name,
			                            s->point[f->point].value[k]);
		}
	return list;
}

/* A benchmark of a table takes no arguments but its number of threads. */
static int set_threads(struct fill *f, struct nf_variant *v, uint64_t *workers, struct nf_err *err)
{
	int k = find_knob(f->s, "threads");

	if (k < 0 || !f->s->knob[k].is_arg)
		return 0;
	const char *text = f->s->point[f->point].value[k];
	char *end = NULL;
	errno = 0;
	unsigned long n = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
	if (!end || *end || errno || n == 0 || n > NF_BENCH_THREADS_MAX)
		return nf_fail(err, NF_EARG, "threads: bad value '%.*s'; allowed: 1 to %d",
		               NF_UTF8_CUT(text, 60), (int)NF_BENCH_THREADS_MAX);
	v->threads = (unsigned)n;
	*workers = n;
	f->used[k] = true;
	return 0;
}

static int make_variant(struct fill *f, struct nf_sweep *s, const struct nf_variant *form,
                        struct nf_variant *ret, struct nf_err *err)
{
	int r = 0;

	*ret = *form;
	ret->label = s->point[f->point].label;
	ret->env = environment(f);
	if (form->backend == NF_BACKEND_BUILTIN) {
		r = set_threads(f, ret, &s->point[f->point].workers, err);
	} else {
		ret->argv = filled_argv(f, form->argv);
		ret->shell = filled(f, form->shell);
	}
	ret->setup = filled(f, form->setup);
	ret->prepare = filled(f, form->prepare);
	ret->cleanup = filled(f, form->cleanup);
	ret->input = filled(f, form->input);
	if (r == 0)
		r = nf_arena_failed(f->a, "the points of a sweep", err);
	return r;
}

int nf_sweep_variants(struct nf_sweep *s, const struct nf_variant *form, struct nf_arena *a,
                      struct nf_variant *ret_variant, struct nf_err *err)
{
	struct fill f = { .s = s, .a = a };
	int r = 0;

	nf_buf_init(&f.out, TEXT_BYTES);
	for (f.point = 0; r == 0 && f.point < s->n_points; f.point++)
		r = make_variant(&f, s, form, &ret_variant[f.point], err);
	nf_buf_fini(&f.out);
	for (size_t k = 0; r == 0 && k < s->n_knobs; k++)
		if (!f.used[k] && form->backend == NF_BACKEND_BUILTIN)
			r = nf_fail(err, NF_EARG,
			            "argument %s of a benchmark; allowed: threads, or environment "
			            "variables",
			            s->knob[k].name);
		else if (!f.used[k])
			r = nf_fail(
			        err, NF_EARG,
			        "argument %s: {%s} stands nowhere in the command; allowed: there, "
			        "or an environment variable",
			        s->knob[k].name, s->knob[k].name);
	return r;
}

int nf_sweep_pairs_split(char *text, struct nf_sweep_pair *ret, size_t max, size_t *ret_n,
                         struct nf_err *err)
{
	char quoted[NF_QUOTED];
	size_t n = 0;

	nf_quote(text, quoted);
	for (char *at = text, *next; at; at = next) {
		char *comma = strchr(at, ','), *equals = strchr(at, '=');

		next = comma ? comma + 1 : NULL;
		if (comma)
			*comma = '\0';
		if (!equals || (comma && equals > comma) || n == max)
			return nf_fail(
			        err, NF_EARG,
			        "bad value %s; allowed: NAME=VALUE,NAME=VALUE..., at most %zu",
			        quoted, max);
		*equals = '\0';
		ret[n++] = (struct nf_sweep_pair){ .name = at, .value = equals + 1 };
	}
	*ret_n = n;
	return 0;
}
