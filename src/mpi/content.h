/* SPDX-License-Identifier: MIT */
/*
 * content - what a rank contributes to the files of a job: the .nfsamples file (docs/RECORD_FORMAT.md), the
 * text file of the FWQ benchmarks, the tables of ranks and nodes. A header that lists every rank is written in
 * pieces of one length, each by its own rank, so that nobody holds it.
 */
#ifndef NF_MPI_CONTENT_H
#define NF_MPI_CONTENT_H

#include "mpi/file.h"
#include "mpi/merge.h"

/* The number of ranks whose samples one file can hold: -NF_EUNSUPPORTED beyond it, saying what would help. */
NF_NODISCARD int nf_mpi_samples_check(int n_ranks, struct nf_err *err);
/* Bytes of such a file. */
uint64_t nf_mpi_samples_bytes(int n_ranks, uint64_t n_values);
/* Writes the whole content of f; collective. */
NF_NODISCARD int nf_mpi_samples_write(const struct nf_mpi *m, struct nf_mpi_file *f,
                                      const struct nf_stream *own, struct nf_err *err);

/* The FWQ benchmark's file: to f, or with f NULL to standard output. Collective. */
NF_NODISCARD int nf_mpi_fwq_write(const struct nf_mpi *m, struct nf_mpi_file *f,
                                  const struct nf_mpi_place *place, const struct nf_stream *own,
                                  struct nf_err *err);
/* "Process N running on CPUs C" of every rank on standard output. Collective. */
NF_NODISCARD int nf_mpi_fwq_banner(const struct nf_mpi *m, const struct nf_mpi_place *place,
                                   struct nf_err *err);

/* A line per rank, a line per node (written by its leader, who has the node's merged block); CSV. */
NF_NODISCARD int nf_mpi_ranks_write(const struct nf_mpi *m, struct nf_mpi_file *f,
                                    const struct nf_mpi_rank *own, struct nf_err *err);
NF_NODISCARD int nf_mpi_nodes_write(const struct nf_mpi *m, struct nf_mpi_file *f,
                                    const struct nf_mpi_merged *node, struct nf_err *err);

#endif
