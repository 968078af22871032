/* SPDX-License-Identifier: MIT */
/* sweep_points - from the sets of a sweep to its points, each against the base. Pure. */
#ifndef NF_JOB_SWEEP_POINTS_H
#define NF_JOB_SWEEP_POINTS_H

#include "job/bench_decide.h"
#include "record/rec_sweep.h"

#define NF_SWEEP_BH_Q 0.05

/* e->set: `discarded` is filled. p[n]: variant is given, the figures and the mark are filled; base: index of it.
 * session[n_sessions]: a row with sets of two of them is left out. */
NF_NODISCARD int nf_sweep_compare(const struct nf_bench_evidence *e,
                                  const struct nf_rec_bench_rule *rule,
                                  const struct nf_rec_sweep_session *session, size_t n_sessions,
                                  size_t base, struct nf_rec_sweep_point *p, size_t n,
                                  struct nf_err *err);
/* The points with the smallest and the largest ratio; the base counts as 1. None: nothing was compared. */
void nf_sweep_extremes(const struct nf_rec_sweep_point *p, size_t n, struct nf_some_nat *ret_best,
                       struct nf_some_nat *ret_worst);
/* Fewest sets a point with which one of n - 1 can be marked at all. */
size_t nf_sweep_min_sets(size_t n_points, double delta);

#endif
