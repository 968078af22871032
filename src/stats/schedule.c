/* SPDX-License-Identifier: MIT */
#include "noisefloor/schedule.h"

#include <string.h>

#include "base/fail.h"
#include "base/rng.h"

int nf_schedule_pairs(uint64_t seed, size_t n_pairs, uint8_t *ret_variant, struct nf_err *err)
{
	struct nf_rng rng;

	if (n_pairs == 0)
		return nf_fail(err, NF_EARG, "a schedule of no pairs");
	nf_rng_seed(&rng, seed);
	for (size_t pair = 0; pair < n_pairs; pair += 2) {
		uint8_t first = (uint8_t)nf_rng_below(&rng, 2);
		uint8_t block[4] = { first, !first, !first, first };

		memcpy(ret_variant + 2 * pair, block, pair + 1 < n_pairs ? 4 : 2);
	}
	return 0;
}

size_t nf_schedule_williams_rows(size_t k)
{
	return k % 2 ? 2 * k : k;
}

static void shuffle(struct nf_rng *rng, uint16_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = (uint16_t)i;
	for (size_t i = n; i > 1; i--) {
		size_t j = nf_rng_below(rng, i);
		uint16_t t = a[j];

		a[j] = a[i - 1];
		a[i - 1] = t;
	}
}

/* Row r of the design: 0 1 k-1 2 k-2 ... shifted by r; the second k rows of an odd design are the
 * mirror images of the first. */
static size_t cell(size_t k, size_t r, size_t slot)
{
	size_t s = r < k ? slot : k - 1 - slot;
	size_t base = s % 2 ? (s + 1) / 2 : (k - s / 2) % k;

	return (base + r) % k;
}

int nf_schedule_williams(uint64_t seed, size_t k, size_t n_rows, uint8_t *ret_variant,
                         struct nf_err *err)
{
	uint16_t name[NF_SCHEDULE_VARIANTS_MAX], row[2 * NF_SCHEDULE_VARIANTS_MAX];
	size_t design = nf_schedule_williams_rows(k);
	struct nf_rng rng;

	if (k < 2 || k > NF_SCHEDULE_VARIANTS_MAX)
		return nf_fail(err, NF_EARG, "%zu variants: 2 to %d", k, NF_SCHEDULE_VARIANTS_MAX);
	if (n_rows == 0)
		return nf_fail(err, NF_EARG, "a schedule of no rows");
	nf_rng_seed(&rng, seed);
	for (size_t i = 0; i < n_rows; i++) {
		if (i % design == 0) {
			shuffle(&rng, name, k);
			shuffle(&rng, row, design);
		}
		for (size_t s = 0; s < k; s++)
			ret_variant[i * k + s] = (uint8_t)name[cell(k, row[i % design], s)];
	}
	return 0;
}
