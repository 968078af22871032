/* SPDX-License-Identifier: MIT */
#include "noisefloor/multiple.h"

#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "stats/rank_null.h"

static int by_value(const void *a, const void *b)
{
	double x = ((const struct nf_ranked *)a)->value, y = ((const struct nf_ranked *)b)->value;

	return (x > y) - (x < y);
}

static double capped(double p)
{
	return p < 1 ? p : 1;
}

int nf_adjust_p(enum nf_adjustment how, const double *p, size_t n, double *ret, struct nf_err *err)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (p[i] < 0 || p[i] > 1)
			return nf_fail(err, NF_EDATA, "p value %zu is %g", i, p[i]);
	if (n == 0)
		return 0;

	struct nf_ranked *a = calloc(n, sizeof(*a));

	if (!a)
		return nf_fail_nomem(err, "p values", n * sizeof(*a));
	for (size_t i = 0; i < n; i++) {
		ret[i] = p[i];
		if (!isnan(p[i]))
			a[m++] = (struct nf_ranked){ p[i], i };
	}
	qsort(a, m, sizeof(*a), by_value);

	double all = (double)m, worst = 0, harmonic = 0;

	for (size_t i = 1; how == NF_BENJAMINI_YEKUTIELI && i <= m; i++)
		harmonic += 1 / (double)i;
	if (how == NF_BONFERRONI || how == NF_HOLM) {
		for (size_t i = 0; i < m; i++) {
			double adjusted = a[i].value * (how == NF_HOLM ? all - (double)i : all);

			worst = adjusted > worst ? adjusted : worst;
			ret[a[i].index] = capped(worst);
		}
	} else {
		double factor = how == NF_BENJAMINI_YEKUTIELI ? harmonic : 1;

		worst = 1;
		for (size_t i = m; i-- > 0;) {
			double adjusted = a[i].value * all / (double)(i + 1) * factor;

			worst = adjusted < worst ? adjusted : worst;
			ret[a[i].index] = capped(worst);
		}
	}
	free(a);
	return 0;
}
