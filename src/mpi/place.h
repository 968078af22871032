/* SPDX-License-Identifier: MIT */
/* place - where a rank may run, read back from the kernel, and with whom it shares. */
#ifndef NF_MPI_PLACE_H
#define NF_MPI_PLACE_H

#include "base/cpuset.h"
#include "mpi/comm.h"

enum { NF_MPI_CPUS_TEXT = 256 };

struct nf_mpi_place {
	struct nf_cpuset cpus; /* owned; the affinity mask in force */
	char text[NF_MPI_CPUS_TEXT]; /* as a list, cut with "..." where it is longer */
	int cpu; /* the one CPU of the mask; else the one it was on when asked */
	int node; /* NUMA node of cpu; -1: unknown */
	bool unbound; /* may run on more than one CPU */
	bool sharing; /* other ranks of the job have to run on its CPUs */
};

/* pin: binds to one CPU of the mask first, a different one for each rank of the node while they last.
 * Not collective. */
NF_NODISCARD int nf_mpi_place_read(const struct nf_mpi *m, bool pin, struct nf_mpi_place *ret,
                                   struct nf_err *err);
/* Sets `sharing`; collective over the node. Memory grows with the node's CPUs, not with ranks. */
NF_NODISCARD int nf_mpi_place_compare(const struct nf_mpi *m, struct nf_mpi_place *p,
                                      struct nf_err *err);
void nf_mpi_place_fini(struct nf_mpi_place *p);
/* The CPU that the calling thread is on, and its NUMA node (NULL: not wanted; -1: unknown). */
int nf_mpi_current_cpu(int *ret_node);

#endif
