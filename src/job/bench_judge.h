/* SPDX-License-Identifier: MIT */
/* bench_judge - from stored sessions and the sessions of a run to verdicts, as parts of a record. Pure. */
#ifndef NF_JOB_BENCH_JUDGE_H
#define NF_JOB_BENCH_JUDGE_H

#include "record/rec_baseline.h"

/* What a stored median is found by. Borrowed. */
struct nf_bench_key {
	const char *bench;
	const char *program; /* kept for people; NULL: this one, or a command */
	bool is_command;
	unsigned threads; /* 0: its own default */
	const char *const *knobs; /* "NAME=value" in byte order, NULL-terminated; NULL: none */
};

/* Why a session of `there` says nothing of `here`, the first reason; NULL: the same machine. Arena text. */
const char *nf_bench_other_machine(const struct nf_rec_bench_machine *there,
                                   const struct nf_rec_bench_machine *here, struct nf_arena *a);

/* The part of a baseline that a run can be compared with. */
struct nf_bench_stock {
	const struct nf_rec_bench_baseline *baseline;
	struct nf_rec_bench_machine here;
	uint64_t now_unix_s;
};

/* Writes what the baseline has of each key into ret[n], whose `variant` is its number; rule->any_machine is
 * given, its counts are filled. -NF_EUNSUPPORTED: no session is of this machine, or of no key there are as many
 * as a verdict needs; says what would do. */
NF_NODISCARD int nf_bench_judge_open(const struct nf_bench_stock *stock,
                                     const struct nf_bench_key *key, size_t n, struct nf_arena *a,
                                     struct nf_rec_bench_against *rule,
                                     struct nf_rec_bench_judged *ret, struct nf_err *err);
/* Benchmarks that the baseline has from this machine and covers() says this run should have had: one GONE
 * each at *ret, in the arena. */
typedef bool nf_bench_covers_fn(void *ctx, const struct nf_rec_bench_stored *stored);
NF_NODISCARD int nf_bench_judge_gone(const struct nf_bench_stock *stock,
                                     const struct nf_bench_key *key, size_t n,
                                     const struct nf_rec_bench_against *rule,
                                     nf_bench_covers_fn *covers, void *ctx, struct nf_arena *a,
                                     struct nf_list *ret, struct nf_err *err);

/* Whether the plan's first session is to be followed by a confirming one of this benchmark. */
bool nf_bench_judge_wants_more(const struct nf_rec_bench_judged *j);
/* c[n] with `sessions` of one or two medians (none: not measured, inconclusive; more than that: not judged): bounds
 * and verdicts. FAILED, NEW and GONE are left as they are. A first session beyond the bound without a second is
 * INCONCLUSIVE with the reason NULL: wants_more. */
NF_NODISCARD int nf_bench_judge(const struct nf_rec_bench_against *rule,
                                struct nf_rec_bench_judged *c, size_t n, struct nf_arena *a,
                                struct nf_err *err);

#endif
