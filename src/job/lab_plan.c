/* SPDX-License-Identifier: MIT */
#include "job/lab_plan.h"

static struct nf_lab_cell *cell_of(const struct nf_lab_plan *p, size_t config, uint64_t run)
{
	return &p->cell[config * p->runs + run - 1];
}

int nf_lab_plan_init(struct nf_lab_plan *p, size_t n_configs, uint64_t runs, struct nf_arena *a,
                     struct nf_err *err)
{
	struct nf_lab_plan plan = { .n_configs = n_configs, .runs = runs };

	if (n_configs == 0 || runs == 0 || runs > NF_LAB_RUNS_MAX)
		return nf_fail(err, NF_EARG, "%zu configurations, %llu runs; allowed: 1 to %d runs",
		               n_configs, (unsigned long long)runs, NF_LAB_RUNS_MAX);
	plan.cell = nf_arena_alloc(a, n_configs * runs, sizeof(*plan.cell));
	plan.wrong = nf_arena_alloc(a, n_configs, sizeof(*plan.wrong));
	int r = nf_arena_failed(a, "a plan", err);
	if (r == 0)
		*p = plan;
	return r;
}

static bool is_next(const struct nf_lab_plan *p, size_t config, uint64_t run,
                    struct nf_lab_turn *ret)
{
	const struct nf_lab_cell *c = cell_of(p, config, run);

	if (c->done || p->wrong[config] || c->attempts >= NF_LAB_ATTEMPTS_MAX)
		return false;
	*ret = (struct nf_lab_turn){ config, run, c->attempts + 1 };
	return true;
}

bool nf_lab_plan_next(const struct nf_lab_plan *p, struct nf_lab_turn *ret)
{
	if (p->sequential) {
		for (size_t config = 0; config < p->n_configs; config++)
			for (uint64_t run = 1; run <= p->runs; run++)
				if (is_next(p, config, run, ret))
					return true;
		return false;
	}
	for (uint64_t run = 1; run <= p->runs; run++)
		for (size_t config = 0; config < p->n_configs; config++)
			if (is_next(p, config, run, ret))
				return true;
	return false;
}

static bool in_plan(const struct nf_lab_plan *p, const struct nf_lab_turn *t)
{
	return t->config < p->n_configs && t->run >= 1 && t->run <= p->runs;
}

static void count(struct nf_lab_cell *c, uint64_t attempt)
{
	if (attempt > c->attempts)
		c->attempts = attempt;
}

void nf_lab_plan_took(struct nf_lab_plan *p, const struct nf_lab_turn *t,
                      enum nf_outcome_class class)
{
	struct nf_lab_cell *c;

	if (!in_plan(p, t))
		return;
	c = cell_of(p, t->config, t->run);
	count(c, t->attempt);
	switch (class) {
	case NF_OUTCOME_OK:
		c->done = true;
		break;
	case NF_OUTCOME_INFRA:
		c->done = c->done || ++c->infra > p->retry_infra;
		break;
	case NF_OUTCOME_BOARD:
		c->done = c->done || ++c->board > p->retry_board;
		break;
	case NF_OUTCOME_CONFIG:
		c->done = true;
		p->wrong[t->config] = true;
		break;
	case NF_OUTCOME_NONE:
	case NF_OUTCOME_N_CLASSES:
		break;
	}
}

void nf_lab_plan_knows(struct nf_lab_plan *p, const struct nf_lab_turn *t,
                       enum nf_outcome_class class)
{
	if (class == NF_OUTCOME_OK || class == NF_OUTCOME_BOARD)
		nf_lab_plan_took(p, t, class);
	else if (in_plan(p, t))
		count(cell_of(p, t->config, t->run), t->attempt);
}

uint64_t nf_lab_plan_missing(const struct nf_lab_plan *p)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < p->n_configs * p->runs; i++)
		n += !p->cell[i].done;
	return n;
}

uint64_t nf_lab_plan_left(const struct nf_lab_plan *p)
{
	uint64_t n = 0;

	for (size_t config = 0; config < p->n_configs; config++)
		for (uint64_t run = 1; run <= p->runs; run++)
			n += !p->wrong[config] && !cell_of(p, config, run)->done;
	return n;
}
