/* SPDX-License-Identifier: MIT */
/*
 * line - console bytes become lines, one byte at a time: the same lines however the bytes were split into
 * reads. Memory is constant: one line of at most `limit` bytes.
 *
 * The text of a line is what a terminal would leave of it, with one difference: what follows a lone CR
 * replaces all that stood (`abc\rx` is `x`), so that texts of two times are never joined.
 *   LF, CR LF, CR CR.. LF   end a line; a CR straight after LF (LFCR) belongs to that ending
 *   CR, BS, ESC [ n D, ESC [ G   move back: the next text replaces from there; at a line's end nothing is lost
 *   ESC [ K, ESC [ 2 K      erase from there, the whole line
 *   TAB                     is text
 *   NUL                     dropped, counted
 *   other C0, DEL, C1 (as U+0080..U+009F), escape sequences, OSC/DCS/APC/PM/SOS strings   dropped, counted
 *   broken UTF-8            kept as bytes, counted; also a byte 80..9f that no lead byte came before
 * A sequence ends at the latest where the line does, or after NF_LINE_CONTROL_MAX bytes: noise swallows no more.
 * So a text holds no control character but TAB; it may hold broken UTF-8, which nf_text_printable() shows.
 * Threads: one at a time per struct nf_lines.
 */
#ifndef NF_BOARD_LINE_H
#define NF_BOARD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum {
	NF_LINE_LIMIT_MIN = 16,
	/* Bytes of text; what is more is cut and counted. board/pattern.h has why it is not more. */
	NF_LINE_LIMIT = 65534,
	NF_LINE_LIMIT_MAX = 1 << 24,
	NF_LINE_CONTROL_MAX = 4096,
};

enum nf_line_ending {
	NF_LINE_UNTERMINATED,
	NF_LINE_LF, /* also of LFCR, whose CR comes after the line was given: struct nf_lines counts them */
	NF_LINE_CRLF,
	NF_LINE_CRCRLF, /* two CR or more */
	NF_LINE_N_ENDINGS,
};

/* Times are ns since the capture's start on the host's clock. lo > hi never; an importer of text logs
 * gives lo = hi = the stamp. */
struct nf_line {
	const char *text; /* borrowed: until the next call; a NUL follows */
	size_t len;
	uint64_t raw_offset; /* of its first byte in the capture */
	uint64_t raw_bytes; /* from there to the next line, its ending included */
	/* The first byte of the text that stands (after a lone CR: of what replaced) came in here; of a line
	 * without text, its first byte. */
	int64_t first_lo_ns;
	int64_t first_hi_ns;
	int64_t last_lo_ns; /* its last byte (of the ending, or so far) */
	int64_t last_hi_ns;
	enum nf_line_ending ending;
	bool waiting; /* some of it was there before the capture began: lo bounds nothing */
	bool replaced; /* text was lost to a lone CR or to moving back */
	uint64_t cut_bytes; /* text beyond the limit */
	uint32_t n_nul; /* these three stop at UINT32_MAX */
	uint32_t n_bad_utf8; /* broken parts */
	uint32_t n_controls; /* control characters and sequences */
};

/* When the bytes of one read came: all after lo; the first was there at first_hi, all others at hi. */
struct nf_line_time {
	int64_t lo_ns;
	int64_t first_hi_ns;
	int64_t hi_ns;
	bool waiting; /* they were there before the capture began */
};

/* Its failure ends the feeding and is returned. */
typedef int nf_line_fn(void *ctx, const struct nf_line *line, struct nf_err *err);

/* Of everything so far. */
struct nf_line_counts {
	uint64_t raw_bytes;
	uint64_t n_lines; /* given to the caller */
	uint64_t n_ending[NF_LINE_N_ENDINGS];
	uint64_t n_lfcr; /* of NF_LINE_LF: those that were LFCR */
	uint64_t n_replaced; /* times that text was replaced */
	uint64_t replaced_bytes;
	uint64_t n_cut; /* lines */
	uint64_t cut_bytes;
	uint64_t n_nul;
	uint64_t n_bad_utf8;
	uint64_t n_controls;
	uint64_t control_bytes;
};

enum nf_line_state {
	NF_LINE_TEXT,
	NF_LINE_ESC, /* after ESC */
	NF_LINE_ESC_MORE, /* ESC and intermediate bytes */
	NF_LINE_CSI,
	NF_LINE_STRING, /* OSC, DCS, SOS, PM, APC */
	NF_LINE_STRING_ESC, /* ESC inside one */
	NF_LINE_C2, /* a byte c2 is held: U+0080..U+00BF */
	NF_LINE_STRING_C2, /* the same inside a string: it may be ST */
};

struct nf_lines {
	char *text; /* owned; limit + 1 bytes */
	size_t limit;
	size_t len;
	size_t keep; /* what follows replaces from here; len: nothing moved back */
	bool over; /* text went over the limit; moving back but by CR does nothing then */
	bool returned; /* CR since the last text */
	uint32_t n_cr; /* of the ending, if LF comes: 0, 1, 2 (or more) */
	bool after_lf; /* the last byte was LF: a CR now makes it LFCR */
	bool lead_cr; /* the line began with the CR of LFCR, if no LF follows */
	bool any; /* the line has a byte */
	enum nf_line_state state;
	uint8_t utf8_more; /* continuation bytes that are to come */
	uint8_t utf8_lo, utf8_hi; /* allowed of the next one */
	uint8_t utf8_have; /* bytes of the character in text */
	int64_t c2_lo_ns, c2_hi_ns; /* when the byte that is held came */
	uint32_t control_len; /* bytes of the present sequence */
	uint32_t csi_value; /* its first parameter */
	bool csi_more; /* it has more than that one, or a private mark */
	size_t stable; /* see nf_line_tail */
	struct nf_line line; /* of the present one; without text */
	struct nf_line_counts counts;
};

/* limit: NF_LINE_LIMIT_MIN .. NF_LINE_LIMIT_MAX; else -NF_EARG. */
NF_NODISCARD int nf_line_init(struct nf_lines *ret, size_t limit, struct nf_err *err);
void nf_line_fini(struct nf_lines *s); /* zeroed is fine */

/* Gives every line that ends in data. */
NF_NODISCARD int nf_line_feed(struct nf_lines *s, const void *data, size_t len_bytes,
                              const struct nf_line_time *time, nf_line_fn *fn, void *ctx,
                              struct nf_err *err);
/* The end of the capture: gives the unterminated line, if there is any byte of it but the CR of LFCR. */
NF_NODISCARD int nf_line_finish(struct nf_lines *s, nf_line_fn *fn, void *ctx, struct nf_err *err);

/* The unterminated line so far (a prompt), text borrowed until the next call. Returns how many bytes of its
 * text stand since the previous call for the same line: those before are the same as then; for a new line
 * 0. A character whose bytes have not all come is not in it. */
size_t nf_line_tail(struct nf_lines *s, struct nf_line *ret);

/* "LF", "CRLF", "CRCRLF", "none"; static. */
const char *nf_line_ending_name(enum nf_line_ending ending);

#endif
