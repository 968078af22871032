/* SPDX-License-Identifier: MIT */
/* journal_state - what journal.c and journal_recover.c share. */
#ifndef NF_BASE_JOURNAL_STATE_H
#define NF_BASE_JOURNAL_STATE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/journal.h"
#include "base/journal_entry.h"
#include "base/rootfs.h"

enum { NF_BOOT_ID_MAX = 40 };

/*
 * Names in the folder; TAG is BOOT-PID-START-K, with the first 8 digits of the boot id and the
 * number K of the journal in its process:
 *
 *   TAG.owner          flocked by its owner as long as it lives
 *   TAG-SEQ.entry      one change
 *   *.broken           an entry that did not parse
 *   NAME.lock          nf_journal_lock()
 *   recover            flocked while owners are made and judged
 */
struct nf_journal_tag {
	char boot[9];
	int pid;
	uint64_t start_ticks;
	unsigned k;
};

struct nf_journal_entry {
	struct nf_journal_entry *older; /* owned */
	struct nf_journal_record rec; /* strings in text */
	struct nf_buf text;
	char name[NAME_MAX + 1];
};

struct nf_journal_lock {
	int fd;
	char name[64];
};

struct nf_journal {
	int dirfd; /* owned */
	int owner_fd; /* owned; holds the flock */
	struct nf_rootfs proc;
	char boot_id[NF_BOOT_ID_MAX];
	struct nf_journal_tag tag;
	unsigned next_seq;
	struct nf_journal_entry *newest; /* owned list */
	struct nf_journal_lock *locks; /* owned */
	size_t n_locks;
	char dir[PATH_MAX]; /* for messages */
};

/* Parses TAG at the start of a name; *ret_rest is what follows. */
bool nf_journal_tag_parse(const char *name, struct nf_journal_tag *ret, const char **ret_rest);
void nf_journal_tag_print(const struct nf_journal_tag *tag, char ret[NAME_MAX + 1]);

/* State letter and start time (fields 3 and 22) of a process. -NF_ENODATA: there is none. */
NF_NODISCARD int nf_journal_process(const struct nf_rootfs *proc, int pid, char *ret_state,
                                    uint64_t *ret_start_ticks, struct nf_err *err);

/* flock() over EINTR. -1 with errno. */
int nf_journal_flock(int fd, int op);
/* Opens and flocks the file `recover`, waiting for it. The descriptor, or an error. */
NF_NODISCARD int nf_journal_enter(const struct nf_journal *j, struct nf_err *err);

/* Removes an entry's file and makes that last. */
NF_NODISCARD int nf_journal_remove(const struct nf_journal *j, const char *name,
                                   struct nf_err *err);

#endif
