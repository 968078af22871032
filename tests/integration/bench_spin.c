/* SPDX-License-Identifier: MIT */
/* bench_spin N: N steps of a chain of multiplications, which nothing can shorten. */
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, x = n | 1;

	for (uint64_t i = 0; i < n; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(x));
	}
	return x == 42 ? 1 : 0;
}
