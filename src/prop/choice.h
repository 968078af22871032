/* SPDX-License-Identifier: MIT */
/*
 * choice - one drawn value as an index under its shrink order, and sequences of them.
 *
 * Integers lo..hi: the origin is 0, or the end nearest to it. Index 0 is the origin, 1 one above, 2 one
 * below, and so on while both sides last (`pair` values on each), then the longer side alone. A choice
 * knows enough of its range to be split into distance and side of the origin and put together again.
 * Reals: see pt_real_of_index().
 */
#ifndef PT_CHOICE_H
#define PT_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

enum pt_choice_kind { PT_CHOICE_INT, PT_CHOICE_REAL };

struct pt_choice {
	uint64_t index;
	uint64_t max; /* largest index */
	uint64_t pair; /* INT: the two sides alternate up to distance pair */
	uint8_t kind;
	bool forced; /* what the index of a replayed buffer says is ignored here */
	bool low_side; /* INT: beyond pair the values lie below the origin */
	bool more; /* whether a list goes on: no value of its own */
};

struct pt_span {
	uint32_t label;
	uint32_t start, end; /* choices [start, end) */
	uint32_t depth;
};

/* Order of lo..hi: *ret has max, pair, low_side, kind; *ret_origin. */
static inline void pt_choice_range(int64_t lo, int64_t hi, struct pt_choice *ret,
                                   int64_t *ret_origin)
{
	int64_t origin = lo > 0 ? lo : hi < 0 ? hi : 0;
	uint64_t above = (uint64_t)hi - (uint64_t)origin, below = (uint64_t)origin - (uint64_t)lo;

	ret->kind = PT_CHOICE_INT;
	ret->max = above + below;
	ret->pair = above < below ? above : below;
	ret->low_side = below > above;
	*ret_origin = origin;
}
uint64_t pt_choice_index(const struct pt_choice *c, int64_t origin, int64_t value);

/* Distance from the origin and side (true: below) of an INT choice, and back. An index that does not
 * exist comes back as UINT64_MAX. */
static inline uint64_t pt_choice_distance(const struct pt_choice *c, bool *ret_below)
{
	/* 2 * pair is at most the number of values of the range less one */
	if (c->index <= 2 * c->pair) {
		*ret_below = c->index != 0 && c->index % 2 == 0;
		return c->index / 2 + c->index % 2;
	}
	*ret_below = c->low_side;
	return c->index - c->pair;
}
static inline int64_t pt_choice_value(const struct pt_choice *c, int64_t origin)
{
	bool below;
	uint64_t d = pt_choice_distance(c, &below), sign = 0 - (uint64_t)below;

	return (int64_t)((uint64_t)origin +
	                 ((d ^ sign) - sign)); /* the side is random: no branch */
}
uint64_t pt_choice_of_distance(const struct pt_choice *c, uint64_t distance, bool below);

/* The order of all doubles: whole numbers below 2^51 as 0, 1, -1, 2, -2 ...; then magnitudes by
 * exponent 0, 1, 2 ... 1023, -1, -2 ... -1023, within one by whole part and then by fraction with its
 * bits reversed (few binary digits first), positive before negative; then infinity, minus infinity, NaN.
 * Both directions are total; index(value(i)) is i for every value's first index. */
enum { PT_REAL_WHOLE_BITS = 51 };
double pt_real_of_index(uint64_t index);
uint64_t pt_index_of_real(double x);
uint64_t pt_real_max_index(void);

/* Shortlex: fewer choices first, then by index from the front. */
int pt_shortlex(const struct pt_choice *a, uint32_t na, const struct pt_choice *b, uint32_t nb);

#endif
