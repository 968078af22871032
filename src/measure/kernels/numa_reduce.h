/* SPDX-License-Identifier: MIT */
/*
 * numa_reduce - sums of doubles in a fixed order of addition, vectorised by hand so that every compiler and
 * flag gives the same work: the serial and the parallel reduction call the same function.
 */
#ifndef NF_MEASURE_NUMA_REDUCE_H
#define NF_MEASURE_NUMA_REDUCE_H

#include <stddef.h>

struct nf_reduce {
	const char *isa; /* "avx2", "baseline" */
	/* Row after row: each row in 16 interleaved partial sums that are added pairwise, the rows in
	 * order. rows x cols doubles, contiguous. */
	double (*rows)(const double *p, size_t rows, size_t cols);
	/* n doubles in 32 interleaved partial sums: what reading that memory costs at least. */
	double (*plain)(const double *p, size_t n);
};

/* The best that this CPU runs. */
const struct nf_reduce *nf_reduce_best(void);
/* By position, for tests; NULL: no such one, or this CPU cannot run it. All give the same bits. */
const struct nf_reduce *nf_reduce_at(size_t i);

#endif
