/* SPDX-License-Identifier: MIT */
/* rec_noise - fixed work quanta: how much longer than its shortest the same work takes. */
#ifndef NF_RECORD_REC_NOISE_H
#define NF_RECORD_REC_NOISE_H

#include "record/rec_causes.h"

/* clang-format off */
#define NF_ROWS_NOISE_WORKER(X, S) \
	X(S, NAT,   cpu,                  MEASURED, "CPU it ran on, read back") \
	X(S, ONAT,  node,                 MEASURED, "NUMA node of that CPU") \
	X(S, TEXT,  stream,               MEASURED, "name of its stream of samples") \
	X(S, OREC(summary), summary,      BY_FIELD, "of the quanta, in ns") \
	X(S, OREAL, noise_ratio,          DERIVED,  "1 - n x min / sum: share of the time beyond the shortest quantum") \
	X(S, NAT,   wall_ns,              MEASURED, "first to last clock read, on CLOCK_MONOTONIC_RAW") \
	X(S, OREAL, sum_to_wall,          MEASURED, "sum of the samples over wall_ns") \
	X(S, OREAL, worst_ns,             DERIVED,  "longest quantum minus the shortest") \
	X(S, OREAL, repeat_below_ratio,   DERIVED,  "95th percentile of the relative difference of neighbouring blocks") \
	X(S, NAT,   minor_faults,         MEASURED, "page faults between first and last sample") \
	X(S, NAT,   involuntary_switches, MEASURED, "context switches forced on it")
NF_RECORD(noise_worker, NF_ROWS_NOISE_WORKER)

#define NF_ROWS_NOISE_BODY(X, S) \
	X(S, TEXT,  kernel,           DECLARED, "kind of work") \
	X(S, NAT,   work,             DECLARED, "iterations per quantum") \
	X(S, OREAL, quantum_ns,       DECLARED, "quantum that the work was chosen for; None: work was given") \
	X(S, LIST(noise_worker), workers, BY_FIELD, "one per stream") \
	X(S, OREAL, noise_ratio,      DERIVED,  "over all workers: 1 - sum of n x min over sum of all quanta") \
	X(S, OREAL, worst_detour_ns,  DERIVED,  "largest worst_ns of all workers") \
	X(S, ONAT,  worst_cpu,        DERIVED,  "CPU of that detour") \
	X(S, NAT,   block_ns,         DECLARED, "length of the blocks that repeat_below_ratio compares") \
	X(S, OREAL, repeat_below_ratio, DERIVED, "largest of all workers: differences below it need repeats") \
	X(S, OREC(causes), causes,    BY_FIELD, "what the noise was; None: not asked for (--why)")
NF_RECORD(noise_body, NF_ROWS_NOISE_BODY)

#define NF_ROWS_NOISE_STEP(X, S) \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(noise_body), body, BY_FIELD, "what it measured")
NF_RECORD(noise_step, NF_ROWS_NOISE_STEP)

/* NoiseRun/1: this probe run by itself. */
#define NF_ROWS_NOISE_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "NoiseRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(noise_body), body, BY_FIELD, "what it measured")
NF_RECORD(noise_run, NF_ROWS_NOISE_RUN)
/* clang-format on */

#endif
