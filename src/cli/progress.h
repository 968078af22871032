/* SPDX-License-Identifier: MIT */
/*
 * progress - steps and bars on standard error, only where it is a terminal. With TERM=dumb a line per
 * step instead of a bar. Where there are several steps, the first line of each one's result follows it;
 * the summary on standard output has them all. Not a terminal, --quiet or --json: nothing.
 */
#ifndef NF_CLI_PROGRESS_H
#define NF_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "job/job.h"

enum nf_progress_mode { NF_PROGRESS_OFF, NF_PROGRESS_LINES, NF_PROGRESS_BARS };

struct nf_progress {
	enum nf_progress_mode mode;
	bool color;
	bool results; /* show the header and each step's result too: for what takes several steps */
	bool bar_shown; /* the cursor stands behind a bar that has to be wiped first */
	int last_permille;
	struct nf_job_watch watch; /* ctx is this object */
};

/* term: the value of TERM, may be NULL. */
void nf_progress_init(struct nf_progress *p, bool wanted, bool is_terminal, const char *term,
                      bool color);
void nf_progress_begin(struct nf_progress *p, const char *step, int64_t estimate_ns);
void nf_progress_update(struct nf_progress *p, const char *step, double fraction);
void nf_progress_end(struct nf_progress *p, const char *step, const char *text);
void nf_progress_clear(struct nf_progress *p); /* wipes a bar; NULL is fine */

#endif
