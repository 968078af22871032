/* SPDX-License-Identifier: MIT */
/* bench_sets - the sets of variants, one after the other in a given order, as parts of a record. */
#ifndef NF_JOB_BENCH_SETS_H
#define NF_JOB_BENCH_SETS_H

#include "base/rng.h"
#include "job/bench.h"
#include "job/session.h"
#include "record/rec_bench.h"

struct nf_bench_slot {
	uint32_t variant;
	uint32_t row; /* of the schedule, or pair */
};

/* Told of every set, so that it can be kept at once; a failure ends the run. */
struct nf_bench_keep {
	void *ctx;
	int (*begin)(void *ctx, const struct nf_bench_slot *slot, struct nf_err *err);
	/* Not of one that a stop request ended. */
	int (*done)(void *ctx, const struct nf_rec_bench_set *set, struct nf_err *err);
};

struct nf_bench_sets {
	struct nf_session session;
	const struct nf_bench_opts *opts; /* borrowed */
	const struct nf_backend *backend; /* of all of them */
	const struct nf_variant *variant; /* borrowed; those of opts, or more */
	size_t n_variants;
	size_t group_size; /* variants that fail together: 1, or 2 for the sides of a comparison */
	struct nf_rec_bench_variant *rec_variant; /* arena */
	struct nf_rec_bench_set *set; /* owned; texts and lists in the arena */
	size_t n_sets;
	size_t cap_sets;
	struct nf_rng rng; /* seeds of sets */
	struct nf_set_watch *watch; /* owned; made with the first set */
	struct nf_cpuset cpus; /* owned; of every set, if opts->cpus */
	struct nf_bench_plan plan;
	const struct nf_bench_keep *keep; /* may be NULL */
	size_t done; /* slots behind and all there are, for progress */
	size_t planned;
};

/* Opens the session and checks every variant; nothing runs yet. Zero *b first; nf_bench_sets_close() after
 * success and failure alike. */
NF_NODISCARD int nf_bench_sets_open(struct nf_bench_sets *b, const struct nf_job_opts *o,
                                    const struct nf_bench_opts *opts,
                                    const struct nf_variant *variant, size_t n_variants,
                                    size_t group_size, struct nf_err *err);
void nf_bench_sets_close(struct nf_bench_sets *b);

/* The first set of each, of one value, which is discarded: warms caches and shows what a set costs, and what
 * this machine cannot have: that is left out (`unsupported`). -NF_EUNSUPPORTED: it can have none of them. */
NF_NODISCARD int nf_bench_sets_pilot(struct nf_bench_sets *b, struct nf_bench_cost *ret,
                                     struct nf_err *err);
/* Plans by that and says the estimate. */
NF_NODISCARD int nf_bench_sets_plan(struct nf_bench_sets *b, const struct nf_bench_want *w,
                                    const struct nf_bench_cost *c, struct nf_rec_bench_plan *ret,
                                    struct nf_err *err);
/* The run folder: once it is known that the run makes sense. */
NF_NODISCARD int nf_bench_sets_folder(struct nf_bench_sets *b, struct nf_err *err);
/* Runs them; leaves out what failed before, ends early on a stop request. */
NF_NODISCARD int nf_bench_sets_run(struct nf_bench_sets *b, const struct nf_bench_slot *slot,
                                   size_t n, struct nf_err *err);
/* Instead of the pilot of a variant, what an earlier run's showed. */
NF_NODISCARD int nf_bench_sets_know(struct nf_bench_sets *b, size_t variant,
                                    struct nf_some_nat pilot_ns, const char *unit,
                                    bool higher_is_better, const char *failure, struct nf_err *err);
/* A set of an earlier run, of one of the variants, as if it had run here; its texts and lists live in the
 * session's arena. */
NF_NODISCARD int nf_bench_sets_restore(struct nf_bench_sets *b, const struct nf_rec_bench_set *set,
                                       struct nf_err *err);
/* Figures of every variant from its sets. */
NF_NODISCARD int nf_bench_sets_summarize(struct nf_bench_sets *b, struct nf_err *err);
/* Whether the group of this variant failed. */
bool nf_bench_sets_failed(const struct nf_bench_sets *b, size_t variant);

#endif
