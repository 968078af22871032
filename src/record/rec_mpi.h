/* SPDX-License-Identifier: MIT */
/*
 * rec_mpi - fixed work quanta on every rank of an MPI job. The record does not grow with the ranks: what
 * each rank and each node measured stands in tables beside it.
 */
#ifndef NF_RECORD_REC_MPI_H
#define NF_RECORD_REC_MPI_H

#include "record/rec_common.h"

/* clang-format off */
#define NF_ROWS_MPI_SLOW(X, S) \
	X(S, NAT,   rank,        MEASURED, "rank in MPI_COMM_WORLD") \
	X(S, TEXT,  host,        MEASURED, "its node's name") \
	X(S, ONAT,  cpu,         MEASURED, "CPU it ended on; None: it moved meanwhile") \
	X(S, TEXT,  cpus,        MEASURED, "CPUs it was bound to, read back") \
	X(S, REAL,  mean_ns,     DERIVED,  "mean quantum") \
	X(S, REAL,  min_ns,      DERIVED,  "shortest quantum") \
	X(S, REAL,  max_ns,      DERIVED,  "longest quantum") \
	X(S, REAL,  noise_ratio, DERIVED,  "1 - n x min / sum of its quanta") \
	X(S, NAT,   involuntary_switches, MEASURED, "context switches forced on it") \
	X(S, BOOL,  shared,      MEASURED, "another rank of the job runs on its CPU") \
	X(S, TEXT,  what,        DERIVED,  "what makes it slow, as far as these figures tell")
NF_RECORD(mpi_slow, NF_ROWS_MPI_SLOW)

#define NF_ROWS_MPI_BSP(X, S) \
	X(S, NAT,  ranks,       DECLARED, "processes that wait for each other after every quantum") \
	X(S, REAL, step_ns,     DERIVED,  "expected longest of so many independent quanta") \
	X(S, REAL, to_mean,     DERIVED,  "step_ns over the mean quantum: what waiting for the slowest costs") \
	X(S, REAL, to_min,      DERIVED,  "step_ns over the shortest quantum: what all noise costs") \
	X(S, BOOL, lower_bound, DERIVED,  "as many ranks as samples, or more: it is at least this")
NF_RECORD(mpi_bsp, NF_ROWS_MPI_BSP)

#define NF_ROWS_MPI_SAMPLES(X, S) \
	X(S, TEXT, file,   MEASURED, "path below the run folder") \
	X(S, TEXT, stream, MEASURED, "names of its streams, # being the rank") \
	X(S, TEXT, sha256, MEASURED, "digest of the file, 64 hex digits")
NF_RECORD(mpi_samples, NF_ROWS_MPI_SAMPLES)

#define NF_ROWS_MPI_BODY(X, S) \
	X(S, TEXT,  library,         MEASURED, "MPI library, as it names itself") \
	X(S, TEXT,  standard,        MEASURED, "version of the MPI standard that it implements") \
	X(S, OTEXT, launcher,        MEASURED, "launcher, by its environment variables; None: started alone") \
	X(S, NAT,   ranks,           MEASURED, "processes of the job") \
	X(S, NAT,   nodes,           MEASURED, "shared-memory nodes that they run on") \
	X(S, OBOOL, nodes_alike,     MEASURED, "kernel, command line, CPU model and tick source are the same on all nodes") \
	X(S, BOOL,  pinned,          DECLARED, "ranks bound themselves to one CPU of the set that the launcher gave them") \
	X(S, NAT,   unbound_ranks,   MEASURED, "ranks that may run on more than one CPU") \
	X(S, NAT,   moved_ranks,     MEASURED, "ranks that ended on another CPU than they began on") \
	X(S, NAT,   sharing_ranks,   MEASURED, "ranks that have to share CPUs with other ranks") \
	X(S, TEXT,  kernel,          DECLARED, "kind of work") \
	X(S, NAT,   work,            DECLARED, "iterations per quantum, the same on all ranks") \
	X(S, OREAL, quantum_ns,      DECLARED, "quantum that the work was chosen for on rank 0; None: work was given") \
	X(S, NAT,   samples_asked,   DECLARED, "quanta per rank; 0: as many as the duration has") \
	X(S, ONAT,  duration_ns,     DECLARED, "how long was measured; None: by count") \
	X(S, NAT,   n,               MEASURED, "quanta of all ranks") \
	X(S, REAL,  min_ns,          DERIVED,  "shortest") \
	X(S, REAL,  max_ns,          DERIVED,  "longest") \
	X(S, REAL,  mean_ns,         DERIVED,  "arithmetic mean") \
	X(S, OREAL, sd_ns,           DERIVED,  "standard deviation, divisor n - 1; None for one quantum") \
	X(S, LIST(percentile), percentiles, BY_FIELD, "from the histogram, in rising order of p") \
	X(S, REAL,  noise_ratio,     DERIVED,  "1 - sum of n x min over sum of all quanta, each rank with its own min") \
	X(S, REAL,  rank_mean_min_ns, DERIVED, "smallest mean quantum of a rank") \
	X(S, REAL,  rank_mean_max_ns, DERIVED, "largest mean quantum of a rank") \
	X(S, REAL,  histogram_error, DECLARED, "largest relative error of a bucket's middle") \
	X(S, NATS,  bucket_from_ps,  DERIVED,  "merged histogram: lowest value of each bucket that is not empty, in ps") \
	X(S, NATS,  bucket_to_ps,    DERIVED,  "highest value of that bucket") \
	X(S, NATS,  bucket_count,    DERIVED,  "quanta in that bucket, each rounded to whole ps") \
	X(S, NAT,   dropped,         MEASURED, "quanta that had no room in memory, over all ranks") \
	X(S, NAT,   clipped,         MEASURED, "quanta too long for the histogram (2.5 h): counted at its end") \
	X(S, NAT,   minor_faults,    MEASURED, "page faults of ranks between first and last quantum") \
	X(S, NAT,   involuntary_switches, MEASURED, "context switches forced on ranks meanwhile") \
	X(S, REAL,  tick_hz_min,     MEASURED, "slowest tick rate of a node") \
	X(S, REAL,  tick_hz_max,     MEASURED, "fastest tick rate of a node") \
	X(S, NAT,   wall_ns,         MEASURED, "longest measured span of a rank, on CLOCK_MONOTONIC_RAW") \
	X(S, OREC(mpi_samples), samples, BY_FIELD, "raw samples of all ranks; None: not kept") \
	X(S, LIST(file_ref), tables, BY_FIELD, "a line per rank, a line per node, a setup per node") \
	X(S, LIST(mpi_slow), slowest, BY_FIELD, "ranks with the largest mean quantum, slowest first") \
	X(S, LIST(mpi_bsp), bsp,     BY_FIELD, "bulk-synchronous applications of so many ranks, if quanta were independent") \
	X(S, ONAT,  own_memory_growth_bytes, MEASURED, "largest growth of a rank's anonymous memory since MPI_Init without its samples") \
	X(S, TEXTS, notes,           MEASURED, "what a reader must know") \
	X(S, OTEXT, stopped_by,      MEASURED, "signal that ended it early")
NF_RECORD(mpi_body, NF_ROWS_MPI_BODY)

/* MpiNoiseRun/1: one job. */
#define NF_ROWS_MPI_NOISE_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "MpiNoiseRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what: of rank 0 and its node") \
	X(S, REC(mpi_body), body, BY_FIELD, "what the job measured")
NF_RECORD(mpi_noise_run, NF_ROWS_MPI_NOISE_RUN)
/* clang-format on */

#endif
