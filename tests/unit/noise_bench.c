/* SPDX-License-Identifier: MIT */
#include "noise_bench.h"

#include <math.h>
#include <stdlib.h>

#include "noisefloor/location.h"
#include "noisefloor/schedule.h"

static const double base_ns = 2e6;

const char *noise_name(enum noise_model m)
{
	static const char *const name[] = { "iid",    "per-process", "drift", "AR(1)",
		                            "bursts", "bimodal",     "calm" };

	return name[m];
}

double rng_exponential(struct nf_rng *rng, double mean)
{
	return -mean * log(1 - nf_rng_unit(rng));
}

/* What persists from slot to slot of one run. */
struct machine {
	enum noise_model model;
	double end; /* of the line */
	double state; /* of the autoregression */
	size_t slots;
};

static void start_machine(struct nf_rng *rng, enum noise_model m, size_t slots, struct machine *ret)
{
	*ret = (struct machine){ .model = m, .slots = slots };
	ret->end = 0.05 * nf_rng_normal(rng);
	ret->state = 0.02 * nf_rng_normal(rng);
}

static double slot_noise(struct nf_rng *rng, struct machine *m, size_t slot)
{
	const double phi = 0.9;
	double z = nf_rng_normal(rng), u = nf_rng_unit(rng);

	switch (m->model) {
	case NOISE_PROCESS:
		return 0.02 * z;
	case NOISE_DRIFT:
		return 0.01 * z + m->end * (double)slot / (double)(m->slots - 1);
	case NOISE_AR1:
		m->state = phi * m->state + 0.02 * sqrt(1 - phi * phi) * nf_rng_normal(rng);
		return 0.01 * z + m->state;
	case NOISE_BURSTS:
		return 0.01 * z + (u < 0.15 ? rng_exponential(rng, 0.2) : 0);
	case NOISE_BIMODAL:
		return 0.005 * z + (u < 0.5 ? 0 : 0.06);
	case NOISE_CALM:
		return 0.005 * z;
	case NOISE_IID:
	default:
		return 0;
	}
}

static double iteration_noise(struct nf_rng *rng, enum noise_model m)
{
	double z = 0.02 * nf_rng_normal(rng);

	if (m == NOISE_CALM)
		return 0;
	return z + (nf_rng_unit(rng) < 0.02 ? rng_exponential(rng, 0.3) : 0);
}

/* What the benchmark would do: nothing but let time pass. */
static void work(struct fake_clock *clock, double duration_ns)
{
	clock->now_ns += (int64_t)llround(duration_ns);
}

static double set_median(struct nf_rng *rng, struct fake_clock *clock, enum noise_model m,
                         double level_ns, size_t iterations)
{
	double took[BENCH_ITERATIONS_MAX], median;

	for (size_t i = 0; i < iterations; i++) {
		int64_t start = clock->now_ns;

		work(clock, level_ns * exp(iteration_noise(rng, m)));
		took[i] = (double)(clock->now_ns - start);
	}
	if (nf_median(took, iterations, &median, NULL) < 0)
		abort();
	return median;
}

void bench_run(struct nf_rng *rng, enum noise_model m, double shift, size_t pairs,
               size_t iterations, struct bench_run *ret)
{
	uint8_t variant[2 * BENCH_PAIRS_MAX];
	struct fake_clock clock = { 0 };
	struct machine machine;

	if (pairs > BENCH_PAIRS_MAX || iterations > BENCH_ITERATIONS_MAX ||
	    nf_schedule_pairs(nf_rng_next(rng), pairs, variant, NULL) < 0)
		abort();
	ret->n = pairs;
	start_machine(rng, m, 2 * pairs, &machine);
	for (size_t s = 0; s < 2 * pairs; s++) {
		double level =
		        base_ns * (variant[s] ? 1 + shift : 1) * exp(slot_noise(rng, &machine, s));
		double median = set_median(rng, &clock, m, level, iterations);

		(variant[s] ? ret->new_ : ret->old)[s / 2] = median;
	}
}
