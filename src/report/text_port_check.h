/* SPDX-License-Identifier: MIT */
/* text_port_check - what is known of a board's port, for people. */
#ifndef NF_REPORT_TEXT_PORT_CHECK_H
#define NF_REPORT_TEXT_PORT_CHECK_H

#include "base/buf.h"
#include "record/rec_port_check.h"

/* 0 or the buffer's failure. */
int nf_text_port_check(const struct nf_rec_port_check *r, struct nf_buf *out);

#endif
