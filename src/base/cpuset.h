/* SPDX-License-Identifier: MIT */
/*
 * cpuset - sets of CPU or node numbers, and their list form "0-3,8".
 *
 * Grows to the highest member, at most NF_CPU_MAX - 1, so hosts with over 1,024 CPUs and holes work.
 */
#ifndef NF_BASE_CPUSET_H
#define NF_BASE_CPUSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum { NF_CPU_MAX = 65536 };

struct nf_cpuset {
	uint64_t *words; /* owned; NULL when n_words is 0 */
	size_t n_words;
};

void nf_cpuset_init(struct nf_cpuset *s); /* empty; allocates nothing */
void nf_cpuset_fini(struct nf_cpuset *s);

NF_NODISCARD int nf_cpuset_add(struct nf_cpuset *s, int cpu, struct nf_err *err);
void nf_cpuset_remove(struct nf_cpuset *s, int cpu);
bool nf_cpuset_has(const struct nf_cpuset *s, int cpu);
size_t nf_cpuset_count(const struct nf_cpuset *s);
bool nf_cpuset_equal(const struct nf_cpuset *a, const struct nf_cpuset *b);
/* Smallest member > after (start with -1); -1: none left. */
int nf_cpuset_next(const struct nf_cpuset *s, int after);
NF_NODISCARD int nf_cpuset_copy(struct nf_cpuset *dst, const struct nf_cpuset *src,
                                struct nf_err *err);
/* dst = dst & src, dst = dst minus src: never grow. */
void nf_cpuset_and(struct nf_cpuset *dst, const struct nf_cpuset *src);
void nf_cpuset_andnot(struct nf_cpuset *dst, const struct nf_cpuset *src);

/* Parses "0-3,8" (white space at the ends allowed, nothing else). Reversed ("3-0"), open ("3-"),
 * doubled commas, numbers >= NF_CPU_MAX: -NF_EARG, the message quotes the offending part and the
 * allowed form. An empty text is the empty set (the kernel writes that) when `may_be_empty`, else
 * -NF_EARG. Overlaps are allowed. The kernel's stride form "0-31:2/4" is understood.
 * ret is an initialised set; its content is replaced on success. */
NF_NODISCARD int nf_cpuset_parse(const char *text, bool may_be_empty, struct nf_cpuset *ret,
                                 struct nf_err *err);
/* Canonical list form, "" for the empty set. */
int nf_cpuset_print(const struct nf_cpuset *s, struct nf_buf *out);

/* -NF_EARG unless every member of `want` is in `allowed`: the message names the members that are
 * not and the allowed list, e.g. "CPU 7 is not allowed here (allowed: 0-1)". `what`: "CPU", "node". */
NF_NODISCARD int nf_cpuset_check_subset(const struct nf_cpuset *want,
                                        const struct nf_cpuset *allowed, const char *what,
                                        struct nf_err *err);

#endif
