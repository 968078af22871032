/* SPDX-License-Identifier: MIT */
/*
 * noise_bench - a benchmark that never runs: two variants under a fake clock and six models of what
 * disturbs a machine. For calibrating decisions.
 *
 * An iteration takes base * (1 + shift of the variant) * exp(slot + iteration): `slot` belongs to a set
 * (a fresh process) at its place in the schedule, `iteration` is N(0, 0.02) plus, with probability 0.02,
 * an exponential spike of mean 0.3.
 */
#ifndef NOISE_BENCH_H
#define NOISE_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

struct fake_clock {
	int64_t now_ns;
};

enum noise_model {
	NOISE_IID, /* slot 0 */
	NOISE_PROCESS, /* N(0, 0.02) */
	NOISE_DRIFT, /* N(0, 0.01) and a line over the run that ends at N(0, 0.05) */
	NOISE_AR1, /* autoregressive, phi 0.9, stationary sd 0.02, and N(0, 0.01) */
	NOISE_BURSTS, /* N(0, 0.01) and with probability 0.15 exponential of mean 0.2 */
	NOISE_BIMODAL, /* 0 or 0.06, and N(0, 0.005) */
	NOISE_MODELS,
	NOISE_CALM = NOISE_MODELS, /* N(0, 0.005), iterations alike: sets with a CV of 0.5 % */
};
const char *noise_name(enum noise_model m);

enum { BENCH_PAIRS_MAX = 64, BENCH_ITERATIONS_MAX = 64 };

struct bench_run {
	size_t n; /* pairs */
	double old[BENCH_PAIRS_MAX]; /* set medians, ns, in the order of the pairs */
	double new_[BENCH_PAIRS_MAX];
};
/* One run of `compare`: pairs x iterations a side in the order of a schedule from the generator. */
void bench_run(struct nf_rng *rng, enum noise_model m, double shift, size_t pairs,
               size_t iterations, struct bench_run *ret);

double rng_exponential(struct nf_rng *rng, double mean);

#endif
