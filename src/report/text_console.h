/* SPDX-License-Identifier: MIT */
/* text_console - what was captured of a console, and its lines, for people. */
#ifndef NF_REPORT_TEXT_CONSOLE_H
#define NF_REPORT_TEXT_CONSOLE_H

#include "base/buf.h"
#include "record/rec_console.h"

/* 0 or the buffer's failure. */
int nf_text_console_run(const struct nf_rec_console_run *r, struct nf_buf *out);

/* Its lines: the port; what the UART's driver counted, NULL: nothing. Failures are the buffer's. */
void nf_text_console_port(const struct nf_rec_console_port *p, struct nf_buf *out);
void nf_text_console_errors(const struct nf_rec_console_errors *e, struct nf_buf *out);

/* One line of a console: seconds since the capture's beginning with as many decimals as its interval is worth, and
 * the text with everything that a terminal would obey as \xNN. unfinished: it has no end yet. */
int nf_text_console_line(const char *text, size_t len, int64_t lo_ns, int64_t hi_ns,
                         bool unfinished, struct nf_buf *out);

#endif
