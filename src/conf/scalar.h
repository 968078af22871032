/* SPDX-License-Identifier: MIT */
/* scalar - one scalar's text to the value of a type. Pure. */
#ifndef NF_CONF_SCALAR_H
#define NF_CONF_SCALAR_H

#include "base/arena.h"
#include "conf/schema.h"

/* A scalar kind, at *out of the type's C type, whose pos is left alone. plain: neither quoted nor a block.
 * -NF_EDATA with a message without place and without what is allowed: "bad value 'x'". */
NF_NODISCARD int nf_conf_scalar(const struct nf_conf_type *t, const char *text, bool plain,
                                struct nf_arena *arena, void *out, struct nf_err *err);
bool nf_conf_is_scalar(enum nf_conf_kind k);

#endif
