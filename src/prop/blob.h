/* SPDX-License-Identifier: MIT */
/*
 * blob - a sequence of choices as a line of text: "pt1." and base64url of
 *   n, then per choice index * 2 + kind, all as LEB128 (an index of 2^63 and more takes ten bytes; kind
 *   INT 0, REAL 1), then the CRC-32 (IEEE 802.3) of these bytes, little endian.
 */
#ifndef PT_BLOB_H
#define PT_BLOB_H

#include <stddef.h>
#include <stdint.h>

#include "prop/choice.h"

/* Owned by the caller; NULL: no memory. n <= PT_MAX_CHOICES. */
char *pt_blob_write(const struct pt_choice *c, uint32_t n);
/* ret has room for PT_MAX_CHOICES; only kind and index are set. -PT_EARG: not a blob, damaged, or of
 * another version; -PT_ENOMEM. White space around it is fine. */
int pt_blob_read(const char *text, struct pt_choice *ret, uint32_t *ret_n);

#endif
