/* SPDX-License-Identifier: MIT */
/* env - what names stand for: a list, the innermost binding first. */
#ifndef NF_DHALL_ENV_H
#define NF_DHALL_ENV_H

#include "dhall/expr.h"

struct nf_denv {
	const struct nf_denv *up;
	struct nf_dstr name;
	const struct nf_dexpr *value; /* in normal form */
	const struct nf_dexpr *type; /* NULL while only values are asked for */
};

/* The binding that name@index means. NULL: it is free, and *index counts from outside then. */
const struct nf_denv *nf_denv_find(const struct nf_denv *env, struct nf_dstr name, uint64_t *index);

#endif
