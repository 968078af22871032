/* SPDX-License-Identifier: MIT */
/* json_record - what can be done with a record that was read as JSON: tell its type, write it as CSV. */
#ifndef NF_RECORD_JSON_RECORD_H
#define NF_RECORD_JSON_RECORD_H

#include <jansson.h>

#include "base/buf.h"
#include "record/type.h"

/* The record type that root is in good form of: the one its `schema` names, or for the published types
 * without such a field the first whose fields fit. -NF_EDATA: none, with the reason. */
NF_NODISCARD int nf_json_record_type(const json_t *root, const struct nf_type **ret,
                                     struct nf_err *err);

/* As nf_record_to_csv() (record/write.h). value is in good form of t. */
NF_NODISCARD int nf_json_record_to_csv(const struct nf_type *t, const json_t *value,
                                       struct nf_buf *out, struct nf_err *err);

#endif
