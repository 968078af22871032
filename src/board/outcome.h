/* SPDX-License-Identifier: MIT */
/* outcome - how an attempt at a board ended: one of four classes, a kind, and words. */
#ifndef NF_BOARD_OUTCOME_H
#define NF_BOARD_OUTCOME_H

#include "base/buf.h"
#include "base/fail.h"

enum nf_outcome_class {
	NF_OUTCOME_OK,
	NF_OUTCOME_INFRA, /* power, console, prompt, network: says nothing about the board's software */
	NF_OUTCOME_BOARD, /* panic, hang, time */
	NF_OUTCOME_CONFIG, /* what was asked for cannot be */
	NF_OUTCOME_NONE, /* stopped from outside: the attempt has no outcome */
	NF_OUTCOME_N_CLASSES,
};

enum nf_outcome_kind {
	NF_OUTCOME_DONE,
	/* infra */
	NF_OUTCOME_POWER_OFF,
	NF_OUTCOME_POWER_STAYS,
	NF_OUTCOME_POWER_ON,
	NF_OUTCOME_NO_POWER,
	NF_OUTCOME_NO_CONSOLE,
	NF_OUTCOME_GARBAGE,
	NF_OUTCOME_NO_BANNER,
	NF_OUTCOME_NO_PROMPT,
	NF_OUTCOME_NO_ECHO,
	NF_OUTCOME_WRONG_ECHO,
	NF_OUTCOME_COMMAND_LATE,
	NF_OUTCOME_NETWORK,
	NF_OUTCOME_TFTP,
	NF_OUTCOME_PORT_LOST,
	NF_OUTCOME_NO_SHELL,
	NF_OUTCOME_NO_MARKER,
	NF_OUTCOME_SHELL_LATE,
	NF_OUTCOME_NO_OUTPUT,
	/* board */
	NF_OUTCOME_FAIL,
	NF_OUTCOME_PANIC,
	NF_OUTCOME_RESET,
	NF_OUTCOME_SILENT_KERNEL,
	NF_OUTCOME_HANG,
	NF_OUTCOME_LATE,
	/* config */
	NF_OUTCOME_REFUSED,
	NF_OUTCOME_NO_FILE,
	NF_OUTCOME_BOOT_RETURNED,
	NF_OUTCOME_LOGIN,
	NF_OUTCOME_PATTERN,
	/* none */
	NF_OUTCOME_STOPPED,
	NF_OUTCOME_N_KINDS,
};

enum { NF_OUTCOME_WORDS = 320 };

struct nf_outcome {
	enum nf_outcome_kind kind;
	enum nf_outcome_class class;
	char words[NF_OUTCOME_WORDS]; /* one line, printable; begins with what the kind means */
};

const char *nf_outcome_class_name(enum nf_outcome_class class); /* "ok", "infra", ...; static */
const char *nf_outcome_kind_name(enum nf_outcome_kind kind); /* "power-off", ...; static */
enum nf_outcome_class nf_outcome_class_of(enum nf_outcome_kind kind);
/* What to look at, for whoever has it; Markdown. Static; NULL: nothing. */
const char *nf_outcome_helps(enum nf_outcome_kind kind);
/* A Markdown table of all kinds; docs/DIALOGUE.md has it. Failure is remembered by out. */
void nf_outcome_describe(struct nf_buf *out);
/* 0, 5, 5, 2; of NONE 0, for the signal's own code wins. */
int nf_outcome_exit(enum nf_outcome_class class);

/* The kind's own words, then ": " and the details (fmt NULL: none). Details are made printable. */
void nf_outcome_set(struct nf_outcome *ret, enum nf_outcome_kind kind, const char *fmt, ...)
        NF_PRINTF(3, 4);

#endif
