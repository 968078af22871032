/* SPDX-License-Identifier: MIT */
/* Pairs of choices: lowered by the same amount, or one lowered at the cost of the other. */
#include "prop/shared.h"
#include "prop/shrink.h"

enum { WINDOW = 12, NEAR = 2, MAX_CHILDREN = 1024 };

/* What happens to the second choice of a pair whose first comes k nearer to its origin. */
enum move {
	BOTH_NEARER, /* so does it */
	SAME_DIFFERENCE, /* its value changes by as much, in the same direction */
	SAME_SUM, /* in the opposite direction */
};

static bool usable(const struct pt_shrink *s, uint32_t i)
{
	return i < s->n && !s->best[i].forced && s->best[i].max > 1;
}

static bool try_pair(struct pt_shrink *s, uint32_t i, uint64_t a, uint32_t j, uint64_t b)
{
	if (a > s->best[i].max || b > s->best[j].max || a >= s->best[i].index)
		return false;
	pt_shrink_copy(s);
	s->work[i].index = a;
	s->work[j].index = b;
	return pt_shrink_try(s);
}

/* False also where a range ends. */
static bool try_move(struct pt_shrink *s, uint32_t i, uint32_t j, uint64_t k, enum move move)
{
	const struct pt_choice *a = &s->best[i], *b = &s->best[j];
	bool ba, bb, down;
	uint64_t da = pt_choice_distance(a, &ba), db = pt_choice_distance(b, &bb);

	if (k == 0 || k > da || (move == BOTH_NEARER && k > db))
		return false;
	/* whether the value of b falls */
	down = move == BOTH_NEARER ? !bb : move == SAME_DIFFERENCE ? !ba : ba;
	if (db == 0)
		bb = down;
	if (down == bb) {
		if (__builtin_add_overflow(db, k, &db))
			return false;
	} else if (k <= db) {
		db -= k;
	} else {
		db = k - db;
		bb = !bb;
	}
	return try_pair(s, i, pt_choice_of_distance(a, da - k, ba), j,
	                pt_choice_of_distance(b, db, bb));
}

/* Reals: whole amounts, or all of it. */
static bool try_move_real(struct pt_shrink *s, uint32_t i, uint32_t j, double k, enum move move)
{
	double a = pt_real_of_index(s->best[i].index), b = pt_real_of_index(s->best[j].index);
	double by = a < 0 ? -k : k;

	if (!(k <= (a < 0 ? -a : a)))
		return false;
	b = move == SAME_SUM ? b + by : b - by;
	return try_pair(s, i, pt_index_of_real(a - by), j, pt_index_of_real(b));
}

/* All of it; else doubling steps while they succeed, then halving ones. */
static void move_far(struct pt_shrink *s, uint32_t i, uint32_t j, enum move move)
{
	bool below;
	uint64_t d = pt_choice_distance(&s->best[i], &below), k = 1;

	if (try_move(s, i, j, d, move) || s->best[j].index == 0)
		if (move == BOTH_NEARER)
			return;
	if (move == BOTH_NEARER && try_move(s, i, j, pt_choice_distance(&s->best[j], &below), move))
		return;
	while (!s->ended && usable(s, i) && usable(s, j) && try_move(s, i, j, k, move))
		if (__builtin_mul_overflow(k, 2, &k))
			break;
	for (k /= 4; k > 0 && !s->ended; k /= 2)
		if (usable(s, i) && usable(s, j))
			try_move(s, i, j, k, move);
}

static void move_far_real(struct pt_shrink *s, uint32_t i, uint32_t j, enum move move)
{
	double a = pt_real_of_index(s->best[i].index), k = 1.0;

	if (try_move_real(s, i, j, a < 0 ? -a : a, move))
		return;
	while (!s->ended && i < s->n && j < s->n && k < 0x1p50 && try_move_real(s, i, j, k, move))
		k *= 2.0;
	for (k /= 4.0; k >= 1.0 && !s->ended && i < s->n && j < s->n; k /= 2.0)
		try_move_real(s, i, j, k, move);
}

/* The first made simpler for whatever it costs the second: half of one for double of the other, and the
 * simplest ones for the end of the range, which other passes bring nearer again. */
static void trade(struct pt_shrink *s, uint32_t i, uint32_t j)
{
	struct pt_choice a = s->best[i], b = s->best[j];
	bool ba, bb;
	uint64_t da = pt_choice_distance(&a, &ba), db = pt_choice_distance(&b, &bb), far;

	far = bb == b.low_side ? b.max - b.pair : b.pair;
	for (uint64_t k = 0; k < 3 && k < a.index && !s->ended; k++)
		if (try_pair(s, i, k, j, pt_choice_of_distance(&b, far, bb)))
			return;
	if (try_pair(s, i, 0, j, pt_choice_of_distance(&b, far / 2, bb)) ||
	    try_pair(s, i, 0, j, pt_choice_of_distance(&b, far / 4, bb)))
		return;
	if (da > 3 && db < far / 2 &&
	    try_pair(s, i, pt_choice_of_distance(&a, da / 2, ba), j,
	             pt_choice_of_distance(&b, db * 2 + 1, bb)))
		return;
	/* the least of the first that goes with the end of the second's range, if any less goes at all */
	if (da < 4 || db == far ||
	    !try_pair(s, i, pt_choice_of_distance(&a, da - 1, ba), j,
	              pt_choice_of_distance(&b, far, bb)))
		return;
	for (uint64_t lo = 0, hi = da - 1;
	     hi - lo > 1 && !s->ended && usable(s, i) && usable(s, j);) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (try_pair(s, i, pt_choice_of_distance(&a, mid, ba), j,
		             pt_choice_of_distance(&b, far, bb)))
			hi = mid;
		else
			lo = mid;
	}
}

static void lower_pair(struct pt_shrink *s, uint32_t i, uint32_t j, bool near)
{
	if (s->best[i].kind != s->best[j].kind)
		return;
	if (s->best[i].index > s->best[j].index && s->best[i].max == s->best[j].max &&
	    try_pair(s, i, s->best[j].index, j, s->best[i].index))
		return;
	/* the later one as the earlier */
	if (s->best[i].index < s->best[j].index && s->best[i].max == s->best[j].max &&
	    pt_shrink_try_index(s, j, s->best[i].index))
		return;
	for (enum move move = BOTH_NEARER; move <= SAME_SUM && !s->ended; move++) {
		if (!usable(s, i) || !usable(s, j) || s->best[i].index == 0 ||
		    s->best[i].kind != s->best[j].kind)
			return;
		if (s->best[i].kind == PT_CHOICE_INT)
			move_far(s, i, j, move);
		else if (move != BOTH_NEARER)
			move_far_real(s, i, j, move);
	}
	if (near && usable(s, i) && usable(s, j) && s->best[i].kind == PT_CHOICE_INT &&
	    s->best[j].kind == PT_CHOICE_INT)
		trade(s, i, j);
}

void pt_pass_lower_pairs(struct pt_shrink *s)
{
	for (uint32_t i = 0; i < s->n && !s->ended; i++) {
		unsigned seen = 0;

		for (uint32_t j = i + 1; j < s->n && seen < WINDOW && !s->ended; j++) {
			if (!usable(s, i) || s->best[i].index == 0)
				break;
			if (!usable(s, j))
				continue;
			seen++;
			lower_pair(s, i, j, seen <= NEAR);
		}
	}
}

/* Two values change places wherever they occur: names that only have to differ. Where the larger one does
 * not come first the outcome is no simpler, and is not run. */
void pt_pass_exchange(struct pt_shrink *s)
{
	for (uint32_t i = 0; i < s->n && !s->ended; i++)
		for (uint32_t j = i + 1; j < s->n && j <= i + WINDOW && !s->ended; j++) {
			struct pt_choice a = s->best[i], b = s->best[j];

			if (!usable(s, i) || !usable(s, j) || a.kind != b.kind || a.max != b.max ||
			    a.index <= b.index)
				continue;
			pt_shrink_copy(s);
			for (uint32_t k = 0; k < s->n; k++) {
				struct pt_choice *c = &s->work[k];

				if (c->kind != a.kind || c->max != a.max || c->forced)
					continue;
				if (c->index == a.index)
					c->index = b.index;
				else if (c->index == b.index)
					c->index = a.index;
			}
			pt_shrink_try(s);
		}
}

/* One comes to its origin, and all later ones of its range move by as much: what follows in order, or at a
 * distance, does so as before. */
void pt_pass_shift_all(struct pt_shrink *s)
{
	for (uint32_t i = 0; i < s->n && !s->ended; i++) {
		struct pt_choice c = s->best[i];
		bool below, other, moved = false;
		uint64_t d = pt_choice_distance(&c, &below);

		if (!usable(s, i) || c.kind != PT_CHOICE_INT || d == 0)
			continue;
		pt_shrink_copy(s);
		s->work[i].index = 0;
		for (uint32_t j = i + 1; j < s->n; j++) {
			struct pt_choice *to = &s->work[j];
			uint64_t dj;

			if (to->kind != c.kind || to->max != c.max || to->pair != c.pair ||
			    to->forced)
				continue;
			dj = pt_choice_distance(to, &other);
			if (dj == 0)
				other = !below;
			if (other != below)
				dj = dj > UINT64_MAX - d ? UINT64_MAX : dj + d;
			else if (dj >= d)
				dj -= d;
			else {
				dj = d - dj;
				other = !other;
			}
			to->index = pt_choice_of_distance(to, dj, other);
			if (to->index > to->max)
				to->index = to->max;
			moved = true;
		}
		if (moved)
			pt_shrink_try(s);
	}
}

/* A value of a range: its number from the lowest one up. */
static uint64_t rank_of(const struct pt_choice *c)
{
	uint64_t low = c->low_side ? c->max - c->pair : c->pair, d;
	bool below;

	d = pt_choice_distance(c, &below);
	return below ? low - d : low + d;
}

static uint64_t index_of_rank(const struct pt_choice *c, uint64_t rank)
{
	uint64_t low = c->low_side ? c->max - c->pair : c->pair;

	return rank < low ? pt_choice_of_distance(c, low - rank, true)
	                  : pt_choice_of_distance(c, rank - low, false);
}

/* The index of a + b, going round at the end of the range as machine integers do. */
static uint64_t sum_index(const struct pt_choice *a, const struct pt_choice *b)
{
	uint64_t low = a->low_side ? a->max - a->pair : a->pair, ra = rank_of(a), rb = rank_of(b);
	__extension__ unsigned __int128 size = (unsigned __int128)a->max + 1,
	                                sum = (unsigned __int128)ra + rb + size - low;

	return index_of_rank(a, (uint64_t)(sum % size));
}

/* The first number of a span that has a range to speak of; UINT32_MAX: none. */
static uint32_t number_in(const struct pt_shrink *s, struct pt_span sp)
{
	for (uint32_t i = sp.start; i < sp.end; i++)
		if (usable(s, i))
			return i;
	return UINT32_MAX;
}

static uint64_t sum_of(const struct pt_choice *a, const struct pt_choice *b)
{
	if (a->kind == PT_CHOICE_INT)
		return sum_index(a, b);
	return pt_index_of_real(pt_real_of_index(a->index) + pt_real_of_index(b->index));
}

static bool merge(struct pt_shrink *s, struct pt_span a, struct pt_span b)
{
	uint32_t i = number_in(s, a), j = number_in(s, b);

	if (i == UINT32_MAX || j == UINT32_MAX || a.end > b.start ||
	    s->best[i].max != s->best[j].max || s->best[i].pair != s->best[j].pair ||
	    s->best[i].kind != s->best[j].kind)
		return false;
	pt_shrink_cut(s, a.start, a.end);
	s->work[j - (a.end - a.start)].index = sum_of(&s->best[i], &s->best[j]);
	return pt_shrink_try(s);
}

/* Two neighbours become one that has their sum. */
void pt_pass_merge(struct pt_shrink *s)
{
	uint32_t at[MAX_CHILDREN];

	for (uint32_t p = 0; p < s->n_spans && !s->ended; p++) {
		uint32_t n = pt_shrink_children(s, p, at, MAX_CHILDREN);

		for (uint32_t k = 0; k + 1 < n && !s->ended; k++) {
			if (s->span[at[k]].label != s->span[at[k + 1]].label ||
			    !merge(s, s->span[at[k]], s->span[at[k + 1]]))
				continue;
			n = pt_shrink_children(s, p, at, MAX_CHILDREN);
			k -= k > 0;
		}
	}
}
