/* SPDX-License-Identifier: MIT */
/*
 * bench_lists - parameter lists: NAME=VALUE,VALUE... on the command line, and {NAME} in texts. Every combination
 * of the values is a point; the last list varies fastest.
 */
#ifndef NF_CLI_BENCH_LISTS_H
#define NF_CLI_BENCH_LISTS_H

#include "base/arena.h"
#include "opt/opt.h"

struct nf_bench_list_of {
	const char *name;
	const char **value;
	size_t n;
};

struct nf_bench_lists {
	struct nf_bench_list_of list[NF_OPT_LIST_MAX]; /* in the arena */
	size_t n;
	size_t points; /* product of the lengths; 1 without a list */
};

/* A comma in a value is written \, . -NF_EARG: no NAME, a name twice, more than `max` points. */
NF_NODISCARD int nf_bench_lists_parse(const struct nf_opt_list *given, size_t max,
                                      struct nf_arena *a, struct nf_bench_lists *ret,
                                      struct nf_err *err);
/* text with each {NAME} of a list replaced by its value at the point; NULL: NULL. In the arena, which remembers a
 * failure. */
const char *nf_bench_lists_apply(const struct nf_bench_lists *l, size_t point, const char *text,
                                 struct nf_arena *a);
/* "NAME=value" of each list in byte order, NULL-terminated; NULL: no list, or the arena has failed. */
const char *const *nf_bench_lists_knobs(const struct nf_bench_lists *l, size_t point,
                                        struct nf_arena *a);
/* -NF_EARG: a list whose {NAME} stands in none of the texts. */
NF_NODISCARD int nf_bench_lists_used(const struct nf_bench_lists *l, const char *const *text,
                                     size_t n, struct nf_err *err);

#endif
