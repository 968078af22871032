/* SPDX-License-Identifier: MIT */
/* bench_aa - the comparison judged by comparisons whose answer is known: of work with itself, and with a known
 * amount more. As the other jobs (job.h). */
#ifndef NF_JOB_BENCH_AA_H
#define NF_JOB_BENCH_AA_H

#include "job/bench.h"
#include "record/rec_bench_aa.h"

enum { NF_AA_REPEATS_MIN = 5, NF_AA_REPEATS_MAX = 1000 };

/* bench: sets, iters, times, seed, delta, alpha, backends and say; its variants are the job's own. Exit code 1:
 * wrong more often than alpha, or found less often than the noise explains. -NF_EUNSUPPORTED: not even
 * NF_AA_REPEATS_MIN fit; says what would do. */
NF_NODISCARD int nf_job_bench_aa(const struct nf_job_opts *o, const struct nf_bench_opts *bench,
                                 size_t repeats, struct nf_job_outcome *ret, struct nf_err *err);

/* Counts and bounds of the trials of one comparison, and what follows; `name` and `slowdown_ratio` are given. */
NF_NODISCARD int nf_aa_score(const struct nf_rec_aa_trial *trial, size_t n, size_t which,
                             const struct nf_rec_bench_rule *rule, struct nf_arena *a,
                             struct nf_rec_aa_score *s, struct nf_err *err);
/* Probability that a comparison with this sd_ln and so many pairs finds a slowdown, were the noise normal:
 * P(Z < (ln(1 + slowdown) - ln(1 + delta)) / (sd sqrt(pi / 3) / sqrt(n)) - z(1 - alpha / 2)): nf_mde() turned round.
 * None: it has no sd. */
struct nf_some_real nf_aa_power(const struct nf_rec_bench_comparison *c,
                                const struct nf_rec_bench_rule *rule, double slowdown);

#endif
