/* SPDX-License-Identifier: MIT */
/* bench_points - a command at every point of its parameter lists, as variants. */
#ifndef NF_CLI_BENCH_POINTS_H
#define NF_CLI_BENCH_POINTS_H

#include "cli/bench_lists.h"
#include "cli/bench_opts.h"

struct nf_bench_points {
	struct nf_arena arena; /* owned: every text of the variants */
	struct nf_bench_lists lists;
};

/* Reads the lists; `texts` commands will be given, so that there is room for their variants. Zero *p first;
 * nf_bench_points_fini() after success and failure alike. */
NF_NODISCARD int nf_bench_points_open(struct nf_bench_points *p,
                                      const struct nf_bench_params *params, size_t texts,
                                      struct nf_err *err);
void nf_bench_points_fini(struct nf_bench_points *p);
/* -NF_EARG: a list that neither these words nor the texts of the options use. */
NF_NODISCARD int nf_bench_points_used(const struct nf_bench_points *p,
                                      const struct nf_bench_params *params, const char *const *word,
                                      size_t n, struct nf_err *err);
/* The command of these words (shell: the first is text for one) at a point; its label is how it is typed. The
 * arena remembers a failure. */
void nf_bench_points_variant(struct nf_bench_points *p, size_t point,
                             const struct nf_bench_params *params, bool shell,
                             const char *const *word, size_t n, struct nf_variant *ret);
/* "NAME=value NAME=value", behind text and a blank where that is not NULL. */
const char *nf_bench_points_name(struct nf_bench_points *p, size_t point, const char *text);
/* Labels that are the same get their point's values, too. */
void nf_bench_points_tell_apart(struct nf_bench_points *p, struct nf_variant *variant, size_t n);

#endif
