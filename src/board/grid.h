/* SPDX-License-Identifier: MIT */
/*
 * grid - how fine stamps really are, found from the stamps: a reader that wakes up every 100 ms gives the lines of one
 * read the same stamp, however many digits are printed.
 */
#ifndef NF_BOARD_GRID_H
#define NF_BOARD_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nf_grid {
	bool found;
	int64_t step_ns; /* median of the shortest class of steps */
	size_t same; /* lines that share the stamp of the line before, but for less than a part of step_ns */
	size_t steps; /* differences of step_ns and more */
	size_t on_grid; /* of those up to NF_GRID_MULTIPLES steps: near a multiple */
	size_t judged; /* how many those are */
};

enum { NF_GRID_MULTIPLES = 20, NF_GRID_MIN_STEPS = 5 };

/*
 * diff_ns[n]: differences of consecutive stamps, 0 and above; rearranged. Found when they fall into two classes: at least half of
 * them short and the rest, NF_GRID_MIN_STEPS or more, at least eight times as long, 80 % of which lie within 5 % of a step of
 * a multiple of their shortest class (by chance it would be a tenth).
 */
struct nf_grid nf_grid_find(int64_t *diff_ns, size_t n);

#endif
