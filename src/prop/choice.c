/* SPDX-License-Identifier: MIT */
#include "prop/choice.h"

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
