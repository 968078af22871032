/* SPDX-License-Identifier: MIT */
/*
 * buf - growable byte buffer with a mandatory ceiling.
 *
 * A failed append leaves the content as it was and is remembered: later appends fail too, so a
 * writer may check once at the end with nf_buf_failed(). data is always NUL-terminated (the NUL is
 * not counted), also before the first append.
 */
#ifndef NF_BASE_BUF_H
#define NF_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"

struct nf_buf {
	char *data; /* owned; never NULL after init; may hold NULs */
	size_t len_bytes;
	size_t cap_bytes;
	size_t max_bytes; /* ceiling, without the NUL */
	enum nf_code failed; /* NF_OK, NF_ENOMEM, or NF_EDATA: over the ceiling */
};

/* max_bytes >= 1. Allocates nothing. */
void nf_buf_init(struct nf_buf *b, size_t max_bytes);
void nf_buf_fini(struct nf_buf *b); /* leaves an empty, usable buffer */
void nf_buf_clear(struct nf_buf *b); /* length 0, failure forgotten, memory kept */

/* 0, -NF_ENOMEM, or -NF_EDATA (ceiling). */
int nf_buf_add(struct nf_buf *b, const void *data, size_t len_bytes);
int nf_buf_adds(struct nf_buf *b, const char *s);
int nf_buf_addc(struct nf_buf *b, char c);
int nf_buf_addf(struct nf_buf *b, const char *fmt, ...) NF_PRINTF(2, 3);
/* The fewest digits that read back as the same double, always with a dot or an exponent, -0.0 kept:
 * 100.0, 0.1, 1e+16, 1.5e-07 (an exponent below 1e-4 and from 1e16 on). v must be finite: else
 * -NF_EDATA, remembered. */
int nf_buf_add_double(struct nf_buf *b, double v);

/* 0, or the remembered failure as a negated code with *err filled; `what` names the buffer. */
NF_NODISCARD int nf_buf_failed(const struct nf_buf *b, const char *what, struct nf_err *err);

/* The bytes as a heap string, taken by the caller (free()); b is empty again. NULL after failure. */
char *nf_buf_steal(struct nf_buf *b);

#endif
