/* SPDX-License-Identifier: MIT */
#include "stats/rank_null.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void nf_subset_sum_null(const size_t *rank, size_t n, size_t total, double *ret)
{
	size_t top = 0;

	memset(ret, 0, (total + 1) * sizeof(*ret));
	ret[0] = 1;
	for (size_t i = 0; i < n; i++) {
		top += rank[i];
		for (size_t s = top + 1; s-- > 0;)
			ret[s] = (ret[s] + (s >= rank[i] ? ret[s - rank[i]] : 0)) / 2;
	}
}

/* The numbers of ways are the coefficients of a Gaussian binomial: the product of
 * (1 - q^(n_y + i)) / (1 - q^i) over i = 1..n_x (MacMahon; Harding, Applied Statistics 33(1), 1984).
 * Only the lower half is computed, so that no error of large numbers reaches small ones. */
void nf_mann_whitney_null(size_t n_x, size_t n_y, double *ret)
{
	size_t top = n_x * n_y, half = top / 2;
	double sum = 0;

	memset(ret, 0, (top + 1) * sizeof(*ret));
	ret[0] = 1;
	for (size_t i = 1; i <= n_x; i++) {
		for (size_t u = half + 1; u-- > n_y + i;)
			ret[u] -= ret[u - n_y - i];
		for (size_t u = i; u <= half; u++)
			ret[u] += ret[u - i];
	}
	for (size_t u = 0; u <= half; u++) {
		ret[top - u] = ret[u];
		sum += ret[u];
	}
	sum = 2 * sum - (top % 2 == 0 ? ret[half] : 0);
	for (size_t u = 0; u <= top; u++)
		ret[u] /= sum;
}

void nf_choice_sum_null(const size_t *rank, size_t n, size_t m, size_t max, double *work,
                        double *ret)
{
	size_t width = max + 1, top = 0;
	double sum = 0;

	memset(work, 0, (m + 1) * width * sizeof(*work));
	work[0] = 1;
	for (size_t i = 0; i < n; i++) {
		top = top + rank[i] < max ? top + rank[i] : max;
		for (size_t k = i + 1 < m ? i + 1 : m; k >= 1; k--) {
			double *to = work + k * width;
			const double *from = to - width;

			for (size_t s = rank[i]; s <= top; s++)
				to[s] += from[s - rank[i]];
		}
	}
	for (size_t s = 0; s <= max; s++)
		sum += work[m * width + s];
	for (size_t s = 0; s <= max; s++)
		ret[s] = work[m * width + s] / sum;
}

static int by_value(const void *a, const void *b)
{
	double x = ((const struct nf_ranked *)a)->value, y = ((const struct nf_ranked *)b)->value;

	return (x > y) - (x < y);
}

double nf_double_midranks(struct nf_ranked *a, size_t n, size_t *ret)
{
	double ties = 0;

	qsort(a, n, sizeof(*a), by_value);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && a[end].value <= a[i].value; end++)
			;
		for (size_t k = i; k < end; k++)
			ret[a[k].index] = i + 1 + end;

		double t = (double)(end - i);

		ties += t * (t * t - 1);
	}
	return ties;
}
