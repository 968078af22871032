/* SPDX-License-Identifier: MIT */
/* Passes that make single choices simpler, alone and those that are equal together. */
#include <math.h>
#include <string.h>

#include "prop/shared.h"
#include "prop/shrink.h"

enum { SCAN = 6, MAX_GROUP = 256, MAX_GROUPS = 64 };

/* A set of choices with the same index, range and kind, lowered together. */
struct group {
	uint32_t at[MAX_GROUP];
	uint32_t n;
};

static bool try_all(struct pt_shrink *s, const struct group *g, uint64_t index)
{
	uint64_t was = s->best[g->at[0]].index;

	if (index >= was)
		return false;
	pt_shrink_copy(s);
	for (uint32_t i = 0; i < g->n; i++)
		s->work[g->at[i]].index = index;
	return pt_shrink_try(s);
}

/* Still the same choices? A step may have changed what follows. */
static bool intact(const struct pt_shrink *s, const struct group *g, uint64_t index)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (g->at[i] >= s->n || s->best[g->at[i]].index != index ||
		    s->best[g->at[i]].kind != s->best[g->at[0]].kind)
			return false;
	return true;
}

/* From the highest bit down: cleared, or moved to the lowest place that is free. False: the choices are
 * no longer the same. */
static bool lower_bits(struct pt_shrink *s, const struct group *g, const struct pt_choice *c,
                       uint64_t *d, bool below)
{
	for (int bit = 63; bit > 0 && !s->ended; bit--) {
		uint64_t one = UINT64_C(1) << bit, free_bit = ~*d & (*d + 1);

		if (!(*d & one) || *d < SCAN)
			continue;
		if (try_all(s, g, pt_choice_of_distance(c, *d & ~one, below)))
			*d &= ~one;
		else if (free_bit < one &&
		         try_all(s, g, pt_choice_of_distance(c, (*d & ~one) | free_bit, below)))
			*d = (*d & ~one) | free_bit;
		else
			continue;
		if (!intact(s, g, pt_choice_of_distance(c, *d, below)))
			return false;
	}
	return true;
}

static uint64_t ten_below(uint64_t d)
{
	uint64_t ten = 1;

	while (d / 10 >= ten)
		ten *= 10;
	return ten;
}

static void lower_int(struct pt_shrink *s, const struct group *g)
{
	struct pt_choice c = s->best[g->at[0]];
	uint64_t lo, hi, scanned = 0;
	bool below;

	/* the few simplest: what matters is often just "another one" */
	for (uint64_t k = 0; k < SCAN && k < c.index; k++, scanned = k)
		if (try_all(s, g, k))
			return;
	if (scanned >= c.index)
		return;
	hi = pt_choice_distance(&c, &below);
	if (below && try_all(s, g, pt_choice_of_distance(&c, hi, false))) {
		below = false;
		c = s->best[g->at[0]];
	}
	/* the smallest distance on this side that fails, as if all larger ones did */
	lo = 0;
	while (hi - lo > 1 && !s->ended) {
		uint64_t mid = lo + (hi - lo) / 2, index = pt_choice_of_distance(&c, mid, below);

		if (index >= SCAN && try_all(s, g, index)) {
			if (!intact(s, g, index))
				return;
			hi = mid;
		} else {
			lo = mid;
		}
	}
	if (!lower_bits(s, g, &c, &hi, below))
		return;
	/* where they do not: by powers of ten, as remainders have it, and the next few */
	for (uint64_t step = ten_below(hi); step >= 10 && !s->ended; step /= 10)
		while (hi > step && try_all(s, g, pt_choice_of_distance(&c, hi - step, below))) {
			hi -= step;
			if (!intact(s, g, pt_choice_of_distance(&c, hi, below)))
				return;
		}
	for (uint64_t k = 2; k <= 4 && k < hi && !s->ended; k++)
		if (try_all(s, g, pt_choice_of_distance(&c, hi - k, below)))
			return;
}

static bool try_real(struct pt_shrink *s, const struct group *g, double x)
{
	return try_all(s, g, pt_index_of_real(x));
}

/* Above 2^51 the index grows with the magnitude: the smallest that fails, as if all larger ones did. */
static void lower_huge(struct pt_shrink *s, const struct group *g)
{
	uint64_t hi = s->best[g->at[0]].index, side = hi % 2;
	uint64_t lo = pt_index_of_real(0x1p52);

	while (hi - lo > 2 && !s->ended) {
		uint64_t mid = lo + (hi - lo) / 2;

		mid -= mid % 2 != side;
		if (mid > lo && try_all(s, g, mid))
			hi = mid;
		else
			lo = mid > lo ? mid : lo + 2;
	}
}

/* Towards few binary digits: whole, halves, quarters ... ; then the whole part by halving. */
static void lower_real(struct pt_shrink *s, const struct group *g)
{
	double x = pt_real_of_index(s->best[g->at[0]].index), sign, whole, lo, hi;

	for (uint64_t k = 0; k < SCAN; k++)
		if (try_all(s, g, k))
			return;
	if (isnan(x) || isinf(x)) {
		if (isnan(x) && (try_real(s, g, HUGE_VAL) || try_real(s, g, -HUGE_VAL)))
			return;
		if (x < 0)
			try_real(s, g, HUGE_VAL);
		for (double b = 0x1p50; b < 0x1.8p1023 && !s->ended;
		     b = b < 0x1p60 ? b * 2 : b * 0x1p60)
			if (try_real(s, g, x < 0 ? -b : b))
				break;
		try_real(s, g, 0x1.fffffffffffffp1023);
		x = pt_real_of_index(s->best[g->at[0]].index);
		if (isnan(x) || isinf(x))
			return;
	}
	if (x < 0 && try_real(s, g, -x))
		x = -x;
	sign = x < 0 ? -1.0 : 1.0;
	x *= sign;
	if (x < 0x1p51) {
		double down = (double)(uint64_t)x;

		if (down != x)
			for (double scale = 1.0; scale <= 1024.0 && !s->ended; scale *= 2) {
				double part = (double)(uint64_t)((x - down) * scale) / scale;

				if (try_real(s, g, sign * (down + part)) ||
				    try_real(s, g, sign * (down + part + 1.0 / scale)))
					break;
			}
	}
	x = sign * pt_real_of_index(s->best[g->at[0]].index);
	if (!(x >= 1.0))
		return;
	if (x >= 0x1p51) { /* huge: the exponent first */
		for (int e = 512; e > 0 && !s->ended; e /= 2) {
			double f = 1.0;

			for (int k = 0; k < e; k++)
				f *= 2.0;
			while (x / f >= 1.0 && try_real(s, g, sign * (x / f)))
				x /= f;
		}
		if (x >= 0x1p51) {
			lower_huge(s, g);
			return;
		}
	}
	whole = (double)(uint64_t)x;
	lo = 0;
	hi = whole;
	while (hi - lo > 1 && !s->ended) {
		double mid = lo + (double)(uint64_t)((hi - lo) / 2);

		if (try_real(s, g, sign * (mid + (x - whole))))
			hi = mid;
		else
			lo = mid;
	}
}

static void lower(struct pt_shrink *s, const struct group *g)
{
	if (s->best[g->at[0]].kind == PT_CHOICE_REAL)
		lower_real(s, g);
	else
		lower_int(s, g);
}

void pt_pass_lower_each(struct pt_shrink *s)
{
	for (uint32_t i = 0; i < s->n && !s->ended; i++) {
		struct group g = { .at = { i }, .n = 1 };

		if (s->best[i].index > 0 && !s->best[i].forced)
			lower(s, &g);
	}
}

void pt_pass_duplicates(struct pt_shrink *s)
{
	for (uint32_t i = 0; i < s->n && !s->ended; i++) {
		struct pt_choice c = s->best[i];
		struct group g = { .n = 0 };
		bool first = true;

		if (c.index == 0 || c.forced || c.max < 2)
			continue;
		for (uint32_t j = 0; j < i && first; j++)
			first = s->best[j].index != c.index || s->best[j].max != c.max;
		if (!first)
			continue;
		for (uint32_t j = i; j < s->n && g.n < MAX_GROUP; j++)
			if (s->best[j].index == c.index && s->best[j].max == c.max &&
			    s->best[j].kind == c.kind && !s->best[j].forced)
				g.at[g.n++] = j;
		if (g.n > 1)
			lower(s, &g);
	}
}
