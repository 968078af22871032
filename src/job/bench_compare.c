/* SPDX-License-Identifier: MIT */
/* bench_compare - old against new, in turn: the sets, the looks at them, the verdict. */
#include <inttypes.h>
#include <stdlib.h>

#include "job/bench_decide.h"
#include "job/bench_sets.h"
#include "noisefloor/schedule.h"
#include "report/text_bench.h"

enum { SLOTS_A_BLOCK = 4 };

struct job {
	struct nf_bench_sets sets;
	struct nf_variant variant[NF_BENCH_VARIANTS_MAX + 2];
	struct nf_rec_bench_compare record;
	struct nf_rec_bench_comparison *comparison; /* arena */
	size_t n; /* comparisons that are run, the null row included */
	size_t n_all; /* and those that one side lacks */
	uint8_t *order; /* owned; n rows of 2 pairs_max slots */
	size_t pairs_max;
	struct nf_verdict verdict;
};

/* --- what is compared --- */

static int list_variants(struct job *j, const struct nf_bench_opts *o, struct nf_err *err)
{
	if (o->n_variants < 2 || o->n_variants % 2 || o->n_variants > NF_BENCH_VARIANTS_MAX)
		return nf_fail(err, NF_EARG, "%zu sides; allowed: 2 a benchmark, at most %d",
		               o->n_variants, NF_BENCH_VARIANTS_MAX);
	j->n = o->n_variants / 2;
	for (size_t i = 0; i < o->n_variants; i++)
		j->variant[i] = o->variant[i];
	if (o->null_row) {
		j->variant[2 * j->n] = o->variant[0];
		j->variant[2 * j->n].label = "null: old";
		j->variant[2 * j->n + 1] = o->variant[0];
		j->variant[2 * j->n + 1].label = "null: old again";
		j->n++;
	}
	return 0;
}

static int list_comparisons(struct job *j, const struct nf_bench_opts *o, struct nf_err *err)
{
	struct nf_arena *a = &j->sets.session.arena;
	size_t real = o->n_variants / 2;

	j->n_all = j->n + o->n_only_old + o->n_only_new;
	j->comparison = nf_arena_alloc(a, j->n_all, sizeof(*j->comparison));
	if (!j->comparison)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < j->n; i++)
		j->comparison[i] = (struct nf_rec_bench_comparison){
			.name = i < real ? nf_arena_strdup(a, o->name[i]) : "old against old",
			.old_variant = nf_some_nat(2 * i),
			.new_variant = nf_some_nat(2 * i + 1),
			.is_null = i >= real,
		};
	for (size_t i = 0; i < o->n_only_old + o->n_only_new; i++) {
		bool gone = i < o->n_only_old;

		j->comparison[j->n + i] = (struct nf_rec_bench_comparison){
			.name = nf_arena_strdup(a, gone ? o->only_old[i]
			                                : o->only_new[i - o->n_only_old]),
			.verdict = gone ? NF_BENCH_GONE : NF_BENCH_NEW,
		};
	}
	return nf_arena_failed(a, "record", err);
}

/* What this machine cannot have, known after the first sets, is not compared. */
static void drop_unsupported(struct job *j)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < j->n_all; i++) {
		struct nf_rec_bench_comparison *c = &j->comparison[i];

		if (c->old_variant.some && j->sets.rec_variant[c->old_variant.v].unsupported)
			continue;
		kept += i < j->n;
		j->comparison[n++] = *c;
	}
	j->n_all = n;
	j->n = kept;
}

/* --- the order --- */

static int schedule(struct job *j, struct nf_err *err)
{
	size_t pairs = j->sets.plan.sets * (j->sets.plan.extends ? NF_BENCH_EXTENSION : 1);
	int r = 0;

	j->pairs_max = pairs;
	if (pairs == 0)
		return 0; /* stopped before there was a plan */
	j->order = calloc(j->n * pairs, 2);
	if (!j->order)
		return nf_fail_nomem(err, "a schedule", j->n * pairs * 2);
	for (size_t i = 0; r == 0 && i < j->n; i++)
		r = nf_schedule_pairs(j->sets.opts->seed + i, pairs, j->order + i * 2 * pairs, err);
	return r;
}

static bool undecided(const struct job *j, size_t i)
{
	return j->comparison[i].verdict == NF_BENCH_INCONCLUSIVE;
}

/* Pairs [from, to) of the comparisons that want more, a block of each in turn. */
static int run_pairs(struct job *j, size_t from, size_t to, bool all, struct nf_err *err)
{
	struct nf_bench_slot *slot = calloc(j->n * (to - from) * 2 + 1, sizeof(*slot));
	size_t n = 0;

	if (!slot)
		return nf_fail_nomem(err, "a schedule", j->n * (to - from) * 2 * sizeof(*slot));
	for (size_t at = 2 * from; at < 2 * to; at += SLOTS_A_BLOCK - at % SLOTS_A_BLOCK) {
		size_t end = at + SLOTS_A_BLOCK - at % SLOTS_A_BLOCK;

		for (size_t i = 0; i < j->n; i++)
			for (size_t s = at; s < end && s < 2 * to; s++)
				if (all || undecided(j, i) || j->comparison[i].is_null)
					slot[n++] = (struct nf_bench_slot){
						(uint32_t)j->comparison[i].old_variant.v +
						        j->order[i * 2 * j->pairs_max + s],
						(uint32_t)(s / 2),
					};
	}
	int r = nf_bench_sets_run(&j->sets, slot, n, err);
	free(slot);
	return r;
}

static int look(struct job *j, struct nf_err *err)
{
	const struct nf_bench_evidence e = {
		.set = j->sets.set,
		.n_sets = j->sets.n_sets,
		.variant = j->sets.rec_variant,
		.iters = j->sets.plan.iters,
		.arena = &j->sets.session.arena,
	};

	j->record.rule.looks_taken++;
	return nf_bench_decide(&e, &j->record.rule, j->comparison, j->n, err);
}

static bool wants_more(const struct job *j)
{
	if (!j->sets.plan.extends || j->sets.session.stopped_by)
		return false;
	for (size_t i = 0; i < j->n; i++)
		if (undecided(j, i) && !j->comparison[i].is_null)
			return true;
	return false;
}

/* --- how many --- */

/* A second look halves the level of each, and so needs more pairs: it is planned only where it fits. */
static int plan(struct job *j, const struct nf_bench_cost *cost, struct nf_err *err)
{
	const struct nf_bench_opts *o = j->sets.opts;
	struct nf_bench_want want = {
		.shape = o->variant[0].backend == NF_BACKEND_BUILTIN ? NF_BENCH_COMPARE_BUILTIN
		                                                     : NF_BENCH_COMMANDS,
		.sets = o->sets,
		.iters = o->iters,
		.max_time_ns = o->max_time_ns,
		.may_extend = !o->no_extension,
	};
	struct nf_rec_bench_rule *rule = &j->record.rule;
	struct nf_bench_plan with_two;
	struct nf_err ignored = { 0 };
	size_t family = 0;

	for (size_t i = 0; i < j->n; i++)
		family += !j->comparison[i].is_null;
	rule->looks = 2;
	want.min_sets = nf_bench_min_pairs(rule, family);
	if (!want.may_extend || nf_bench_plan_make(&want, cost, &with_two, &ignored) < 0 ||
	    !with_two.extends) {
		rule->looks = 1;
		want.may_extend = false;
		want.min_sets = nf_bench_min_pairs(rule, family);
	}
	rule->min_pairs = want.min_sets;
	return nf_bench_sets_plan(&j->sets, &want, cost, &j->record.plan, err);
}

static int measure(struct job *j, struct nf_err *err)
{
	const struct nf_bench_opts *o = j->sets.opts;
	struct nf_bench_cost cost;

	j->record.rule = (struct nf_rec_bench_rule){
		.delta_ratio = o->delta,
		.alpha = o->alpha,
		.looks = 1,
	};
	j->record.plan.order = "randomised ABBA and BAAB blocks";
	int r = nf_bench_sets_pilot(&j->sets, &cost, err);
	if (r == 0)
		drop_unsupported(j);
	if (r == 0 && !j->sets.session.stopped_by)
		r = plan(j, &cost, err);
	if (r == 0)
		r = nf_bench_sets_folder(&j->sets, err);
	if (r == 0)
		r = schedule(j, err);
	if (r == 0)
		r = run_pairs(j, 0, j->sets.plan.sets, true, err);
	if (r == 0)
		r = look(j, err);
	if (r == 0 && wants_more(j)) {
		r = run_pairs(j, j->sets.plan.sets, j->pairs_max, false, err);
		if (r == 0)
			r = look(j, err);
	}
	return r < 0 ? r : nf_bench_sets_summarize(&j->sets, err);
}

/* --- the verdict --- */

static void conclude(struct job *j)
{
	struct nf_arena *a = &j->sets.session.arena;
	struct nf_verdict *v = &j->verdict;
	size_t count[NF_BENCH_FAILED + 1] = { 0 };
	const char *failure = NULL;

	*v = (struct nf_verdict){
		.result = NF_RESULT_PASS,
		.claim_ceiling =
		        "Shows whether these two differed here, now, under this load and in this "
		        "environment; SAME is said of differences up to the margin only.",
	};
	for (size_t i = 0; i < j->n_all; i++) {
		if (!j->comparison[i].is_null || j->comparison[i].failure)
			count[j->comparison[i].verdict]++;
		if (j->comparison[i].failure && !failure)
			failure = nf_arena_printf(a, "%s: %s", j->comparison[i].name,
			                          j->comparison[i].failure);
	}
	v->undecided = count[NF_BENCH_INCONCLUSIVE] > 0;
	v->subject_failed = count[NF_BENCH_FAILED] > 0;
	if (v->subject_failed) {
		v->result = NF_RESULT_FAIL;
		v->reason = failure;
	} else if (count[NF_BENCH_REGRESSED]) {
		v->result = NF_RESULT_FAIL;
		v->reason = nf_arena_printf(a, "%zu regressed", count[NF_BENCH_REGRESSED]);
	} else if (v->undecided) {
		v->result = NF_RESULT_PARTIAL;
		v->reason = nf_arena_printf(a, "%zu not decided", count[NF_BENCH_INCONCLUSIVE]);
	} else if (count[NF_BENCH_GONE]) {
		v->result = NF_RESULT_PARTIAL;
		v->reason = nf_arena_printf(a, "%zu gone", count[NF_BENCH_GONE]);
	}
	if (j->sets.session.stopped_by && v->result != NF_RESULT_FAIL) {
		v->result = NF_RESULT_PARTIAL;
		v->reason = "stopped before its planned end";
	}
}

static void text(const void *record, struct nf_buf *out)
{
	(void)nf_text_bench_compare(record, out);
}

int nf_job_bench_compare(const struct nf_job_opts *o, const struct nf_bench_opts *opts,
                         struct nf_job_outcome *ret, struct nf_err *err)
{
	struct job j = { .record.schema = "BenchCompare/1" };
	int r = list_variants(&j, opts, err);

	if (r < 0)
		return r;
	r = nf_bench_sets_open(&j.sets, o, opts, j.variant, 2 * j.n, 2, err);
	if (r == 0)
		r = list_comparisons(&j, opts, err);
	if (r == 0)
		r = measure(&j, err);
	if (r < 0)
		goto out;
	conclude(&j);
	j.record.variants = (struct nf_list){ j.sets.rec_variant, j.sets.n_variants };
	j.record.sets = (struct nf_list){ j.sets.set, j.sets.n_sets };
	j.record.comparisons = (struct nf_list){ j.comparison, j.n_all };
	r = nf_session_finish(&j.sets.session, &nf_rec_bench_compare_type, &j.record,
	                      &j.record.head, &j.verdict, text, ret, err);
out:
	free(j.order);
	nf_bench_sets_close(&j.sets);
	return r;
}
