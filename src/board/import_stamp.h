/* SPDX-License-Identifier: MIT */
/* import_stamp - the ways in which tools write a time before a line. */
#ifndef NF_BOARD_IMPORT_STAMP_H
#define NF_BOARD_IMPORT_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nf_stamp_kind {
	NF_STAMP_SECONDS, /* since something: 0.1002, 1700000000.25 */
	NF_STAMP_CLOCK, /* 13:14:15.123: of a day, or since the start */
	NF_STAMP_YEARLESS, /* Nov 30 13:14:15: of a year that is not said */
	NF_STAMP_DATE, /* 2026-11-30T13:14:15.123+01:00, Z, or with no zone */
};

struct nf_stamp {
	enum nf_stamp_kind kind;
	int64_t ns;
	int64_t unit_ns; /* of the last printed digit */
};

/* Each: bytes used of text, 0: it does not begin with one. What ns cannot hold is no stamp. */
size_t nf_stamp_seconds(const char *text, size_t len, struct nf_stamp *ret);
size_t nf_stamp_clock(const char *text, size_t len, struct nf_stamp *ret);
size_t nf_stamp_date(const char *text, size_t len, struct nf_stamp *ret); /* and yearless ones */
/* The first of the three that fits. */
size_t nf_stamp_any(const char *text, size_t len, struct nf_stamp *ret);

#endif
