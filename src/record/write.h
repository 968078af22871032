/* SPDX-License-Identifier: MIT */
/* write - a record value or a record type as text. All forms walk the same table (type.h). */
#ifndef NF_RECORD_WRITE_H
#define NF_RECORD_WRITE_H

#include "base/buf.h"
#include "record/type.h"

/* The value as JSON (RFC 8259), keys in table order, None as null. Broken UTF-8 and non-characters are
 * replaced; *n_replaced (may be NULL) is increased. */
NF_NODISCARD int nf_record_to_json(const struct nf_type *t, const void *value, struct nf_buf *out,
                                   uint64_t *n_replaced, struct nf_err *err);
/* `let <Type> = ... in value : <Type>` with the types embedded; standard v23.1.0. */
NF_NODISCARD int nf_record_to_dhall(const struct nf_type *t, const void *value, struct nf_buf *out,
                                    uint64_t *n_replaced, struct nf_err *err);
/* "field,value" lines with a header; nested fields as a.b, list elements as a[0].b. Quoted as RFC 4180
 * says, lines end in LF. An absent value is an empty field, an empty text is "". */
NF_NODISCARD int nf_record_to_csv(const struct nf_type *t, const void *value, struct nf_buf *out,
                                  struct nf_err *err);
/* JSON Schema, draft 2020-12; no additional properties. */
NF_NODISCARD int nf_type_to_json_schema(const struct nf_type *t, struct nf_buf *out,
                                        struct nf_err *err);
/* schema/v1/<Type>.dhall: the type as users import it. */
NF_NODISCARD int nf_type_to_dhall(const struct nf_type *t, struct nf_buf *out, struct nf_err *err);

/* schema/v1/package.dhall: one record of all named types of a NULL-terminated list, each once. */
NF_NODISCARD int nf_types_to_dhall(const struct nf_type *const *types, struct nf_buf *out,
                                   struct nf_err *err);

/* Every record type that is written by itself, ends with NULL: what schema/ holds. */
extern const struct nf_type *const nf_record_types[];

#endif
