/* SPDX-License-Identifier: MIT */
/*
 * capture - a text that other programs' scripts printed, as lines with a section and a key.
 *
 * Sections begin with "== NAME ==", "-- NAME --" or "## NAME". A key is what stands before ": " (or a
 * colon at the end of the line), or a single word before "=". Marks in front of a key (a tick, a cross, "!", a
 * bracket) are no part of it. Bytes that are no text are replaced by U+FFFD and counted: broken UTF-8, non-characters,
 * control characters other than tab, terminal sequences (ESC [ ... letter, as one). CRLF ends a line
 * like LF; a CR alone does not.
 */
#ifndef NF_RECORD_CAPTURE_H
#define NF_RECORD_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum {
	NF_CAPTURE_BYTES = 4 << 20, /* of one capture */
	NF_CAPTURE_LINES = 100000,
};

/* A part of a line: not terminated. */
struct nf_slice {
	const char *p;
	size_t n;
};

struct nf_capture_line {
	uint64_t no; /* from 1 */
	struct nf_slice text; /* the whole line, cleaned */
	struct nf_slice section; /* the heading above it; empty before the first */
	struct nf_slice key; /* empty: the line has none */
	struct nf_slice value; /* after the key, trimmed; without a key the line, trimmed */
	bool heading;
};

struct nf_capture {
	const struct nf_capture_line *line;
	size_t n_lines;
	uint64_t n_replaced;
};

/* Splits data; all that *ret refers to lives in a. -NF_EDATA: more bytes or lines than a capture
 * may have. */
NF_NODISCARD int nf_capture_split(const void *data, size_t len_bytes, struct nf_arena *a,
                                  struct nf_capture *ret, struct nf_err *err);

struct nf_slice nf_slice_trim(struct nf_slice s);
/* Whether s is the text, ASCII letters of either case alike. */
bool nf_slice_is(struct nf_slice s, const char *text);
/* Where text begins in s, exactly; NULL: nowhere. */
const char *nf_slice_find(struct nf_slice s, const char *text);
/* s up to the first blank. */
struct nf_slice nf_slice_word(struct nf_slice s);

#endif
