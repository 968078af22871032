/* SPDX-License-Identifier: MIT */
/* evidence_record - an operand of `evidence` as a record: a run's folder, *.json or *.dhall. */
#ifndef NF_CLI_EVIDENCE_RECORD_H
#define NF_CLI_EVIDENCE_RECORD_H

#include <limits.h>

#include <jansson.h>

#include "cli/evidence_dhall.h"
#include "record/type.h"

/* The file that an operand means: itself, or in a run's folder its
 * record.json, else record.dhall. -NF_EARG: it is not there. */
NF_NODISCARD int nf_evidence_path(const char *operand, char ret[PATH_MAX], struct nf_err *err);
bool nf_evidence_is_dhall(const char *path);
/* The text of a record's file, whatever its form, as JSON. */
NF_NODISCARD int nf_evidence_json_text(struct nf_dhall *d, const char *path, struct nf_buf *out,
                                       struct nf_err *err);

/* Says on standard error that an operand is not what its run committed, or not complete. */
void nf_evidence_warn(const struct nf_cli *cli, const char *operand);

struct nf_evidence_record {
	json_t *root; /* owned */
	const struct nf_type *type; /* root is in good form of it */
	char path[PATH_MAX]; /* the file it was read from */
};
/* -NF_EDATA: the file is no record of a type that is known here. */
NF_NODISCARD int nf_evidence_load(const char *operand, const char *import_root,
                                  struct nf_evidence_record *ret, struct nf_err *err);
void nf_evidence_record_fini(struct nf_evidence_record *r); /* zeroed is fine */

#endif
