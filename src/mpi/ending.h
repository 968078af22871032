/* SPDX-License-Identifier: MIT */
/*
 * ending - how a job ends that cannot go on: a rank that died, a file that will never be whole.
 *
 * Not every launcher ends a job because one of its ranks was killed: Slurm lets the others wait for ever unless
 * told otherwise. So each rank watches the next one of its node: a thread sleeps on that process's file
 * descriptor, which costs nothing while all is well. When the watched process ends, all ranks of the node stop
 * measuring, and the job is aborted with one line.
 */
#ifndef NF_MPI_ENDING_H
#define NF_MPI_ENDING_H

#include "mpi/comm.h"

/* Collective over the node; after the shared page is there. Without pidfd_open(2) (before Linux 5.3) nothing
 * is watched. */
void nf_mpi_watch_begin(const struct nf_mpi *m);
void nf_mpi_watch_end(
        const struct nf_mpi *m); /* collective: nobody leaves while others still watch */
/* Ends the job if a rank of this node died. Called wherever ranks wait. */
void nf_mpi_watch_check(void);

/* While a file is written under this name (borrowed until nf_mpi_guard_end()): after a SIGTERM, which launchers send to
 * the others when a rank died, whoever sees no progress for a moment removes it and ends. After the user's own
 * SIGTERM the writing goes on. When a rank of the node dies, it is removed at once. */
void nf_mpi_guard_begin(const char *temporary);
void nf_mpi_guard_progress(void);
void nf_mpi_guard_written(void); /* all is written, but not yet stored under its name */
void nf_mpi_guard_end(void);

#endif
