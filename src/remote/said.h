/* SPDX-License-Identifier: MIT */
/* said - what another machine wrote, as it may be shown here: no byte of it can reach a terminal as anything but a
 * character. */
#ifndef NF_REMOTE_SAID_H
#define NF_REMOTE_SAID_H

#include "base/buf.h"

enum { NF_SAID_LINE = 200, NF_SAID_KEPT = 2048 };

/* The end of a stream: what a program says last is why it ended. */
struct nf_said {
	char kept[NF_SAID_KEPT];
	size_t len_bytes;
};
void nf_said_add(struct nf_said *s, const void *data, size_t len_bytes);
/* Its last line that is not blank, in printable ASCII with '?' for the rest, cut with "..."; "" when there is none. */
void nf_said_line(const struct nf_said *s, char ret[NF_SAID_LINE]);

/* Appends text for a terminal: printable characters, tabs and newlines stay; control characters (C0, C1, DEL), format
 * characters that reorder or hide text, and broken UTF-8 become '?'. The number of replaced ones is returned. */
size_t nf_said_text(const char *text, size_t len_bytes, struct nf_buf *out);

#endif
