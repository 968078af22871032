/* SPDX-License-Identifier: MIT */
#include "prop/choice.h"

void pt_choice_range(int64_t lo, int64_t hi, struct pt_choice *ret, int64_t *ret_origin)
{
	int64_t origin = lo > 0 ? lo : hi < 0 ? hi : 0;
	uint64_t above = (uint64_t)hi - (uint64_t)origin, below = (uint64_t)origin - (uint64_t)lo;

	ret->kind = PT_CHOICE_INT;
	ret->max = above + below;
	ret->pair = above < below ? above : below;
	ret->low_side = below > above;
	*ret_origin = origin;
}

uint64_t pt_choice_distance(const struct pt_choice *c, bool *ret_below)
{
	/* 2 * pair is at most the number of values of the range less one */
	if (c->index <= 2 * c->pair) {
		*ret_below = c->index != 0 && c->index % 2 == 0;
		return c->index / 2 + c->index % 2;
	}
	*ret_below = c->low_side;
	return c->index - c->pair;
}

uint64_t pt_choice_of_distance(const struct pt_choice *c, uint64_t distance, bool below)
{
	if (distance == 0)
		return 0;
	if (distance <= c->pair)
		return 2 * distance - (below ? 0 : 1);
	if (below != c->low_side || distance > c->max - c->pair)
		return UINT64_MAX;
	return distance + c->pair;
}

int64_t pt_choice_value(const struct pt_choice *c, int64_t origin)
{
	bool below;
	uint64_t d = pt_choice_distance(c, &below);

	return (int64_t)(below ? (uint64_t)origin - d : (uint64_t)origin + d);
}

uint64_t pt_choice_index(const struct pt_choice *c, int64_t origin, int64_t value)
{
	bool below = value < origin;
	uint64_t d =
	        below ? (uint64_t)origin - (uint64_t)value : (uint64_t)value - (uint64_t)origin;

	return pt_choice_of_distance(c, d, below);
}

int pt_shortlex(const struct pt_choice *a, uint32_t na, const struct pt_choice *b, uint32_t nb)
{
	if (na != nb)
		return na < nb ? -1 : 1;
	for (uint32_t i = 0; i < na; i++)
		if (a[i].index != b[i].index)
			return a[i].index < b[i].index ? -1 : 1;
	return 0;
}
