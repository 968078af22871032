/* SPDX-License-Identifier: MIT */
/* bench_regress - sessions of benchmarks, stored or beside those that were. */
#include "job/bench_regress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "build_info.h"
#include "vcs.h"

#include "job/bench_decide.h"
#include "job/bench_sets.h"
#include "job/head.h"
#include "noisefloor/location.h"
#include "noisefloor/schedule.h"
#include "record/baseline_file.h"
#include "report/text_bench_regress.h"

enum { SESSIONS_TO_JUDGE = 2, MEDIANS_MIN_STORED = 3 };

struct job {
	struct nf_bench_sets sets;
	const struct nf_bench_regress_opts *opts;
	struct nf_rec_bench_regress record;
	struct nf_rec_bench_baseline stored;
	struct nf_rec_bench_machine here;
	struct nf_rec_bench_judged *judged; /* arena; one a variant */
	struct nf_list gone;
	struct nf_verdict verdict;
};

/* --- what it is compared with --- */

static void fingerprint(struct job *j)
{
	const struct nf_posture *p = &j->sets.session.before;

	j->here = (struct nf_rec_bench_machine){
		.machine_hash = p->machine_hash,
		.cpu_model = p->cpu_model,
		.cpus_online = p->cpus_online,
		.platform_kind = p->platform_kind,
	};
}

static struct nf_list copy_knobs(struct nf_arena *a, const char *const *knobs)
{
	size_t n = 0;

	while (knobs && knobs[n])
		n++;
	const char **item = nf_arena_alloc(a, n + 1, sizeof(*item));
	for (size_t i = 0; item && i < n; i++)
		item[i] = nf_arena_strdup(a, knobs[i]);
	return (struct nf_list){ item, item ? n : 0 };
}

static int list_judged(struct job *j, struct nf_err *err)
{
	struct nf_arena *a = &j->sets.session.arena;
	const struct nf_bench_key *key = j->opts->key;
	size_t n = j->sets.n_variants;

	j->judged = nf_arena_alloc(a, n, sizeof(*j->judged));
	for (size_t i = 0; j->judged && i < n; i++) {
		j->judged[i] = (struct nf_rec_bench_judged){
			.bench = nf_arena_strdup(a, key[i].bench),
			.knobs = copy_knobs(a, key[i].knobs),
			.variant = nf_some_nat(i),
		};
		if (key[i].threads)
			j->judged[i].threads = nf_some_nat(key[i].threads);
	}
	return nf_arena_failed(a, "record", err);
}

static int open_baseline(struct job *j, struct nf_err *err)
{
	const struct nf_bench_regress_opts *o = j->opts;
	const struct nf_job_opts *job = j->sets.session.opts;
	struct nf_arena *a = &j->sets.session.arena;
	const struct nf_bench_stock stock = {
		.baseline = &j->stored,
		.here = j->here,
		.now_unix_s = (uint64_t)(nf_now_utc().ns / 1000000000),
	};
	struct nf_rec_bench_against *rule = &j->record.baseline;
	int r = 0;

	*rule = (struct nf_rec_bench_against){
		.path = nf_arena_strdup(a, o->path),
		.saves = o->save,
		.any_machine = o->any_machine,
		.delta_ratio = j->sets.opts->delta,
		.alpha = j->sets.opts->alpha,
	};
	if (o->has_threshold)
		rule->threshold_ratio = nf_some_real(o->threshold);
	if (o->save) {
		r = nf_baseline_file_make(o->path, job->owner_uid, job->owner_gid, err);
		if (r == 0)
			r = nf_baseline_file_read(o->path, a, &j->stored, err);
		rule->sessions = j->stored.sessions.n;
		return r;
	}
	r = nf_baseline_file_read(o->path, a, &j->stored, err);
	if (r == 0)
		r = nf_bench_judge_open(&stock, o->key, j->sets.n_variants, a, rule, j->judged,
		                        err);
	if (r == 0 && o->covers)
		r = nf_bench_judge_gone(&stock, o->key, j->sets.n_variants, rule, o->covers,
		                        o->covers_ctx, a, &j->gone, err);
	return r;
}

/* What this machine cannot have, known after the first sets: of what is stored it has gone. */
static void settle_family(struct job *j)
{
	for (size_t i = 0; i < j->sets.n_variants; i++) {
		if (j->sets.rec_variant[i].unsupported)
			j->judged[i].verdict = NF_JUDGED_GONE; /* why stands with the variant */
		else
			j->record.baseline.family += j->judged[i].stored.n >= MEDIANS_MIN_STORED;
	}
}

/* --- one session --- */

static int run_session(struct job *j, size_t session, const bool *wanted, struct nf_err *err)
{
	size_t k = j->sets.n_variants, rows = j->sets.plan.sets, n = 0;
	uint8_t *order = calloc(k * rows + 1, 1);
	struct nf_bench_slot *slot = calloc(k * rows + 1, sizeof(*slot));
	int r = 0;

	if (!order || !slot)
		r = nf_fail_nomem(err, "a schedule", k * rows * sizeof(*slot));
	else if (k > 1)
		r = nf_schedule_williams(j->sets.opts->seed + session, k, rows, order, err);
	for (size_t i = 0; r == 0 && i < k * rows; i++)
		if (!wanted || wanted[order[i]])
			slot[n++] = (struct nf_bench_slot){ order[i],
				                            (uint32_t)(session * rows + i / k) };
	if (r == 0)
		r = nf_bench_sets_run(&j->sets, slot, n, err);
	free(order);
	free(slot);
	return r;
}

/* Of one variant in one session; *ret_sets 0: it has not all its sets. */
static int median_of(struct job *j, size_t variant, size_t session, double *ret, double *ret_cv,
                     size_t *ret_sets, struct nf_err *err)
{
	size_t rows = j->sets.plan.sets, n = 0, sets = 0, total = 0;
	const struct nf_rec_bench_variant *v = &j->sets.rec_variant[variant];
	struct nf_moments m = { 0 };
	int r = 0;

	*ret_sets = 0;
	for (size_t i = 0; i < j->sets.n_sets; i++)
		total += j->sets.set[i].values.n + 1;
	double *x = calloc(total + 1, sizeof(*x)), *medians = calloc(rows, sizeof(*medians));
	if (!x || !medians)
		r = nf_fail_nomem(err, "the values of a session", total * sizeof(*x));
	for (size_t i = 0; r == 0 && i < j->sets.n_sets; i++) {
		const struct nf_rec_bench_set *s = &j->sets.set[i];

		if (s->variant != variant || s->row / rows != session || s->failure ||
		    sets == rows || !nf_bench_set_complete(v, s, j->sets.plan.iters))
			continue;
		medians[sets++] = s->median.v;
		memcpy(x + n, s->values.items, s->values.n * sizeof(double));
		n += s->values.n;
	}
	if (r < 0 || sets != rows)
		goto out;
	r = nf_moments(medians, sets, &m, err);
	if (r == 0)
		r = nf_median(x, n, ret, err);
	if (r < 0)
		goto out;
	*ret_cv = m.has_cv ? m.cv : (double)NAN;
	*ret_sets = sets;
out:
	free(medians);
	free(x);
	return r;
}

static int add_median(struct job *j, size_t variant, double median, struct nf_err *err)
{
	struct nf_arena *a = &j->sets.session.arena;
	struct nf_rec_bench_judged *c = &j->judged[variant];
	const struct nf_rec_bench_variant *v = &j->sets.rec_variant[variant];
	double *all = nf_arena_alloc(a, c->sessions.n + 1, sizeof(*all));

	if (!all)
		return nf_arena_failed(a, "record", err);
	if (c->sessions.n)
		memcpy(all, c->sessions.items, c->sessions.n * sizeof(*all));
	all[c->sessions.n] = median;
	c->sessions = (struct nf_list){ all, c->sessions.n + 1 };
	if (c->stored.n > 0 && c->higher_is_better != v->higher_is_better) {
		c->verdict = NF_JUDGED_FAILED;
		c->reason = nf_arena_printf(a, "stored where %s is better, now %s is",
		                            c->higher_is_better ? "larger" : "smaller",
		                            v->higher_is_better ? "larger" : "smaller");
	}
	c->higher_is_better = v->higher_is_better;
	if (!c->unit)
		c->unit = v->unit;
	if (strcmp(c->unit, v->unit) != 0) {
		c->verdict = NF_JUDGED_FAILED;
		c->reason = nf_arena_printf(a, "stored in %.*s, now in %.*s",
		                            NF_UTF8_CUT(c->unit, 40), NF_UTF8_CUT(v->unit, 40));
	}
	return nf_arena_failed(a, "record", err);
}

/* What a session measured; *ret_whole: all of every variant that was wanted. medians may be NULL; room for one
 * of each variant. */
static int close_session(struct job *j, size_t session, const bool *wanted,
                         struct nf_rec_bench_stored *medians, size_t *ret_n, bool *ret_whole,
                         struct nf_err *err)
{
	size_t n = 0;
	int r = 0;

	*ret_whole = !j->sets.session.stopped_by;
	for (size_t i = 0; r == 0 && i < j->sets.n_variants; i++) {
		double median = 0, cv = (double)NAN;
		size_t sets;

		if ((wanted && !wanted[i]) || j->sets.rec_variant[i].unsupported)
			continue;
		r = median_of(j, i, session, &median, &cv, &sets, err);
		if (r < 0)
			break;
		if (sets == 0 || j->sets.rec_variant[i].failure) {
			*ret_whole = false;
			continue;
		}
		if (!(median > 0)) {
			j->judged[i].verdict = NF_JUDGED_FAILED;
			j->judged[i].reason = "its median is 0: there is no ratio to it";
			*ret_whole = false;
			continue;
		}
		r = add_median(j, i, median, err);
		if (medians)
			medians[n++] = (struct nf_rec_bench_stored){
				.bench = j->judged[i].bench,
				.program = j->sets.rec_variant[i].program,
				.is_command = j->opts->key[i].is_command,
				.threads = j->judged[i].threads,
				.knobs = j->judged[i].knobs,
				.unit = j->sets.rec_variant[i].unit,
				.higher_is_better =
				        nf_some_bool(j->sets.rec_variant[i].higher_is_better),
				.sets = sets,
				.iterations = j->sets.plan.iters,
				.median = median,
				.set_cv_ratio = nf_some_real(cv),
			};
	}
	*ret_n = n;
	return r;
}

/* --- storing --- */

static int store(struct job *j, const struct nf_rec_bench_stored *medians, size_t n,
                 struct nf_err *err)
{
	const struct nf_bench_regress_opts *o = j->opts;
	const struct nf_session *s = &j->sets.session;
	struct nf_arena *a = &j->sets.session.arena;
	struct nf_instant now = nf_now_utc();
	struct nf_rec_bench_session session = {
		.finished_utc = nf_head_utc(a, now),
		.finished_unix_s = (uint64_t)(now.ns / 1000000000),
		.run_id = s->folder ? nf_runfolder_name(s->folder) : NULL,
		.boot_id = s->before.boot_id,
		.kernel = s->before.kernel_release,
		.machine = j->here,
		.tool_version = NF_VERSION,
		.tool_commit = strcmp(NF_BUILD_COMMIT, "unknown") != 0 ? NF_BUILD_COMMIT : NULL,
		.commit = o->commit,
		.dirty = o->dirty,
		.medians = { medians, n },
	};
	int r = nf_arena_failed(a, "record", err);

	if (r == 0)
		r = nf_baseline_file_append(o->path, &session, err);
	if (r == 0)
		j->record.baseline.stored_now++;
	return r;
}

static void report_failures(struct job *j)
{
	for (size_t i = 0; i < j->sets.n_variants; i++)
		if (j->sets.rec_variant[i].failure) {
			j->judged[i].verdict = NF_JUDGED_FAILED;
			j->judged[i].reason = j->sets.rec_variant[i].failure;
		}
}

static int store_sessions(struct job *j, struct nf_err *err)
{
	struct nf_rec_bench_stored *medians = calloc(j->sets.n_variants, sizeof(*medians));
	bool whole = true;
	size_t n = 0;
	int r = medians ? 0
	                : nf_fail_nomem(err, "a session", j->sets.n_variants * sizeof(*medians));

	for (size_t i = 0; r == 0 && whole && i < j->opts->sessions; i++) {
		r = run_session(j, i, NULL, err);
		if (r == 0)
			r = close_session(j, i, NULL, medians, &n, &whole, err);
		if (r == 0 && whole)
			r = store(j, medians, n, err);
	}
	report_failures(j);
	for (size_t i = 0; r == 0 && i < j->sets.n_variants; i++) {
		struct nf_rec_bench_judged *c = &j->judged[i];

		if (c->verdict == NF_JUDGED_FAILED || c->verdict == NF_JUDGED_GONE)
			continue;
		if (j->record.baseline.stored_now == j->opts->sessions)
			c->verdict = NF_JUDGED_STORED;
		else
			c->reason = "not every session that was asked for was stored";
	}
	free(medians);
	return r;
}

/* --- comparing --- */

static int judge(struct job *j, struct nf_err *err)
{
	report_failures(j);
	return nf_bench_judge(&j->record.baseline, j->judged, j->sets.n_variants,
	                      &j->sets.session.arena, err);
}

static int compare_sessions(struct job *j, struct nf_err *err)
{
	bool wanted[NF_BENCH_VARIANTS_MAX] = { false }, any = false, whole;
	size_t n;
	int r = run_session(j, 0, NULL, err);

	if (r == 0)
		r = close_session(j, 0, NULL, NULL, &n, &whole, err);
	if (r == 0)
		r = judge(j, err);
	for (size_t i = 0; r == 0 && i < j->sets.n_variants; i++)
		any |= wanted[i] = nf_bench_judge_wants_more(&j->judged[i]);
	if (r == 0 && any && !j->sets.session.stopped_by) {
		r = run_session(j, 1, wanted, err);
		if (r == 0)
			r = close_session(j, 1, wanted, NULL, &n, &whole, err);
		if (r == 0)
			r = judge(j, err);
	}
	for (size_t i = 0; r == 0 && i < j->sets.n_variants; i++)
		if (nf_bench_judge_wants_more(&j->judged[i]))
			j->judged[i].reason =
			        "beyond the first bound, and no second session to confirm it";
	return r;
}

/* --- the run --- */

static int measure(struct job *j, struct nf_err *err)
{
	const struct nf_bench_opts *o = j->sets.opts;
	const struct nf_bench_want want = {
		.shape = o->variant[0].backend == NF_BACKEND_BUILTIN ? NF_BENCH_COMPARE_BUILTIN
		                                                     : NF_BENCH_COMMANDS,
		.sets = o->sets,
		.iters = o->iters,
		.min_sets = o->sets && o->sets < NF_BENCH_RUN_MIN_SETS ? o->sets
		                                                       : NF_BENCH_RUN_MIN_SETS,
		.max_time_ns = o->max_time_ns,
	};
	struct nf_bench_cost cost;
	int r = nf_bench_sets_pilot(&j->sets, &cost, err);

	j->record.plan.order = j->sets.n_variants > 1 ? "randomised Williams designs, a session "
	                                                "after the other"
	                                              : "one after the other";
	if (r == 0)
		settle_family(j);
	if (r == 0 && !j->sets.session.stopped_by)
		r = nf_bench_sets_plan(&j->sets, &want, &cost, &j->record.plan, err);
	if (r == 0)
		r = nf_bench_sets_folder(&j->sets, err);
	if (r < 0)
		return r;
	if (j->sets.plan.sets > 0) /* else it was stopped before there was a plan */
		r = j->opts->save ? store_sessions(j, err) : compare_sessions(j, err);
	if (r == 0 && j->sets.plan.sets == 0)
		r = judge(j, err);
	return r < 0 ? r : nf_bench_sets_summarize(&j->sets, err);
}

static int list_all(struct job *j, struct nf_err *err)
{
	struct nf_arena *a = &j->sets.session.arena;
	size_t n = j->sets.n_variants, listed = 0;
	struct nf_rec_bench_judged *all = nf_arena_alloc(a, n + j->gone.n, sizeof(*all));

	if (!all)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < n; i++)
		if (!j->sets.rec_variant[i].unsupported || j->judged[i].stored.n)
			all[listed++] = j->judged[i];
	if (j->gone.n)
		memcpy(all + listed, j->gone.items, j->gone.n * sizeof(*all));
	j->record.judged = (struct nf_list){ all, listed + j->gone.n };
	j->record.variants = (struct nf_list){ j->sets.rec_variant, n };
	j->record.sets = (struct nf_list){ j->sets.set, j->sets.n_sets };
	return 0;
}

static void conclude(struct job *j)
{
	struct nf_arena *a = &j->sets.session.arena;
	const struct nf_rec_bench_judged *c = j->record.judged.items;
	struct nf_verdict *v = &j->verdict;
	size_t count[NF_JUDGED_FAILED + 1] = { 0 };

	*v = (struct nf_verdict){
		.result = NF_RESULT_PASS,
		.claim_ceiling =
		        j->opts->save ? "Shows how long these took here, now."
		        : j->opts->has_threshold
		                ? "Shows whether a median is beyond a stored one by a fixed share; "
		                  "says nothing of how often noise alone does that."
		                : "Shows whether these are slower than in the stored sessions, as "
		                  "far "
		                  "as those differ among themselves; a machine that has changed "
		                  "since "
		                  "looks like a change of what was measured.",
	};
	for (size_t i = 0; i < j->record.judged.n; i++)
		count[c[i].verdict]++;
	v->undecided = count[NF_JUDGED_INCONCLUSIVE] > 0;
	v->subject_failed = count[NF_JUDGED_FAILED] > 0;
	if (v->subject_failed) {
		v->result = NF_RESULT_FAIL;
		v->reason = nf_arena_printf(a, "%zu failed", count[NF_JUDGED_FAILED]);
	} else if (count[NF_JUDGED_REGRESSED]) {
		v->result = NF_RESULT_FAIL;
		v->reason = nf_arena_printf(a, "%zu regressed", count[NF_JUDGED_REGRESSED]);
	} else if (v->undecided) {
		v->result = NF_RESULT_PARTIAL;
		v->reason = nf_arena_printf(a, "%zu not decided", count[NF_JUDGED_INCONCLUSIVE]);
	} else if (count[NF_JUDGED_GONE]) {
		v->result = NF_RESULT_PARTIAL;
		v->reason = nf_arena_printf(a, "%zu gone", count[NF_JUDGED_GONE]);
	}
	if (j->sets.session.stopped_by && v->result != NF_RESULT_FAIL) {
		v->result = NF_RESULT_PARTIAL;
		v->reason = "stopped before its planned end";
	}
}

static void text(const void *record, struct nf_buf *out)
{
	(void)nf_text_bench_regress(record, out);
}

int nf_job_bench_regress(const struct nf_job_opts *o, const struct nf_bench_opts *b,
                         const struct nf_bench_regress_opts *s, struct nf_job_outcome *ret,
                         struct nf_err *err)
{
	struct job j = { .opts = s, .record.schema = "BenchRegress/1" };
	int r = nf_bench_sets_open(&j.sets, o, b, b->variant, b->n_variants, 1, err);

	if (r == 0)
		fingerprint(&j);
	if (r == 0)
		r = list_judged(&j, err);
	if (r == 0)
		r = open_baseline(&j, err);
	if (r == 0)
		r = measure(&j, err);
	if (r == 0)
		r = list_all(&j, err);
	if (r < 0)
		goto out;
	conclude(&j);
	r = nf_session_finish(&j.sets.session, &nf_rec_bench_regress_type, &j.record,
	                      &j.record.head, &j.verdict, text, ret, err);
out:
	nf_bench_sets_close(&j.sets);
	return r;
}
