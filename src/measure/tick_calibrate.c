/* SPDX-License-Identifier: MIT */
#include "measure/tick_calibrate.h"

#include <math.h>
#include <stdlib.h>

enum { MIN_WINDOWS = 3 };

static int by_width(const void *a, const void *b)
{
	const struct nf_tick_window *x = a;
	const struct nf_tick_window *y = b;
	uint64_t wx = x->after_ticks - x->before_ticks;
	uint64_t wy = y->after_ticks - y->before_ticks;

	return wx < wy ? -1 : wx > wy;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static int by_double(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median_double(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), by_double);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

struct line {
	double slope; /* ticks per ns */
	double slope_error; /* standard error */
	double x_mean;
	double y_mean;
};

/* Points relative to the first window: exact in a double for more than an hour of ticks. */
static double x_of(const struct nf_tick_window *w, const struct nf_tick_window *origin)
{
	return (double)(w->raw_ns - origin->raw_ns);
}

static double y_of(const struct nf_tick_window *w, const struct nf_tick_window *origin)
{
	double before = (double)(int64_t)(w->before_ticks - origin->before_ticks);

	return before + (double)(w->after_ticks - w->before_ticks) / 2;
}

static bool fit(const struct nf_tick_window *w, size_t n, struct line *ret)
{
	struct line l = { 0 };
	double sxx = 0;
	double sxy = 0;
	double sse = 0;

	for (size_t i = 0; i < n; i++) {
		l.x_mean += x_of(&w[i], w) / (double)n;
		l.y_mean += y_of(&w[i], w) / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		double dx = x_of(&w[i], w) - l.x_mean;

		sxx += dx * dx;
		sxy += dx * (y_of(&w[i], w) - l.y_mean);
	}
	if (!(sxx > 0))
		return false;
	l.slope = sxy / sxx;
	for (size_t i = 0; i < n; i++) {
		double r = y_of(&w[i], w) - l.y_mean - l.slope * (x_of(&w[i], w) - l.x_mean);

		sse += r * r;
	}
	l.slope_error = sqrt(sse / (double)(n - 2) / sxx);
	*ret = l;
	return true;
}

/* Moves the windows within 5 scaled MADs of the line to the front; returns how many. */
static size_t keep_near(struct nf_tick_window *w, size_t n, const struct line *l, double *scratch)
{
	struct nf_tick_window origin = w[0];
	double limit;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(y_of(&w[i], &origin) - l->y_mean -
		                  l->slope * (x_of(&w[i], &origin) - l->x_mean));
	/* 1.4826: MAD to standard deviation under normality. One tick is the resolution. */
	limit = 5 * 1.4826 * median_double(scratch, n) + 1;
	for (size_t i = 0; i < n; i++) {
		struct nf_tick_window win = w[i];
		double r = fabs(y_of(&win, &origin) - l->y_mean -
		                l->slope * (x_of(&win, &origin) - l->x_mean));

		if (r <= limit) {
			w[i] = w[kept];
			w[kept++] = win;
		}
	}
	return kept;
}

int nf_tick_fit_windows(struct nf_tick_window *w, size_t n, struct nf_tick_fit *ret,
                        struct nf_err *err)
{
	struct line l = { 0 };
	double *scratch = NULL;
	size_t kept = 0;
	int rc = -NF_ENODATA;

	if (n >= MIN_WINDOWS) {
		uint64_t median;

		qsort(w, n, sizeof(*w), by_width);
		median = w[n / 2].after_ticks - w[n / 2].before_ticks;
		while (kept < n && w[kept].after_ticks - w[kept].before_ticks <= 2 * median)
			kept++;
	}
	if (kept < MIN_WINDOWS || !fit(w, kept, &l)) {
		rc = nf_fail(err, NF_ENODATA, "%zu usable windows do not give a clock rate", kept);
		goto out;
	}
	scratch = calloc(kept, sizeof(*scratch));
	if (!scratch) {
		rc = nf_fail_nomem(err, "the clock's calibration", kept * sizeof(*scratch));
		goto out;
	}
	kept = keep_near(w, kept, &l, scratch);
	if (kept < MIN_WINDOWS || !fit(w, kept, &l) || !(l.slope > 0)) {
		rc = nf_fail(err, NF_ENODATA, "%zu usable windows do not give a clock rate", kept);
		goto out;
	}
	ret->hz = l.slope * 1e9;
	ret->hz_error_ppm = l.slope_error / l.slope * 1e6;
	ret->n_kept = kept;
	ret->n_rejected = n - kept;
	rc = 0;
out:
	free(scratch);
	return rc;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

struct nf_tick_steps nf_tick_steps_of(const uint64_t *t, size_t n, int64_t *scratch)
{
	struct nf_tick_steps s = { 0 };
	uint64_t g = 0;
	size_t m = n - 1;
	size_t upper = m / 2; /* the middle two, or one and the same */
	size_t lower = (m - 1) / 2;

	for (size_t i = 0; i < m; i++) {
		int64_t d = (int64_t)(t[i + 1] - t[i]);

		scratch[i] = d;
		g = gcd(d < 0 ? 0 - (uint64_t)d : (uint64_t)d, g);
	}
	qsort(scratch, m, sizeof(*scratch), by_value);
	s.step_ticks = (int64_t)g;
	s.min_ticks = (double)scratch[0];
	s.median_ticks = ((double)scratch[lower] + (double)scratch[upper]) / 2;
	return s;
}
