/* SPDX-License-Identifier: MIT */
#include "job/step.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "job/head.h"
#include "job/why.h"
#include "report/text.h"
#include "samples/samplefile.h"

const struct nf_step_kind *nf_step_find(const char *probe_name)
{
	for (const struct nf_step_kind *const *k = nf_step_kinds; *k; k++)
		if (strcmp((*k)->probe->name, probe_name) == 0)
			return *k;
	return NULL;
}

const struct nf_stream *nf_step_stream(const struct nf_probe_run *run, const char *name)
{
	for (size_t i = 0; i < run->n_streams; i++)
		if (strcmp(run->streams[i].name, name) == 0)
			return &run->streams[i];
	return NULL;
}

const char *nf_step_duration(struct nf_arena *a, int64_t ns)
{
	struct nf_buf b;

	nf_buf_init(&b, 64);
	(void)nf_duration_print(ns < 0 ? 0 : ns, &b);
	return nf_head_text(a, &b);
}

uint64_t nf_step_lost(const struct nf_rec_facts *facts)
{
	return facts->dropped + facts->saturated + facts->missed + facts->truncated;
}

/* The summary's histogram: fine next to the minimum, and the far outliers still show. */
enum { BINS = 24 };

static struct nf_list histogram(struct nf_arena *a, const int64_t *value, size_t n, double factor,
                                const struct nf_summary *sum)
{
	uint64_t *bin = nf_arena_alloc(a, BINS, sizeof(*bin));
	double scale = BINS / log1p(sum->max - sum->min);

	if (!bin)
		return (struct nf_list){ 0 };
	for (size_t i = 0; i < n; i++) {
		double x = (double)value[i] * factor - sum->min;
		size_t at = sum->max > sum->min ? (size_t)(log1p(x < 0 ? 0 : x) * scale) : 0;

		bin[at < BINS ? at : BINS - 1]++;
	}
	return (struct nf_list){ bin, BINS };
}

int nf_step_summary_of(struct nf_session *s, const int64_t *value, size_t n, double factor,
                       const char *unit, const struct nf_rec_summary **ret, struct nf_err *err)
{
	struct nf_summary sum;

	if (n == 0) {
		*ret = NULL;
		return 0;
	}
	int r = nf_summarize_i64(value, n, factor, &sum, err);
	if (r < 0)
		return r;
	struct nf_rec_summary *rec = nf_arena_alloc(&s->arena, 1, sizeof(*rec));
	if (!rec)
		return nf_arena_failed(&s->arena, "record", err);
	r = nf_rec_summary_fill(&sum, unit, &s->arena, rec, err);
	if (r < 0)
		return r;
	rec->histogram = histogram(&s->arena, value, n, factor, &sum);
	*ret = rec;
	return 0;
}

int nf_step_summary(struct nf_session *s, const struct nf_stream *stream,
                    const struct nf_rec_summary **ret, struct nf_err *err)
{
	bool ticks = stream->unit == NF_UNIT_TICK;

	return nf_step_summary_of(s, stream->value, stream->n, ticks ? 1e9 / stream->tick_hz : 1.0,
	                          stream->unit == NF_UNIT_COUNT ? "count" : "ns", ret, err);
}

/* file: "samples/<stem>.nfsamples" */
static int keep_samples(struct nf_session *s, const struct nf_probe_run *run, const char *file,
                        struct nf_err *err)
{
	struct nf_samplefile_writer *w = NULL;
	int fd = nf_runfolder_samples_fd(s->folder);
	int r = nf_samplefile_create(fd, file + strlen("samples/"), run->streams, run->n_streams,
	                             &w, err);

	if (r < 0)
		return r;
	r = nf_runfolder_give(s->folder, file, err);
	for (size_t i = 0; r == 0 && i < run->n_streams; i++)
		if (run->streams[i].n > 0)
			r = nf_samplefile_append(w, i, run->streams[i].value, run->streams[i].n,
			                         err);
	if (r < 0) {
		nf_samplefile_abandon(w);
		return r;
	}
	return nf_samplefile_finish(w, run->streams, err);
}

static int fill_streams(struct nf_session *s, const struct nf_step_kind *kind,
                        const struct nf_probe_run *run, const char *file, const char *sha256,
                        struct nf_rec_facts *f, struct nf_err *err)
{
	struct nf_rec_stream_ref *ref = nf_arena_alloc(&s->arena, run->n_streams, sizeof(*ref));

	if (!ref)
		return nf_arena_failed(&s->arena, "record", err);
	for (size_t i = 0; i < run->n_streams; i++) {
		const struct nf_stream *st = &run->streams[i];
		int r = nf_rec_stream_fill(st, file, sha256, &s->arena, &ref[i], err);

		if (r < 0)
			return r;
		if (kind->counts_losses && !kind->counts_losses(st))
			continue;
		f->dropped += st->n_dropped;
		f->saturated += st->n_saturated;
		f->missed += st->n_missed;
		f->truncated += st->n_truncated;
	}
	f->streams = (struct nf_list){ ref, run->n_streams };
	return 0;
}

#define COPY(name) .name = { from->name.some, from->name.v }

static int fill_bracket(struct nf_session *s, const struct nf_bracket_diff *d,
                        const struct nf_rec_bracket **ret, struct nf_err *err)
{
	struct nf_rec_bracket *b = nf_arena_alloc(&s->arena, 1, sizeof(*b));
	struct nf_rec_bracket_cpu *c = nf_arena_alloc(&s->arena, d->n_cpus, sizeof(*c));

	if (!b || !c)
		return nf_arena_failed(&s->arena, "record", err);
	for (size_t i = 0; i < d->n_cpus; i++) {
		const struct nf_bracket_cpu *from = &d->cpu[i];

		c[i] = (struct nf_rec_bracket_cpu){
			.cpu = (uint64_t)from->cpu,
			COPY(interrupts),
			COPY(timer_interrupts),
			COPY(softirqs),
			COPY(steal_ticks),
			COPY(thermal_throttles),
			COPY(freq_before_khz),
			COPY(freq_after_khz),
		};
	}
	const struct nf_bracket_diff *from = d;
	*b = (struct nf_rec_bracket){
		.cpus = { c, d->n_cpus },
		COPY(voluntary_switches),
		COPY(involuntary_switches),
		COPY(minor_faults),
		COPY(major_faults),
		COPY(migrations),
		COPY(cgroup_throttled),
		COPY(cgroup_throttled_us),
		COPY(load_before),
		COPY(load_after),
		COPY(runnable_before),
		COPY(runnable_after),
	};
	*ret = b;
	return 0;
}
#undef COPY

static const char *cpu_text(struct nf_arena *a, const struct nf_cpuset *set)
{
	struct nf_buf b;

	nf_buf_init(&b, 1 << 20);
	(void)nf_cpuset_print(set, &b);
	return nf_head_text(a, &b);
}

static uint64_t not_negative(int64_t v)
{
	return v < 0 ? 0 : (uint64_t)v;
}

static int fill_facts(struct nf_session *s, const struct nf_step_kind *kind,
                      const struct nf_probe_common *common, const struct nf_probe_run *run,
                      const char *file, const char *sha256, struct nf_rec_facts *f,
                      struct nf_err *err)
{
	struct nf_arena *a = &s->arena;
	const char **note = nf_arena_alloc(a, run->n_notes, sizeof(*note));

	for (size_t i = 0; note && i < run->n_notes; i++)
		note[i] = nf_arena_strdup(a, run->note[i]);
	*f = (struct nf_rec_facts){
		.cpus_asked = cpu_text(a, &run->cpus_asked),
		.cpus_got = cpu_text(a, &run->cpus_got),
		.controller_cpu = run->controller_cpu >= 0
		                          ? nf_some_nat((uint64_t)run->controller_cpu)
		                          : (struct nf_some_nat){ 0 },
		.controller_measured = run->controller_measured,
		.sibling_measured = run->sibling_measured,
		.policy = (int)run->policy,
		.priority = not_negative(run->priority),
		.warmup_ns = not_negative(run->warmup_ns),
		.wall_ns = not_negative(run->wall_ns),
		.overhead_ns = run->overhead_ns > 0 ? nf_some_real(run->overhead_ns)
		                                    : (struct nf_some_real){ 0 },
		.faults_inside = run->faults_inside,
		.locked = run->locked,
		.seed = nf_arena_printf(a, "%" PRIu64, common->seed),
		.notes = { note, note ? run->n_notes : 0 },
		.notes_lost = run->n_notes_lost,
		.result = NF_RESULT_PASS,
		.stopped_by = nf_stop_name(s->opts->stop, run->stopped_by),
	};
	int r = fill_streams(s, kind, run, file, sha256, f, err);
	if (r < 0)
		return r;
	r = fill_bracket(s, &run->bracket, &f->bracket, err);
	if (r < 0)
		return r;
	return nf_arena_failed(a, "record", err);
}

int nf_step_keep(struct nf_session *s, const struct nf_step_kind *kind,
                 const struct nf_probe_common *common, const struct nf_probe_run *run,
                 const char *stem, struct nf_rec_facts *ret, struct nf_err *err)
{
	char hex[65] = "";
	const char *file = nf_arena_printf(&s->arena, "samples/%s.nfsamples", stem);
	int r;

	if (!file)
		return nf_arena_failed(&s->arena, "record", err);
	if (!s->opts->no_samples) {
		r = keep_samples(s, run, file, err);
		if (r < 0)
			return r;
		r = nf_runfolder_digest(s->folder, file, hex, err);
		if (r < 0)
			return r;
	}
	return fill_facts(s, kind, common, run, file, hex[0] ? hex : NULL, ret, err);
}

/* From the probe's run to the step's record. */
static int evidence(struct nf_session *s, const struct nf_step_kind *kind, const void *cfg,
                    const struct nf_probe_run *run, struct nf_why *why, const char *stem,
                    struct nf_step_outcome *ret, struct nf_err *err)
{
	char *step = nf_arena_alloc(&s->arena, 1, kind->step_size);
	int r;

	if (!step)
		return nf_arena_failed(&s->arena, "record", err);
	struct nf_rec_facts *facts = (void *)(step + kind->step_facts);
	r = nf_step_keep(s, kind, cfg, run, stem, facts, err);
	if (r < 0)
		return r;

	const struct nf_step_input in = {
		.session = s,
		.budget = &s->opts->budget,
		.cfg = cfg,
		.run = run,
	};
	void *body = step + kind->step_body;
	r = kind->body(&in, body, err);
	if (r == 0 && why)
		r = nf_why_evidence(why, &in, stem, body, err);
	if (r < 0)
		return r;
	ret->undecided = kind->judge(&in, body, facts);
	if (s->opts->strict && nf_step_lost(facts) > 0 && facts->result == NF_RESULT_PASS) {
		facts->result = NF_RESULT_PARTIAL;
		facts->reason = "samples were lost";
	}
	if (run->stopped_by && facts->result == NF_RESULT_PASS) {
		facts->result = NF_RESULT_PARTIAL;
		facts->reason = "stopped before its end";
	}
	ret->result = (enum nf_rec_result)facts->result;
	ret->reason = facts->reason;
	ret->step = step;
	return nf_arena_failed(&s->arena, "record", err);
}

static void tell_end(const struct nf_session *s, const struct nf_step_kind *kind,
                     const struct nf_step_outcome *out)
{
	const struct nf_job_watch *w = s->opts->watch;
	struct nf_buf text;

	if (!w || !w->step_end)
		return;
	nf_buf_init(&text, 1 << 20);
	if (out->step)
		kind->text(nf_step_facts(kind, out->step), nf_step_body(kind, out->step), &text);
	else
		nf_buf_addf(&text, "%s: %s\n",
		            out->failed.code == NF_EUNSUPPORTED ? "unsupported here" : "failed",
		            out->failed.msg);
	if (nf_text_printable(&text) == 0)
		w->step_end(w->ctx, kind->probe->name, text.data);
	nf_buf_fini(&text);
}

/* The probe's run, with the kernel's events traced around it where that is asked for. */
static int run_probe(struct nf_session *s, const struct nf_step_kind *kind, const void *cfg,
                     struct nf_probe_run *run, struct nf_why **ret_why, struct nf_err *err)
{
	struct nf_why *why = NULL;
	struct nf_err later;
	int r, stopped;

	if (!s->opts->why || !kind->why)
		return kind->probe->run(&s->env, cfg, run, err);
	r = nf_why_start(s, kind, cfg, &why, err);
	if (r < 0)
		return r;
	r = kind->probe->run(&s->env, cfg, run, err);
	stopped = nf_why_stop(why, r == 0 ? run : NULL, r == 0 ? err : &later);
	if (r == 0 && stopped < 0) {
		nf_probe_run_fini(kind->probe, run);
		r = stopped;
	}
	if (r < 0) {
		nf_why_free(why);
		return r;
	}
	*ret_why = why;
	return 0;
}

int nf_step_run(struct nf_session *s, const struct nf_step_kind *kind, const void *cfg,
                const char *stem, struct nf_step_outcome *ret, struct nf_err *err)
{
	const struct nf_job_watch *w = s->opts->watch;
	struct nf_step_outcome out = { .result = NF_RESULT_BLOCKED };
	struct nf_probe_run run = { 0 };
	int64_t start_ns = nf_session_elapsed_ns(s);
	struct nf_why *why = NULL;
	int r;

	s->step = kind->probe->name;
	r = kind->probe->check(&s->env, cfg, &out.failed);
	if (r == 0) {
		if (w && w->step_begin)
			w->step_begin(w->ctx, s->step, kind->probe->estimate_ns(&s->env, cfg));
		r = run_probe(s, kind, cfg, &run, &why, &out.failed);
	}
	out.started_s = (double)start_ns * 1e-9;
	out.duration_s = (double)(nf_session_elapsed_ns(s) - start_ns) * 1e-9;
	if (r < 0) {
		out.failed.code = (enum nf_code)(-r);
		out.reason = nf_arena_strdup(&s->arena, out.failed.msg);
		r = nf_arena_failed(&s->arena, "record", err);
	} else {
		if (run.stopped_by)
			s->stopped_by = run.stopped_by;
		r = evidence(s, kind, cfg, &run, why, stem, &out, err);
		nf_probe_run_fini(kind->probe, &run);
		nf_why_free(why);
	}
	if (r == 0) {
		tell_end(s, kind, &out);
		*ret = out;
	}
	s->step = NULL;
	return r;
}
