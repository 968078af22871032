/* SPDX-License-Identifier: MIT */
/*
 * stamp_line - what a board prints with noisefloor/stamp.h, which says the form.
 *
 *     nf-stamp: NAME [us=N] COUNTER_diff=N RATE=N|unknown
 *     nf-stamp: NAME COUNTER_back=N RATE=N|unknown
 *     nf-stamp: N kept, N lost
 *
 * The line may begin anywhere in the text (behind a prompt or the kernel's stamp) and goes to its end.
 */
#ifndef NF_BOARD_STAMP_LINE_H
#define NF_BOARD_STAMP_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NF_STAMP_LINE_NAME = 48 };

enum nf_stamp_line_kind {
	NF_STAMP_LINE_NONE, /* the text holds no such line */
	NF_STAMP_LINE_TIME,
	NF_STAMP_LINE_END, /* how many were kept and lost */
	NF_STAMP_LINE_BROKEN, /* begins like one and is none: cut, or mixed with other output */
};

struct nf_stamp_line {
	enum nf_stamp_line_kind kind;
	char name[NF_STAMP_LINE_NAME]; /* NUL-terminated */
	char counter[NF_STAMP_LINE_NAME]; /* cntpct, cntvct, tsc, counter */
	uint64_t diff; /* ticks; of a counter that went back, how far */
	uint64_t hz; /* 0: unknown */
	uint64_t us; /* as printed */
	bool has_us;
	bool back; /* the counter went back: there is no time */
	/* The printed us is diff / hz, cut. False: it is not, or cannot be held to it. */
	bool agrees;
	uint64_t kept, lost; /* of END */
};

/* Text of len bytes, without its line end. */
void nf_stamp_line_read(const char *text, size_t len, struct nf_stamp_line *ret);

#endif
