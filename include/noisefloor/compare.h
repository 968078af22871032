/* SPDX-License-Identifier: MIT */
/*
 * compare - has it become slower? The decision rules of `compare` and `regress`, as functions of
 * numbers; docs/METHOD_STATISTICS.md says why these.
 *
 * Effects are ratios: 0.01 is 1 % slower. Times are medians of sets (fresh processes), above 0. Errors
 * as in noisefloor/location.h: -NF_ENODATA, -NF_EDATA with the index, -NF_EARG for options out of
 * range. No result is NaN. Threads: no shared state.
 */
#ifndef NOISEFLOOR_COMPARE_H
#define NOISEFLOOR_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero for a default. */
struct nf_compare_options {
	double delta; /* slowdown that does not matter: 0.01 */
	double alpha; /* family-wise error of the run: 0.01 */
	int looks; /* planned looks at the data, each at alpha / looks: 1 */
};

enum nf_verdict {
	NF_INCONCLUSIVE,
	NF_SAME,
	NF_REGRESSED,
	NF_IMPROVED,
	NF_NEW, /* no old side */
	NF_GONE, /* no new side */
	NF_FAILED, /* a side did not run to its end */
};
NF_API const char *nf_verdict_text(enum nf_verdict v); /* "INCONCLUSIVE" ... */

/* One benchmark. Fill with nf_compare_pairs, or set only `verdict` (NEW, GONE, FAILED) and leave the
 * rest 0. */
struct nf_comparison {
	size_t n; /* pairs */
	/* exp of the Hodges-Lehmann estimate of d_j = ln new_j - ln old_j, and of its signed-rank
	 * interval at level 1 - 2 alpha (has_interval false: too few pairs for that) */
	double ratio;
	bool has_interval;
	double ratio_lo;
	double ratio_hi;
	/* The same by ranks alone, without the pairs: two-sample Hodges-Lehmann of the logarithms. The
	 * narrower one where single sets, not the machine's level, are what disturbs. */
	double ranks_ratio;
	bool has_ranks_interval;
	double ranks_lo;
	double ranks_hi;
	bool has_sd; /* n > 1 */
	double sd; /* of d */
	/* Each the combined p = min(1, 2 min(p1, p2)) of p1, the one-sided signed-rank test of
	 * d - ln(1 + delta), and p2, the one-sided Mann-Whitney test of new / (1 + delta) against old. */
	double p_slower_pairs;
	double p_slower_ranks;
	double p_slower;
	double p_faster_pairs; /* mirrored: of -d - ln(1 + delta), and old / (1 + delta) against new */
	double p_faster_ranks;
	double p_faster;
	/* Filled by nf_compare_decide. */
	double p; /* the smaller of p_slower and p_faster */
	double holm; /* p adjusted over the run */
	double bh; /* Benjamini-Hochberg: marks tables at 0.05 */
	bool has_mde;
	double mde; /* smallest effect that would have been found with probability 0.8 */
	enum nf_verdict verdict;
};
/* Pairs are neighbours of one block of the schedule. */
NF_API NF_NODISCARD int nf_compare_pairs(const double *old, const double *new_, size_t n,
                                         const struct nf_compare_options *o,
                                         struct nf_comparison *ret, struct nf_err *err);
/*
 * Judges all benchmarks of a run together: one p each, that of the direction it points to, in one
 * family for Holm's adjustment. NEW, GONE and FAILED leave it first.
 * REGRESSED: holm <= alpha, slower, and the interval of one of the two estimates above 1; IMPROVED:
 * mirrored. SAME: interval of the pairs within 1 / (1 + delta) to 1 + delta. Else INCONCLUSIVE.
 */
NF_API NF_NODISCARD int nf_compare_decide(struct nf_comparison *c, size_t n,
                                          const struct nf_compare_options *o, struct nf_err *err);
/* Whether a null row (old against old; outside the family) fires at alpha: then the run decides
 * nothing. */
NF_API bool nf_compare_null_fires(const struct nf_comparison *c,
                                  const struct nf_compare_options *o);
/* Fewest pairs with which a run of n_benchmarks can find anything at all. */
NF_API size_t nf_compare_min_pairs(size_t n_benchmarks, const struct nf_compare_options *o);

/* Smallest effect found with probability `power` by a one-sided test at alpha against the margin delta:
 * exp(ln(1 + delta) + (z(1 - alpha) + z(power)) sd c / sqrt(n)) - 1, asymptotic, normal noise; c is the
 * inverse square root of the estimator's efficiency. sd is that of logarithms of ratios. */
enum nf_mde_kind {
	NF_MDE_HODGES_LEHMANN, /* c = sqrt(pi / 3), the signed-rank test */
	NF_MDE_MEDIAN, /* c = sqrt(pi / 2), the sign test */
	NF_MDE_MEAN, /* c = 1 */
};
NF_API NF_NODISCARD int nf_mde(enum nf_mde_kind kind, double sd, size_t n, double alpha,
                               double power, double delta, double *ret_ratio, struct nf_err *err);
/* Pairs needed for an mde of `effect` above delta, by the same formula. */
NF_API NF_NODISCARD int nf_pairs_needed(enum nf_mde_kind kind, double sd, double effect,
                                        double alpha, double power, double delta, size_t *ret_n,
                                        struct nf_err *err);

/* Blocks disturbed by what was measured around them (steal, throttling, frequency change), blind to
 * the variants: value above median + 5 MAD of the run. At most a fifth of the blocks, the worst
 * first, on equal values the earlier. */
NF_API NF_NODISCARD int nf_disturbed_blocks(const double *value, size_t n, bool *ret_discard,
                                            size_t *ret_count, struct nf_err *err);

/* --- against a stored baseline --------------------------------------------------------------- */

enum nf_baseline_verdict {
	NF_BASELINE_INCONCLUSIVE, /* fewer than 3 sessions stored */
	NF_BASELINE_WITHIN, /* within the first bound */
	NF_BASELINE_CONFIRM, /* beyond it: one fresh session decides */
	NF_BASELINE_NOT_CONFIRMED,
	NF_BASELINE_REGRESSED,
};
NF_API const char *nf_baseline_verdict_text(enum nf_baseline_verdict v);

/* Bounds on ln(global median): mean b and sd s of the k stored ones,
 * first = b + ln(1 + delta) + t(1 - alpha / m, k - 1) s sqrt(1 + 1 / k) for one new session,
 * second = the same with sqrt(1 / 2 + 1 / k) for the mean of two; m benchmarks in the run. */
struct nf_baseline {
	size_t k;
	double mean;
	double sd;
	double first;
	double second;
	/* Slowdown found with probability about 0.8:
	 * exp(ln(1 + delta) + (t(1 - alpha / m) + t(0.8)) s sqrt(1 + 1 / k)) - 1 */
	double detectable;
};
/* ln_median[k]; k < 3 is -NF_ENODATA (the verdict is then INCONCLUSIVE). */
NF_API NF_NODISCARD int nf_baseline_bounds(const double *ln_median, size_t k, size_t m,
                                           const struct nf_compare_options *o,
                                           struct nf_baseline *ret, struct nf_err *err);
/* session[n]: ln(global median) of the new session, and of the confirming one if there is one (n 1 or
 * 2, else -NF_EARG). */
NF_API NF_NODISCARD int nf_baseline_judge(const double *ln_median, size_t k, size_t m,
                                          const double *session, size_t n,
                                          const struct nf_compare_options *o,
                                          enum nf_baseline_verdict *ret, struct nf_err *err);
/* The plain published rule: a median more than `threshold` worse than the stored one. No claim about
 * noise. Both medians above 0, threshold >= 0. */
NF_API NF_NODISCARD int nf_over_threshold(double new_median, double stored_median, double threshold,
                                          bool *ret, struct nf_err *err);

#ifdef __cplusplus
}
#endif

#endif
