/* SPDX-License-Identifier: MIT */
/* redact_lines - a file of any length in blocks of whole lines. Internal to record/. */
#ifndef NF_RECORD_REDACT_LINES_H
#define NF_RECORD_REDACT_LINES_H

#include <stddef.h>

#include "base/fail.h"

enum { NF_LINE_BYTES = 64 << 20 };

/* One or more lines (the last may lack its end; a NUL stands behind them): 0 or an error. */
typedef int nf_lines_fn(void *ctx, const char *text, size_t n, struct nf_err *err);

/* -NF_EDATA: a line is longer than NF_LINE_BYTES. */
NF_NODISCARD int nf_redact_lines(int fd, const char *what, nf_lines_fn *fn, void *ctx,
                                 struct nf_err *err);

#endif
