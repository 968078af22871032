/* SPDX-License-Identifier: MIT */
/* job - from options to evidence: what all ranks do together. */
#ifndef NF_MPI_JOB_H
#define NF_MPI_JOB_H

#include "mpi/launch.h"
#include "mpi/merge.h"
#include "mpi/options.h"

struct nf_mpi_start {
	const struct nf_mpi_params *params;
	const struct nf_launch *launch;
	int argc;
	char *const *argv;
	const char *const *environment; /* pairs for the record; ends with NULL */
};

/* Collective: the exit code, the same on all ranks, or a failure that all ranks have agreed on. Rank 0
 * prints the result. */
NF_NODISCARD int nf_mpi_job_run(struct nf_mpi *m, const struct nf_mpi_start *start,
                                struct nf_err *err);

#endif
