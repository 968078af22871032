/* SPDX-License-Identifier: MIT */
/* bench_select - the benchmarks of a program that a filter finds, as variants. */
#ifndef NF_CLI_BENCH_SELECT_H
#define NF_CLI_BENCH_SELECT_H

#include <regex.h>

#include "bench/backend.h"
#include "bench/program.h"

/* --filter as an extended regular expression; regfree() it. */
NF_NODISCARD int nf_bench_filter_compile(const char *filter, regex_t *ret, struct nf_err *err);

struct nf_bench_selection {
	struct nf_bench_list list; /* owned, with the rest */
	char (*label)[NF_BENCH_NAME_MAX + 16]; /* n of them, as the variants are called */
	const struct nf_bench_row **row;
	size_t n;
};
/* filter NULL: all. At most `max`. -NF_EARG: none, too many, or no such program. */
NF_NODISCARD int nf_bench_select(const char *program, const char *filter, unsigned threads,
                                 size_t max, const struct nf_stop *stop,
                                 struct nf_bench_selection *ret, struct nf_err *err);
void nf_bench_selection_fini(struct nf_bench_selection *s); /* zeroed is fine */

#endif
