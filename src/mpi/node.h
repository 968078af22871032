/* SPDX-License-Identifier: MIT */
/* node - what is the same for all ranks of a node and so is found out once, by its leader: the clock and the
 * setup. */
#ifndef NF_MPI_NODE_H
#define NF_MPI_NODE_H

#include "job/session.h"
#include "mpi/comm.h"

struct nf_mpi_node {
	struct nf_tick_clock clock;
	uint32_t fingerprint; /* of what should be the same on all nodes */
	bool alike; /* it is */
};

/* On leaders, at the same time on all nodes; nothing on other ranks. session: rank 0's, open and with its
 * clock; NULL elsewhere. Not collective. */
NF_NODISCARD int nf_mpi_node_open(const struct nf_mpi *m, const struct nf_session *session,
                                  enum nf_tick_want clock, struct nf_mpi_node *ret,
                                  struct nf_err *err);
/* Collective: the leader's clock reaches its ranks, the fingerprints are compared. */
void nf_mpi_node_share(const struct nf_mpi *m, struct nf_mpi_node *n);
/* Leaders keep their node's setup as nodes/<index>-<host>.json below the run folder. Not collective. */
NF_NODISCARD int nf_mpi_node_setup_keep(const struct nf_mpi *m, const struct nf_job_opts *opts,
                                        const char *folder, struct nf_err *err);

#endif
