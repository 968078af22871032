/* SPDX-License-Identifier: MIT */
/* bench_sweep - one benchmark or command at many points of its knobs. As the other jobs (job.h). */
#ifndef NF_JOB_BENCH_SWEEP_H
#define NF_JOB_BENCH_SWEEP_H

#include "bench/sweep.h"
#include "job/bench.h"
#include "record/rec_sweep.h"

struct nf_bench_sweep_opts {
	struct nf_bench_opts bench; /* one variant a point, in their order; delta, alpha */
	const struct nf_sweep *sweep;
	const char *file; /* that it was read from; NULL: options */
	const char *file_sha256;
	const char *resume; /* run folder of a sweep that was killed or stopped; NULL: begin */
};

/* Exit code 5: a point failed. csv: appended to, a line a point. -NF_EARG: the sweep to go on from is another one:
 * says what differs. */
NF_NODISCARD int nf_job_bench_sweep(const struct nf_job_opts *o,
                                    const struct nf_bench_sweep_opts *s, struct nf_buf *csv,
                                    struct nf_job_outcome *ret, struct nf_err *err);

#endif
