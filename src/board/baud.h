/* SPDX-License-Identifier: MIT */
/* baud - does what a serial port says read as text? At another rate than the board's it does not. Pure. */
#ifndef NF_BOARD_BAUD_H
#define NF_BOARD_BAUD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	NF_BAUD_BYTES_MIN = 16, /* fewer tell nothing */
	NF_BAUD_TEXT_PERCENT = 95,
};

/* Zeroed is the beginning. */
struct nf_baud_look {
	uint64_t bytes;
	uint64_t text_bytes; /* printable characters of UTF-8, blanks, line ends, BEL, BS, ESC */
	char held[4]; /* of a character that is not complete */
	size_t n_held;
};

/* The same sums however the bytes are split; those of an incomplete character count for neither yet. */
void nf_baud_look(struct nf_baud_look *l, const void *data, size_t len_bytes);
/* Enough bytes, and enough of them text. */
bool nf_baud_reads_as_text(const struct nf_baud_look *l);

/* Rates that consoles have, the usual ones first; ends with 0. */
extern const uint32_t nf_baud_rates[];

#endif
