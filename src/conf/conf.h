/* SPDX-License-Identifier: MIT */
/*
 * conf - YAML files under a schema (conf/schema.h), strictly: what is not in the schema is refused, at its
 * line and column. So are keys that come twice, anchors, aliases, tags, several documents, an empty value,
 * more than NF_CONF_DEPTH levels, and bytes that are not UTF-8. Quotes do not matter for texts: a text is
 * what stands there, OFF and 1.10 too; numbers and true/false are not quoted.
 *
 * libyaml's event parser reads; nothing is built that the schema does not know.
 */
#ifndef NF_CONF_CONF_H
#define NF_CONF_CONF_H

#include "base/arena.h"
#include "conf/schema.h"

enum {
	NF_CONF_BYTES_MAX = 1 << 20, /* of a file */
	NF_CONF_ARENA_MAX = 64 << 20,
};

struct nf_conf {
	struct nf_arena arena; /* everything below lives here */
	const char *label; /* the file's name, for messages */
	const void *root; /* of the root type's C type */
	struct nf_conf_pos at; /* of the root */
};

/* root: a MAP. label: how messages call the file. check_ctx is passed to the types' checks.
 * -NF_EDATA: "LABEL:LINE:COLUMN: what; allowed: ..." in one line. -NF_ENOMEM. */
NF_NODISCARD int nf_conf_read(const struct nf_conf_type *root, const char *label, const void *data,
                              size_t len_bytes, void *check_ctx, struct nf_conf *ret,
                              struct nf_err *err);
/* The same from a file, which is also the label. -NF_EARG: it cannot be read. */
NF_NODISCARD int nf_conf_read_file(const struct nf_conf_type *root, const char *path,
                                   void *check_ctx, struct nf_conf *ret, struct nf_err *err);
void nf_conf_fini(struct nf_conf *c); /* zeroed is fine */

/* -NF_EDATA with the place in front, for what an owner finds wrong in a value later. */
int nf_conf_refuse(const struct nf_conf *c, struct nf_conf_pos at, struct nf_err *err,
                   const char *fmt, ...) NF_PRINTF(4, 5);

#endif
