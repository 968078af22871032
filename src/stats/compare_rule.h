/* SPDX-License-Identifier: MIT */
/* compare_rule - options of noisefloor/compare.h with their defaults filled in. */
#ifndef NF_STATS_COMPARE_RULE_H
#define NF_STATS_COMPARE_RULE_H

#include "noisefloor/compare.h"

struct nf_compare_options nf_compare_defaults(const struct nf_compare_options *o);
NF_NODISCARD int nf_compare_check_options(const struct nf_compare_options *o,
                                          struct nf_compare_options *ret, struct nf_err *err);

#endif
