/* SPDX-License-Identifier: MIT */
/*
 * journal_entry - the text form of one journal entry (journal.h), pure.
 *
 *   noisefloor-undo 1
 *   boot 36:5e0d...            name, length in bytes, colon, the bytes, newline
 *   pid 4:4711
 *   start 6:123456             field 22 of /proc/PID/stat
 *   time 12:987654321000       CLOCK_BOOTTIME, ns
 *   kind 5:value               or folder
 *   path 21:/sys/...
 *   old 9:powersave            empty for a folder
 *   set 11:performance         for a folder: "" before it is made, then DEVICE:INODE
 *   crc 8:0123abcd             CRC-32C of everything above
 *
 * Values may hold any byte but NUL; there is exactly one text for an entry.
 */
#ifndef NF_BASE_JOURNAL_ENTRY_H
#define NF_BASE_JOURNAL_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	NF_JOURNAL_VALUE_MAX = 4096, /* bytes of a path, an old or a set value */
	NF_JOURNAL_ENTRY_MAX = 16384, /* bytes of an entry */
};

struct nf_journal_record {
	const char *boot_id;
	int pid;
	uint64_t start_ticks;
	int64_t time_ns;
	bool folder;
	const char *path;
	const char *old;
	const char *set;
};

/* Appends the text form. 0, or out's remembered failure. */
int nf_journal_entry_print(const struct nf_journal_record *rec, struct nf_buf *out);

/* text is changed in place and holds ret's strings. -NF_EDATA with the first thing that is wrong. */
NF_NODISCARD int nf_journal_entry_parse(char *text, size_t len_bytes, struct nf_journal_record *ret,
                                        struct nf_err *err);

#endif
