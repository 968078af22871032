/* SPDX-License-Identifier: MIT */
/* interchange_forms - the rows of the table in interchange.c. */
#ifndef NF_BENCH_INTERCHANGE_FORMS_H
#define NF_BENCH_INTERCHANGE_FORMS_H

#include "bench/interchange.h"

extern const struct nf_interchange nf_interchange_lines, nf_interchange_hyperfine,
        nf_interchange_google, nf_interchange_go, nf_interchange_smaller;

#endif
