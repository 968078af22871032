/* SPDX-License-Identifier: MIT */
/*
 * journal - what this process changed on the machine, so that it can be put back: by the process
 * itself on every way out, or by the next run when this one was killed.
 *
 * It belongs to the machine, not to a run: one folder (/run/noisefloor as root, else
 * $XDG_RUNTIME_DIR/noisefloor; the caller passes the path), one file per entry, written and fsynced
 * before the change is made. An entry names boot id, pid, the process's start time, the path, the
 * value found and the value set. It is undone by another process only on the same boot, when its
 * owner is dead, and when the value is still the one that was set; otherwise the change is someone
 * else's and is left alone, and said.
 *
 * The folder has to belong to this user and be writable by nobody else: its entries say what is
 * written where. An owner is alive while its lock file there is held (so also when it is in another pid
 * namespace) or its pid has the recorded start time.
 *
 * Kinds: a value in a file, and a folder that was made (a tracing instance), undone by rmdir.
 * Locks: nf_journal_lock() takes one flock per knob or tracer between concurrent runs.
 * Threads: one thread at a time per journal.
 */
#ifndef NF_BASE_JOURNAL_H
#define NF_BASE_JOURNAL_H

#include <stdbool.h>

#include "base/buf.h"

struct nf_journal;
struct nf_journal_entry; /* owned by the journal */

/* dir is created (0700) if absent. proc_root: "/proc", or a captured one in tests (boot id, start
 * times, liveness of pids). */
NF_NODISCARD int nf_journal_open(const char *dir, const char *proc_root, struct nf_journal **ret,
                                 struct nf_err *err);
/* Undoes what this process still has changed, newest first, then frees. NULL is fine. Failures to
 * undo are reported through the first one in *err; the entry stays on disk then. */
int nf_journal_close(struct nf_journal *j, struct nf_err *err);

/* Reads the value at path, records it and `value`, then writes value and reads it back (a kernel that
 * rounds is fine: what was read back counts as set). The value of a file is its first line; of a list
 * with one word in brackets ("always [madvise] never") that word; files where a write adds to a list are not for this. No entry when it already has the
 * value: *ret is NULL then. value: one line of at most 4,096 bytes. -NF_ENODATA: no such file;
 * -NF_EUNSUPPORTED: the write was accepted, but the old value is still there. After a failure the old
 * value is back, or the entry stays for close and the next run. */
NF_NODISCARD int nf_journal_set(struct nf_journal *j, const char *path, const char *value,
                                struct nf_journal_entry **ret, struct nf_err *err);
/* mkdir(path, 0700); undone by rmdir. -NF_EEXIST if it exists. */
NF_NODISCARD int nf_journal_mkdir(struct nf_journal *j, const char *path,
                                  struct nf_journal_entry **ret, struct nf_err *err);
/* Puts one change back now and forgets it. If the value is no longer the one set, it is left alone
 * and the return is 0 with *ret_left_alone = true (also when the file is gone). NULL entry: nothing to do. */
NF_NODISCARD int nf_journal_undo(struct nf_journal *j, struct nf_journal_entry *e,
                                 bool *ret_left_alone, struct nf_err *err);

/* What nf_journal_recover() did about one entry of a dead owner. */
enum nf_recovered {
	NF_RECOVERED_UNDONE, /* the old value is back */
	NF_RECOVERED_LEFT_ALONE, /* someone changed it since: not touched */
	NF_RECOVERED_STALE, /* from another boot: nothing of it is in force */
	NF_RECOVERED_BROKEN, /* the entry does not parse: set aside under a .broken name */
	NF_RECOVERED_FAILED, /* undoing failed: stays for the next run */
};
typedef void nf_recover_fn(void *ctx, enum nf_recovered what, const char *path, const char *old,
                           const char *set, int pid);
/* Goes over entries of dead owners, newest first; entries of live owners stay. Concurrent callers
 * are serialised by a lock file. */
NF_NODISCARD int nf_journal_recover(struct nf_journal *j, nf_recover_fn *fn, void *ctx,
                                    struct nf_err *err);

/* Takes the lock called name ("tracer", "rt-throttle") for this process, released at close or exit.
 * Held by another run: -NF_EUNSUPPORTED naming its pid where it is known. */
NF_NODISCARD int nf_journal_lock(struct nf_journal *j, const char *name, struct nf_err *err);

#endif
