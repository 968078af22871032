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

/* The same as JSON, keys in table order: a record's text that is parsed and written has the same bytes. */
NF_NODISCARD int nf_json_record_to_json(const struct nf_type *t, const json_t *value,
                                        struct nf_buf *out, struct nf_err *err);

/* Calls fn for every text of value, with its type, key and record; it may return another text (owned by
 * the caller), which replaces it; NULL leaves it. Texts in lists have the list's key; alternatives of unions are
 * no texts. -NF_ENOMEM. */
struct nf_text_at {
	const struct nf_type *record; /* type that the field is in */
	const json_t *object; /* that record; borrowed */
	const char *key;
	const json_t *text; /* borrowed */
};
typedef int nf_text_fn(void *ctx, const struct nf_text_at *at, json_t **ret, struct nf_err *err);
NF_NODISCARD int nf_json_record_texts(const struct nf_type *t, json_t *value, nf_text_fn *fn,
                                      void *ctx, struct nf_err *err);

#endif
