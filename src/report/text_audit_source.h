/* SPDX-License-Identifier: MIT */
/* text_audit_source - one line a finding, that begins with its place as a compiler's would; then what was read. */
#ifndef NF_REPORT_TEXT_AUDIT_SOURCE_H
#define NF_REPORT_TEXT_AUDIT_SOURCE_H

#include "base/buf.h"
#include "record/rec_audit_source.h"

/* 0 or the buffer's failure. */
int nf_text_audit_source(const struct nf_rec_audit_source *s, struct nf_buf *out);

#endif
