/* SPDX-License-Identifier: MIT */
/* measure - fixed work quanta of one rank on its own thread: the loops of measure/kernels, all ranks
 * released by one barrier. */
#ifndef NF_MPI_MEASURE_H
#define NF_MPI_MEASURE_H

#include "measure/kernels/kernels.h"
#include "measure/tick.h"
#include "mpi/comm.h"
#include "mpi/place.h"
#include "samples/stream.h"

/* The same on all ranks. Sent as bytes: no pointers. */
struct nf_mpi_plan {
	int kernel; /* enum nf_kernel_id */
	uint64_t work; /* iterations a quantum */
	double quantum_ns; /* what it takes on rank 0 */
	double iteration_ns;
	int64_t n_samples; /* per rank: room, and with duration 0 the count */
	int64_t duration_ns; /* 0: by count */
	bool drop; /* a full buffer drops and counts until the duration is over */
};

struct nf_mpi_measured {
	struct nf_stream stream; /* owned; "fwq.rank<N>", in ticks */
	int64_t wall_ns; /* first to last clock read of the quanta kept */
	uint64_t faults; /* page faults between first and last quantum */
	uint64_t involuntary_switches;
	bool moved; /* ended on another CPU than it began on */
	int cpu; /* where it ended */
};

/* Collective. clock: of this node. A request to stop is no failure: what was sampled so far is there. */
NF_NODISCARD int nf_mpi_measure(const struct nf_mpi *m, const struct nf_tick_clock *clock,
                                const struct nf_mpi_plan *plan, const struct nf_mpi_place *place,
                                struct nf_mpi_measured *ret, struct nf_err *err);
void nf_mpi_measured_fini(struct nf_mpi_measured *r);

#endif
