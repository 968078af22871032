/* SPDX-License-Identifier: MIT */
#include "board/grid.h"

#include <math.h>
#include <stdlib.h>

#define CLASS_RATIO 8 /* between the longest short one and the shortest step */
#define FIRST_CLASS 1.25 /* steps up to this many times the shortest one are one step each */
#define NEAR 0.05 /* of a step */
#define SHARE_ON_GRID 0.8
enum { MIN_FIRST_CLASS = 3 };

static int by_size(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* steps d[0..n), sorted. */
static bool judge(const int64_t *d, size_t n, struct nf_grid *g)
{
	size_t first = 0;

	while (first < n && (double)d[first] <= FIRST_CLASS * (double)d[0])
		first++;
	if (n < NF_GRID_MIN_STEPS || first < MIN_FIRST_CLASS)
		return false;
	g->step_ns = d[first / 2];
	g->steps = n;
	g->judged = g->on_grid = 0;
	for (size_t i = 0; i < n; i++) {
		double k = (double)d[i] / (double)g->step_ns;

		if (k > NF_GRID_MULTIPLES + 0.5)
			break;
		g->judged++;
		g->on_grid += fabs(k - round(k)) <= NEAR;
	}
	return g->judged >= NF_GRID_MIN_STEPS &&
	       (double)g->on_grid >= SHARE_ON_GRID * (double)g->judged;
}

struct nf_grid nf_grid_find(int64_t *diff_ns, size_t n)
{
	struct nf_grid g = { 0 };

	qsort(diff_ns, n, sizeof(*diff_ns), by_size);
	/* The coarsest counts: below it there may be another, of the digits that are printed. */
	for (size_t i = n; i-- > (n + 1) / 2 && i > 0;) {
		if (diff_ns[i] <= 0 || diff_ns[i] / CLASS_RATIO < diff_ns[i - 1])
			continue;
		g.same = i;
		if (judge(diff_ns + i, n - i, &g)) {
			g.found = true;
			return g;
		}
	}
	return (struct nf_grid){ 0 };
}
