/* SPDX-License-Identifier: MIT */
/*
 * lab_progress - what a campaign's boards do, on standard error: on a terminal one line a board, redrawn in place, with what is
 * worth keeping above them; else a plain line for each attempt's end and each thing worth telling.
 */
#ifndef NF_CLI_LAB_PROGRESS_H
#define NF_CLI_LAB_PROGRESS_H

#include "base/buf.h"
#include "cli/cmd.h"
#include "job/lab_run.h"

enum { NF_LAB_LINE = 200, NF_LAB_WORDS = 700 };

struct nf_lab_progress {
	const struct nf_cli *cli; /* borrowed */
	bool shown; /* false: --quiet, --json */
	bool terminal;
	size_t n; /* boards */
	size_t drawn; /* lines that stand on the terminal */
	char (*line)[NF_LAB_LINE]; /* owned; of each board */
	struct nf_lab_run_watch watch; /* ctx is this object */
};

NF_NODISCARD int nf_lab_progress_init(struct nf_lab_progress *p, const struct nf_cli *cli,
                                      size_t n_boards, struct nf_err *err);
/* Wipes the lines. Zeroed is fine. */
void nf_lab_progress_fini(struct nf_lab_progress *p);
/* What is told of an event that is worth keeping; false: it is not. Pure. */
bool nf_lab_progress_words(const struct nf_lab_event *e, char ret[NF_LAB_WORDS]);

#endif
