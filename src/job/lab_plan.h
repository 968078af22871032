/* SPDX-License-Identifier: MIT */
/*
 * lab_plan - which boot of a campaign comes next: configurations, runs of each, attempts at a run. Pure.
 *
 * A run is over with its first attempt that is ok, or when as many of a class failed as `retry` allows and one more.
 * Attempts that were stopped from outside count for nothing but their number, which is never given twice. Interleaved:
 * run 1 of every configuration, run 2 of every ..., an attempt that is to be repeated at once. A configuration that cannot
 * be (class config) is over: the next boot would end the same.
 */
#ifndef NF_JOB_LAB_PLAN_H
#define NF_JOB_LAB_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "board/outcome.h"

enum { NF_LAB_RUNS_MAX = 10000, NF_LAB_ATTEMPTS_MAX = 100000 };

struct nf_lab_turn {
	size_t config; /* index */
	uint64_t run, attempt; /* from 1 */
};

struct nf_lab_cell {
	uint64_t attempts; /* the highest number that was used */
	uint64_t infra, board; /* failures that count */
	bool done; /* it has its result */
};

struct nf_lab_plan {
	size_t n_configs;
	uint64_t runs;
	bool sequential;
	uint64_t retry_infra, retry_board;
	struct nf_lab_cell *cell; /* arena: [config * runs + run - 1] */
	bool *wrong; /* arena: of each configuration: class config came */
};

/* -NF_EARG: nothing to do (0 runs or configurations), or more than NF_LAB_RUNS_MAX; -NF_ENOMEM. */
NF_NODISCARD int nf_lab_plan_init(struct nf_lab_plan *p, size_t n_configs, uint64_t runs,
                                  struct nf_arena *a, struct nf_err *err);
/* false: there is none. The same answer until something is told. */
bool nf_lab_plan_next(const struct nf_lab_plan *p, struct nf_lab_turn *ret);
/* An attempt of this campaign has ended so. */
void nf_lab_plan_took(struct nf_lab_plan *p, const struct nf_lab_turn *t,
                      enum nf_outcome_class class);
/* One of an earlier campaign, which is resumed. What it says of the board stands: ok, and failures of the board; what it
 * says of anything else is tried anew. */
void nf_lab_plan_knows(struct nf_lab_plan *p, const struct nf_lab_turn *t,
                       enum nf_outcome_class class);
/* Runs without a result. */
uint64_t nf_lab_plan_missing(const struct nf_lab_plan *p);
/* Attempts, if all goes well from now on. */
uint64_t nf_lab_plan_left(const struct nf_lab_plan *p);

#endif
