/* SPDX-License-Identifier: MIT */
/*
 * launch - who started this process and how many tasks it believes to have started, from the environment.
 *
 * An MPI library that does not speak its launcher's protocol takes itself for a job of one rank: N jobs of
 * one rank run then, and every one of them succeeds. The launcher's variables tell. Pure: the environment is an
 * argument; no MPI here.
 */
#ifndef NF_MPI_LAUNCH_H
#define NF_MPI_LAUNCH_H

#include "base/fail.h"

struct nf_launch {
	const char *launcher; /* "Open MPI mpirun", "Slurm", ...; static. NULL: none known */
	const char *size_name; /* the variable that told the number of tasks; NULL: none did */
	long size; /* tasks that the launcher started; 0: unknown */
	long rank; /* number of this one, from 0; -1: unknown */
};

/* env: "NAME=value" pairs, ends with NULL; borrowed. The launcher nearest to the process counts: an mpirun
 * inside a Slurm step is asked before Slurm. Values that are no numbers count as absent. */
void nf_launch_read(const char *const *env, struct nf_launch *ret);

/* -NF_EUNSUPPORTED when the launcher started more tasks than MPI has ranks and MPI has just one: what
 * happened and what would help, in one line. library: "Open MPI", "MPICH". */
NF_NODISCARD int nf_launch_check(const struct nf_launch *l, int mpi_size, const char *library,
                                 struct nf_err *err);

#endif
