/* SPDX-License-Identifier: MIT */
/* json_in - JSON that strangers wrote, within bounds, and its members with messages for people. */
#ifndef NF_BENCH_JSON_IN_H
#define NF_BENCH_JSON_IN_H

#include <jansson.h>
#include <stddef.h>

#include "base/fail.h"

enum { NF_JSON_IN_DEPTH = 32, NF_JSON_IN_ITEMS = 4 << 20 };

/* line: of its begin, for messages. -NF_EDATA "NAME:LINE: not JSON: ...", also for
 * more than the bounds allow; the message may quote control characters of the text. */
NF_NODISCARD int nf_json_in(const char *text, size_t len_bytes, const char *name, size_t line,
                            json_t **ret, struct nf_err *err);

/* Members of an object; where: "results[3]", for messages. -NF_EDATA: it is not there or of another kind. */
NF_NODISCARD int nf_json_in_text(const json_t *object, const char *key, const char *name,
                                 const char *where, const char **ret, struct nf_err *err);
NF_NODISCARD int nf_json_in_number(const json_t *object, const char *key, const char *name,
                                   const char *where, double *ret, struct nf_err *err);
NF_NODISCARD int nf_json_in_array(const json_t *object, const char *key, const char *name,
                                  const char *where, const json_t **ret, struct nf_err *err);

#endif
