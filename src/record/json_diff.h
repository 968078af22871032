/* SPDX-License-Identifier: MIT */
/*
 * json_diff - where two records differ, field by field.
 *
 * Records of one type are walked along its rows. Lists of records that carry a name of their own (cpu,
 * stream, name, p, the pair of nodes) are matched by it, others by place. Of two types only the fields that both have are
 * compared, by their keys.
 */
#ifndef NF_RECORD_JSON_DIFF_H
#define NF_RECORD_JSON_DIFF_H

#include <jansson.h>

#include "base/fail.h"
#include "record/type.h"

enum nf_diff_kind {
	NF_DIFF_CHANGED, /* both have it, with other values */
	NF_DIFF_ONLY_A, /* b has it not: an element of a list, a value that is None there */
	NF_DIFF_ONLY_B,
	NF_DIFF_TYPE, /* the records are of other types: a and b hold their names */
};

struct nf_difference {
	enum nf_diff_kind kind;
	const char *path; /* body.workers[stream=fwq.cpu0].noise_ratio; borrowed for the call */
	const json_t *a; /* borrowed; NULL where there is none */
	const json_t *b;
	const char *
	        unit; /* "ns", "ratio"...: of numbers, where the name or the summary tells; else "" */
};
typedef int nf_diff_fn(void *ctx, const struct nf_difference *d, struct nf_err *err);

/* Calls fn for each difference in the order of a's rows; stops at its first failure and returns it. *ret_n: how
 * many there were. */
NF_NODISCARD int nf_json_diff(const struct nf_type *type_a, const json_t *a,
                              const struct nf_type *type_b, const json_t *b, nf_diff_fn *fn,
                              void *ctx, size_t *ret_n, struct nf_err *err);

/* The unit that a field's name ends in: "jitter_ns" gives "ns"; "" where there is none. */
const char *nf_unit_of_key(const char *key);

#endif
