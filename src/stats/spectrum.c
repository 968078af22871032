/* SPDX-License-Identifier: MIT */
#include "stats/spectrum.h"

#include <math.h>
#include <stdlib.h>

#include "stats/fft.h"
#include "stats/spectrum_impl.h"

#define PI 3.14159265358979323846

static bool smooth(size_t n)
{
	for (size_t p = 2; p <= 5; p += p == 2 ? 1 : 2)
		while (n % p == 0)
			n /= p;
	return n == 1;
}

size_t nf_spectrum_length(size_t n)
{
	if (n > NF_SPECTRUM_MAX)
		n = NF_SPECTRUM_MAX;
	for (n -= n % 2; n >= 2; n -= 2)
		if (smooth(n))
			return n;
	return 0;
}

/* --- the windowed series --- */

/* The window about the whole series, periodic: 0 at 0. */
static double hann(size_t i, size_t n)
{
	return 0.5 - 0.5 * cos(2 * PI * (double)i / (double)n);
}

static void take_off_mean(struct nf_spectrum_series *s, const int64_t *value)
{
	double at = (double)value[0]; /* relative to it, so that large counts lose no digits */
	double sum = 0, weights = 0;

	for (size_t i = 0; i < s->n; i++) {
		double w = hann(i, s->n);

		sum += w * ((double)value[i] - at);
		weights += w;
	}
	s->mean = at + sum / weights;
	for (size_t i = 0; i < s->n; i++) {
		double w = hann(i, s->n);

		s->x[i] = w * ((double)value[i] - s->mean);
		s->energy += s->x[i] * s->x[i];
		s->window_energy += w * w;
	}
}

/* Bins 1 .. n/2 - 1 stand for two, one of each half. */
static double halves(size_t k, size_t n)
{
	return k == 0 || 2 * k == n ? 1 : 2;
}

static int transform(struct nf_spectrum_series *s, struct nf_err *err)
{
	size_t n = s->n;
	int r = nf_fft_power(s->x, n, 1 / sqrt(s->energy / (double)n), s->power, err);

	/* Scaled to unit power: all n bins of the transform together have n^2. */
	for (size_t k = 0; r == 0 && k <= n / 2; k++)
		s->power[k] *= halves(k, n) / ((double)n * (double)n);
	return r;
}

void nf_spectrum_series_fini(struct nf_spectrum_series *s)
{
	free(s->x);
	free(s->power);
	free(s->surprise);
	*s = (struct nf_spectrum_series){ 0 };
}

int nf_spectrum_series_make(const int64_t *value, size_t n, struct nf_spectrum_series *ret,
                            struct nf_err *err)
{
	struct nf_spectrum_series s = { .n = nf_spectrum_length(n) };
	bool constant = true;
	int rc;

	if (n < NF_SPECTRUM_MIN)
		return nf_fail(err, NF_ENODATA, "a spectrum needs %d values, not %zu",
		               NF_SPECTRUM_MIN, n);
	/* The window leaves the first one out. */
	for (size_t i = 2; constant && i < s.n; i++)
		constant = value[i] == value[1];
	if (constant)
		return nf_fail(err, NF_ENODATA, "all values are the same: no spectrum");
	s.x = calloc(s.n, sizeof(*s.x));
	s.power = calloc(s.n / 2 + 1, sizeof(*s.power));
	if (!s.x || !s.power) {
		rc = nf_fail_nomem(err, "the spectrum", s.n * 2 * sizeof(*s.x));
		goto out;
	}
	take_off_mean(&s, value);
	rc = transform(&s, err);
	if (rc != 0)
		goto out;
	*ret = s;
	return 0;
out:
	nf_spectrum_series_fini(&s);
	return rc;
}

double nf_spectrum_series_share(const struct nf_spectrum_series *s, ptrdiff_t k)
{
	/* Rotated step by step, and set anew often enough that rounding stays at some 1e-13. */
	enum { ANEW = 512 };
	size_t n = s->n;
	size_t bin = k < 0 ? (size_t)-k : (size_t)k > n / 2 ? n - (size_t)k : (size_t)k;
	double step = 2 * PI * (double)bin / (double)n;
	double c1 = cos(step), s1 = sin(step), c = 1, d = 0, re = 0, im = 0;

	for (size_t i = 0; i < n; i++) {
		if (i % ANEW == 0) {
			/* bin * i stays below 2^52. */
			double turn = 2 * PI * (double)(bin * i % n) / (double)n;

			c = cos(turn);
			d = sin(turn);
		}
		re += s->x[i] * c;
		im += s->x[i] * d;
		double next = c * c1 - d * s1;

		d = d * c1 + c * s1;
		c = next;
	}
	return halves(bin, n) * (re * re + im * im) / ((double)n * s->energy);
}

double nf_spectrum_series_place(const struct nf_spectrum_series *s, size_t bin, double *ret_share)
{
	ptrdiff_t k = (ptrdiff_t)bin;
	double here = nf_spectrum_series_share(s, k);
	double below = nf_spectrum_series_share(s, k - 1);
	double above = nf_spectrum_series_share(s, k + 1);
	double a = here > 0 ? sqrt(fmax(below, above) / here) : 0.5;
	double by = fmin(fmax((2 * a - 1) / (a + 1), 0), 1);

	*ret_share = here;
	return (double)k + (above >= below ? by : -by);
}

/* --- whole spectra --- */

static double variance(const struct nf_spectrum_series *s)
{
	return s->energy / s->window_energy;
}

int nf_spectrum_power(const int64_t *value, size_t n, double *ret_power, size_t *ret_used,
                      struct nf_err *err)
{
	struct nf_spectrum_series s = { 0 };
	int rc = nf_spectrum_series_make(value, n, &s, err);

	if (rc != 0)
		return rc;
	for (size_t k = 0; k <= s.n / 2; k++)
		ret_power[k] = s.power[k] * variance(&s);
	*ret_used = s.n;
	nf_spectrum_series_fini(&s);
	return 0;
}

int nf_spectrum_lines(const int64_t *value, size_t n, double rate_hz, struct nf_spectrum *ret,
                      struct nf_err *err)
{
	struct nf_spectrum_series s = { 0 };
	struct nf_spectrum_peak *peak = NULL;
	size_t n_peaks = 0;
	struct nf_spectrum r = { 0 };
	int rc;

	if (!(rate_hz > 0) || !isfinite(rate_hz))
		return nf_fail(err, NF_EARG, "a rate of %g Hz: it must be positive", rate_hz);
	rc = nf_spectrum_series_make(value, n, &s, err);
	if (rc != 0)
		return rc;
	peak = calloc(NF_SPECTRUM_PEAKS, sizeof(*peak));
	if (!peak) {
		rc = nf_fail_nomem(err, "the peaks", NF_SPECTRUM_PEAKS * sizeof(*peak));
		goto out;
	}
	rc = nf_spectrum_judge(&s, err);
	if (rc == 0)
		rc = nf_spectrum_find_peaks(&s, peak, &n_peaks, &r.n_peaks, err);
	if (rc != 0)
		goto out;
	r.n_used = s.n;
	r.bin_hz = rate_hz / (double)s.n;
	r.nyquist_hz = rate_hz / 2;
	r.lowest_hz = (double)s.first * r.bin_hz;
	r.mean = s.mean;
	r.variance = variance(&s);
	rc = nf_spectrum_gather(&s, peak, n_peaks, r.bin_hz, &r, err);
	if (rc == 0)
		*ret = r;
out:
	free(peak);
	nf_spectrum_series_fini(&s);
	return rc;
}
