/* SPDX-License-Identifier: MIT */
/*
 * sweep_log - what a sweep has done so far, appended as it happens, so that one that was killed can go on.
 *
 * A file of frames, each "KIND LENGTH CRC32C\n", that many bytes of JSON, "\n": first one `head`, then `session`
 * for every invocation, `begin` before and `set` after every set. A set is on the disk before the next one begins. A
 * frame that is not whole ends the log: the writer was killed there. The CRC is of the kind and the bytes.
 */
#ifndef NF_JOB_SWEEP_LOG_H
#define NF_JOB_SWEEP_LOG_H

#include "base/arena.h"
#include "base/buf.h"
#include "record/rec_sweep.h"

#define NF_SWEEP_LOG_NAME "captures/sweep.log"
enum { NF_SWEEP_LOG_SETS_MAX = 1 << 20, NF_SWEEP_LOG_BYTES_MAX = 512 << 20 };

struct nf_sweep_log {
	struct nf_rec_sweep_log_head head;
	struct nf_rec_sweep_session *session; /* owned */
	size_t n_sessions;
	struct nf_rec_bench_set *set; /* owned; texts and lists in the arena */
	size_t n_sets;
	struct nf_rec_sweep_interrupted *interrupted; /* owned: begun, and without their end */
	size_t n_interrupted;
	bool torn; /* it ended within a frame */
};

/* Pure. -NF_EDATA: it is no log, or damaged before its end; says at which byte. */
NF_NODISCARD int nf_sweep_log_parse(const char *label, const void *data, size_t len_bytes,
                                    struct nf_arena *a, struct nf_sweep_log *ret,
                                    struct nf_err *err);
/* Of a run folder. -NF_EARG: there is none. */
NF_NODISCARD int nf_sweep_log_read(const char *run, struct nf_arena *a, struct nf_sweep_log *ret,
                                   struct nf_err *err);
void nf_sweep_log_fini(struct nf_sweep_log *l); /* zeroed is fine */

/* The writer's side: the bytes of each frame. */
NF_NODISCARD int nf_sweep_log_head(const struct nf_rec_sweep_log_head *h, struct nf_buf *out,
                                   struct nf_err *err);
NF_NODISCARD int nf_sweep_log_session(const struct nf_rec_sweep_session *s, struct nf_buf *out,
                                      struct nf_err *err);
NF_NODISCARD int nf_sweep_log_begin(const struct nf_rec_sweep_interrupted *i, struct nf_buf *out,
                                    struct nf_err *err);
NF_NODISCARD int nf_sweep_log_set(const struct nf_rec_bench_set *s, struct nf_buf *out,
                                  struct nf_err *err);

#endif
