/* SPDX-License-Identifier: MIT */
#include "noisefloor/summary.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "stats/select.h"

enum { BLOCK = 1024 };

static const unsigned per_10000[NF_SUMMARY_PERCENTILES] = {
	2500, 5000, 7500, 9000, 9900, 9990, 9999
};
static const double ci_level = 0.95;

struct extent {
	double min;
	double max;
	double sum; /* infinite when the values are too large to add */
};

/* Two sums next to each other. Independent sums are faster and, as each adds only part of a block,
 * more exact than one running sum. */
typedef double pair __attribute__((vector_size(16)));

static pair pair_at(const double *x)
{
	pair p;

	memcpy(&p, x, sizeof(p));
	return p;
}

static double add_up(pair a, pair b, pair c, pair d)
{
	pair all = (a + b) + (c + d);

	return all[0] + all[1];
}

static double sum_of(const double *x, size_t n)
{
	pair a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };
	double rest = 0;
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		a += pair_at(x + i);
		b += pair_at(x + i + 2);
		c += pair_at(x + i + 4);
		d += pair_at(x + i + 6);
	}
	for (; i < n; i++)
		rest += x[i];
	return add_up(a, b, c, d) + rest;
}

static double lower(double a, double b)
{
	return a < b ? a : b;
}

static double higher(double a, double b)
{
	return a > b ? a : b;
}

static void extend(struct extent *e, const double *x, size_t n)
{
	double lo[4] = { e->min, e->min, e->min, e->min };
	double hi[4] = { e->max, e->max, e->max, e->max };
	size_t i = 0;

	for (; i + 4 <= n; i += 4) {
		lo[0] = lower(x[i], lo[0]);
		lo[1] = lower(x[i + 1], lo[1]);
		lo[2] = lower(x[i + 2], lo[2]);
		lo[3] = lower(x[i + 3], lo[3]);
		hi[0] = higher(x[i], hi[0]);
		hi[1] = higher(x[i + 1], hi[1]);
		hi[2] = higher(x[i + 2], hi[2]);
		hi[3] = higher(x[i + 3], hi[3]);
	}
	for (; i < n; i++) {
		lo[0] = lower(x[i], lo[0]);
		hi[0] = higher(x[i], hi[0]);
	}
	e->min = lower(lower(lo[0], lo[1]), lower(lo[2], lo[3]));
	e->max = higher(higher(hi[0], hi[1]), higher(hi[2], hi[3]));
}

static int measure_extent(const struct nf_source *s, size_t n, struct extent *ret,
                          struct nf_err *err)
{
	struct extent e = { (double)INFINITY, -(double)INFINITY, 0 };
	double room[BLOCK];

	for (size_t start = 0; start < n; start += BLOCK) {
		size_t len = n - start < BLOCK ? n - start : BLOCK;
		const double *x = nf_source_block(s, start, len, room);
		double sum = sum_of(x, len);

		/* One that is not finite makes the sum so. */
		for (size_t k = 0; !isfinite(sum) && k < len; k++)
			if (!isfinite(x[k]))
				return nf_fail(err, NF_EDATA, "sample %zu is %s", start + k,
				               isnan(x[k]) ? "not a number" : "infinite");
		e.sum += sum;
		extend(&e, x, len);
	}
	*ret = e;
	return 0;
}

static double clamp(double v, double lo, double hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

struct deviations {
	double sum; /* of d = (x - pivot) * scale */
	double sum2; /* of d^2 */
};

static struct deviations deviations_of(const double *x, size_t n, double pivot, double scale)
{
	pair a = { 0 }, b = { 0 }, a2 = { 0 }, b2 = { 0 };
	struct deviations ret = { 0, 0 };
	size_t i = 0;

	for (; i + 4 <= n; i += 4) {
		pair d = (pair_at(x + i) - pivot) * scale;
		pair e = (pair_at(x + i + 2) - pivot) * scale;

		a += d;
		b += e;
		a2 += d * d;
		b2 += e * e;
	}
	for (; i < n; i++) {
		double d = (x[i] - pivot) * scale;

		ret.sum += d;
		ret.sum2 += d * d;
	}
	ret.sum += (a[0] + a[1]) + (b[0] + b[1]);
	ret.sum2 += (a2[0] + a2[1]) + (b2[0] + b2[1]);
	return ret;
}

/* Corrected two-pass mean and sd (Chan, Golub and LeVeque, The American Statistician 37(3), 1983).
 * Deviations are scaled to about 1, so that squares of tiny or huge ones neither vanish nor
 * overflow. */
static void measure_moments(const struct nf_source *s, size_t n, const struct extent *e,
                            struct nf_summary *ret)
{
	double pivot = e->sum / (double)n, room[BLOCK];
	struct deviations all = { 0, 0 };
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
		size_t len = n - start < BLOCK ? n - start : BLOCK;
		struct deviations d =
		        deviations_of(nf_source_block(s, start, len, room), len, pivot, scale);

		all.sum += d.sum;
		all.sum2 += d.sum2;
	}

	double var = (all.sum2 - all.sum * all.sum / (double)n) / (double)(n - 1);

	ret->mean = clamp(pivot + all.sum / (double)n / scale, e->min, e->max);
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
