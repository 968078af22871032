/* SPDX-License-Identifier: MIT */
/* Plans of campaigns: whatever fails and wherever it is stopped, every run is booted as often as it may be and no more. */
#include "job/lab_plan.h"
#include "laws.h"

enum { CONFIGS = 3, RUNS = 4, RETRIES = 2, ENDS = 600 };

static const enum nf_outcome_class classes[] = { NF_OUTCOME_OK, NF_OUTCOME_INFRA, NF_OUTCOME_BOARD,
	                                         NF_OUTCOME_NONE, NF_OUTCOME_CONFIG };

/* What came of the attempts, kept beside the plan. */
struct kept {
	struct nf_lab_turn turn[ENDS];
	enum nf_outcome_class class[ENDS];
	size_t n;
};

static void fini_arena(void *a)
{
	nf_arena_fini(a);
}

static struct nf_lab_plan *draw_plan(struct pt_case *t, const struct nf_lab_plan *like)
{
	struct nf_arena *a = pt_alloc(t, sizeof(*a));
	struct nf_lab_plan *p = pt_alloc(t, sizeof(*p));
	struct nf_lab_plan drawn = { 0 };

	if (like) {
		drawn = *like;
	} else {
		drawn.n_configs = pt_draw_size(t, 1, CONFIGS);
		drawn.runs = pt_draw_size(t, 1, RUNS);
		drawn.sequential = pt_draw_bool(t, 0.5);
		drawn.retry_infra = pt_draw_size(t, 0, RETRIES);
		drawn.retry_board = pt_draw_size(t, 0, RETRIES);
	}
	nf_arena_init(a, 1 << 20);
	pt_cleanup(t, fini_arena, a);
	if (nf_lab_plan_init(p, drawn.n_configs, drawn.runs, a, NULL) < 0)
		return NULL;
	p->sequential = drawn.sequential;
	p->retry_infra = drawn.retry_infra;
	p->retry_board = drawn.retry_board;
	return p;
}

static size_t count(const struct kept *k, const struct nf_lab_turn *at, enum nf_outcome_class class)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		n += k->turn[i].config == at->config && k->turn[i].run == at->run &&
		     k->class[i] == class;
	return n;
}

static bool wrong(const struct kept *k, size_t config)
{
	bool is = false;

	for (size_t i = 0; i < k->n; i++)
		is = is || (k->turn[i].config == config && k->class[i] == NF_OUTCOME_CONFIG);
	return is;
}

/* Up to `most` attempts; each end is drawn. */
static bool play(struct pt_case *t, struct nf_lab_plan *p, struct kept *k, size_t most, bool config)
{
	struct nf_lab_turn turn;

	for (size_t i = 0; i < most && nf_lab_plan_next(p, &turn); i++) {
		/* Stopped ones count for nothing, so not for ever. */
		size_t kinds = k->n > ENDS / 2 ? 1 : config ? 5 : 4;

		PT_ASSERT(t, k->n < ENDS);
		PT_ASSERT(t, turn.config < p->n_configs && turn.run >= 1 && turn.run <= p->runs);
		PT_ASSERT(t, count(k, &turn, NF_OUTCOME_OK) == 0);
		PT_ASSERT(t, !wrong(k, turn.config));
		for (size_t j = 0; j < k->n; j++)
			PT_ASSERT(t, k->turn[j].config != turn.config ||
			                     k->turn[j].run != turn.run ||
			                     k->turn[j].attempt < turn.attempt);
		k->turn[k->n] = turn;
		k->class[k->n] = classes[pt_draw_size(t, 0, kinds - 1)];
		nf_lab_plan_took(p, &turn, k->class[k->n]);
		k->n++;
	}
	return true;
}

static bool every_run_gets_its_tries(struct pt_case *t, void *arg)
{
	struct nf_lab_plan *p = draw_plan(t, NULL);
	struct kept *k = pt_alloc(t, sizeof(*k));
	uint64_t missing = 0;

	(void)arg;
	PT_ASSERT(t, p);
	k->n = 0;
	if (!play(t, p, k, SIZE_MAX, true))
		return false;
	for (size_t config = 0; config < p->n_configs; config++)
		for (uint64_t run = 1; run <= p->runs; run++) {
			const struct nf_lab_turn at = { config, run, 0 };
			size_t infra = count(k, &at, NF_OUTCOME_INFRA),
			       board = count(k, &at, NF_OUTCOME_BOARD);
			bool done = count(k, &at, NF_OUTCOME_OK) == 1 ||
			            count(k, &at, NF_OUTCOME_CONFIG) == 1 ||
			            infra == p->retry_infra + 1 || board == p->retry_board + 1;

			PT_ASSERT(t, infra <= p->retry_infra + 1 && board <= p->retry_board + 1);
			PT_ASSERT(t, done || wrong(k, config));
			missing += !done;
		}
	PT_ASSERT(t, nf_lab_plan_missing(p) == missing && nf_lab_plan_left(p) == 0);
	return true;
}

static bool a_resumed_campaign_boots_what_is_missing(struct pt_case *t, void *arg)
{
	struct nf_lab_plan *first = draw_plan(t, NULL),
	                   *second = first ? draw_plan(t, first) : NULL;
	struct kept *k = pt_alloc(t, sizeof(*k));
	struct nf_lab_turn turn;
	size_t stopped_after;

	(void)arg;
	PT_ASSERT(t, second);
	k->n = 0;
	if (!play(t, first, k, pt_draw_size(t, 0, 20), false))
		return false;
	stopped_after = k->n;
	for (size_t i = 0; i < k->n; i++)
		nf_lab_plan_knows(second, &k->turn[i], k->class[i]);
	while (nf_lab_plan_next(second, &turn)) {
		PT_ASSERT(t, count(k, &turn, NF_OUTCOME_OK) == 0);
		PT_ASSERT(t, count(k, &turn, NF_OUTCOME_BOARD) <= second->retry_board);
		for (size_t i = 0; i < stopped_after; i++)
			PT_ASSERT(t, k->turn[i].config != turn.config ||
			                     k->turn[i].run != turn.run ||
			                     k->turn[i].attempt < turn.attempt);
		nf_lab_plan_took(second, &turn, NF_OUTCOME_OK);
	}
	PT_ASSERT(t, nf_lab_plan_missing(second) == 0);
	return true;
}

const struct law laws_campaign[] = {
	{ "campaign tries",
	  "A campaign's plan ends; every run is tried until it is ok or its retries are used up, "
	  "never after, under numbers "
	  "that rise.",
	  every_run_gets_its_tries, NULL },
	{ "campaign resumed",
	  "Resumed wherever it was stopped, a campaign boots every run without a result, none that "
	  "is ok, and uses no number "
	  "twice.",
	  a_resumed_campaign_boots_what_is_missing, NULL },
	{ .name = NULL },
};
