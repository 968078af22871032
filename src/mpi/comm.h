/* SPDX-License-Identifier: MIT */
/*
 * comm - the ranks of the job: who shares a node with whom, agreement on failures, requests to stop.
 *
 * Functions marked collective are called by all ranks in the same order. A failure that one rank meets between two of
 * them is carried to the next nf_mpi_agree(): there all ranks learn of it and end together.
 */
#ifndef NF_MPI_COMM_H
#define NF_MPI_COMM_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/stop.h"

enum { NF_MPI_HOST_BYTES = 64 };

/* One page per node that all its ranks see. */
struct nf_mpi_shared {
	struct nf_stop stop;
	int died; /* a rank of the node ended unexpectedly; atomic */
};

struct nf_mpi {
	MPI_Comm world;
	MPI_Comm node; /* the ranks that share memory with this one */
	MPI_Comm leaders; /* the first rank of each node; MPI_COMM_NULL on the others */
	int rank;
	int size;
	int node_rank;
	int node_size;
	int node_index;
	int n_nodes;
	char host[NF_MPI_HOST_BYTES];
	MPI_Win window; /* of the shared page */
	struct nf_mpi_shared *shared;
	struct nf_stop *stop; /* in it: a signal to one of its ranks stops all of them */
	uint64_t memory_at_init_bytes; /* anonymous memory right after MPI_Init; 0: unknown */
};

static inline bool nf_mpi_is_leader(const struct nf_mpi *m)
{
	return m->node_rank == 0;
}

/* After MPI_Init; collective. Installs handlers of SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGXFSZ. */
void nf_mpi_open(struct nf_mpi *m);
void nf_mpi_close(struct nf_mpi *m); /* collective; before MPI_Finalize */

/* Collective. r: what this rank has come to, with *err if negative. 0 when no rank failed; else the failure of
 * the lowest rank that did, on all of them, its rank and node named. */
NF_NODISCARD int nf_mpi_agree(const struct nf_mpi *m, int r, struct nf_err *err);
/* Waits for a non-blocking operation asleep: MPI libraries spin, which would disturb ranks that measure or
 * calibrate on the same CPU. */
void nf_mpi_wait(MPI_Request *request);
/* Collective; the same for a barrier. */
void nf_mpi_barrier(const struct nf_mpi *m);

/* "RssAnon" of /proc/self/status in bytes; 0: unknown. */
uint64_t nf_mpi_memory_bytes(void);
/* The first line of the library's version, cut to fit. */
void nf_mpi_library(char *ret, size_t len_bytes);

#endif
