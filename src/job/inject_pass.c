/* SPDX-License-Identifier: MIT */
#include "job/inject_pass.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/interferer.h"
#include "noisefloor/location.h"
#include "stats/proportion.h"

enum {
	PAIR_TRIES = 50,
	EXTRA_STREAMS = 7,
};
#define RECALL_LEVEL 0.95
/* Share of the bursts that begin within the injected window. */
#define WINDOW_QUANTILE 0.99

/* Both clocks at the same moment. */
struct pair {
	uint64_t tick;
	int64_t ns; /* CLOCK_MONOTONIC */
};

/* The linear map from ns of the grid to ticks from the probe's first sample. */
struct map {
	double tick0, ns0; /* before the run */
	double slope; /* ticks per ns */
};

struct pass {
	const struct nf_injection *j;
	const struct nf_inject_kind *kind;
	struct nf_probe_run run; /* owned */
	struct nf_interferer_log log; /* owned */
	enum nf_policy policy; /* of the interferer */
	int priority;
	struct pair before, after;
	struct nf_inject_seen seen; /* owns its hits */
	struct nf_inject_burst *burst; /* owned; log.n */
	struct nf_inject_score score; /* owned; without bursts: of those of the other pass, moved */
	double shift_ns; /* by so much */
	int64_t *lateness_ns; /* owned; log.n */
	struct map map;
};

static void pass_fini(struct pass *p)
{
	nf_probe_run_fini(p->kind->probe, &p->run);
	nf_interferer_log_fini(&p->log);
	free(p->seen.hit);
	free(p->burst);
	free(p->lateness_ns);
	nf_inject_score_fini(&p->score);
}

int nf_inject_config(const struct nf_injection *j, const struct nf_inject_kind *kind, void **ret,
                     struct nf_err *err)
{
	void *cfg = calloc(1, kind->probe->cfg_size);
	struct nf_probe_common *common = cfg;

	if (!cfg)
		return nf_fail_nomem(err, "a probe's configuration", kind->probe->cfg_size);
	kind->probe->defaults(cfg);
	common->cpus = j->cpu_text;
	common->duration_ns = j->in->duration_ns;
	common->seed = j->in->seed;
	/* The interferer has to outrank it. */
	common->policy = NF_POLICY_OTHER;
	common->policy_given = true;
	common->priority = 0;
	if (j->in->max_sample_bytes)
		common->max_sample_bytes = j->in->max_sample_bytes;
	kind->configure(cfg, j->in);
	*ret = cfg;
	return 0;
}

int64_t nf_inject_estimate_ns(const struct nf_injection *j, const struct nf_inject_kind *kind,
                              const void *cfg)
{
	return kind->probe->estimate_ns(&j->session->env, cfg);
}

static struct pair read_both(const struct nf_tick_clock *c)
{
	struct pair best = { 0 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < PAIR_TRIES; i++) {
		uint64_t from = nf_tick_start(c);
		int64_t ns = nf_now_monotonic().ns;
		uint64_t took = nf_tick_end(c) - from;

		if (took < least) {
			least = took;
			best = (struct pair){ from + took / 2, ns };
		}
	}
	return best;
}

/* --- measuring --- */

static int start(struct pass *p, const void *cfg, struct nf_interferer **ret, struct nf_err *err)
{
	const struct nf_injection *j = p->j;
	const struct nf_inject_opts *in = j->in;
	/* Twice the time that it should take, the set-up besides: later bursts are counted. */
	int64_t bursts = nf_inject_estimate_ns(j, p->kind, cfg) / in->period_ns;
	struct nf_interferer_tone tone = {
		.period_ns = in->period_ns,
		.length_ns = in->length_ns,
		.phase_ns = j->phase_ns,
	};

	bursts = bursts < NF_INTERFERER_BURSTS / 4 ? 2 * bursts + 1000 : NF_INTERFERER_BURSTS;
	const struct nf_interferer_cfg c = {
		.topo = j->session->topo,
		.clock = &j->session->clock,
		.cpu = j->cpu,
		.tone = &tone,
		.n_tones = 1,
		.origin_ns = j->origin_ns,
		.max_bursts = (size_t)bursts,
		.seed = in->seed,
	};
	return nf_interferer_start(&c, ret, err);
}

/* The probe's run between two readings of both clocks. */
static int measure(struct pass *p, const void *cfg, bool inject, struct nf_err *err)
{
	struct nf_interferer *it = NULL;
	char note[240] = "";
	int r = 0;

	if (inject)
		r = start(p, cfg, &it, err);
	if (r < 0)
		return r;
	p->before = read_both(&p->j->session->clock);
	r = p->kind->probe->run(&p->j->session->env, cfg, &p->run, err);
	p->after = read_both(&p->j->session->clock);
	if (it) {
		p->policy = nf_interferer_policy(it, &p->priority);
		snprintf(note, sizeof(note), "%s", nf_interferer_note(it));
		nf_interferer_stop(it, &p->log);
	}
	if (r == 0 && note[0])
		nf_probe_note(&p->run, "%s", note);
	return r;
}

/* --- scoring --- */

static int64_t since_origin(const struct pass *p, uint64_t tick)
{
	return (int64_t)(tick - p->seen.origin_tick);
}

static void make_map(struct pass *p)
{
	double ticks = (double)(p->after.tick - p->before.tick);
	double ns = (double)(p->after.ns - p->before.ns);

	p->map = (struct map){
		.tick0 = (double)since_origin(p, p->before.tick),
		.ns0 = (double)(p->before.ns - p->j->origin_ns),
		.slope = ticks / ns,
	};
}

static double grid_ns(const struct pass *p, int64_t tick)
{
	return p->map.ns0 + ((double)tick - p->map.tick0) / p->map.slope;
}

static int lay_bursts(struct pass *p, struct nf_err *err)
{
	size_t n = p->log.n;

	p->burst = calloc(n + 1, sizeof(*p->burst));
	p->lateness_ns = calloc(n + 1, sizeof(*p->lateness_ns));
	if (!p->burst || !p->lateness_ns)
		return nf_fail_nomem(err, "bursts", n * sizeof(*p->burst));
	for (size_t i = 0; i < n; i++) {
		const struct nf_interferer_burst *b = &p->log.burst[i];
		int64_t begin = since_origin(p, b->begin_tick);

		p->burst[i] = (struct nf_inject_burst){ begin, since_origin(p, b->end_tick) };
		p->lateness_ns[i] =
		        (int64_t)round(grid_ns(p, begin)) - (b->scheduled_ns - p->j->origin_ns);
	}
	return 0;
}

/* For the pass without bursts: when they were made. */
static int keep_made(const struct pass *p, struct nf_inject_window *w, struct nf_err *err)
{
	w->made = calloc(p->log.n + 1, sizeof(*w->made));
	if (!w->made)
		return nf_fail_nomem(err, "bursts", p->log.n * sizeof(*w->made));
	w->n_made = p->log.n;
	w->start_ns = grid_ns(p, 0);
	for (size_t i = 0; i < p->log.n; i++)
		w->made[i] = (struct nf_inject_made){
			.begin_ns = grid_ns(p, p->burst[i].begin),
			.length_ticks = p->burst[i].end - p->burst[i].begin,
		};
	return 0;
}

void nf_inject_window_fini(struct nf_inject_window *w)
{
	free(w->made);
	*w = (struct nf_inject_window){ 0 };
}

/* The same bursts at the same phases, had they been made in this pass: what hits cover of them by chance. */
static int score_chance(struct pass *p, const struct nf_inject_window *w, struct nf_err *err)
{
	double period = (double)p->j->in->period_ns;
	struct nf_inject_burst *b = calloc(w->n_made + 1, sizeof(*b));

	if (!b)
		return nf_fail_nomem(err, "bursts", w->n_made * sizeof(*b));
	p->shift_ns = period * ceil((grid_ns(p, 0) - w->start_ns) / period);
	for (size_t i = 0; i < w->n_made; i++) {
		double ns = w->made[i].begin_ns + p->shift_ns;

		b[i].begin = (int64_t)round(p->map.tick0 + (ns - p->map.ns0) * p->map.slope);
		b[i].end = b[i].begin + w->made[i].length_ticks;
	}
	const struct nf_inject_input in = {
		.burst = b,
		.n_bursts = w->n_made,
		.hit = p->seen.hit,
		.n_hits = p->seen.n_hits,
		.span_end = p->seen.span_ticks,
	};
	int r = nf_inject_score(&in, &p->score, err);
	free(b);
	return r;
}

/* As wide as the latest of 99 % of the bursts need it. */
static int settle_window(struct pass *p, struct nf_inject_window *w, struct nf_err *err)
{
	static const double share = WINDOW_QUANTILE;
	size_t n = p->log.n;

	if (n == 0)
		return 0;
	double *x = calloc(n, sizeof(*x)), late;
	if (!x)
		return nf_fail_nomem(err, "bursts", n * sizeof(*x));
	for (size_t i = 0; i < n; i++)
		x[i] = (double)p->lateness_ns[i];
	int r = nf_quantiles(x, n, NF_QUANTILE_TYPE, &share, 1, &late, err);
	free(x);
	if (r < 0)
		return r;
	w->lead_ns = p->seen.lead_ticks / p->map.slope;
	w->width_ns = w->lead_ns + fmax(late, 0) + (double)p->j->in->length_ns;
	if (w->width_ns > (double)p->j->in->period_ns / 2) {
		w->lead_ns = w->width_ns = 0;
		nf_probe_note(&p->run, "bursts are so late or so long that they have no phase: "
		                       "whether hits prefer one is not tested");
	}
	return 0;
}

static struct nf_inject_input input(const struct pass *p)
{
	return (struct nf_inject_input){
		.burst = p->burst,
		.n_bursts = p->log.n,
		.hit = p->seen.hit,
		.n_hits = p->seen.n_hits,
		.span_end = p->seen.span_ticks,
	};
}

static int fill_phase(struct pass *p, const struct nf_inject_window *w, bool injected,
                      const struct nf_rec_inject_phase **ret, struct nf_err *err)
{
	const struct nf_inject_input in = input(p);
	const struct nf_inject_opts *o = p->j->in;
	const struct nf_inject_grid g = {
		.due = p->map.tick0 + ((double)p->j->phase_ns - p->map.ns0) * p->map.slope,
		.period = (double)o->period_ns * p->map.slope,
		.lead = w->lead_ns * p->map.slope,
		.width = w->width_ns * p->map.slope,
	};
	struct nf_inject_phase f;

	if (w->width_ns <= 0)
		return 0;
	int r = nf_inject_phase(&in, &g, &f, err);
	if (r == -NF_ENODATA)
		return 0; /* too short a run to tell */
	if (r < 0)
		return r;
	struct nf_rec_inject_phase *rec = nf_arena_alloc(&p->j->session->arena, 1, sizeof(*rec));
	if (!rec)
		return nf_arena_failed(&p->j->session->arena, "record", err);
	*rec = (struct nf_rec_inject_phase){
		.windows = f.n_windows,
		.lead_ns = w->lead_ns,
		.width_ns = (double)o->period_ns / (double)f.n_windows,
		.periods = f.n_periods,
		.hits = f.n_hits,
		.injected = f.n_injected,
		.most = f.n_most,
		.rate_ratio = nf_some_real(f.rate_ratio),
		.p_rank = f.p_rank,
		.p_binomial = f.p_binomial,
		.preferred = f.p_rank <= NF_INJECT_ALPHA,
		.on_bursts = f.n_on_bursts,
		.precision_ratio =
		        injected ? nf_some_real(f.precision) : (struct nf_some_real){ 0 },
	};
	*ret = rec;
	return 0;
}

/* --- streams --- */

/* One more stream of the run: n values; of ticks when tick, else of ns. The caller fills it. */
static int add_stream(struct pass *p, const char *name, size_t n, bool tick, bool instant,
                      const char *origin, int64_t **ret, struct nf_err *err)
{
	struct nf_stream *s = &p->run.streams[p->run.n_streams];
	const struct nf_stream *like = &p->run.streams[0];
	int r = nf_stream_init(s, name, n ? n : 1, err);

	if (r < 0)
		return r;
	p->run.n_streams++;
	if (tick)
		memcpy(s->clock, like->clock, sizeof(s->clock));
	else
		snprintf(s->clock, sizeof(s->clock), "monotonic");
	snprintf(s->origin, sizeof(s->origin), "%s", origin);
	s->unit = tick ? NF_UNIT_TICK : NF_UNIT_NS;
	s->kind = instant ? NF_KIND_INSTANT : NF_KIND_DURATION;
	s->tick_hz = tick ? like->tick_hz : 0;
	s->origin_tick = tick && instant ? p->seen.origin_tick : 0;
	s->cpu = like->cpu;
	s->node = like->node;
	s->n = n;
	*ret = s->value;
	return 0;
}

/* What was injected and how the hits lie to it, beside what the probe saw. */
static int add_streams(struct pass *p, struct nf_err *err)
{
	static const char first[] = "the probe's first sample", grid[] = "the grid of the bursts";
	size_t n = p->log.n;
	int64_t *begin, *end, *due, *length, *lateness, *error, *excess;
	struct nf_stream *more =
	        realloc(p->run.streams, (p->run.n_streams + EXTRA_STREAMS) * sizeof(*more));

	if (!more)
		return nf_fail_nomem(err, "streams", EXTRA_STREAMS * sizeof(*more));
	p->run.streams = more;
	int r = add_stream(p, "inject.begin", n, true, true, first, &begin, err);
	if (r == 0)
		r = add_stream(p, "inject.end", n, true, true, first, &end, err);
	if (r == 0)
		r = add_stream(p, "inject.due", n, false, true, grid, &due, err);
	if (r == 0)
		r = add_stream(p, "inject.length", n, true, false, "", &length, err);
	if (r == 0)
		r = add_stream(p, "inject.lateness", n, false, false, "", &lateness, err);
	if (r == 0)
		r = add_stream(p, "inject.begin_error", p->score.n_begin_errors, true, false, "",
		               &error, err);
	if (r == 0)
		r = add_stream(p, "inject.excess", p->score.n_excess, true, false, "", &excess,
		               err);
	if (r != 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		begin[i] = p->burst[i].begin;
		end[i] = p->burst[i].end;
		length[i] = end[i] - begin[i];
		due[i] = p->log.burst[i].scheduled_ns - p->j->origin_ns;
		lateness[i] = p->lateness_ns[i];
	}
	if (p->score.n_begin_errors)
		memcpy(error, p->score.begin_error, p->score.n_begin_errors * sizeof(*error));
	if (p->score.n_excess)
		memcpy(excess, p->score.excess, p->score.n_excess * sizeof(*excess));
	return 0;
}

/* --- the record --- */

static int summary(struct pass *p, const char *name, const struct nf_rec_summary **ret,
                   struct nf_err *err)
{
	return nf_step_summary(p->j->session, nf_step_stream(&p->run, name), ret, err);
}

static int fill_injected(struct pass *p, struct nf_rec_inject_pass *rec, struct nf_err *err)
{
	struct nf_arena *a = &p->j->session->arena;
	struct nf_rec_inject_bursts *b = nf_arena_alloc(a, 1, sizeof(*b));
	struct nf_rec_inject_found *f = nf_arena_alloc(a, 1, sizeof(*f));
	const struct nf_inject_score *s = &p->score;

	if (!b || !f)
		return nf_arena_failed(a, "record", err);
	*b = (struct nf_rec_inject_bursts){
		.policy = (int)p->policy,
		.priority = (uint64_t)p->priority,
		.made = p->log.n,
		.dropped = p->log.n_dropped,
		.late = p->log.n_late,
		.skipped = p->log.n_skipped,
		.locked = p->log.locked,
	};
	*f = (struct nf_rec_inject_found){
		.bursts = s->n_bursts,
		.outside = s->n_outside,
		.found = s->n_found,
		.recall_ratio = nf_some_real(s->recall),
		.enclosed = s->n_enclosed,
		.begin_late = s->n_begin_late,
		.end_early = s->n_end_early,
		.shared = s->n_shared,
		.hits = p->seen.n_hits,
		.hits_on_bursts = s->n_hits_on_bursts,
		.hits_on_bursts_ratio =
		        p->seen.n_hits > 0
		                ? nf_some_real((double)s->n_hits_on_bursts / (double)p->seen.n_hits)
		                : (struct nf_some_real){ 0 },
	};
	double lo, hi;
	int r = 0;
	if (s->n_bursts > 0)
		r = nf_proportion_interval(s->n_found, s->n_bursts, RECALL_LEVEL, &lo, &hi, err);
	if (r == 0 && s->n_bursts > 0) {
		f->recall_lo = nf_some_real(lo);
		f->recall_hi = nf_some_real(hi);
	}
	if (r == 0)
		r = summary(p, "inject.length", &b->length, err);
	if (r == 0)
		r = summary(p, "inject.lateness", &b->lateness, err);
	if (r == 0)
		r = summary(p, "inject.begin_error", &f->begin_error, err);
	if (r == 0)
		r = summary(p, "inject.excess", &f->excess, err);
	rec->bursts = b;
	rec->found = f;
	return r;
}

static int fill_chance(const struct pass *p, struct nf_rec_inject_pass *rec, struct nf_err *err)
{
	struct nf_arena *a = &p->j->session->arena;
	struct nf_rec_inject_chance *c = nf_arena_alloc(a, 1, sizeof(*c));

	if (!c)
		return nf_arena_failed(a, "record", err);
	*c = (struct nf_rec_inject_chance){
		.shift_ns = p->shift_ns,
		.bursts = p->score.n_bursts,
		.covered = p->score.n_found,
		.recall_by_chance_ratio = nf_some_real(p->score.recall),
	};
	rec->chance = c;
	return 0;
}

static int fill(struct pass *p, const void *cfg, bool inject, const struct nf_inject_window *w,
                struct nf_rec_inject_pass **ret, struct nf_err *err)
{
	struct nf_session *s = p->j->session;
	struct nf_rec_inject_pass *rec = nf_arena_alloc(&s->arena, 1, sizeof(*rec));
	const struct nf_step_kind *step = nf_step_find(p->kind->probe->name);
	char stem[80];

	if (!rec)
		return nf_arena_failed(&s->arena, "record", err);
	*rec = (struct nf_rec_inject_pass){
		.tick_hz = p->seen.tick_hz,
		.before_tick = since_origin(p, p->before.tick),
		.before_ns = p->before.ns - p->j->origin_ns,
		.after_tick = since_origin(p, p->after.tick),
		.after_ns = p->after.ns - p->j->origin_ns,
		.span_ticks = (uint64_t)p->seen.span_ticks,
		.threshold_ticks = (uint64_t)p->seen.threshold_ticks,
	};
	int r = fill_phase(p, w, inject, &rec->phase, err);
	if (r == 0 && inject)
		r = fill_injected(p, rec, err);
	else if (r == 0)
		r = fill_chance(p, rec, err);
	if (r < 0)
		return r;
	snprintf(stem, sizeof(stem), "%s-%s", p->kind->probe->name,
	         inject ? "injected" : "control");
	r = nf_step_keep(s, step, cfg, &p->run, stem, &rec->facts, err);
	if (r == 0)
		*ret = rec;
	return r;
}

static int score(struct pass *p, bool inject, struct nf_inject_window *w, struct nf_err *err)
{
	int r;

	make_map(p);
	r = lay_bursts(p, err);
	if (r == 0 && !inject)
		return score_chance(p, w, err);
	if (r == 0)
		r = settle_window(p, w, err);
	if (r == 0)
		r = keep_made(p, w, err);
	if (r < 0)
		return r;
	const struct nf_inject_input in = input(p);
	r = nf_inject_score(&in, &p->score, err);
	return r < 0 ? r : add_streams(p, err);
}

int nf_inject_pass(const struct nf_injection *j, const struct nf_inject_kind *kind, const void *cfg,
                   bool inject, struct nf_inject_window *window, struct nf_rec_inject_pass **ret,
                   struct nf_err *failed, struct nf_err *err)
{
	struct pass p = { .j = j, .kind = kind };
	struct nf_err why = { 0 };
	int r = measure(&p, cfg, inject, &why);

	*ret = NULL;
	if (r == 0 && p.run.stopped_by)
		j->session->stopped_by = p.run.stopped_by;
	if (r == 0) {
		r = kind->look(&p.run, j->in, &p.seen, &why);
		if (r == -NF_ENODATA && p.run.stopped_by) {
			pass_fini(&p);
			return 0;
		}
	}
	if (r < 0) {
		*failed = why;
		failed->code = (enum nf_code)(-r);
		r = 0;
	} else {
		r = score(&p, inject, window, err);
		if (r == 0)
			r = fill(&p, cfg, inject, window, ret, err);
	}
	pass_fini(&p);
	return r;
}
