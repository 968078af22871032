/* SPDX-License-Identifier: MIT */
/* why_impl - what the parts of why share. */
#ifndef NF_JOB_WHY_IMPL_H
#define NF_JOB_WHY_IMPL_H

#include <pthread.h>

#include "job/why.h"

struct nf_trace;

struct nf_why {
	const struct nf_why_source *source;
	const struct nf_probe_env *env; /* borrowed until stop */
	struct nf_cpuset cpus; /* traced */
	struct nf_event_log log;
	const char *clock;
	uint64_t buffer_kb;
	struct nf_trace *trace; /* until stop */
	bool drained; /* by the drainer, meanwhile */
	pthread_t drainer;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop; /* under the lock */
	int drain_rc; /* the drainer's, until it is joined */
	struct nf_err drain_err;
};

#endif
