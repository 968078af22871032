/* SPDX-License-Identifier: MIT */
/* head - fills the parts of a record that every run has, from the session. */
#ifndef NF_JOB_HEAD_H
#define NF_JOB_HEAD_H

#include "job/session.h"

/* Everything but the honesty lists and the count of replaced texts, which need the finished record
 * (nf_rec_head_finish). Reads the posture again. */
NF_NODISCARD int nf_head_fill(struct nf_session *s, const struct nf_verdict *verdict,
                              struct nf_rec_head *ret, struct nf_err *err);
/* Texts and lists stay borrowed from the posture's arena. */
void nf_head_setup(const struct nf_posture *from, struct nf_rec_setup *ret);
void nf_head_clock(const struct nf_tick_clock *c, struct nf_arena *a, struct nf_rec_clock *ret);

/* The text of a buffer, moved into the arena; the buffer is emptied. A buffer that failed fails the
 * arena: the text is then "". */
const char *nf_head_text(struct nf_arena *a, struct nf_buf *b);
const char *nf_head_utc(struct nf_arena *a, struct nf_instant utc); /* RFC 3339 */
/* "vendor product" of the DMI table; NULL: unknown. */
const char *nf_head_model(const struct nf_posture *p, struct nf_arena *a);

#endif
