/* SPDX-License-Identifier: MIT */
/* fwq_calibrate - how much work makes a quantum, found by timing on the CPU that will be measured. */
#ifndef NF_MEASURE_FWQ_CALIBRATE_H
#define NF_MEASURE_FWQ_CALIBRATE_H

#include "measure/kernels/kernels.h"
#include "measure/probe.h"

/* Memory of one worker besides its samples. */
enum { NF_FWQ_SCRATCH = 512 };
struct nf_fwq_room {
	double vector[2 * NF_DAXPY_LEN]; /* daxpy's x and y */
	int64_t scratch[NF_FWQ_SCRATCH]; /* samples nobody keeps */
};
/* Page-aligned; free(). NULL: out of memory. */
struct nf_fwq_room *nf_fwq_room_new(void);
void nf_fwq_room_fill(struct nf_fwq_room *r); /* writes all of it, on the thread that will use it */

/* The kernel's loop for the clock; NULL: none for this clock on this architecture. */
nf_fwq_loop_fn *nf_fwq_loop_for(const struct nf_tick_clock *clock, enum nf_kernel_id kernel);

struct nf_fwq_calibration {
	uint64_t work; /* iterations a quantum */
	double quantum_ns; /* time of a quantum of so much work */
	double iteration_ns;
	double overhead_ns; /* of a quantum without work */
	bool stopped; /* a stop request came meanwhile: the numbers are rough */
};

/* Times the kernel on a thread bound to cpu, under the ordinary policy, in some ten milliseconds. work 0:
 * chosen so that a quantum takes quantum_ns, at least 1; otherwise timed as it is. Quanta beyond 1 ms are
 * extrapolated. A stop request ends it early; that is no failure. */
NF_NODISCARD int nf_fwq_calibrate(const struct nf_probe_env *env, int cpu, enum nf_kernel_id kernel,
                                  uint64_t work, int64_t quantum_ns, struct nf_fwq_calibration *ret,
                                  struct nf_err *err);

#endif
