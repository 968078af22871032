/* SPDX-License-Identifier: MIT */
/* text_audit_log - lines inside timed phases for people, in 80 columns. */
#ifndef NF_REPORT_TEXT_AUDIT_LOG_H
#define NF_REPORT_TEXT_AUDIT_LOG_H

#include "base/buf.h"
#include "record/rec_audit_log.h"

/* 0 or the buffer's failure. */
int nf_text_audit_log(const struct nf_rec_audit_log *r, struct nf_buf *out);

#endif
