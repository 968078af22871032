/* SPDX-License-Identifier: MIT */
/*
 * process - a fresh benchmark process with a socket to it (protocol.h): its own process group, bound to
 * CPUs before it executes anything of its own, killed when the thread that started it ends.
 */
#ifndef NF_BENCH_PROCESS_H
#define NF_BENCH_PROCESS_H

#include <sys/resource.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/cpuset.h"
#include "base/stop.h"

struct nf_process_cfg {
	const char *program; /* a path */
	char *const *env; /* ends with NULL */
	const struct nf_cpuset *cpus; /* NULL: as it is */
	const char *input; /* NULL: /dev/null */
	const char *output; /* appended to; NULL: /dev/null */
	const void *request; /* sent once it runs; small enough not to wait */
	size_t request_bytes;
	int64_t timeout_ns; /* 0: none */
	const struct nf_stop *stop;
};

/* How it ended. */
struct nf_process_end {
	int wait_status;
	struct rusage usage;
	bool timed_out; /* and was killed */
	bool too_much; /* said more than there is room for, and was killed */
	bool stopped; /* a stop request: asked to end, and killed when it did not */
	int64_t wall_ns;
};

/* Runs it to its end; what it said is appended to `said`. It and its group are gone afterwards, whatever
 * is returned. What goes wrong between fork and exec is said in a FAIL frame. -NF_EOS, -NF_ENOMEM. */
NF_NODISCARD int nf_process_run(const struct nf_process_cfg *cfg, struct nf_buf *said,
                                struct nf_process_end *ret, struct nf_err *err);

#endif
