/* SPDX-License-Identifier: MIT */
/* Quickselect for several ranks at once; heapsort where the pivots turn out bad, so that the time is
 * bounded by n log n. */
#include "stats/select.h"

enum { SMALL = 32 };

static void insertion_sort(double *a, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double v = a[i];
		size_t j = i;

		for (; j > 0 && a[j - 1] > v; j--)
			a[j] = a[j - 1];
		a[j] = v;
	}
}

static void sift(double *a, size_t n, size_t i)
{
	double v = a[i];

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && a[child + 1] > a[child])
			child++;
		if (a[child] <= v)
			break;
		a[i] = a[child];
	}
	a[i] = v;
}

static void heap_sort(double *a, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift(a, n, i);
	for (size_t last = n; last-- > 1;) {
		double v = a[last];

		a[last] = a[0];
		a[0] = v;
		sift(a, last, 0);
	}
}

/* Values below p (or, with `equal`, at most p) to the front; returns how many. No branch depends on a
 * value. */
static size_t partition(double *a, size_t n, double p, bool equal)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		double v = a[i];

		a[i] = a[k];
		a[k] = v;
		k += equal ? v <= p : v < p;
	}
	return k;
}

static double median3(double a, double b, double c)
{
	double lo = a < b ? a : b, hi = a < b ? b : a;

	return c < lo ? lo : c > hi ? hi : c;
}

static double pivot_of(const double *a, size_t n)
{
	size_t e = n / 8;

	if (n < 256)
		return median3(a[0], a[n / 2], a[n - 1]);
	return median3(median3(a[0], a[e], a[2 * e]), median3(a[3 * e], a[4 * e], a[5 * e]),
	               median3(a[6 * e], a[7 * e], a[n - 1]));
}

/* pos is relative to origin, a[0] is at `start`. depth bounds the bad pivots and the recursion. */
static void select_part(double *a, size_t n, size_t start, const size_t *pos, size_t n_pos,
                        unsigned depth)
{
	while (n_pos > 0) {
		if (n <= SMALL) {
			insertion_sort(a, n);
			return;
		}
		if (depth-- == 0) {
			heap_sort(a, n);
			return;
		}

		double p = pivot_of(a, n);
		size_t lt = partition(a, n, p, false), le = lt, in_left = 0;

		/* A pivot near the bottom may be a value with many equals: set them apart. */
		if (lt < n / 8)
			le = lt + partition(a + lt, n - lt, p, true);
		while (in_left < n_pos && pos[in_left] < start + lt)
			in_left++;
		select_part(a, lt, start, pos, in_left, depth);
		while (in_left < n_pos && pos[in_left] < start + le)
			in_left++; /* equal to the pivot: in place */
		pos += in_left;
		n_pos -= in_left;
		a += le;
		n -= le;
		start += le;
	}
}

void nf_multiselect(double *a, size_t n, const size_t *pos, size_t n_pos)
{
	unsigned depth = 8;

	for (size_t k = n; k > 1; k /= 2)
		depth += 2;
	select_part(a, n, 0, pos, n_pos, depth);
}
