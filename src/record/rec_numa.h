/* SPDX-License-Identifier: MIT */
/* rec_numa - a channels x samples matrix reduced serially and in parallel over the nodes. */
#ifndef NF_RECORD_REC_NUMA_H
#define NF_RECORD_REC_NUMA_H

#include "record/rec_causes.h"

/* clang-format off */
NF_RECORD_ENUM(placement) /* in the order of enum nf_placement (measure/probe_numa.h) */

#define NF_ROWS_NUMA_BANDWIDTH(X, S) \
	X(S, NAT,   cpu_node,    MEASURED, "node of the reading CPUs") \
	X(S, NAT,   mem_node,    MEASURED, "node of the memory") \
	X(S, NAT,   bytes,       DECLARED, "bytes read per repetition") \
	X(S, OREAL, bytes_per_s, DERIVED,  "bytes over the median time") \
	X(S, OREC(summary), summary, BY_FIELD, "time of one repetition, ns")
NF_RECORD(numa_bandwidth, NF_ROWS_NUMA_BANDWIDTH)

#define NF_ROWS_NUMA_BODY(X, S) \
	X(S, ENUM(placement), placement, DECLARED, "where the memory was put") \
	X(S, NAT,   channels,      DECLARED, "rows of the matrix") \
	X(S, NAT,   samples,       DECLARED, "columns of the matrix") \
	X(S, NAT,   rate_hz,       DECLARED, "sampling rate the matrix stands for") \
	X(S, NAT,   partitions,    DECLARED, "contiguous groups of channels") \
	X(S, NAT,   threads,       MEASURED, "threads of the parallel reduction") \
	X(S, NAT,   nodes,         MEASURED, "NUMA nodes") \
	X(S, OREC(summary), serial,       BY_FIELD, "serial reduction, ns") \
	X(S, OREC(summary), parallel,     BY_FIELD, "parallel reduction, ns") \
	X(S, OREC(summary), read_limit,   BY_FIELD, "best plain vectorised sum of the same memory, ns") \
	X(S, OREC(summary), thread_start, BY_FIELD, "starting and joining the threads, ns") \
	X(S, OREAL, speedup,               DERIVED,  "median serial over median parallel") \
	X(S, OREAL, base_serial_median_ns, DERIVED,  "the base case of the speed-up") \
	X(S, OREAL, serial_ns_per_element, DERIVED,  "median serial time per matrix element") \
	X(S, OREAL, serial_to_limit_ratio, DERIVED,  "median serial over median read_limit") \
	X(S, OREAL, serial_sum,    MEASURED, "result of the serial reduction") \
	X(S, OREAL, parallel_sum,  MEASURED, "result of the parallel reduction") \
	X(S, OREAL, difference,    DERIVED,  "parallel_sum - serial_sum") \
	X(S, NATS,  pages_on_node, MEASURED, "pages of the matrix on each node") \
	X(S, NAT,   pages_unknown, MEASURED, "pages whose node could not be told") \
	X(S, BOOL,  placement_verified, MEASURED, "every page was found where it was asked for") \
	X(S, LIST(numa_bandwidth), bandwidth, BY_FIELD, "read bandwidth per pair of nodes") \
	X(S, OTEXT, note,          DERIVED,  "what a reader must know of this sample") \
	X(S, OREC(causes), causes,   BY_FIELD, "what made samples collapse; None: not asked for (--why)")
NF_RECORD(numa_body, NF_ROWS_NUMA_BODY)

#define NF_ROWS_NUMA_STEP(X, S) \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(numa_body), body, BY_FIELD, "what it measured")
NF_RECORD(numa_step, NF_ROWS_NUMA_STEP)

/* NumaRun/1: this probe run by itself. */
#define NF_ROWS_NUMA_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "NumaRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, REC(facts), facts, BY_FIELD, "what the run stands on") \
	X(S, REC(numa_body), body, BY_FIELD, "what it measured")
NF_RECORD(numa_run, NF_ROWS_NUMA_RUN)
/* clang-format on */

#endif
