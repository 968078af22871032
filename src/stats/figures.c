/* SPDX-License-Identifier: MIT */
#include "stats/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "noisefloor/summary.h"
#include "stats/select.h"

/* Fewer values than FEW are put in order one by one: to clear and walk the bins would take longer. */
enum { BINS = 1 << 16, FAR_SHARE = 8, FEW = 1 << 13 };

static const unsigned per_1000[NF_FIGURES] = { 250, 500, 750, 990, 999 };

/* The values as counts: bin[v - min], and those from min + cap_bins on one by one. */
struct counted {
	uint32_t *bin; /* owned; cap_bins, then as many again to count in */
	size_t cap_bins;
	size_t n_bins; /* up to the last one that is not empty */
	double *far; /* owned; order changes */
	size_t n_far;
	size_t n;
	int64_t base; /* value of bin 0 */
};

static uint64_t above(int64_t v, int64_t min)
{
	return (uint64_t)v - (uint64_t)min;
}

/* Counts x in two tables, as the same value again and again would wait for itself in one. false: too many
 * are far. */
static bool count(const int64_t *x, size_t n, struct counted *c, size_t max_far)
{
	uint32_t *second = c->bin + c->cap_bins;
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		uint64_t a = above(x[i], c->base), b = above(x[i + 1], c->base);

		if (a < c->cap_bins && b < c->cap_bins) {
			c->bin[a]++;
			second[b]++;
			continue;
		}
		if (c->n_far + 2 > max_far)
			return false;
		if (a < c->cap_bins)
			c->bin[a]++;
		else
			c->far[c->n_far++] = (double)x[i];
		if (b < c->cap_bins)
			second[b]++;
		else
			c->far[c->n_far++] = (double)x[i + 1];
	}
	if (i < n) {
		uint64_t a = above(x[i], c->base);

		if (a < c->cap_bins)
			c->bin[a]++;
		else if (c->n_far == max_far)
			return false;
		else
			c->far[c->n_far++] = (double)x[i];
	}
	for (size_t k = 0; k < c->cap_bins; k++) {
		c->bin[k] += second[k];
		c->n_bins = c->bin[k] ? k + 1 : c->n_bins;
	}
	return true;
}

static double value_of(const struct counted *c, size_t bin)
{
	return (double)c->base + (double)bin;
}

static void measure_moments(const struct counted *c, struct nf_figures *f)
{
	double n = (double)c->n, sum = 0, rest = 0, sum2 = 0, far = 0;
	double origin = (double)c->base;

	for (size_t k = 0; k < c->n_bins; k++)
		sum += (double)c->bin[k] * (double)k;
	for (size_t k = 0; k < c->n_far; k++)
		far += c->far[k] - origin;
	double mean = (sum + far) / n; /* above the origin */
	for (size_t k = 0; k < c->n_bins; k++) {
		double d = (double)k - mean, many = (double)c->bin[k];

		rest += many * d;
		sum2 += many * d * d;
	}
	for (size_t k = 0; k < c->n_far; k++) {
		double d = c->far[k] - origin - mean;

		rest += d;
		sum2 += d * d;
	}
	f->mean = origin + (mean + rest / n);
	f->has_sd = c->n > 1;
	f->sd = 0;
	if (c->n > 1 && f->min < f->max)
		f->sd = sqrt(fmax(sum2 - rest * rest / n, 0) / (n - 1));
}

/* The values of two neighbouring ranks, the second one only if it is asked for. */
struct wanted {
	size_t rank;
	bool next;
	double fraction;
	double value[2];
};

static void find_near(const struct counted *c, struct wanted *w)
{
	size_t below = 0, at = 0;

	for (size_t i = 0; i < NF_FIGURES; i++) {
		for (size_t k = 0; k < (w[i].next ? 2 : 1); k++) {
			size_t rank = w[i].rank + k;

			if (rank < below) /* of few values: the one before took the next */
				below = at = 0;
			while (at < c->n_bins && below + c->bin[at] <= rank)
				below += c->bin[at++];
			if (at == c->n_bins)
				break; /* it is far */
			w[i].value[k] = value_of(c, at);
		}
	}
}

static void find_far(struct counted *c, struct wanted *w)
{
	size_t near = c->n - c->n_far, pos[2 * NF_FIGURES], n_pos = 0;

	for (size_t i = 0; i < NF_FIGURES; i++)
		for (size_t k = 0; k < (w[i].next ? 2 : 1); k++) {
			size_t rank = w[i].rank + k;

			if (rank >= near && (n_pos == 0 || pos[n_pos - 1] < rank - near))
				pos[n_pos++] = rank - near;
		}
	if (n_pos == 0)
		return;
	nf_multiselect(c->far, c->n_far, pos, n_pos);
	for (size_t i = 0; i < NF_FIGURES; i++)
		for (size_t k = 0; k < (w[i].next ? 2 : 1); k++)
			if (w[i].rank + k >= near)
				w[i].value[k] = c->far[w[i].rank + k - near];
}

static void interpolate(struct nf_figures *f)
{
	for (size_t i = 0; i < NF_FIGURES; i++) {
		double a = f->below[i], b = f->above[i], h = f->fraction[i];

		/* From the nearer end. */
		f->p[i] = h < 0.5 ? a + h * (b - a) : b - (1 - h) * (b - a);
	}
}

/* Ascending percentiles have ascending ranks, so that one walk finds them all. */
static void measure_percentiles(struct counted *c, struct nf_figures *f)
{
	struct wanted w[NF_FIGURES];

	for (size_t i = 0; i < NF_FIGURES; i++) {
		size_t whole = (c->n - 1) / 1000 * per_1000[i];
		size_t rest = (c->n - 1) % 1000 * per_1000[i];

		w[i].rank = whole + rest / 1000;
		w[i].fraction = (double)(rest % 1000) / 1000;
		w[i].next = rest % 1000 != 0;
		w[i].value[0] = w[i].value[1] = 0;
	}
	find_near(c, w);
	find_far(c, w);
	for (size_t i = 0; i < NF_FIGURES; i++) {
		f->below[i] = w[i].value[0];
		f->above[i] = w[i].value[w[i].next];
		f->fraction[i] = w[i].fraction;
	}
	interpolate(f);
}

static void measure_extremes(const struct counted *c, struct nf_figures *f)
{
	size_t first = 0, last = c->n_bins;

	while (first < c->n_bins && c->bin[first] == 0)
		first++;
	while (last > 0 && c->bin[last - 1] == 0)
		last--;
	bool near = first < c->n_bins;
	f->min = near ? value_of(c, first) : c->far[0];
	f->max = near ? value_of(c, last - 1) : c->far[0];
	for (size_t k = 0; k < c->n_far; k++) {
		if (!near && c->far[k] < f->min)
			f->min = c->far[k];
		if (c->far[k] > f->max)
			f->max = c->far[k];
	}
}

static void measure(struct counted *c, struct nf_figures *f)
{
	f->n = c->n;
	measure_extremes(c, f);
	measure_moments(c, f);
	measure_percentiles(c, f);
}

static void leave_out(struct counted *c, int64_t v)
{
	c->n--;
	if (above(v, c->base) < c->cap_bins) {
		c->bin[above(v, c->base)]--;
		return;
	}
	for (size_t k = 0; k < c->n_far; k++)
		if (c->far[k] >= (double)v && c->far[k] <= (double)v) {
			c->far[k] = c->far[--c->n_far];
			return;
		}
}

/* The general way, for samples that are spread out. */
static int summarize(const int64_t *x, size_t n, struct nf_figures *ret, struct nf_err *err)
{
	struct nf_summary s;

	if (n == 0) {
		*ret = (struct nf_figures){ 0 };
		return 0;
	}
	int r = nf_summarize_i64(x, n, 1, &s, err);
	if (r < 0)
		return r;
	*ret = (struct nf_figures){
		.n = n,
		.mean = s.mean,
		.has_sd = s.has_sd,
		.sd = s.has_sd ? s.sd : 0,
		.min = s.min,
		.max = s.max,
	};
	static const unsigned at[NF_FIGURES] = { 0, 1, 2, 4, 5 }; /* 25 50 75 99 99.9 there */
	for (size_t i = 0; i < NF_FIGURES; i++)
		ret->below[i] = ret->above[i] = ret->p[i] = s.percentile[at[i]].value;
	return 0;
}

int nf_figures_of(const int64_t *x, size_t n, struct nf_figures *ret, struct nf_figures *ret_rest,
                  struct nf_err *err)
{
	struct nf_figures all, rest = { 0 };
	struct counted c = { .n = n, .cap_bins = n < FEW ? 0 : BINS };
	size_t max_far = n < FEW ? n + 1 : n / FAR_SHARE + 2;
	int r = 0;

	if (n == 0)
		return nf_fail(err, NF_ENODATA, "no samples to describe");
	c.base = x[0];
	for (size_t i = 1; i < n; i++)
		c.base = x[i] < c.base ? x[i] : c.base;
	c.bin = calloc(2 * c.cap_bins + 1, sizeof(*c.bin)); /* never of no bytes */
	c.far = malloc(max_far * sizeof(*c.far));
	if (!c.bin || !c.far) {
		r = nf_fail_nomem(err, "figures", max_far * sizeof(*c.far));
		goto out;
	}
	if (n <= UINT32_MAX && count(x, n, &c, max_far)) {
		measure(&c, &all);
		if (n > 1 && ret_rest) {
			leave_out(&c, x[0]);
			measure(&c, &rest);
		}
	} else {
		r = summarize(x, n, &all, err);
		if (r == 0 && ret_rest)
			r = summarize(x + 1, n - 1, &rest, err);
	}
	if (r == 0) {
		*ret = all;
		if (ret_rest)
			*ret_rest = rest;
	}
out:
	free(c.bin);
	free(c.far);
	return r;
}

void nf_figures_scale(struct nf_figures *f, double per)
{
	f->mean /= per;
	f->sd /= per;
	f->min /= per;
	f->max /= per;
	for (size_t i = 0; i < NF_FIGURES; i++) {
		f->below[i] /= per;
		f->above[i] /= per;
	}
	interpolate(f);
}
