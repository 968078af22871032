/* SPDX-License-Identifier: MIT */
#include "stats/fft.h"

#include <kiss_fftr.h>
#include <stdlib.h>

#include "build_info.h"

const char *nf_fft_name(void)
{
	return "kissfft";
}

const char *nf_fft_version(void)
{
	return NF_KISSFFT_VERSION; /* it does not tell when asked: what the program was built with */
}

int nf_fft_power(const double *x, size_t n, double scale, double *ret_power, struct nf_err *err)
{
	size_t bytes = 0;
	float *in = calloc(n, sizeof(*in));
	kiss_fft_cpx *out = calloc(n / 2 + 1, sizeof(*out));
	void *room = NULL;
	kiss_fftr_cfg plan;
	int rc = 0;

	kiss_fftr_alloc((int)n, 0, NULL, &bytes);
	if (in && out)
		room = malloc(bytes);
	plan = room ? kiss_fftr_alloc((int)n, 0, room, &bytes) : NULL;
	if (!plan) {
		rc = nf_fail_nomem(err, "the spectrum",
		                   bytes + n * sizeof(*in) + (n / 2 + 1) * sizeof(*out));
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		in[i] = (float)x[i] * (float)scale;
	kiss_fftr(plan, in, out);
	for (size_t k = 0; k <= n / 2; k++) {
		double re = (double)out[k].r, im = (double)out[k].i;

		ret_power[k] = re * re + im * im;
	}
out:
	free(room);
	free(out);
	free(in);
	return rc;
}
