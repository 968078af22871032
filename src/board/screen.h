/* SPDX-License-Identifier: MIT */
/*
 * screen - what of a console's bytes may reach the user's terminal while he types into it: text, and of the
 * control sequences those that editing a line and paging need and that change nothing but the picture.
 *   C0          BEL BS TAB LF CR
 *   CSI         A B C D E F G H J K P X @ L M d f m, and ?25 h/l (the cursor); at most 32 bytes, digits and ; only
 * All others are dropped and counted: titles and the clipboard (OSC), DCS, APC, PM, SOS, C1 controls, resets,
 * questions that a terminal answers by typing (CSI c, n), window operations, modes. Broken UTF-8 becomes U+FFFD.
 * The same bytes come out however they were split.
 */
#ifndef NF_BOARD_SCREEN_H
#define NF_BOARD_SCREEN_H

#include <stdint.h>

#include "base/buf.h"

enum { NF_SCREEN_CSI_MAX = 32 };

struct nf_screen {
	char held[NF_SCREEN_CSI_MAX]; /* of a sequence or a character that is not complete */
	size_t n;
	int state; /* private; 0 at the beginning */
	uint64_t n_dropped; /* sequences and controls */
};

/* Appends to out what may be shown of data. 0 or the buffer's failure. */
NF_NODISCARD int nf_screen_filter(struct nf_screen *s, const void *data, size_t len_bytes,
                                  struct nf_buf *out);

#endif
