/* SPDX-License-Identifier: MIT */
/* json_value - a record value from its JSON form, by the same rows that wrote it. */
#ifndef NF_RECORD_JSON_VALUE_H
#define NF_RECORD_JSON_VALUE_H

#include <jansson.h>

#include "record/type.h"

/* *ret_value: the type's C type. Texts and lists live in a. -NF_EDATA naming the path of the first field that
 * does not fit. */
NF_NODISCARD int nf_json_value_read(const struct nf_type *t, const json_t *value,
                                    struct nf_arena *a, void *ret_value, struct nf_err *err);

#endif
