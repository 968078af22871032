/* SPDX-License-Identifier: MIT */
/*
 * quiet - the same work as printing.c, but what it prints is kept until nothing is timed.
 *
 *   noisefloor audit run -- ./quiet
 */
#include <noisefloor/region.h>

#include <stdint.h>
#include <stdio.h>
#include <time.h>

static uint64_t work(uint64_t x)
{
	for (int i = 0; i < 200000; i++)
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
	return x;
}

int main(void)
{
	uint64_t x = 1, seen[20];
	double total_ms = 0;

	for (int i = 0; i < 20; i++) {
		struct timespec a, b;

		nf_region_begin("step");
		clock_gettime(CLOCK_MONOTONIC, &a);
		x = work(x);
		seen[i] = x;
		clock_gettime(CLOCK_MONOTONIC, &b);
		nf_region_end("step");
		total_ms +=
		        (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6;
	}
	for (int i = 0; i < 20; i++)
		printf("step %2d: %016llx\n", i, (unsigned long long)seen[i]);
	printf("mean %.3f ms\n", total_ms / 20);
	return 0;
}
