/* SPDX-License-Identifier: MIT */
/* color - colours in texts for a terminal: only where something really changed. */
#ifndef NF_CLI_COLOR_H
#define NF_CLI_COLOR_H

#include "base/buf.h"

/* Adds text; the last word of a line that is a verdict of a change has a colour: REGRESSED red, IMPROVED
 * green. Failures are the buffer's. */
void nf_color_verdicts(const char *text, struct nf_buf *out);

#endif
