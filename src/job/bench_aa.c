/* SPDX-License-Identifier: MIT */
#include "job/bench_aa.h"

#include <math.h>
#include <stdlib.h>

#include "base/duration.h"
#include "job/bench_decide.h"
#include "job/bench_sets.h"
#include "noisefloor/schedule.h"
#include "report/text_bench_aa.h"

/* What is compared: the chain of multiplications of the suite spin, with itself and with more of it. */
static const struct known {
	const char *name;
	const char *new_bench;
	double slowdown;
} known[] = {
	{ "the same work", "spin.1000", 0 },
	{ "5 % more work", "spin.1050", 0.05 },
	{ "20 % more work", "spin.1200", 0.2 },
};
enum { N_KNOWN = sizeof(known) / sizeof(*known), SLOTS_A_BLOCK = 4, SETS = 20, ITERS = 10 };

struct job {
	struct nf_bench_sets sets;
	struct nf_variant variant[2 * N_KNOWN];
	struct nf_rec_selftest_aa record;
	struct nf_rec_aa_trial *trial; /* arena */
	size_t n_trials;
	struct nf_rec_aa_score score[N_KNOWN];
	struct nf_verdict verdict;
};

static void list_variants(struct job *j)
{
	static const char *const label[] = { "same: old", "same: new", "5 %: old",
		                             "5 %: new",  "20 %: old", "20 %: new" };

	for (size_t i = 0; i < N_KNOWN; i++) {
		j->variant[2 * i] = (struct nf_variant){ .label = label[2 * i],
			                                 .backend = NF_BACKEND_BUILTIN,
			                                 .bench = known[0].new_bench };
		j->variant[2 * i + 1] = (struct nf_variant){ .label = label[2 * i + 1],
			                                     .backend = NF_BACKEND_BUILTIN,
			                                     .bench = known[i].new_bench };
		j->score[i] = (struct nf_rec_aa_score){ .name = known[i].name,
			                                .slowdown_ratio = known[i].slowdown };
	}
}

/* --- how often --- */

static int refuse(double per_repeat_ns, double spent_ns, int64_t max_ns, struct nf_err *err)
{
	struct nf_buf have;
	double need_s = ceil((spent_ns + per_repeat_ns * NF_AA_REPEATS_MIN) / 1e9);

	nf_buf_init(&have, 64);
	(void)nf_duration_print(max_ns, &have);
	int r = nf_fail(err, NF_EUNSUPPORTED,
	                "--max-time %s: fewer than %d repeats fit, and they say nothing; "
	                "--max-time %.0fs or more would do",
	                have.data, NF_AA_REPEATS_MIN, need_s < 1 ? 1 : need_s);
	nf_buf_fini(&have);
	return r;
}

static void say(const struct job *j)
{
	const struct nf_rec_selftest_aa *r = &j->record;
	struct nf_buf line;

	if (!j->sets.opts->say)
		return;
	nf_buf_init(&line, 512);
	nf_buf_addf(&line, "%d comparisons of %zu pairs of sets of %zu values, %zu repeats: about ",
	            N_KNOWN, (size_t)r->plan.sets, (size_t)r->plan.iterations, (size_t)r->repeats);
	(void)nf_duration_print_short(j->sets.plan.estimate_ns, &line);
	if (r->repeats < r->repeats_asked)
		nf_buf_addf(&line, " (%zu do not fit --max-time)", (size_t)r->repeats_asked);
	j->sets.opts->say(j->sets.opts->say_ctx, line.data);
	nf_buf_fini(&line);
}

static int plan(struct job *j, const struct nf_bench_cost *c, size_t repeats, struct nf_err *err)
{
	const struct nf_bench_opts *o = j->sets.opts;
	size_t sets = o->sets ? o->sets : SETS, iters = o->iters ? o->iters : ITERS;
	double per_repeat_ns = (double)sets * (c->fixed_ns + (double)iters * c->value_ns);
	double room = ((double)o->max_time_ns - c->spent_ns) / per_repeat_ns;
	size_t least = nf_bench_min_pairs(&j->record.rule, 1);

	if (sets < least)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "%zu sets a side: nothing can be found with them; %zu or more would "
		               "do",
		               sets, least);
	j->record.rule.min_pairs = least;
	j->record.repeats_asked = repeats;
	if (room < (double)repeats)
		repeats = room >= 1 ? (size_t)room : 0;
	if (repeats < NF_AA_REPEATS_MIN)
		return refuse(per_repeat_ns, c->spent_ns, o->max_time_ns, err);
	j->record.repeats = repeats;
	j->sets.plan = (struct nf_bench_plan){
		.sets = sets,
		.iters = iters,
		.sets_asked = sets,
		.iters_asked = iters,
		.estimate_ns = c->spent_ns + per_repeat_ns * (double)repeats,
	};
	j->record.plan = (struct nf_rec_bench_plan){
		.sets = sets,
		.iterations = iters,
		.sets_asked = sets,
		.iterations_asked = iters,
		.min_iteration_ns = (uint64_t)o->min_iteration_ns,
		.max_time_ns = (uint64_t)o->max_time_ns,
		.cpus = o->cpus ? nf_arena_strdup(&j->sets.session.arena, o->cpus) : NULL,
		.estimate_s = j->sets.plan.estimate_ns / 1e9,
		.order = j->record.plan.order,
	};
	say(j);
	return 0;
}

/* --- one repeat --- */

/* The pairs of all comparisons, a block of each in turn. */
static int schedule(const struct job *j, size_t repeat, uint8_t *order, struct nf_bench_slot *slot,
                    size_t *ret_n, struct nf_err *err)
{
	size_t pairs = j->sets.plan.sets, n = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < N_KNOWN; i++)
		r = nf_schedule_pairs(j->sets.opts->seed + repeat * N_KNOWN + i, pairs,
		                      order + i * 2 * pairs, err);
	for (size_t at = 0; r == 0 && at < 2 * pairs; at += SLOTS_A_BLOCK)
		for (size_t i = 0; i < N_KNOWN; i++)
			for (size_t s = at; s < at + SLOTS_A_BLOCK && s < 2 * pairs; s++)
				slot[n++] = (struct nf_bench_slot){
					(uint32_t)(2 * i) + order[i * 2 * pairs + s],
					(uint32_t)(s / 2),
				};
	*ret_n = n;
	return r;
}

static int decide(struct job *j, size_t first, size_t repeat, struct nf_err *err)
{
	const struct nf_bench_evidence e = {
		.set = j->sets.set + first,
		.n_sets = j->sets.n_sets - first,
		.variant = j->sets.rec_variant,
		.iters = j->sets.plan.iters,
		.arena = &j->sets.session.arena,
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < N_KNOWN; i++) {
		struct nf_rec_aa_trial *t = &j->trial[j->n_trials];

		*t = (struct nf_rec_aa_trial){
			.repeat = repeat,
			.comparison = { .name = known[i].name,
			                .old_variant = nf_some_nat(2 * i),
			                .new_variant = nf_some_nat(2 * i + 1) },
		};
		r = nf_bench_decide(&e, &j->record.rule, &t->comparison, 1, err);
		if (r < 0)
			break;
		t->expected_ratio =
		        known[i].slowdown > 0
		                ? nf_aa_power(&t->comparison, &j->record.rule, known[i].slowdown)
		                : t->comparison.same_ratio;
		j->n_trials++;
	}
	for (size_t i = first; i < j->sets.n_sets; i++)
		j->sets.set[i].row += repeat * j->sets.plan.sets;
	return r;
}

static bool one_failed(const struct job *j)
{
	for (size_t i = 0; i < 2 * N_KNOWN; i++)
		if (j->sets.rec_variant[i].failure)
			return true;
	return false;
}

static int repeat_all(struct job *j, struct nf_err *err)
{
	size_t repeats = j->record.repeats, slots = 2 * N_KNOWN * j->sets.plan.sets;
	int r = 0;

	j->trial = nf_arena_alloc(&j->sets.session.arena, repeats * N_KNOWN, sizeof(*j->trial));
	if (!j->trial)
		return nf_arena_failed(&j->sets.session.arena, "record", err);
	struct nf_bench_slot *slot = calloc(slots, sizeof(*slot));
	uint8_t *order = calloc(slots, 1);
	if (!slot || !order)
		r = nf_fail_nomem(err, "a schedule", slots * sizeof(*slot));
	j->sets.planned = slots * repeats;
	for (size_t i = 0; r == 0 && i < repeats; i++) {
		size_t first = j->sets.n_sets, n = 0;

		r = schedule(j, i, order, slot, &n, err);
		j->sets.planned -= n; /* nf_bench_sets_run() adds them */
		if (r == 0)
			r = nf_bench_sets_run(&j->sets, slot, n, err);
		if (r < 0)
			break;
		if (j->sets.session.stopped_by || one_failed(j)) {
			for (size_t k = first; k < j->sets.n_sets; k++)
				j->sets.set[k].row += i * j->sets.plan.sets;
			break;
		}
		r = decide(j, first, i, err);
	}
	free(slot);
	free(order);
	return r;
}

/* --- the run --- */

static int measure(struct job *j, size_t repeats, struct nf_err *err)
{
	const struct nf_bench_opts *o = j->sets.opts;
	struct nf_bench_cost cost;

	j->record.rule = (struct nf_rec_bench_rule){
		.delta_ratio = o->delta,
		.alpha = o->alpha,
		.looks = 1,
		.looks_taken = 1,
	};
	j->record.repeats_asked = repeats;
	j->record.plan.order =
	        "randomised ABBA and BAAB blocks, of each comparison in turn; so many repeats";
	int r = nf_bench_sets_pilot(&j->sets, &cost, err);
	if (r == 0 && !j->sets.session.stopped_by)
		r = plan(j, &cost, repeats, err);
	if (r == 0)
		r = nf_bench_sets_folder(&j->sets, err);
	if (r == 0 && j->record.repeats > 0)
		r = repeat_all(j, err);
	if (r == 0)
		r = nf_bench_sets_summarize(&j->sets, err);
	for (size_t i = 0; r == 0 && i < N_KNOWN; i++)
		r = nf_aa_score(j->trial, j->n_trials, i, &j->record.rule, &j->sets.session.arena,
		                &j->score[i], err);
	return r;
}

static void conclude(struct job *j)
{
	struct nf_verdict *v = &j->verdict;

	*v = (struct nf_verdict){
		.result = NF_RESULT_PASS,
		.claim_ceiling = "Shows how comparisons of this work come out here, now; other "
		                 "work is disturbed in other ways.",
	};
	for (size_t i = 0; i < 2 * N_KNOWN; i++)
		if (j->sets.rec_variant[i].failure) {
			v->result = NF_RESULT_FAIL;
			v->subject_failed = true;
			v->reason = j->sets.rec_variant[i].failure;
			return;
		}
	for (size_t i = 0; i < N_KNOWN; i++)
		if (j->score[i].result == NF_RESULT_FAIL) {
			v->result = NF_RESULT_FAIL;
			v->reason = nf_arena_printf(&j->sets.session.arena, "%s: %s",
			                            j->score[i].name, j->score[i].reason);
			return;
		}
	if (j->sets.session.stopped_by) {
		v->result = NF_RESULT_PARTIAL;
		v->reason = "stopped before its planned end";
	}
}

static void text(const void *record, struct nf_buf *out)
{
	(void)nf_text_bench_aa(record, out);
}

int nf_job_bench_aa(const struct nf_job_opts *o, const struct nf_bench_opts *bench, size_t repeats,
                    struct nf_job_outcome *ret, struct nf_err *err)
{
	struct job j = { .record.schema = "SelftestAa/1" };

	list_variants(&j);
	int r = nf_bench_sets_open(&j.sets, o, bench, j.variant, (size_t)2 * N_KNOWN, 1, err);
	if (r == 0)
		r = measure(&j, repeats, err);
	if (r < 0)
		goto out;
	conclude(&j);
	j.record.variants = (struct nf_list){ j.sets.rec_variant, j.sets.n_variants };
	j.record.sets = (struct nf_list){ j.sets.set, j.sets.n_sets };
	j.record.trials = (struct nf_list){ j.trial, j.n_trials };
	j.record.scores = (struct nf_list){ j.score, N_KNOWN };
	r = nf_session_finish(&j.sets.session, &nf_rec_selftest_aa_type, &j.record, &j.record.head,
	                      &j.verdict, text, ret, err);
out:
	nf_bench_sets_close(&j.sets);
	return r;
}
