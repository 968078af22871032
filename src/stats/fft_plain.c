/* SPDX-License-Identifier: MIT */
/* fft_plain - decimation in time for the factors 2, 3 and 5 (Cooley and Tukey 1965), double precision. */
#include "stats/fft.h"

#include <math.h>
#include <stdlib.h>

#include "build_info.h"

enum { RADIX_MAX = 5 };

struct bin {
	double re, im;
};

struct plan {
	size_t n;
	struct bin *root; /* root[j] = exp(-2 pi i j / n) */
};

const char *nf_fft_name(void)
{
	return "noisefloor-fft";
}

const char *nf_fft_version(void)
{
	return NF_VERSION;
}

static size_t factor(size_t n)
{
	return n % 2 == 0 ? 2 : n % 3 == 0 ? 3 : 5;
}

static struct bin add_product(struct bin sum, struct bin a, struct bin b)
{
	sum.re += a.re * b.re - a.im * b.im;
	sum.im += a.re * b.im + a.im * b.re;
	return sum;
}

/* The transform of in[0], in[step], ... into out[0..len), len * step = n. Depth: the number of factors. */
static void transform(const struct plan *p, const struct bin *in, size_t step, size_t len,
                      struct bin *out)
{
	if (len == 1) {
		out[0] = in[0];
		return;
	}
	size_t radix = factor(len), part = len / radix;

	for (size_t q = 0; q < radix; q++)
		transform(p, in + q * step, step * radix, part, out + q * part);
	for (size_t k = 0; k < part; k++) {
		struct bin t[RADIX_MAX];

		for (size_t q = 0; q < radix; q++)
			t[q] = out[q * part + k];
		for (size_t r = 0; r < radix; r++) {
			struct bin sum = { 0 };

			for (size_t q = 0; q < radix; q++)
				sum = add_product(sum, t[q],
				                  p->root[q * (r * part + k) % len * step]);
			out[r * part + k] = sum;
		}
	}
}

int nf_fft_power(const double *x, size_t n, double scale, double *ret_power, struct nf_err *err)
{
	struct plan plan = { .n = n, .root = calloc(n, sizeof(struct bin)) };
	struct bin *in = calloc(n, sizeof(*in)), *out = calloc(n, sizeof(*out));
	int rc = 0;

	if (!plan.root || !in || !out) {
		rc = nf_fail_nomem(err, "the spectrum", 3 * n * sizeof(*in));
		goto out;
	}
	for (size_t j = 0; j < n; j++) {
		double angle = -2 * M_PI * (double)j / (double)n;

		plan.root[j] = (struct bin){ cos(angle), sin(angle) };
		in[j].re = x[j] * scale;
	}
	transform(&plan, in, 1, n, out);
	for (size_t k = 0; k <= n / 2; k++)
		ret_power[k] = out[k].re * out[k].re + out[k].im * out[k].im;
out:
	free(plan.root);
	free(out);
	free(in);
	return rc;
}
