/* SPDX-License-Identifier: MIT */
/*
 * merge - what a rank, a node and the whole job measured, in one block of fixed size that MPI_Reduce merges
 * with an operation of our own: memory per rank does not depend on how many there are. Pure but for the two
 * functions that make and use the operation.
 */
#ifndef NF_MPI_MERGE_H
#define NF_MPI_MERGE_H

#include "base/stop.h"
#include "mpi/measure.h"

enum {
	NF_MPI_SLOWEST = 8, /* ranks that are named */
	NF_MPI_HIST_WORDS = 5 + 64 * 256,
};
#define NF_MPI_HIST_ERROR 0x1p-9
#define NF_MPI_PS_MAX ((INT64_C(1) << 53) - 1) /* 2.5 hours; the largest value of the histogram */

/* One rank's figures: the line of ranks.csv, and what is shown of the slowest. */
struct nf_mpi_rank {
	int rank;
	int cpu; /* -1: it moved */
	int node; /* NUMA */
	bool unbound;
	bool sharing;
	char host[NF_MPI_HOST_BYTES];
	char cpus[NF_MPI_CPUS_TEXT];
	uint64_t n;
	double min_ns, median_ns, p99_ns, max_ns, mean_ns;
	double sd_ns; /* < 0: undefined */
	double noise_ratio;
	uint64_t dropped;
	uint64_t faults;
	uint64_t involuntary_switches;
	int64_t wall_ns;
};

struct nf_mpi_merged {
	uint64_t ranks;
	uint64_t n;
	double mean_ns;
	double m2; /* sum of squared distances from the mean, ns^2 */
	double floor_ns; /* sum over ranks of n x min */
	double total_ns;
	double rank_mean_min_ns, rank_mean_max_ns;
	double hz_min, hz_max;
	uint64_t unbound, moved, sharing;
	uint64_t dropped, clipped, faults, involuntary_switches;
	int64_t wall_ns; /* longest */
	struct nf_stop stop; /* of the largest signal number */
	size_t n_slow;
	struct nf_mpi_rank slow[NF_MPI_SLOWEST]; /* by falling mean, then by rank */
	uint64_t hist[NF_MPI_HIST_WORDS]; /* samples/histogram_packed.h; ps */
};

/* One rank's own block and figures. -NF_ENODATA without a single quantum. */
NF_NODISCARD int nf_mpi_merge_own(const struct nf_mpi *m, const struct nf_mpi_place *place,
                                  const struct nf_mpi_measured *got, struct nf_mpi_rank *ret_rank,
                                  struct nf_mpi_merged *ret, struct nf_err *err);
/* dst += src. */
void nf_mpi_merge(struct nf_mpi_merged *dst, const struct nf_mpi_merged *src);
/* Ticks as whole picoseconds, half rounded away from zero; too long ones as NF_MPI_PS_MAX. */
int64_t nf_mpi_ticks_to_ps(int64_t ticks, double hz);

/* Collective over comm: *ret (NULL but on its first rank) becomes the merged block of all. */
void nf_mpi_merge_reduce(MPI_Comm comm, const struct nf_mpi_merged *own, struct nf_mpi_merged *ret);

#endif
