/* SPDX-License-Identifier: MIT */
#include "job/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/utf8.h"
#include "build_info.h"
#include "noisefloor/changepoint.h"
#include "record/metrics.h"
#include "record/rec_history.h"
#include "record/write.h"
#include "report/text.h"
#include "store/update.h"

enum { ARENA_BYTES = 256 << 20, POINTS_MAX = 1 << 20, SERIES_MAX = 4096, STEPS_MAX = 256 };

/* --- reading the index --- */

struct reading {
	struct nf_arena *a;
	struct nf_rec_history_point *point; /* heap, growing; all series one after the other */
	size_t n_points, cap;
	struct nf_rec_history_series *series; /* arena */
	size_t *first; /* arena: index of each series' first point */
	size_t n_series;
	bool too_many;
	struct nf_err *err;
};

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Runs come ordered by what makes a series. */
static bool same_series(const struct reading *r, const struct nf_store_run *run)
{
	if (r->n_series == 0)
		return false;
	const struct nf_rec_history_series *s = &r->series[r->n_series - 1];
	return same(s->machine, run->machine) && same(s->host, run->host) &&
	       same(s->lane, run->lane) && same(s->tag, run->tag);
}

static int room_for_one(struct reading *r)
{
	size_t cap = r->cap ? 2 * r->cap : 64;

	if (r->n_points < r->cap)
		return 0;
	void *more = cap <= POINTS_MAX ? reallocarray(r->point, cap, sizeof(*r->point)) : NULL;
	if (!more)
		return nf_fail_nomem(r->err, "the points", cap * sizeof(*r->point));
	r->point = more;
	r->cap = cap;
	return 0;
}

static int take(void *ctx, const struct nf_store_run *run)
{
	struct reading *r = ctx;

	if (!same_series(r, run)) {
		if (r->n_series == SERIES_MAX) {
			r->too_many = true;
			return 0;
		}
		r->first[r->n_series] = r->n_points;
		r->series[r->n_series++] = (struct nf_rec_history_series){
			.host = nf_arena_strdup(r->a, run->host),
			.machine = nf_arena_strdup(r->a, run->machine),
			.lane = nf_arena_strdup(r->a, run->lane),
			.tag = nf_arena_strdup(r->a, run->tag),
		};
	}
	int rc = room_for_one(r);
	if (rc < 0)
		return rc;
	r->point[r->n_points++] = (struct nf_rec_history_point){
		.folder = nf_arena_strdup(r->a, run->folder),
		.started_utc = nf_arena_strdup(r->a, run->started_utc),
		.value = run->value->value,
		.kernel = nf_arena_strdup(r->a, run->kernel),
		.boot_id = nf_arena_strdup(r->a, run->boot_id),
		.complete = run->state && strcmp(run->state, "complete") == 0,
	};
	return 0;
}

/* --- where the level changed --- */

static int by_value(const void *a, const void *b)
{
	double x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

/* Sorts v. */
static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : v[n / 2 - 1] + (v[n / 2] - v[n / 2 - 1]) / 2;
}

struct judged {
	double *value; /* heap: of the complete points */
	double *scratch; /* heap: ln of them, then for medians */
	size_t *index; /* heap: which points they are */
	size_t n;
	bool positive;
};

static int judged_init(struct judged *j, const struct nf_rec_history_point *point, size_t n,
                       struct nf_err *err)
{
	*j = (struct judged){ .value = calloc(n, sizeof(double)),
		              .scratch = calloc(n, sizeof(double)),
		              .index = calloc(n, sizeof(size_t)),
		              .positive = true };
	if (!j->value || !j->scratch || !j->index)
		return nf_fail_nomem(err, "a series", n * sizeof(double));
	for (size_t i = 0; i < n; i++) {
		if (!point[i].complete)
			continue;
		j->value[j->n] = point[i].value;
		j->index[j->n++] = i;
		j->positive = j->positive && point[i].value > 0;
	}
	return 0;
}

static void judged_fini(struct judged *j)
{
	free(j->value);
	free(j->scratch);
	free(j->index);
}

static double level(struct judged *j, size_t from, size_t to)
{
	memcpy(j->scratch, j->value + from, (to - from) * sizeof(double));
	return median(j->scratch, to - from);
}

static void record_steps(struct judged *j, const struct nf_step *step, size_t n,
                         const struct nf_rec_history_point *point, struct nf_arena *a,
                         struct nf_list *ret)
{
	struct nf_rec_history_step *out = nf_arena_alloc(a, n + 1, sizeof(*out));

	for (size_t i = 0; out && i < n; i++) {
		size_t from = i ? step[i - 1].at : 0, to = i + 1 < n ? step[i + 1].at : j->n;
		double before = level(j, from, step[i].at), after = level(j, step[i].at, to);

		out[i] = (struct nf_rec_history_step){
			.at = j->index[step[i].at],
			.folder = point[j->index[step[i].at]].folder,
			.ratio = j->positive ? nf_some_real(after / before)
			                     : (struct nf_some_real){ 0 },
			.difference = after - before,
			.p = step[i].p,
			.superiority = step[i].superiority,
		};
	}
	*ret = (struct nf_list){ out, out ? n : 0 };
}

/* Ratios where every value is above 0, differences else: a count may be 0. */
static int find_steps(const struct nf_history_opts *o, struct nf_rec_history_series *s,
                      struct nf_arena *a, struct nf_err *err)
{
	enum { SEGMENT = 5 };
	const struct nf_rec_history_point *point = s->points.items;
	struct nf_step step[STEPS_MAX];
	struct judged j;
	size_t n = 0;
	int r = judged_init(&j, point, s->points.n, err);

	if (r < 0)
		goto out;
	if (j.n < 2 * SEGMENT) {
		s->unjudged = nf_arena_printf(a, "%zu complete runs; a step needs %d on each side",
		                              j.n, SEGMENT);
		goto out;
	}
	if (j.n > NF_CHANGE_MAX_N) {
		s->unjudged = nf_arena_printf(a, "%zu complete runs; at most %d can be judged", j.n,
		                              NF_CHANGE_MAX_N);
		goto out;
	}
	struct nf_steps_options opts = {
		.min_segment = SEGMENT,
		.seed = o->seed,
		.min_shift = j.positive ? log1p(o->min_ratio) : 0,
	};
	for (size_t i = 0; i < j.n; i++)
		j.scratch[i] = j.positive ? log(j.value[i]) : j.value[i];
	r = nf_steps(j.scratch, j.n, &opts, step, STEPS_MAX, &n, err);
	if (r == 0)
		record_steps(&j, step, n < STEPS_MAX ? n : STEPS_MAX, point, a, &s->steps);
out:
	judged_fini(&j);
	return r;
}

/* --- the record --- */

struct context {
	const struct nf_history_opts *o;
	struct nf_store *store; /* owned */
	struct nf_store_filter filter;
	struct nf_arena a;
	struct reading reading;
	struct nf_rec_history record;
	const char *note[8];
	size_t n_notes;
};

static void note(struct context *c, const char *text)
{
	if (c->n_notes < sizeof(c->note) / sizeof(c->note[0]))
		c->note[c->n_notes++] = text;
}

static int metric_row(void *ctx, const char *id, size_t n_runs)
{
	struct context *c = ctx;
	const struct nf_metric *m = nf_metrics_find(id);
	struct nf_rec_history *h = &c->record;
	struct nf_rec_history_metric *list = (void *)(uintptr_t)h->metrics.items;

	if (m && h->metrics.n < nf_metrics_count())
		list[h->metrics.n++] = (struct nf_rec_history_metric){
			.id = m->id,
			.runs = n_runs,
			.unit = m->unit,
			.text = m->text,
		};
	return 0;
}

static int list_metrics(struct context *c, struct nf_err *err)
{
	c->record.metrics.items =
	        nf_arena_alloc(&c->a, nf_metrics_count(), sizeof(struct nf_rec_history_metric));
	int r = nf_arena_failed(&c->a, "the figures", err);

	if (r == 0)
		r = nf_store_metrics(c->store, &c->filter, metric_row, c, err);
	if (r == 0 && c->record.metrics.n == 0)
		return nf_fail(err, NF_ENODATA, "%s: no committed run has a figure to follow",
		               c->o->runs_dir);
	return r;
}

static int one_metric(struct context *c, const struct nf_metric *m, struct nf_err *err)
{
	struct reading *r = &c->reading;
	struct nf_rec_history *h = &c->record;

	*r = (struct reading){ .a = &c->a,
		               .series = nf_arena_alloc(&c->a, SERIES_MAX, sizeof(*r->series)),
		               .first = nf_arena_alloc(&c->a, SERIES_MAX, sizeof(*r->first)),
		               .err = err };
	int rc = nf_arena_failed(&c->a, "the series", err);
	if (rc == 0)
		rc = nf_store_series(c->store, m->id, &c->filter, take, r, err);
	if (rc == 0 && r->n_points == 0)
		rc = nf_fail(err, NF_ENODATA, "%s: no committed run here has %s", c->o->runs_dir,
		             m->id);
	if (rc == 0 && r->too_many)
		note(c, "more series than can be shown: choose with --host, --tag or --lane");
	for (size_t i = 0; rc == 0 && i < r->n_series; i++) {
		size_t end = i + 1 < r->n_series ? r->first[i + 1] : r->n_points;

		r->series[i].points = (struct nf_list){ r->point + r->first[i], end - r->first[i] };
		rc = find_steps(c->o, &r->series[i], &c->a, err);
	}
	h->metric = m->id;
	h->unit = m->unit;
	h->text = m->text;
	h->lower_is_better = nf_some_bool(m->better == NF_LOWER);
	h->series = (struct nf_list){ r->series, r->n_series };
	return rc;
}

static int known_metric(const char *id, const struct nf_metric **ret, struct nf_err *err)
{
	char list[400] = "";
	size_t len = 0;

	*ret = nf_metrics_find(id);
	if (*ret)
		return 0;
	for (size_t i = 0; i < nf_metrics_count(); i++) {
		const struct nf_metric *m = nf_metrics_row(i);
		int n = nf_metrics_find(m->id) == m ? snprintf(list + len, sizeof(list) - len,
		                                               "%s%s", len ? ", " : "", m->id)
		                                    : 0;

		if (n > 0 && (size_t)n < sizeof(list) - len)
			len += (size_t)n;
	}
	list[len] = '\0';
	return nf_fail(err, NF_EARG, "no metric '%.*s'; allowed: %s", NF_UTF8_CUT(id, 60), list);
}

static int update(struct context *c, char opened[NF_STORE_NOTE_BYTES], struct nf_err *err)
{
	struct nf_store_update u = { 0 };
	int r = nf_store_open(c->o->runs_dir, &c->store, opened, err);

	if (r == 0)
		r = nf_store_update(c->store, c->o->runs_dir, &u, err);
	if (r < 0)
		return r;
	if (opened[0])
		note(c, opened);
	c->record.uncommitted = u.n_uncommitted;
	if (u.n_unreadable)
		note(c, nf_arena_printf(&c->a, "%zu committed runs left out: %s", u.n_unreadable,
		                        u.unreadable));
	return 0;
}

int nf_job_history(const struct nf_history_opts *o, struct nf_job_outcome *ret, struct nf_err *err)
{
	struct context c = { .o = o, .filter = { o->host, o->tag, o->lane } };
	const struct nf_metric *m = NULL;
	char opened[NF_STORE_NOTE_BYTES];
	struct stat st;

	int r = o->metric ? known_metric(o->metric, &m, err) : 0;
	if (r < 0)
		return r;
	if (stat(o->runs_dir, &st) < 0 || !S_ISDIR(st.st_mode))
		return nf_fail(err, NF_EARG, "--runs: '%.*s' is no folder; allowed: one with runs",
		               NF_UTF8_CUT(o->runs_dir, 200));
	nf_arena_init(&c.a, ARENA_BYTES);
	c.record = (struct nf_rec_history){
		.schema = "History/1",
		.tool_version = NF_VERSION,
		.claim_ceiling =
		        "Advisory: a step is where the level changed, not why; runs of one "
		        "series can differ in ways that their tag does not show.",
	};
	r = update(&c, opened, err);
	if (r == 0)
		r = m ? one_metric(&c, m, err) : list_metrics(&c, err);
	c.record.notes = (struct nf_list){ c.note, c.n_notes };
	if (r == 0)
		r = nf_arena_failed(&c.a, "the history", err);
	if (r == 0) {
		c.record.replaced_text = nf_record_replaced(&nf_rec_history_type, &c.record);
		r = nf_record_to_json(&nf_rec_history_type, &c.record, &ret->json, NULL, err);
	}
	if (r == 0) {
		nf_text_history(&c.record, &ret->summary);
		(void)nf_text_printable(&ret->summary);
		r = nf_buf_failed(&ret->summary, "the history", err);
	}
	if (r == 0) {
		ret->result = NF_RESULT_PASS;
		ret->exit_code = 0;
	}
	nf_store_close(c.store);
	free(c.reading.point);
	nf_arena_fini(&c.a);
	return r;
}
