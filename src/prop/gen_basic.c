/* SPDX-License-Identifier: MIT */
/* Drawing, and the generators of a single choice. */
#include <math.h>
#include <string.h>

#include "prop/gen.h"
#include "prop/rand.h"

struct pt_gen *pt_gen_new(struct pt_mem *m, const char *kind,
                          struct pt_value (*draw)(struct pt_case *, const struct pt_gen *),
                          const struct pt_gen *const *kid, size_t n_kids)
{
	const struct pt_gen **copy = NULL;
	struct pt_gen *g;
	uint32_t h = 2166136261U; /* FNV-1a */

	for (size_t i = 0; i < n_kids; i++)
		if (!kid[i])
			return NULL;
	g = pt_mem_alloc(m, sizeof(*g));
	if (!g)
		return NULL;
	if (n_kids > 0) {
		copy = pt_mem_alloc(m, n_kids * sizeof(const struct pt_gen *));
		if (!copy)
			return NULL;
		memcpy(copy, kid, n_kids * sizeof(const struct pt_gen *));
	}
	for (const char *c = kind; *c; c++)
		h = (h ^ (unsigned char)*c) * 16777619U;
	for (size_t i = 0; i < n_kids; i++)
		h = (h ^ kid[i]->label) * 16777619U;
	g->draw = draw;
	g->label = h ? h : 1;
	g->kid = copy;
	g->n_kids = n_kids;
	return g;
}

struct pt_value pt_gen_draw(struct pt_case *t, const struct pt_gen *g)
{
	struct pt_value v;

	if (!g)
		PT_FAIL(t, "a generator is NULL: no memory, or an impossible range");
	t->depth++;
	pt_span_begin(t, g->label);
	v = g->draw(t, g);
	pt_span_end(t);
	t->depth--;
	return v;
}

struct pt_value pt_draw(struct pt_case *t, const char *name, const struct pt_gen *g)
{
	struct pt_value v = pt_gen_draw(t, g);

	if (t->depth == 0)
		pt_note_value(t, name, v);
	return v;
}

static inline int64_t take_int(struct pt_case *t, int64_t lo, int64_t hi)
{
	struct pt_choice like = { .kind = PT_CHOICE_INT };
	int64_t origin;

	pt_choice_range(lo, hi, &like, &origin);
	like.index = pt_take(t, &like, pt_is_random(t) ? pt_wish_int(t, &like) : 0);
	return pt_choice_value(&like, origin);
}

static double take_real(struct pt_case *t, double lo, double hi, double wish)
{
	struct pt_choice like = { .max = pt_real_max_index(), .kind = PT_CHOICE_REAL };
	uint32_t n = t->sh->n;
	double x = pt_real_of_index(pt_take(t, &like, pt_index_of_real(wish)));

	/* A value from elsewhere, or of the shrinker: the nearest of the range, and recorded so. */
	if (x != x ? lo == lo : x < lo || x > hi) {
		x = x > hi ? hi : lo;
		t->sh->choice[n].index = pt_index_of_real(x);
	}
	return x;
}

int64_t pt_draw_int(struct pt_case *t, int64_t lo, int64_t hi)
{
	int64_t v;

	if (lo > hi)
		PT_FAIL(t, "pt_draw_int: %lld > %lld", (long long)lo, (long long)hi);
	v = take_int(t, lo, hi);
	if (t->depth == 0)
		pt_note_value(t, NULL, pt_value_int(v));
	return v;
}

size_t pt_draw_size(struct pt_case *t, size_t lo, size_t hi)
{
	if (hi > INT64_MAX)
		PT_FAIL(t, "pt_draw_size: %zu is too large", hi);
	return (size_t)pt_draw_int(t, (int64_t)lo, (int64_t)hi);
}

size_t pt_draw_pick(struct pt_case *t, size_t n)
{
	struct pt_choice like = { .max = n - 1, .kind = PT_CHOICE_INT };
	size_t v;

	if (n == 0)
		PT_FAIL(t, "pt_draw_pick: none to pick from");
	v = (size_t)pt_take(t, &like, pt_is_random(t) ? pt_rand_upto(&t->rng, n - 1) : 0);
	if (t->depth == 0)
		pt_note_value(t, NULL, pt_value_int((int64_t)v));
	return v;
}

bool pt_draw_bool(struct pt_case *t, double p_true)
{
	bool v = pt_take_bool(t, p_true);

	if (t->depth == 0)
		pt_note_value(t, NULL, pt_value_bool(v));
	return v;
}

static double wish_uniform(struct pt_case *t, double lo, double hi)
{
	uint64_t r = pt_rand(&t->rng);
	double u = pt_rand_unit(&t->rng), x;

	switch (r & 31) {
	case 0:
		return lo;
	case 1:
		return hi;
	case 2: /* a whole number near the simplest */
		x = (double)(r >> 5 & 15) * (r >> 63 ? -1.0 : 1.0);
		return x < lo || x > hi ? lo : x;
	default:
		x = lo * (1.0 - u) + hi * u;
		return x < lo ? lo : x > hi ? hi : x;
	}
}

double pt_draw_real(struct pt_case *t, double lo, double hi)
{
	double v;

	if (!(lo <= hi) || isinf(lo) || isinf(hi))
		PT_FAIL(t, "pt_draw_real: no range from %g to %g", lo, hi);
	v = take_real(t, lo, hi, pt_is_random(t) ? wish_uniform(t, lo, hi) : 0.0);
	if (t->depth == 0)
		pt_note_value(t, NULL, pt_value_real(v));
	return v;
}

/* ---- generators ---- */
static struct pt_value draw_int(struct pt_case *t, const struct pt_gen *g)
{
	return pt_value_int(take_int(t, g->lo, g->hi));
}

const struct pt_gen *pt_int(struct pt_mem *m, int64_t lo, int64_t hi)
{
	struct pt_gen *g = lo <= hi ? pt_gen_new(m, "int", draw_int, NULL, 0) : NULL;

	if (g) {
		g->lo = lo;
		g->hi = hi;
	}
	return g;
}

const struct pt_gen *pt_any_int(struct pt_mem *m)
{
	return pt_int(m, INT64_MIN, INT64_MAX);
}

const struct pt_gen *pt_nat(struct pt_mem *m, int64_t hi)
{
	return pt_int(m, 0, hi);
}

const struct pt_gen *pt_positive(struct pt_mem *m, int64_t hi)
{
	return pt_int(m, 1, hi);
}

static struct pt_value draw_bool(struct pt_case *t, const struct pt_gen *g)
{
	return pt_value_bool(pt_take_bool(t, g->real_lo));
}

const struct pt_gen *pt_bool(struct pt_mem *m, double p_true)
{
	struct pt_gen *g = pt_gen_new(m, "bool", draw_bool, NULL, 0);

	if (g)
		g->real_lo = p_true;
	return g;
}

static struct pt_gen *real_new(struct pt_mem *m, const char *kind,
                               struct pt_value (*draw)(struct pt_case *, const struct pt_gen *),
                               double lo, double hi)
{
	struct pt_gen *g = pt_gen_new(m, kind, draw, NULL, 0);

	if (g) {
		g->real_lo = lo;
		g->real_hi = hi;
	}
	return g;
}

static struct pt_value draw_real(struct pt_case *t, const struct pt_gen *g)
{
	return pt_value_real(
	        take_real(t, g->real_lo, g->real_hi,
	                  pt_is_random(t) ? wish_uniform(t, g->real_lo, g->real_hi) : 0.0));
}

const struct pt_gen *pt_real(struct pt_mem *m, double lo, double hi)
{
	if (!(lo <= hi) || isinf(lo) || isinf(hi))
		return NULL;
	return real_new(m, "real", draw_real, lo, hi);
}

static struct pt_value draw_normal(struct pt_case *t, const struct pt_gen *g)
{
	double wish = 0.0;

	if (pt_is_random(t))
		wish = g->real_lo + g->real_hi * pt_rand_normal(&t->rng);
	return pt_value_real(take_real(t, -HUGE_VAL, HUGE_VAL, wish));
}

const struct pt_gen *pt_normal(struct pt_mem *m, double mean, double sd)
{
	return isfinite(mean) && sd >= 0.0 && isfinite(sd)
	               ? real_new(m, "normal", draw_normal, mean, sd)
	               : NULL;
}

static struct pt_value draw_exponential(struct pt_case *t, const struct pt_gen *g)
{
	double wish = 0.0;

	if (pt_is_random(t))
		wish = g->real_lo * pt_rand_exponential(&t->rng);
	return pt_value_real(take_real(t, 0.0, HUGE_VAL, wish));
}

const struct pt_gen *pt_exponential(struct pt_mem *m, double mean)
{
	return mean > 0.0 && isfinite(mean) ? real_new(m, "exponential", draw_exponential, mean, 0)
	                                    : NULL;
}

static double wish_any(struct pt_case *t, bool specials)
{
	static const double odd[] = { 0.0,
		                      -0.0,
		                      1.0,
		                      -1.0,
		                      0x1p-1074,
		                      -0x1p-1074,
		                      0x1p-1022,
		                      0x1p53,
		                      0.1,
		                      0x1.fffffffffffffp1023,
		                      -0x1.fffffffffffffp1023 };
	uint64_t r = pt_rand(&t->rng), u;
	double x;

	switch (r & 7) {
	case 0:
		return odd[(r >> 8) % (sizeof(odd) / sizeof(odd[0]))];
	case 1:
		if (!specials)
			break;
		return (r >> 8) % 3 == 0 ? HUGE_VAL : (r >> 8) % 3 == 1 ? -HUGE_VAL : (double)NAN;
	case 2:
		return (double)(int64_t)(pt_rand(&t->rng) >> (r >> 8 & 63)) *
		       (r >> 63 ? -1.0 : 1.0);
	case 3:
	case 4:
		return pt_rand_normal(&t->rng) * (r >> 63 ? 1.0 : 1e6);
	default:
		break;
	}
	u = pt_rand(&t->rng); /* any bits that are a number */
	memcpy(&x, &u, sizeof(x));
	return isfinite(x) ? x : 0.5;
}

static struct pt_value draw_any_real(struct pt_case *t, const struct pt_gen *g)
{
	double wish = pt_is_random(t) ? wish_any(t, g->lo != 0) : 0.0;
	double end = 0x1.fffffffffffffp1023;

	/* A range of NaN takes everything. */
	return pt_value_real(g->lo ? take_real(t, (double)NAN, (double)NAN, wish)
	                           : take_real(t, -end, end, wish));
}

const struct pt_gen *pt_any_real(struct pt_mem *m, bool specials)
{
	struct pt_gen *g = pt_gen_new(m, specials ? "any real" : "finite", draw_any_real, NULL, 0);

	if (g)
		g->lo = specials;
	return g;
}

static struct pt_value draw_constant(struct pt_case *t, const struct pt_gen *g)
{
	(void)t;
	return g->at[0];
}

static struct pt_value draw_element(struct pt_case *t, const struct pt_gen *g)
{
	struct pt_choice like = { .max = g->max - 1, .kind = PT_CHOICE_INT };

	return g->at[pt_take(t, &like, pt_is_random(t) ? pt_rand_upto(&t->rng, like.max) : 0)];
}

const struct pt_gen *pt_elements(struct pt_mem *m, const struct pt_value *at, size_t n)
{
	struct pt_gen *g =
	        n > 0 ? pt_gen_new(m, "element", n > 1 ? draw_element : draw_constant, NULL, 0)
	              : NULL;
	struct pt_value *copy = g ? pt_mem_alloc(m, n * sizeof(*copy)) : NULL;

	if (!copy)
		return NULL;
	memcpy(copy, at, n * sizeof(*copy));
	g->at = copy;
	g->max = n;
	return g;
}

const struct pt_gen *pt_constant(struct pt_mem *m, struct pt_value v)
{
	return pt_elements(m, &v, 1);
}
