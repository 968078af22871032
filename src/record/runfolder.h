/* SPDX-License-Identifier: MIT */
/*
 * runfolder - one folder of evidence per run (docs/RECORD_FORMAT.md): samples/, captures/,
 * record.json, record.dhall, then MANIFEST, whose presence means committed; derived/ stands outside it.
 */
#ifndef NF_RECORD_RUNFOLDER_H
#define NF_RECORD_RUNFOLDER_H

#include "base/buf.h"
#include "base/clock.h"

struct nf_runfolder;

/* The largest text of one record, in any form: what is written can be checked. */
enum { NF_RECORD_TEXT_BYTES = 512 << 20 };

/* Makes runs_dir if absent (its parent must exist), then <utc>-<host>-<tag> in it exclusively, with
 * -2, -3 ... on a clash; mode 0700; owned by uid/gid when uid is not -1 (SUDO_UID). host and tag are
 * reduced to [A-Za-z0-9._-]. Proves before anything is measured that reserve_bytes can be written
 * (fallocate of a scratch file, then removed): full or read-only gives -NF_EOS with one clear line, and
 * no folder is left. */
NF_NODISCARD int nf_runfolder_create(const char *runs_dir, struct nf_instant utc, const char *host,
                                     const char *tag, int uid, int gid, uint64_t reserve_bytes,
                                     struct nf_runfolder **ret, struct nf_err *err);
const char *nf_runfolder_path(const struct nf_runfolder *r); /* as made: runs_dir/name */
const char *nf_runfolder_name(const struct nf_runfolder *r);
int nf_runfolder_samples_fd(const struct nf_runfolder *r); /* borrowed folder fd of samples/ */

/* name: a path below the folder ("record.json", "captures/cmdline.txt"). Exclusive. */
NF_NODISCARD int nf_runfolder_put(struct nf_runfolder *r, const char *name, const void *data,
                                  size_t len_bytes, struct nf_err *err);
/* Makes a folder below, and those on the way to it; itself it is new: -NF_EEXIST. *ret_fd: the caller's. */
NF_NODISCARD int nf_runfolder_make(const struct nf_runfolder *r, const char *name, int *ret_fd,
                                   struct nf_err *err);
/* Digests every file but those in derived/ and writes MANIFEST (as sha256sum -c reads it) last. */
NF_NODISCARD int nf_runfolder_commit(struct nf_runfolder *r, struct nf_err *err);
/* Gives a file that another writer began below the folder to the owner of the run: at once, so that a
 * run that is killed leaves nothing of ours behind. Nothing to do where there is no owner. */
NF_NODISCARD int nf_runfolder_give(const struct nf_runfolder *r, const char *name,
                                   struct nf_err *err);
/* Hex digest of a file already written. */
NF_NODISCARD int nf_runfolder_digest(const struct nf_runfolder *r, const char *name,
                                     char ret_hex[65], struct nf_err *err);
void nf_runfolder_free(struct nf_runfolder *r); /* keeps what is on disk; NULL is fine */

/* In rising order of what is wrong. */
enum nf_check_state { NF_CHECK_COMPLETE, NF_CHECK_PARTIAL, NF_CHECK_DAMAGED, NF_CHECK_UNKNOWN };
const char *nf_check_name(enum nf_check_state s); /* "complete", "partial", "damaged", "unknown" */

/* One finding per item, in byte order: `item` is a path below the folder, last the folder itself with the
 * worst of all. `why` is "" for an item with nothing to say. Both are borrowed. */
typedef void nf_check_fn(void *ctx, const char *item, enum nf_check_state state, const char *why);

/* Checks a run folder: what MANIFEST lists is there with its digest, nothing else is (but in derived/), every
 * chunk of every sample file, the samples that the record refers to, the record's own state.
 *   complete  MANIFEST holds, the record says complete
 *   partial   no MANIFEST, a sample file without its end, or the record says partial
 *   damaged   a digest, a missing or an unlisted file, a name that leaves the folder, a bad chunk
 *   unknown   a record or a sample file of a version that this program does not know
 * A path that is not a folder goes to nf_check_file. Not a run at all: -NF_EDATA. */
NF_NODISCARD int nf_runfolder_check(const char *path, nf_check_fn *fn, void *ctx,
                                    enum nf_check_state *ret, struct nf_err *err);
/* Checks one file by itself: *.nfsamples or a record's JSON form. Others: -NF_EDATA. */
NF_NODISCARD int nf_check_file(const char *path, nf_check_fn *fn, void *ctx,
                               enum nf_check_state *ret, struct nf_err *err);

#endif
