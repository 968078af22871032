/* SPDX-License-Identifier: MIT */
/*
 * fwq_write - the text files of the FWQ benchmarks, as their own readers scan them:
 *
 *   threads     "Speed: thread %d, cycles %lld, seconds %f, GHz %f" per worker, then per worker
 *               "Thread %d running on CPUs %d" and its values, a line "%lld" each
 *   processes   the same with "process" and "Process %d running on CPUs %s" (ranges "0-2,4-5")
 *   serial      the values alone
 *
 * "cycles" is the word of those files: the values are ticks of the clock whose rate GHz is. Pure: text
 * goes to a buffer or in pieces to a sink. The reader is samples/fwq_read.h.
 */
#ifndef NF_SAMPLES_FWQ_WRITE_H
#define NF_SAMPLES_FWQ_WRITE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/sink.h"

enum nf_fwq_form { NF_FWQ_SERIAL, NF_FWQ_THREADS, NF_FWQ_PROCESSES };

struct nf_fwq_worker_text {
	int index; /* number of the thread or rank, at least 0 */
	const char *cpus; /* borrowed: "3" for a thread, a list for a process */
	double seconds; /* the values' sum as time */
	double ghz; /* ticks per ns */
	const int64_t *value; /* borrowed; ticks */
	size_t n;
};

/* The line "Speed: ..." of one worker with this sum of its values; nothing for NF_FWQ_SERIAL. */
void nf_fwq_add_speed(enum nf_fwq_form form, const struct nf_fwq_worker_text *w, int64_t sum_ticks,
                      struct nf_buf *out);
/* The line "Thread N running on CPUs C" or its like; nothing for NF_FWQ_SERIAL. */
void nf_fwq_add_worker(enum nf_fwq_form form, const struct nf_fwq_worker_text *w,
                       struct nf_buf *out);

enum { NF_FWQ_VALUE_BYTES = 21 }; /* the longest value with its line feed */
/* One value with its line feed, without a NUL; the bytes written. */
size_t nf_fwq_put_value(int64_t v, char ret[NF_FWQ_VALUE_BYTES]);
/* n values to the sink, in pieces of at most 32 KiB. */
NF_NODISCARD int nf_fwq_write_values(const int64_t *v, size_t n, const struct nf_sink *sink,
                                     struct nf_err *err);

/* Sum of the values of a worker; -NF_EDATA beyond 64 bits. */
NF_NODISCARD int nf_fwq_sum(const int64_t *v, size_t n, int64_t *ret, struct nf_err *err);

/* A whole file. A serial one has one worker (-NF_EARG otherwise). -NF_EDATA: a sum is beyond 64 bits. */
NF_NODISCARD int nf_fwq_write(enum nf_fwq_form form, const struct nf_fwq_worker_text *w, size_t n,
                              const struct nf_sink *sink, struct nf_err *err);

#endif
