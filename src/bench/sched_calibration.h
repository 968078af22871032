/* SPDX-License-Identifier: MIT */
/*
 * sched_calibration - what handing over costs between the CPUs that a run uses: it goes with every result of
 * the scheduler suite, since on guests both have two modes (a line may cross sockets or not; a CPU that is woken may
 * have been halted by the hypervisor or not), and a result of one mode is not to be held against one of
 * the other.
 */
#ifndef NF_BENCH_SCHED_CALIBRATION_H
#define NF_BENCH_SCHED_CALIBRATION_H

#include <stdbool.h>

#include "base/fail.h"

/* Of batches of round trips: the 1st decile stands for the faster mode, the 9th for the slower. */
struct nf_sched_cost {
	bool known;
	double fast_ns, slow_ns;
};

struct nf_sched_calibration {
	unsigned cpus; /* that this process may use */
	int cpu[2]; /* the first two of them; -1: there is none */
	struct nf_sched_cost line; /* a cache line there and back; both spin */
	struct nf_sched_cost wake; /* one futex wake: half a round trip of two threads that sleep */
};

/* About 15 ms. With one CPU the line is not known, and the wake is of two threads on it. */
NF_NODISCARD int nf_sched_calibrate(struct nf_sched_calibration *ret, struct nf_err *err);

#endif
