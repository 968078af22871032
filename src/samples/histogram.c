/* SPDX-License-Identifier: MIT */
#include "noisefloor/histogram.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "samples/histogram_packed.h"

enum { BLOCKS = 64 };

/* Block 0 holds the values below 2^bits, one bucket each; block b > 0 the octave from 2^(bits + b - 1)
 * in 2^bits buckets of width 2^(b - 1). */
struct nf_hist {
	unsigned bits; /* 1..19 */
	uint64_t *block[BLOCKS]; /* owned; NULL until a value falls into it */
	uint64_t total;
	uint64_t saturated;
	uint64_t min; /* of the records; meaningless while total is 0 */
	uint64_t max;
};

static size_t n_buckets(const struct nf_hist *h)
{
	return (size_t)1 << h->bits;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static unsigned block_of(const struct nf_hist *h, uint64_t value)
{
	uint64_t high = value >> h->bits;

	return high ? 64u - (unsigned)__builtin_clzll(high) : 0;
}

static unsigned width_log2(unsigned block)
{
	return block > 0 ? block - 1 : 0;
}

static size_t index_of(const struct nf_hist *h, unsigned block, uint64_t value)
{
	return (size_t)(value >> width_log2(block)) & (n_buckets(h) - 1);
}

static uint64_t lowest_of(const struct nf_hist *h, unsigned block, size_t index)
{
	uint64_t from = block > 0 ? (uint64_t)n_buckets(h) : 0;

	return (from + index) << width_log2(block);
}

static uint64_t highest_of(const struct nf_hist *h, unsigned block, size_t index)
{
	return lowest_of(h, block, index) + (((uint64_t)1 << width_log2(block)) - 1);
}

static int need_block(struct nf_hist *h, unsigned block, struct nf_err *err)
{
	if (h->block[block])
		return 0;

	uint64_t *p = calloc(n_buckets(h), sizeof(*p));

	if (!p)
		return nf_fail_nomem(err, "an octave of a histogram", n_buckets(h) * sizeof(*p));
	h->block[block] = p;
	return 0;
}

int nf_hist_new(double relative_error, struct nf_hist **ret, struct nf_err *err)
{
	int exponent;

	if (!(relative_error >= 0x1p-20 && relative_error <= 0.25))
		return nf_fail(err, NF_EARG, "relative error: 2^-20..0.25, not %g", relative_error);
	frexp(relative_error, &exponent); /* 2^(exponent - 1) <= relative_error */

	struct nf_hist *h = calloc(1, sizeof(*h));

	if (!h)
		return nf_fail_nomem(err, "a histogram", sizeof(*h));
	h->bits = (unsigned)-exponent; /* half of 2^-bits is 2^(exponent - 1) */
	*ret = h;
	return 0;
}

void nf_hist_free(struct nf_hist *h)
{
	if (!h)
		return;
	for (unsigned b = 0; b < BLOCKS; b++)
		free(h->block[b]);
	free(h);
}

void nf_hist_reset(struct nf_hist *h)
{
	for (unsigned b = 0; b < BLOCKS; b++)
		if (h->block[b])
			memset(h->block[b], 0, n_buckets(h) * sizeof(*h->block[b]));
	h->total = h->saturated = h->min = h->max = 0;
}

/* Adds records to the total and extends the extremes. */
static void take_note(struct nf_hist *h, uint64_t n, uint64_t saturated, uint64_t min, uint64_t max)
{
	uint64_t room = UINT64_MAX - h->total;

	h->min = h->total == 0 || min < h->min ? min : h->min;
	h->max = h->total == 0 || max > h->max ? max : h->max;
	h->saturated = add_saturating(h->saturated, saturated);
	if (n > room)
		h->saturated = add_saturating(h->saturated, n - room);
	h->total = add_saturating(h->total, n);
}

int nf_hist_add(struct nf_hist *h, uint64_t value, uint64_t n, struct nf_err *err)
{
	unsigned b = block_of(h, value);

	if (n == 0)
		return 0;

	int r = need_block(h, b, err);

	if (r < 0)
		return r;

	uint64_t *count = &h->block[b][index_of(h, b, value)];

	*count = add_saturating(*count, n);
	take_note(h, n, 0, value, value);
	return 0;
}

int nf_hist_merge(struct nf_hist *dst, const struct nf_hist *src, struct nf_err *err)
{
	if (dst->bits != src->bits)
		return nf_fail(err, NF_EARG, "histograms of relative errors %g and %g do not merge",
		               nf_hist_relative_error(dst), nf_hist_relative_error(src));
	/* All memory first. What a failure leaves behind is empty and so not visible. */
	for (unsigned b = 0; b < BLOCKS; b++) {
		int r = src->block[b] ? need_block(dst, b, err) : 0;

		if (r < 0)
			return r;
	}
	for (unsigned b = 0; b < BLOCKS; b++)
		for (size_t i = 0; src->block[b] && i < n_buckets(src); i++)
			dst->block[b][i] = add_saturating(dst->block[b][i], src->block[b][i]);
	if (src->total > 0)
		take_note(dst, src->total, src->saturated, src->min, src->max);
	return 0;
}

double nf_hist_relative_error(const struct nf_hist *h)
{
	return ldexp(1, -(int)h->bits - 1);
}

uint64_t nf_hist_count(const struct nf_hist *h)
{
	return h->total;
}

uint64_t nf_hist_saturated(const struct nf_hist *h)
{
	return h->saturated;
}

static int need_records(const struct nf_hist *h, const char *what, struct nf_err *err)
{
	return h->total > 0 ? 0 : nf_fail(err, NF_ENODATA, "an empty histogram has no %s", what);
}

int nf_hist_min(const struct nf_hist *h, uint64_t *ret, struct nf_err *err)
{
	int r = need_records(h, "minimum", err);

	if (r == 0)
		*ret = h->min;
	return r;
}

int nf_hist_max(const struct nf_hist *h, uint64_t *ret, struct nf_err *err)
{
	int r = need_records(h, "maximum", err);

	if (r == 0)
		*ret = h->max;
	return r;
}

static uint64_t rank_of(double q, uint64_t n)
{
	double x = q * (double)n;

	if (q >= 1)
		return n;
	x = ceil(x - x * 0x1p-52);
	if (x < 1)
		return 1;
	return x < (double)n ? (uint64_t)x : n;
}

/* The middle of the bucket that holds this rank, within the extremes. */
static uint64_t value_at(const struct nf_hist *h, uint64_t rank)
{
	uint64_t seen = 0, lo, hi, n;

	for (size_t pos = 0; nf_hist_next(h, &pos, &lo, &hi, &n);) {
		seen = add_saturating(seen, n);
		if (seen >= rank) {
			uint64_t v = lo + (hi - lo) / 2;

			return v < h->min ? h->min : v > h->max ? h->max : v;
		}
	}
	return h->max;
}

int nf_hist_quantile(const struct nf_hist *h, double q, uint64_t *ret, struct nf_err *err)
{
	if (!(q >= 0 && q <= 1))
		return nf_fail(err, NF_EARG, "quantile: 0..1, not %g", q);

	int r = need_records(h, "quantiles", err);

	if (r < 0)
		return r;

	uint64_t rank = rank_of(q, h->total);

	*ret = rank == 1 ? h->min : rank == h->total ? h->max : value_at(h, rank);
	return 0;
}

int nf_hist_next(const struct nf_hist *h, size_t *pos, uint64_t *ret_lo, uint64_t *ret_hi,
                 uint64_t *ret_n)
{
	size_t p = *pos, end = BLOCKS * n_buckets(h);

	while (p < end) {
		unsigned b = (unsigned)(p >> h->bits);
		size_t i = p & (n_buckets(h) - 1);
		const uint64_t *row = h->block[b];

		if (!row) {
			p += n_buckets(h) - i;
			continue;
		}
		p++;
		if (row[i] > 0) {
			*ret_lo = lowest_of(h, b, i);
			*ret_hi = highest_of(h, b, i);
			*ret_n = row[i];
			*pos = p;
			return 1;
		}
	}
	*pos = p;
	return 0;
}

enum { PACKED_BITS, PACKED_TOTAL, PACKED_SATURATED, PACKED_MIN, PACKED_MAX, PACKED_COUNTS };

size_t nf_hist_packed_words(const struct nf_hist *h)
{
	return PACKED_COUNTS + BLOCKS * n_buckets(h);
}

void nf_hist_pack(const struct nf_hist *h, uint64_t *ret)
{
	ret[PACKED_BITS] = h->bits;
	ret[PACKED_TOTAL] = h->total;
	ret[PACKED_SATURATED] = h->saturated;
	ret[PACKED_MIN] = h->min;
	ret[PACKED_MAX] = h->max;
	for (unsigned b = 0; b < BLOCKS; b++) {
		uint64_t *row = &ret[PACKED_COUNTS + b * n_buckets(h)];

		if (h->block[b])
			memcpy(row, h->block[b], n_buckets(h) * sizeof(*row));
		else
			memset(row, 0, n_buckets(h) * sizeof(*row));
	}
}

void nf_hist_packed_merge(uint64_t *dst, const uint64_t *src)
{
	/* The header words as a histogram without buckets, so that there is one rule for totals. */
	struct nf_hist d = { .total = dst[PACKED_TOTAL],
		             .saturated = dst[PACKED_SATURATED],
		             .min = dst[PACKED_MIN],
		             .max = dst[PACKED_MAX] };
	size_t n = (size_t)BLOCKS << dst[PACKED_BITS];

	if (src[PACKED_TOTAL] == 0)
		return;
	take_note(&d, src[PACKED_TOTAL], src[PACKED_SATURATED], src[PACKED_MIN], src[PACKED_MAX]);
	dst[PACKED_TOTAL] = d.total;
	dst[PACKED_SATURATED] = d.saturated;
	dst[PACKED_MIN] = d.min;
	dst[PACKED_MAX] = d.max;
	for (size_t i = PACKED_COUNTS; i < PACKED_COUNTS + n; i++)
		dst[i] = add_saturating(dst[i], src[i]);
}

int nf_hist_unpack(const uint64_t *words, struct nf_hist **ret, struct nf_err *err)
{
	struct nf_hist *h = calloc(1, sizeof(*h));
	int r = 0;

	if (!h)
		return nf_fail_nomem(err, "a histogram", sizeof(*h));
	h->bits = (unsigned)words[PACKED_BITS];
	for (unsigned b = 0; b < BLOCKS && r == 0; b++) {
		const uint64_t *row = &words[PACKED_COUNTS + b * n_buckets(h)];
		bool any = false;

		for (size_t i = 0; i < n_buckets(h) && !any; i++)
			any = row[i] > 0;
		if (!any)
			continue;
		r = need_block(h, b, err);
		if (r == 0)
			memcpy(h->block[b], row, n_buckets(h) * sizeof(*row));
	}
	if (r < 0) {
		nf_hist_free(h);
		return r;
	}
	h->total = words[PACKED_TOTAL];
	h->saturated = words[PACKED_SATURATED];
	h->min = words[PACKED_MIN];
	h->max = words[PACKED_MAX];
	*ret = h;
	return 0;
}
