/* SPDX-License-Identifier: MIT */
/* text_audit - the audit of a program's timed regions for people, in 80 columns. */
#ifndef NF_REPORT_TEXT_AUDIT_H
#define NF_REPORT_TEXT_AUDIT_H

#include "base/buf.h"
#include "record/rec_audit.h"

/* 0 or the buffer's failure. */
int nf_text_audit_run(const struct nf_rec_audit_run *r, struct nf_buf *out);

#endif
