/* SPDX-License-Identifier: MIT */
/* check - what is found about one file of a run. Internal to record/. */
#ifndef NF_RECORD_CHECK_H
#define NF_RECORD_CHECK_H

#include "base/arena.h"
#include "base/buf.h"
#include "record/runfolder.h"

/* What is known of one file. The worst state stays, with the reason given first for it. */
struct nf_checked {
	const char *path;
	char listed[65]; /* digest in MANIFEST; "" when it is not there */
	char digest[65]; /* of the file; "" when it could not be read */
	bool on_disk;
	enum nf_check_state state;
	char why[240];
};

void nf_checked_note(struct nf_checked *c, enum nf_check_state state, const char *fmt, ...)
        NF_PRINTF(3, 4);

struct nf_checklist {
	struct nf_checked *item; /* in byte order of path */
	size_t n;
	int dirfd; /* borrowed: the folder the paths are below */
};
struct nf_checked *nf_checklist_find(const struct nf_checklist *l, const char *path);

/* Fills path and listed of every line of a MANIFEST (sha256sum's form). A line that is wrong is noted in
 * *own, the item of MANIFEST itself. The items live in a, in byte order of path. */
NF_NODISCARD int nf_manifest_read(const char *text, size_t len_bytes, struct nf_arena *a,
                                  struct nf_checked *own, struct nf_checklist *ret,
                                  struct nf_err *err);

/* A sample file's chunks. */
NF_NODISCARD int nf_check_samples(int dirfd, const char *name, struct nf_checked *c,
                                  struct nf_err *err);
/* A record's JSON text: its state, and for a run folder (all not NULL) that the files it refers to are
 * those that are there and give its figures. */
NF_NODISCARD int nf_check_record(const char *text, size_t len_bytes, struct nf_checked *c,
                                 const struct nf_checklist *all, struct nf_err *err);

/* A Dhall file: that it has a type; a record of ours is checked like its JSON. What the
 * language finds is noted with its place as damage. */
NF_NODISCARD int nf_check_dhall_file(const char *path, struct nf_checked *c, struct nf_err *err);
/* A run's record.dhall at path: the same, imports kept below root, and that it says what json, the text
 * of record.json, says. */
NF_NODISCARD int nf_check_dhall_twin(const char *path, const char *root, const struct nf_buf *json,
                                     struct nf_checked *c, struct nf_err *err);

#endif
