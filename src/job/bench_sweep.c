/* SPDX-License-Identifier: MIT */
/* bench_sweep - the points in turn, every set in the log as it ends; then each against the base. */
#include "job/bench_sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sysio.h"
#include "job/bench_sets.h"
#include "job/sweep_ceiling.h"
#include "job/sweep_identity.h"
#include "job/sweep_log.h"
#include "job/sweep_points.h"
#include "noisefloor/schedule.h"
#include "report/bench_sweep_csv.h"
#include "report/text_bench_sweep.h"

enum { FRAMES_BYTES = NF_SWEEP_LOG_BYTES_MAX };

struct job {
	struct nf_bench_sets sets;
	const struct nf_bench_sweep_opts *opts; /* borrowed */
	struct nf_rec_bench_sweep record;
	struct nf_list programs, facts; /* arena */
	struct nf_sweep_log before; /* what an earlier run did; zeros: there was none */
	struct nf_rec_sweep_session *session; /* arena; this one is the last */
	size_t n_sessions;
	struct nf_rec_sweep_point *point; /* arena */
	struct nf_bench_slot *slot; /* owned: what is left to do */
	size_t n_slots;
	int fd; /* log; -1: not begun */
	struct nf_verdict verdict;
};

/* --- the log --- */

static int append(struct job *j, const struct nf_buf *frames, bool durable, struct nf_err *err)
{
	int r = nf_write_all(j->fd, frames->data, frames->len_bytes, NF_SWEEP_LOG_NAME, err);

	if (r == 0 && durable && fdatasync(j->fd) < 0)
		r = nf_fail_os(err, errno, "cannot store %s", NF_SWEEP_LOG_NAME);
	return r;
}

static int on_begin(void *ctx, const struct nf_bench_slot *slot, struct nf_err *err)
{
	struct job *j = ctx;
	const struct nf_rec_sweep_interrupted begun = {
		.session = j->n_sessions - 1,
		.variant = slot->variant,
		.row = slot->row,
	};
	struct nf_buf frame;

	nf_buf_init(&frame, FRAMES_BYTES);
	int r = nf_sweep_log_begin(&begun, &frame, err);
	if (r == 0)
		r = append(j, &frame, false,
		           err); /* a power cut may lose it: the set's end says all */
	nf_buf_fini(&frame);
	return r;
}

static int on_done(void *ctx, const struct nf_rec_bench_set *set, struct nf_err *err)
{
	struct nf_buf frame;

	nf_buf_init(&frame, FRAMES_BYTES);
	int r = nf_sweep_log_set(set, &frame, err);
	if (r == 0)
		r = append(ctx, &frame, true, err);
	nf_buf_fini(&frame);
	return r;
}

/* The sets and the interruptions of an earlier session, as they were. */
static int copy_session(const struct job *j, size_t s, struct nf_buf *out, struct nf_err *err)
{
	const struct nf_sweep_log *b = &j->before;
	int r = nf_sweep_log_session(&b->session[s], out, err);

	for (size_t i = b->session[s].first_set;
	     r == 0 && i < b->session[s].first_set + b->session[s].sets; i++) {
		const struct nf_rec_sweep_interrupted begun = { s, b->set[i].variant,
			                                        b->set[i].row };

		r = nf_sweep_log_begin(&begun, out, err);
		if (r == 0)
			r = nf_sweep_log_set(&b->set[i], out, err);
	}
	for (size_t i = 0; r == 0 && i < b->n_interrupted; i++)
		if (b->interrupted[i].session == s)
			r = nf_sweep_log_begin(&b->interrupted[i], out, err);
	return r;
}

static int write_head(struct job *j, struct nf_buf *out, struct nf_err *err)
{
	struct nf_arena *a = &j->sets.session.arena;
	struct nf_rec_sweep_log_variant *v = nf_arena_alloc(a, j->sets.n_variants, sizeof(*v));
	struct nf_rec_sweep_log_head head = {
		.schema = "BenchSweepLog/1",
		.facts = j->facts,
		.plan = j->record.plan,
		.variants = { v, j->sets.n_variants },
	};

	if (!v)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < j->sets.n_variants; i++)
		v[i] = (struct nf_rec_sweep_log_variant){
			j->sets.rec_variant[i].pilot_ns,
			j->sets.rec_variant[i].unit,
			j->sets.rec_variant[i].higher_is_better,
			j->sets.rec_variant[i].failure,
		};
	/* What failed later is in the sets. */
	for (size_t i = 0; j->opts->resume && i < j->sets.n_variants; i++)
		v[i] = ((const struct nf_rec_sweep_log_variant *)j->before.head.variants.items)[i];
	return nf_sweep_log_head(&head, out, err);
}

static int open_log(struct job *j, struct nf_err *err)
{
	struct nf_runfolder *folder = j->sets.session.folder;
	struct nf_buf path, frames;

	nf_buf_init(&path, 8192);
	nf_buf_init(&frames, FRAMES_BYTES);
	(void)nf_buf_addf(&path, "%s/%s", nf_runfolder_path(folder), NF_SWEEP_LOG_NAME);
	int r = nf_buf_failed(&path, "the path of a log", err);
	if (r == 0)
		r = write_head(j, &frames, err);
	for (size_t s = 0; r == 0 && s < j->before.n_sessions; s++)
		r = copy_session(j, s, &frames, err);
	if (r == 0)
		r = nf_sweep_log_session(&j->session[j->n_sessions - 1], &frames, err);
	if (r < 0)
		goto out;
	j->fd = open(path.data, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
	if (j->fd < 0) {
		r = nf_fail_os(err, errno, "%s", path.data);
		goto out;
	}
	r = nf_runfolder_give(folder, NF_SWEEP_LOG_NAME, err);
	if (r == 0)
		r = append(j, &frames, true, err);
out:
	nf_buf_fini(&path);
	nf_buf_fini(&frames);
	return r;
}

/* --- what an earlier run did --- */

static int restore(struct job *j, struct nf_err *err)
{
	struct nf_sweep_log *b = &j->before;
	const struct nf_rec_sweep_log_variant *v;
	int r = nf_sweep_log_read(j->opts->resume, &j->sets.session.arena, b, err);

	if (r == 0)
		r = nf_sweep_facts_same(&b->head.facts, &j->facts, j->opts->resume, err);
	if (r < 0)
		return r;
	v = b->head.variants.items;
	if (b->head.variants.n != j->sets.n_variants || b->head.plan.sets == 0 ||
	    b->head.plan.sets > NF_BENCH_SETS_MAX)
		return nf_fail(err, NF_EDATA, "%s: %s: the plan does not fit its own facts",
		               j->opts->resume, NF_SWEEP_LOG_NAME);
	for (size_t i = 0; r == 0 && i < b->head.variants.n; i++)
		r = nf_bench_sets_know(&j->sets, i, v[i].pilot_ns, v[i].unit, v[i].higher_is_better,
		                       v[i].failure, err);
	for (size_t i = 0; r == 0 && i < b->n_sets; i++) {
		if (b->set[i].variant >= j->sets.n_variants || b->set[i].row >= b->head.plan.sets)
			return nf_fail(err, NF_EDATA, "%s: %s: a set that was not planned",
			               j->opts->resume, NF_SWEEP_LOG_NAME);
		r = nf_bench_sets_restore(&j->sets, &b->set[i], err);
	}
	j->record.plan = b->head.plan;
	j->sets.plan = (struct nf_bench_plan){
		.sets = b->head.plan.sets,
		.iters = b->head.plan.iterations,
		.sets_asked = b->head.plan.sets_asked,
		.iters_asked = b->head.plan.iterations_asked,
		.estimate_ns = b->head.plan.estimate_s * 1e9,
	};
	return r;
}

static void say(const struct job *j, const char *line)
{
	if (j->opts->bench.say)
		j->opts->bench.say(j->opts->bench.say_ctx, line);
}

static void say_folder(const struct job *j)
{
	struct nf_buf line;
	size_t all = j->sets.n_variants * j->sets.plan.sets;

	nf_buf_init(&line, 8192);
	if (j->opts->resume) {
		(void)nf_buf_addf(&line, "%zu of %zu sets are there already", j->before.n_sets,
		                  all);
		if (j->before.n_interrupted)
			(void)nf_buf_addf(&line, ", %zu %s interrupted and %s run again",
			                  j->before.n_interrupted,
			                  j->before.n_interrupted == 1 ? "was" : "were",
			                  j->before.n_interrupted == 1 ? "is" : "are");
		say(j, line.data);
		nf_buf_clear(&line);
	}
	(void)nf_buf_addf(&line, "if this is interrupted, --resume %s goes on",
	                  nf_runfolder_path(j->sets.session.folder));
	say(j, line.data);
	nf_buf_fini(&line);
}

/* --- the order --- */

/* What is left of the schedule, which is the same in every session. */
static int schedule(struct job *j, struct nf_err *err)
{
	size_t k = j->sets.n_variants, rows = j->sets.plan.sets;
	uint8_t *order = calloc(k * rows, 1);
	bool *done = calloc(k * rows, sizeof(*done));
	int r = 0;

	j->slot = calloc(k * rows, sizeof(*j->slot));
	if (!order || !done || !j->slot)
		r = nf_fail_nomem(err, "a schedule", k * rows * sizeof(*j->slot));
	else
		r = nf_schedule_williams(j->sets.opts->seed, k, rows, order, err);
	for (size_t i = 0; r == 0 && i < j->sets.n_sets; i++)
		done[j->sets.set[i].row * k + j->sets.set[i].variant] = true;
	for (size_t i = 0; r == 0 && i < k * rows; i++)
		if (!done[i / k * k + order[i]])
			j->slot[j->n_slots++] =
			        (struct nf_bench_slot){ order[i], (uint32_t)(i / k) };
	free(order);
	free(done);
	return r;
}

/* --- measuring --- */

static int open_session(struct job *j, struct nf_err *err)
{
	struct nf_session *s = &j->sets.session;
	struct nf_buf utc;

	j->n_sessions = j->before.n_sessions + 1;
	j->session = nf_arena_alloc(&s->arena, j->n_sessions, sizeof(*j->session));
	if (!j->session)
		return nf_arena_failed(&s->arena, "record", err);
	if (j->before.n_sessions)
		memcpy(j->session, j->before.session, j->before.n_sessions * sizeof(*j->session));
	nf_buf_init(&utc, 64);
	(void)nf_utc_print(s->started_utc, &utc);
	j->session[j->n_sessions - 1] = (struct nf_rec_sweep_session){
		.run = nf_arena_strdup(&s->arena, nf_runfolder_name(s->folder)),
		.started_utc = nf_arena_strdup(&s->arena, utc.data),
		.boot_id = s->before.boot_id,
		.first_set = j->sets.n_sets,
	};
	nf_buf_fini(&utc);
	return nf_arena_failed(&s->arena, "record", err);
}

static int plan(struct job *j, struct nf_err *err)
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

	if (j->opts->resume)
		return restore(j, err);
	j->record.plan.order = "randomised Williams designs";
	int r = nf_bench_sets_pilot(&j->sets, &cost, err);
	for (size_t i = 0; r == 0 && i < j->sets.n_variants; i++) {
		struct nf_rec_bench_variant *v = &j->sets.rec_variant[i];

		/* Every point was asked for by itself: what one of them cannot have is a failure of it. */
		if (v->unsupported && !v->failure)
			v->failure = v->unsupported;
		v->unsupported = NULL;
	}
	if (r == 0 && !j->sets.session.stopped_by)
		r = nf_bench_sets_plan(&j->sets, &want, &cost, &j->record.plan, err);
	return r;
}

static int run(struct job *j, struct nf_err *err)
{
	const struct nf_bench_keep keep = { j, on_begin, on_done };
	int r = open_session(j, err);

	if (r == 0 && j->sets.plan.sets == 0)
		return 0; /* stopped before there was a plan */
	if (r == 0)
		r = open_log(j, err);
	if (r < 0)
		return r;
	say_folder(j);
	r = schedule(j, err);
	j->sets.keep = &keep;
	if (r == 0)
		r = nf_bench_sets_run(&j->sets, j->slot, j->n_slots, err);
	j->sets.keep = NULL;
	for (size_t i = j->session[j->n_sessions - 1].first_set; i < j->sets.n_sets; i++)
		j->session[j->n_sessions - 1].sets += !j->sets.set[i].stopped;
	return r;
}

static int measure(struct job *j, struct nf_err *err)
{
	struct nf_arena *a = &j->sets.session.arena;
	const struct nf_bench_opts *o = j->sets.opts;
	int r = nf_sweep_programs(o->variant, o->n_variants, a, &j->programs, err);

	if (r == 0)
		r = nf_sweep_facts(j->opts, &j->programs, &j->sets.session.before, a, &j->facts,
		                   err);
	if (r == 0)
		r = plan(j, err);
	if (r == 0)
		r = nf_bench_sets_folder(&j->sets, err);
	if (r == 0)
		r = run(j, err);
	return r < 0 ? r : nf_bench_sets_summarize(&j->sets, err);
}

/* --- the record --- */

static struct nf_list copy_texts(struct nf_arena *a, const char *const *text, size_t n)
{
	const char **item = nf_arena_alloc(a, n ? n : 1, sizeof(*item));

	for (size_t i = 0; item && i < n; i++)
		item[i] = nf_arena_strdup(a, text[i]);
	return (struct nf_list){ item, item ? n : 0 };
}

static int declare(struct job *j, struct nf_err *err)
{
	const struct nf_sweep *s = j->opts->sweep;
	struct nf_arena *a = &j->sets.session.arena;
	struct nf_rec_sweep_knob *knob = nf_arena_alloc(a, s->n_knobs, sizeof(*knob));

	j->point = nf_arena_alloc(a, s->n_points, sizeof(*j->point));
	if (!knob || !j->point)
		return nf_arena_failed(a, "record", err);
	for (size_t k = 0; k < s->n_knobs; k++)
		knob[k] = (struct nf_rec_sweep_knob){
			.name = nf_arena_strdup(a, s->knob[k].name),
			.kind = s->knob[k].is_arg ? NF_SWEEP_ARG : NF_SWEEP_ENV,
			.values = copy_texts(a, s->knob[k].value, s->knob[k].n),
		};
	for (size_t p = 0; p < s->n_points; p++) {
		uint64_t workers =
		        s->point[p].workers ? s->point[p].workers : j->sets.variant[p].threads;

		j->point[p] = (struct nf_rec_sweep_point){
			.label = nf_arena_strdup(a, s->point[p].label),
			.values = copy_texts(a, s->point[p].value, s->n_knobs),
			.variant = p,
		};
		if (workers)
			j->point[p].workers = nf_some_nat(workers);
	}
	j->record.knobs = (struct nf_list){ knob, s->n_knobs };
	j->record.points = (struct nf_list){ j->point, s->n_points };
	j->record.form = s->grid ? NF_SWEEP_GRID : NF_SWEEP_POINTS;
	j->record.base = s->base;
	j->record.file = nf_arena_strdup(a, j->opts->file);
	j->record.file_sha256 = nf_arena_strdup(a, j->opts->file_sha256);
	return nf_arena_failed(a, "record", err);
}

static int judge(struct job *j, struct nf_err *err)
{
	struct nf_rec_bench_sweep *rec = &j->record;
	struct nf_arena *a = &j->sets.session.arena;
	const struct nf_bench_evidence e = {
		.set = j->sets.set,
		.n_sets = j->sets.n_sets,
		.variant = j->sets.rec_variant,
		.iters = j->sets.plan.iters,
		.arena = a,
	};
	size_t cpus = nf_cpuset_count(nf_topology_allowed(j->sets.session.topo));
	struct nf_rec_sweep_interrupted *lost =
	        nf_arena_alloc(a, j->before.n_interrupted + 1, sizeof(*lost));

	if (!lost)
		return nf_arena_failed(a, "record", err);
	rec->rule = (struct nf_rec_bench_rule){
		.delta_ratio = j->opts->bench.delta,
		.alpha = j->opts->bench.alpha,
		.looks = 1,
		.looks_taken = 1,
		.min_pairs = nf_sweep_min_sets(j->opts->sweep->n_points, j->opts->bench.delta),
	};
	rec->bh_q = NF_SWEEP_BH_Q;
	if (cpus > 0)
		rec->cpus = nf_some_nat(cpus);
	if (j->before.n_interrupted)
		memcpy(lost, j->before.interrupted, j->before.n_interrupted * sizeof(*lost));
	rec->programs = j->programs;
	rec->sessions = (struct nf_list){ j->session, j->n_sessions };
	rec->interrupted = (struct nf_list){ lost, j->before.n_interrupted };
	rec->variants = (struct nf_list){ j->sets.rec_variant, j->sets.n_variants };
	rec->sets = (struct nf_list){ j->sets.set, j->sets.n_sets };
	int r = nf_sweep_compare(&e, &rec->rule, j->session, j->n_sessions, rec->base, j->point,
	                         rec->points.n, err);
	if (r < 0)
		return r;
	nf_sweep_extremes(j->point, rec->points.n, &rec->best, &rec->worst);
	return nf_sweep_ceilings(rec, a, &rec->ceilings, err);
}

/* --- the verdict --- */

static void conclude(struct job *j)
{
	struct nf_arena *a = &j->sets.session.arena;
	struct nf_verdict *v = &j->verdict;
	const char *const *ceiling = j->record.ceilings.items;

	*v = (struct nf_verdict){
		.result = NF_RESULT_PASS,
		.claim_ceiling =
		        "Shows which points differed from the base here, now; of the points that "
		        "are marked about one in twenty may be no different. The best of many "
		        "points looks better than it is: measure it again.",
	};
	for (size_t i = 0; i < j->record.ceilings.n; i++)
		v->claim_ceiling = nf_arena_printf(a, "%s %s.", v->claim_ceiling, ceiling[i]);
	for (size_t i = 0; i < j->sets.n_variants; i++)
		if (j->point[i].failure) {
			v->result = NF_RESULT_FAIL;
			v->subject_failed = true;
			v->reason = nf_arena_printf(a, "%s: %s", j->point[i].label,
			                            j->point[i].failure);
			return;
		}
	if (j->sets.session.stopped_by) {
		v->result = NF_RESULT_PARTIAL;
		v->reason = "stopped before its planned end";
	}
}

static void text(const void *record, struct nf_buf *out)
{
	(void)nf_text_bench_sweep(record, out);
}

static int finish(struct job *j, struct nf_buf *csv, struct nf_job_outcome *ret, struct nf_err *err)
{
	size_t from = csv->len_bytes;
	bool changed;
	int r = nf_sweep_programs_again(&j->programs, &changed, err);

	if (r == 0)
		r = judge(j, err);
	if (r < 0)
		return r;
	conclude(j);
	(void)nf_bench_sweep_csv(&j->record, csv);
	r = nf_buf_failed(csv, "the CSV form of a sweep", err);
	if (r == 0)
		r = nf_runfolder_put(j->sets.session.folder, "derived/sweep.csv", csv->data + from,
		                     csv->len_bytes - from, err);
	if (r == 0)
		r = nf_session_finish(&j->sets.session, &nf_rec_bench_sweep_type, &j->record,
		                      &j->record.head, &j->verdict, text, ret, err);
	return r;
}

int nf_job_bench_sweep(const struct nf_job_opts *o, const struct nf_bench_sweep_opts *s,
                       struct nf_buf *csv, struct nf_job_outcome *ret, struct nf_err *err)
{
	struct job j = { .record.schema = "BenchSweep/1", .opts = s, .fd = -1 };
	int r = nf_bench_sets_open(&j.sets, o, &s->bench, s->bench.variant, s->bench.n_variants, 1,
	                           err);

	if (r == 0)
		r = declare(&j, err);
	if (r == 0)
		r = measure(&j, err);
	if (r == 0)
		r = finish(&j, csv, ret, err);
	if (j.fd >= 0)
		(void)close(j.fd); /* what is in it was stored */
	free(j.slot);
	nf_sweep_log_fini(&j.before);
	nf_bench_sets_close(&j.sets);
	return r;
}
