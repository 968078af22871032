/* SPDX-License-Identifier: MIT */
/*
 * inject_score - how well a probe's hits tell bursts that are known to have happened. Everything is in one
 * unit of time from one origin (the caller's choice; ticks from the probe's first sample, say).
 *
 * A hit is an interruption that the probe reports: it lies between `begin` and `begin + length`. Bursts
 * and hits are half-open intervals; they overlap when they share more than a point.
 */
#ifndef NF_STATS_INJECT_SCORE_H
#define NF_STATS_INJECT_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

struct nf_inject_burst {
	int64_t begin;
	int64_t end; /* >= begin */
};

struct nf_inject_hit {
	int64_t begin;
	int64_t length; /* >= 1 */
	int64_t lost; /* time taken from the probe's work; the length itself where gaps are measured */
};

/* All borrowed. */
struct nf_inject_input {
	const struct nf_inject_burst *burst; /* in rising order of begin; they may overlap */
	size_t n_bursts;
	const struct nf_inject_hit
	        *hit; /* in rising order, none begins before the last has ended */
	size_t n_hits;
	int64_t span_begin; /* when the probe looked: bursts that are not wholly inside do not count */
	int64_t span_end;
};

/* The hit of a burst is the one that overlaps it longest, of equals the first. */
struct nf_inject_score {
	size_t n_bursts; /* inside the span */
	size_t n_outside;
	size_t n_found; /* have a hit */
	double recall; /* n_found / n_bursts; NaN: no bursts */
	size_t n_begin_late; /* found, but the hit begins after the burst */
	size_t n_end_early; /* found, but the hit ends before the burst */
	size_t n_enclosed; /* found by a hit that begins no later and ends no earlier */
	size_t n_hits_on_bursts; /* hits that overlap a burst inside the span */
	size_t n_shared; /* of those, hits that overlap more than one */
	/* One per found burst, in order; owned. begin_error: hit.begin - burst.begin, negative where the hit
	 * begins first. */
	int64_t *begin_error;
	size_t n_begin_errors;
	/* hit.lost - burst length, of bursts that are enclosed by a hit that is theirs alone; owned. */
	int64_t *excess;
	size_t n_excess;
};

/* -NF_EARG: out of order, or a negative length, with its index. -NF_ENOMEM. Without bursts all is 0 and
 * recall NaN. */
NF_NODISCARD int nf_inject_score(const struct nf_inject_input *in, struct nf_inject_score *ret,
                                 struct nf_err *err);
void nf_inject_score_fini(struct nf_inject_score *s); /* zeroed is fine */

/* Where on the grid of injections hits begin. */
struct nf_inject_grid {
	double due; /* any instant at which a burst is due */
	double period;
	double lead; /* a hit may begin this long before its burst is due, and still be its hit; >= 0 */
	double width; /* of the injected window, lead included; > 0, at most half the period */
};

/*
 * The whole periods of the span are cut into n_windows = floor(period / width) equal windows; the first is
 * the injected one, it begins `lead` before a burst is due. Hits are counted by where they begin.
 *
 * p_rank: the share of windows, the injected one included, that hold no fewer hits than the injected one. A
 * randomisation test: where the phase was drawn at random and has no effect, every rank is equally likely,
 * whatever the hits have in common (a tick of their own, bursts); its least value is 1 / n_windows.
 * p_binomial: P(X >= n_injected) for X binomial (n_hits, 1 / n_windows): the exact one-sided test where
 * hits are independent of each other (Przyborowski and Wilenski 1940, two Poisson counts).
 */
struct nf_inject_phase {
	size_t n_windows;
	size_t n_periods;
	uint64_t n_hits; /* in whole periods */
	uint64_t n_injected; /* in the injected window */
	uint64_t n_most; /* in the fullest of the others */
	double rate_ratio; /* injected against the mean of the others; NaN: the others are empty */
	double p_rank;
	double p_binomial;
	uint64_t n_on_bursts; /* of n_injected, hits that overlap a burst */
	double precision; /* n_on_bursts / n_injected; NaN: n_injected is 0 */
};

/* Bursts as above, only for n_on_bursts. -NF_EARG: hits or bursts out of order, a grid out of range.
 * -NF_ENODATA: no whole period in the span. -NF_ENOMEM. */
NF_NODISCARD int nf_inject_phase(const struct nf_inject_input *in, const struct nf_inject_grid *g,
                                 struct nf_inject_phase *ret, struct nf_err *err);

#endif
