/* SPDX-License-Identifier: MIT */
#include "noisefloor/summary.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "stats/select.h"

enum { BLOCK = 1024, LANES = 8 };

static const unsigned per_10000[NF_SUMMARY_PERCENTILES] = {
	2500, 5000, 7500, 9000, 9900, 9990, 9999
};
static const double ci_level = 0.95;

struct extent {
	double min;
	double max;
	double sum; /* infinite when the values are too large to add */
};

/* Lanes keep additions independent of each other, which is faster and, as each sums only part of
 * a block, more exact than one running sum. */
static double sum_lanes(const double lane[LANES])
{
	return ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
	       ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

static int measure_extent(const struct nf_source *s, size_t n, struct extent *ret,
                          struct nf_err *err)
{
	struct extent e = { (double)INFINITY, -(double)INFINITY, 0 };
	double x[BLOCK];

	for (size_t start = 0; start < n; start += BLOCK) {
		size_t len = n - start < BLOCK ? n - start : BLOCK, i = 0;
		double sum[LANES] = { 0 }, lo[4], hi[4];

		nf_source_load(s, start, len, x);
		for (size_t l = 0; l < 4; l++) {
			lo[l] = e.min;
			hi[l] = e.max;
		}
		for (; i + LANES <= len; i += LANES)
			for (size_t l = 0; l < LANES; l++) {
				double v = x[i + l];

				sum[l] += v;
				lo[l % 4] = v < lo[l % 4] ? v : lo[l % 4];
				hi[l % 4] = v > hi[l % 4] ? v : hi[l % 4];
			}
		for (; i < len; i++) {
			sum[0] += x[i];
			lo[0] = x[i] < lo[0] ? x[i] : lo[0];
			hi[0] = x[i] > hi[0] ? x[i] : hi[0];
		}

		double block = sum_lanes(sum);

		/* One that is not finite makes the sum so. */
		for (size_t k = 0; !isfinite(block) && k < len; k++)
			if (!isfinite(x[k]))
				return nf_fail(err, NF_EDATA, "sample %zu is %s", start + k,
				               isnan(x[k]) ? "not a number" : "infinite");
		e.sum += block;
		for (size_t l = 0; l < 4; l++) {
			e.min = lo[l] < e.min ? lo[l] : e.min;
			e.max = hi[l] > e.max ? hi[l] : e.max;
		}
	}
	*ret = e;
	return 0;
}

static double clamp(double v, double lo, double hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* Corrected two-pass mean and sd (Chan, Golub and LeVeque, The American Statistician 37(3), 1983).
 * Deviations are scaled to about 1, so that squares of tiny or huge ones neither vanish nor
 * overflow. */
static void measure_moments(const struct nf_source *s, size_t n, const struct extent *e,
                            struct nf_summary *ret)
{
	double pivot = e->sum / (double)n, x[BLOCK];
	double all = 0, all2 = 0;
	int exponent;

	ret->has_sd = n > 1;
	if (e->max <= e->min) { /* a constant: exactly */
		ret->mean = e->min;
		return;
	}
	pivot = isfinite(pivot) ? clamp(pivot, e->min, e->max) : e->min / 2 + e->max / 2;
	frexp(e->max - e->min, &exponent);

	double scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);

	for (size_t start = 0; start < n; start += BLOCK) {
		size_t len = n - start < BLOCK ? n - start : BLOCK, i = 0;
		double sum[LANES] = { 0 }, sum2[LANES] = { 0 };

		nf_source_load(s, start, len, x);
		for (; i + LANES <= len; i += LANES)
			for (size_t l = 0; l < LANES; l++) {
				double d = (x[i + l] - pivot) * scale;

				sum[l] += d;
				sum2[l] += d * d;
			}
		for (; i < len; i++) {
			double d = (x[i] - pivot) * scale;

			sum[0] += d;
			sum2[0] += d * d;
		}
		all += sum_lanes(sum);
		all2 += sum_lanes(sum2);
	}

	double var = (all2 - all * all / (double)n) / (double)(n - 1);

	ret->mean = clamp(pivot + all / (double)n / scale, e->min, e->max);
	ret->sd = var > 0 ? sqrt(var) / scale : 0;
}

static double between(double a, double b, double fraction)
{
	/* From the nearer end, so that fraction 1 would give b exactly. */
	double v = fraction < 0.5 ? a + fraction * (b - a) : b - (1 - fraction) * (b - a);

	return clamp(v, a, b);
}

static const struct nf_order *order_of(const struct nf_order *order, size_t rank)
{
	while (order->rank != rank)
		order++;
	return order;
}

/* Type 7: between the ranks around (n - 1) p, which is computed in integers. */
struct place {
	size_t rank;
	double fraction;
};

static struct place place_of(size_t n, unsigned p)
{
	size_t whole = (n - 1) / 10000 * p, rest = (n - 1) % 10000 * p;

	return (struct place){ whole + rest / 10000, (double)(rest % 10000) / 10000 };
}

static size_t want(struct nf_order *order, size_t n_orders, size_t rank)
{
	for (size_t i = 0; i < n_orders; i++)
		if (order[i].rank == rank)
			return n_orders;
	order[n_orders].rank = rank;
	return n_orders + 1;
}

static void fill_percentile(struct nf_percentile *ret, const struct nf_order *order, size_t n,
                            unsigned p)
{
	struct place at = place_of(n, p);
	const struct nf_order *a = order_of(order, at.rank);
	const struct nf_order *b = at.fraction > 0 ? order_of(order, at.rank + 1) : a;

	ret->p = p / 100.0;
	ret->value = between(a->value, b->value, at.fraction);
	ret->n_beyond = n - (ret->value > a->value ? b : a)->n_below;
}

static void select_all(const struct nf_source *s, size_t n, struct nf_summary *ret, double *scratch,
                       size_t n_scratch)
{
	struct nf_order order[NF_ORDERS_MAX];
	size_t n_orders = 0, r = nf_median_ci_rank(n, ci_level);

	for (size_t i = 0; i < NF_SUMMARY_PERCENTILES; i++) {
		struct place at = place_of(n, per_10000[i]);

		n_orders = want(order, n_orders, at.rank);
		if (at.fraction > 0)
			n_orders = want(order, n_orders, at.rank + 1);
	}
	if (r > 0) {
		n_orders = want(order, n_orders, r - 1);
		n_orders = want(order, n_orders, n - r);
	}
	nf_select(s, n, order, n_orders, scratch, n_scratch);

	for (size_t i = 0; i < NF_SUMMARY_PERCENTILES; i++)
		fill_percentile(&ret->percentile[i], order, n, per_10000[i]);
	ret->median = ret->percentile[1].value;
	ret->median_ci_level = ci_level;
	ret->has_median_ci = r > 0;
	if (r > 0) {
		ret->median_ci_lo = order_of(order, r - 1)->value;
		ret->median_ci_hi = order_of(order, n - r)->value;
	}

	/* The same again for the distances from the median. */
	struct nf_source d = *s;
	struct place at = place_of(n, 5000);
	struct nf_percentile mad;

	d.deviation = true;
	d.centre = ret->median;
	n_orders = want(order, 0, at.rank);
	if (at.fraction > 0)
		n_orders = want(order, n_orders, at.rank + 1);
	nf_select(&d, n, order, n_orders, scratch, n_scratch);
	fill_percentile(&mad, order, n, 5000);
	ret->mad = mad.value;
}

static int summarize(const struct nf_source *s, size_t n, struct nf_summary *ret,
                     struct nf_err *err)
{
	struct extent e;
	int r;

	if (n == 0)
		return nf_fail(err, NF_ENODATA, "no samples to summarise");
	r = measure_extent(s, n, &e, err);
	if (r < 0)
		return r;
	if (!isfinite(e.max - e.min))
		return nf_fail(err, NF_EDATA, "the range of the samples overflows: %g to %g", e.min,
		               e.max);

	size_t n_scratch = nf_select_scratch(n);
	double *scratch = malloc(n_scratch * sizeof(*scratch));

	if (!scratch)
		return nf_fail_nomem(err, "a summary", n_scratch * sizeof(*scratch));

	struct nf_summary out = { .n = n, .min = e.min, .max = e.max };

	measure_moments(s, n, &e, &out);
	select_all(s, n, &out, scratch, n_scratch);
	*ret = out;
	free(scratch);
	return 0;
}

int nf_summarize(const double *x, size_t n, struct nf_summary *ret, struct nf_err *err)
{
	struct nf_source s = { .f64 = x };

	return summarize(&s, n, ret, err);
}

int nf_summarize_i64(const int64_t *x, size_t n, double factor, struct nf_summary *ret,
                     struct nf_err *err)
{
	struct nf_source s = { .i64 = x, .factor = factor };

	if (!isfinite(factor) || factor <= 0)
		return nf_fail(err, NF_EARG, "factor must be finite and above 0, not %g", factor);
	return summarize(&s, n, ret, err);
}
