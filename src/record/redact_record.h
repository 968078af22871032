/* SPDX-License-Identifier: MIT */
/* redact_record - a record's texts with pseudonyms. Internal to record/. */
#ifndef NF_RECORD_REDACT_RECORD_H
#define NF_RECORD_REDACT_RECORD_H

#include <jansson.h>

#include "record/redact_text.h"
#include "record/type.h"

/* Adds the hosts and users that a record of type t names. */
NF_NODISCARD int nf_redact_learn_record(struct nf_redactor *r, const struct nf_type *t,
                                        json_t *value, struct nf_err *err);

struct nf_redact_files {
	/* Digest in the copy of a file of the run, by its path in the run or in the copy; NULL: no such
	 * file. */
	const char *(*digest)(void *ctx, const char *path);
	void *ctx;
	const char *const *keep; /* words of a command line that stay: commands; ends with NULL */
};
/* Changes value in place: texts, names of files and streams, digests of files. Command lines keep
 * options, numbers and the words in `keep`; what else they hold is replaced. Fields with words of this program's or the
 * kernel's own (units, clocks, governors) stay. */
NF_NODISCARD int nf_redact_record(const struct nf_redactor *r, const struct nf_redact_files *files,
                                  const struct nf_type *t, json_t *value, struct nf_err *err);

/* A path below a run folder: its parts as nf_redact_name() makes them. */
void nf_redact_path(const struct nf_redactor *r, const char *path, struct nf_buf *out);

#endif
