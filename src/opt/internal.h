/* SPDX-License-Identifier: MIT */
/* internal - shared by the files of opt/ only. */
#ifndef NF_OPT_INTERNAL_H
#define NF_OPT_INTERNAL_H

#include "opt/opt.h"

/* Reads value as row o allows it and stores it. */
NF_NODISCARD int nf_opt_store(const struct nf_opt *o, void *params, const char *value,
                              struct nf_err *err);

/* "1ms to 1h": the limits of a row with a number, as a user types them. */
void nf_opt_range(const struct nf_opt *o, struct nf_buf *out);

/* Next word of a list separated by spaces; *pos moves on. 0: no more. */
size_t nf_opt_word(const char **pos, const char **ret_word);

#endif
