/* SPDX-License-Identifier: MIT */
/* redact_copy - the files of a run, one by one, into a redacted copy. Internal to record/. */
#ifndef NF_RECORD_REDACT_COPY_H
#define NF_RECORD_REDACT_COPY_H

#include <jansson.h>

#include "record/redact.h"
#include "record/type.h"

struct nf_redact_file {
	const char *from; /* path in the run */
	const char *to; /* path in the copy */
	bool regular;
	const char *no_text; /* why it is left out although its name says nothing; NULL */
	char digest[65]; /* of the copied file; "": not copied */
};

struct nf_redact_copy {
	int from; /* folders */
	int to;
	const struct nf_redact_opts *o;
	struct nf_redactor r;
	json_t *record; /* owned; NULL: the run has none */
	const struct nf_type *type;
	struct nf_redact_file *file;
	size_t n_files;
};

/* Whether a file is read as text: no samples, no signature, nothing that is packed or made from the record. */
bool nf_redact_is_text(const struct nf_redact_file *f);
/* Writes one file; those that are made from the record (record.*, derived/record.csv), MANIFEST, and what says
 * something of MANIFEST (signatures) are left to others. */
NF_NODISCARD int nf_redact_copy_file(struct nf_redact_copy *c, struct nf_redact_file *f,
                                     struct nf_err *err);
/* Writes a file of the copy, with the folders above it. */
NF_NODISCARD int nf_redact_put(const struct nf_redact_copy *c, const char *path,
                               const struct nf_buf *text, struct nf_err *err);
/* A record's JSON text as a Dhall expression with its type: needs no other file. */
NF_NODISCARD int nf_json_record_to_dhall(const struct nf_type *t, const struct nf_buf *json,
                                         struct nf_buf *out, struct nf_err *err);
/* A folder with all that is in it; what cannot be removed stays. */
void nf_redact_remove(const char *path);

#endif
