/* SPDX-License-Identifier: MIT */
/* lab_console - captures a console into a run folder and hands its lines out meanwhile. */
#ifndef NF_JOB_LAB_CONSOLE_H
#define NF_JOB_LAB_CONSOLE_H

#include "board/console.h"
#include "job/job.h"

#define NF_CONSOLE_CAPTURE "console" /* captures/console.raw, captures/console.idx */

/* All may be NULL. A failure ends the capture, what came is kept, and it is returned. */
struct nf_console_watch {
	void *ctx;
	/* The port is open, the folder is there; folder is borrowed. */
	int (*begin)(void *ctx, const struct nf_port_facts *facts, const char *folder,
	             struct nf_err *err);
	int (*bytes)(void *ctx, const void *data, size_t len_bytes, struct nf_err *err);
	nf_line_fn *line;
	/* Nothing came for NF_CONSOLE_SILENCE_MS: the line so far. */
	nf_line_fn *silence;
	/* `input` is readable. Fills what the board gets of it; *ret_end: the user has enough. */
	int (*input)(void *ctx, char *ret, size_t max_bytes, size_t *ret_n, bool *ret_end,
	             struct nf_err *err);
};

enum { NF_CONSOLE_SILENCE_MS = 200 };

struct nf_console_opts {
	struct nf_port_spec port;
	int64_t duration_ns; /* 0: until stopped */
	int input; /* -1: read-only */
	const struct nf_console_watch *watch;
};

/* The outcome: pass at the end of the duration or of the user's; a port that is gone: subject failed (exit 5);
 * a full disk: -NF_EOS, what came before stays. */
NF_NODISCARD int nf_job_console(const struct nf_job_opts *o, const struct nf_console_opts *c,
                                struct nf_job_outcome *ret, struct nf_err *err);

#endif
