/* SPDX-License-Identifier: MIT */
/*
 * prop_driver MODE N - ns per trial of a trivial integer property (an integer of a range lies in it), as
 * bare: a loop that draws and checks; worker: pt_check() with its worker; fork: a process per trial.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "noisefloor/prop.h"
#include "prop/rand.h"

enum { LO = -1000, HI = 1000 };

static bool in_range(int64_t v)
{
	return v >= LO && v <= HI;
}

static bool property(struct pt_case *t, void *arg)
{
	(void)arg;
	return in_range(pt_draw_int(t, LO, HI));
}

/* The same random numbers, the same check, nothing else. */
static unsigned long bare(unsigned n)
{
	unsigned long bad = 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t rng = pt_mix(1 ^ pt_mix(i + 1));
		volatile int64_t v = LO + (int64_t)pt_rand_upto(&rng, HI - LO);

		bad += !in_range(v);
	}
	return bad;
}

static unsigned long checked(unsigned n, enum pt_isolation isolation)
{
	struct pt_property p = { .name = "in range", .fn = property };
	struct pt_config c = { .seed = 1, .cases = n, .isolation = isolation };
	struct pt_result r;
	unsigned long bad;

	if (pt_check(&p, &c, &r) != 0)
		return 1;
	bad = r.outcome != PT_PASSED || r.cases != n;
	pt_result_fini(&r);
	return bad;
}

int main(int argc, char **argv)
{
	struct timespec a, b;
	unsigned long bad, n = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	if (n == 0 || n > 1000000000) {
		fprintf(stderr, "usage: prop_driver bare|worker|fork N\n");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC_RAW, &a);
	if (strcmp(argv[1], "bare") == 0)
		bad = bare((unsigned)n);
	else
		bad = checked((unsigned)n, strcmp(argv[1], "fork") == 0 ? PT_FORK : PT_WORKER);
	clock_gettime(CLOCK_MONOTONIC_RAW, &b);
	if (bad) {
		fprintf(stderr, "the property does not hold\n");
		return 4;
	}
	printf("%.3f\n",
	       (1e9 * (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec)) / (double)n);
	return 0;
}
