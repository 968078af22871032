/* SPDX-License-Identifier: MIT */
/*
 * lab_shell - one command in the shell of a board that is up. Nothing is switched and nothing is captured; the board
 * stays as the command leaves it.
 */
#ifndef NF_JOB_LAB_SHELL_H
#define NF_JOB_LAB_SHELL_H

#include "base/buf.h"
#include "base/stop.h"
#include "board/campaign.h"
#include "board/outcome.h"

struct nf_lab_shell_opts {
	const struct nf_campaign *campaign;
	const char *command; /* a line for the board's shell */
	const char *password; /* NULL: none */
	int64_t timeout_ns; /* of the command; > 0 */
	const struct nf_stop *stop;
	/* What the board printed, as it comes; may be called without any. */
	void *ctx;
	int (*output)(void *ctx, const void *data, size_t len_bytes, struct nf_err *err);
	void (*note)(void *ctx, const char *text); /* a retry and why */
};

struct nf_lab_shell_result {
	struct nf_outcome outcome;
	int status; /* $? of the command; -1: there is none */
	int stopped_by; /* signal, sent to the board as Ctrl-C; 0: none */
};

/* Words as one line for a shell: a single one as it is, several each quoted so that the command gets them as they are. */
NF_NODISCARD int nf_lab_shell_line(int argc, const char *const argv[], struct nf_buf *out,
                                   struct nf_err *err);

/* 0 with *ret also when the board fails: the outcome says how. -NF_EDATA: the campaign file has no board.shell.
 * -NF_EARG: no such port; the command is too long. -NF_ESUBJECT: the port is held. What `output` fails with: the board
 * gets Ctrl-C then. */
NF_NODISCARD int nf_job_lab_shell(const struct nf_lab_shell_opts *o,
                                  struct nf_lab_shell_result *ret, struct nf_err *err);

#endif
