/* SPDX-License-Identifier: MIT */
/* why_record - from events and intervals to the record's causes and the files beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/why_impl.h"
#include "report/chrome.h"
#include "samples/samplefile.h"

enum {
	/* On each side of an event: what entering or leaving the kernel may cost (docs/METHOD.md). */
	AROUND_NS = 5000,
	CAUSES_MAX = 1000, /* rows of the record */
	SPANS_MAX = 100000, /* of each kind in the trace for viewers */
	TRACE_BYTES = 128 << 20,
	NAMES_BYTES = 64 << 20,
};

struct building {
	struct nf_why *w;
	const struct nf_step_input *in;
	struct nf_why_parts parts;
	struct nf_attribution sums;
	struct nf_chrome chrome;
	uint64_t first_tick; /* of all origins */
	uint32_t part; /* at hand */
	struct nf_err *err; /* borrowed; of a label that cannot be kept */
};

/* --- attribution --- */

static int64_t to_ns(const struct building *b, double ticks)
{
	return (int64_t)llround(ticks * 1e9 / b->parts.tick_hz);
}

/* A span in ticks since the part's origin, for viewers. */
static int show(struct building *b, enum nf_chrome_track track, int64_t begin, int64_t end,
                const struct nf_cause *cause, struct nf_err *err)
{
	const struct nf_why_part *p = &b->parts.part[b->part];
	double at = (double)(p->origin_tick - b->first_tick);
	int64_t begin_ns = to_ns(b, at + (double)begin);
	struct nf_chrome_span s = { .begin_ns = begin_ns,
		                    .length_ns = to_ns(b, at + (double)end) - begin_ns,
		                    .part = b->part,
		                    .track = track,
		                    .cause = *cause };

	return nf_chrome_add(&b->chrome, &s, err);
}

static int on_label(void *ctx, const struct nf_interval *i, const struct nf_cause *label,
                    int64_t part)
{
	struct building *b = ctx;

	(void)part;
	return show(b, NF_CHROME_INTERVALS, i->begin, i->begin + i->length, label, b->err);
}

static int show_segments(struct building *b, const struct nf_attribute_cpu *cpu, struct nf_err *err)
{
	struct nf_segments segments;
	struct nf_segment s;
	int r = 0;

	nf_segments_init(&segments, &cpu->segments, cpu->tick, cpu->word, cpu->n_events);
	while (r == 0 && nf_segments_next(&segments, &s)) {
		if (s.begin < cpu->span_begin)
			s.begin = cpu->span_begin;
		if (s.end > cpu->span_end)
			s.end = cpu->span_end;
		if (s.end > s.begin)
			r = show(b, NF_CHROME_EVENTS, s.begin, s.end, &s.cause, err);
	}
	return r;
}

/* From here on a track's ticks count from its part's origin, as they are kept. */
static void rebase(struct nf_event_track *t, uint64_t origin)
{
	for (size_t i = 0; i < t->n; i++)
		t->tick[i] = (int64_t)((uint64_t)t->tick[i] - origin);
}

static int attribute(struct building *b, struct nf_err *err)
{
	const struct nf_probe_run *run = b->in->run;
	int r = 0;

	b->err = err;
	b->first_tick = UINT64_MAX;
	for (size_t i = 0; i < b->parts.n; i++)
		if (b->parts.part[i].origin_tick < b->first_tick)
			b->first_tick = b->parts.part[i].origin_tick;
	for (size_t i = 0; r == 0 && i < b->parts.n; i++) {
		struct nf_why_part *p = &b->parts.part[i];
		struct nf_event_track *t = nf_event_log_track(&b->w->log, p->cpu);
		struct nf_attribute_cpu cpu = {
			.segments = { .measured = run->tids,
			              .n_measured = run->n_tids,
			              .not_asleep = b->w->source->not_asleep,
			              .ticks_per_ns = b->parts.tick_hz * 1e-9 },
			.around_ticks = (int64_t)(AROUND_NS * b->parts.tick_hz * 1e-9),
			.span_end = p->span_ticks,
			.next = p->next,
			.next_ctx = p,
			.label = on_label,
			.label_ctx = b,
		};

		if (!t || (p->origin_tick == 0 && p->span_ticks > 0))
			return nf_fail(err, NF_EDATA,
			               "--why: CPU %d was measured but not traced, or where its "
			               "samples begin is not known",
			               p->cpu);
		rebase(t, p->origin_tick);
		cpu.tick = t->tick;
		cpu.word = t->word;
		cpu.n_events = t->n;
		b->part = (uint32_t)i;
		r = nf_attribute(&b->sums, &cpu, err);
		if (r == 0)
			r = show_segments(b, &cpu, err);
	}
	if (r == 0)
		nf_attribution_sort(&b->sums);
	return r;
}

/* --- the record --- */

static void fill_cause(const struct building *b, const struct nf_cause_total *t,
                       struct nf_rec_cause *ret)
{
	double ns_per_tick = 1e9 / b->parts.tick_hz;

	*ret = (struct nf_rec_cause){
		.kind = (int)t->cause.kind,
		.name = "",
		.count = t->n_labelled,
		.part_count = t->n_part,
		.total_ticks = (uint64_t)t->total_ticks,
		.inside_ticks = (uint64_t)t->inside_ticks,
		.total_ns = (double)t->total_ticks * ns_per_tick,
		.longest_ns = (double)t->longest_ticks * ns_per_tick,
		.occurrences = t->events,
		.met = t->events_met,
		.met_labelled = t->events_met_labelled,
		.inside_intervals = t->events_inside,
		.labelled = t->events_labelled,
	};
	if (b->sums.noise_ticks > 0)
		ret->share = nf_some_real((double)t->total_ticks / (double)b->sums.noise_ticks);
}

/* The rows beyond the limit become one a kind. */
static size_t merge_rest(struct building *b, size_t *ret_merged)
{
	struct nf_cause_total *all = b->sums.total;
	size_t n = b->sums.n, kept = CAUSES_MAX;

	if (n <= CAUSES_MAX) {
		*ret_merged = 0;
		return n;
	}
	*ret_merged = n - CAUSES_MAX;
	for (size_t i = CAUSES_MAX; i < n; i++) {
		struct nf_cause_total t = all[i];
		size_t at = CAUSES_MAX;

		while (at < kept && all[at].cause.kind != t.cause.kind)
			at++;
		if (at == kept) {
			t.cause.name = t.cause.id = 0;
			all[kept++] = t;
			continue;
		}
		all[at].n_labelled += t.n_labelled;
		all[at].n_part += t.n_part;
		all[at].total_ticks += t.total_ticks;
		all[at].inside_ticks += t.inside_ticks;
		if (t.longest_ticks > all[at].longest_ticks)
			all[at].longest_ticks = t.longest_ticks;
		all[at].events += t.events;
		all[at].events_met += t.events_met;
		all[at].events_met_labelled += t.events_met_labelled;
		all[at].events_inside += t.events_inside;
		all[at].events_labelled += t.events_labelled;
	}
	return kept;
}

static int fill_causes(struct building *b, struct nf_rec_causes *c, struct nf_err *err)
{
	struct nf_arena *a = &b->in->session->arena;
	size_t merged, n = merge_rest(b, &merged);
	struct nf_rec_cause *row = nf_arena_alloc(a, n, sizeof(*row));
	size_t n_rows = 0;

	if (!row)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < n; i++) {
		const struct nf_cause_total *t = &b->sums.total[i];

		if (t->total_ticks == 0 && t->events == 0)
			continue;
		fill_cause(b, t, &row[n_rows]);
		if (t->cause.kind > NF_CAUSE_LOST && !(i >= CAUSES_MAX && t->cause.name == 0)) {
			row[n_rows].name =
			        nf_arena_strdup(a, nf_event_log_text(&b->w->log, t->cause.name));
			if (t->cause.kind == NF_CAUSE_THREAD)
				row[n_rows].pid = nf_some_nat(t->cause.id);
		}
		n_rows++;
	}
	c->causes = (struct nf_list){ row, n_rows };
	c->causes_merged = merged;
	c->intervals = b->sums.n_intervals;
	c->noise_ticks = (uint64_t)b->sums.noise_ticks;
	c->noise_ns = (double)b->sums.noise_ticks * 1e9 / b->parts.tick_hz;
	return nf_arena_failed(a, "record", err);
}

static int fill_trace(const struct building *b, struct nf_rec_causes *c, struct nf_err *err)
{
	const struct nf_probe_run *run = b->in->run;
	const struct nf_why *w = b->w;
	struct nf_arena *a = &b->in->session->arena;
	uint64_t *tid = nf_arena_alloc(a, run->n_tids, sizeof(*tid));

	if (!tid)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < run->n_tids; i++)
		tid[i] = (uint64_t)run->tids[i];
	*c = (struct nf_rec_causes){
		.noise = w->source->noise,
		.trace_clock = w->clock,
		.tick_hz = b->parts.tick_hz,
		.around_limit_ns = AROUND_NS,
		.buffer_kb = w->buffer_kb,
		.drained = w->drained,
		.measured_threads = { tid, run->n_tids },
	};
	for (size_t i = 0; i < w->log.n_tracks; i++) {
		c->events += w->log.track[i].n;
		c->events_lost += w->log.track[i].n_lost;
		c->events_dropped += w->log.track[i].n_dropped;
	}
	return 0;
}

/* --- files --- */

static void describe(struct nf_stream *s, int cpu, const char *what)
{
	snprintf(s->name, sizeof(s->name), "events.cpu%d.%s", cpu, what);
	s->cpu = cpu;
	s->node = -1;
	s->width = 8;
}

/* Streams that borrow the tracks' memory: not for nf_stream_fini(). */
static struct nf_stream *make_streams(const struct building *b, struct nf_err *err)
{
	const struct nf_event_log *log = &b->w->log;
	bool raw = strcmp(b->w->clock, "mono_raw") == 0;
	struct nf_stream *s = calloc(log->n_tracks * 2, sizeof(*s));

	if (!s) {
		(void)nf_fail_nomem(err, "streams of events", log->n_tracks * 2 * sizeof(*s));
		return NULL;
	}
	for (size_t i = 0; i < log->n_tracks; i++) {
		const struct nf_event_track *t = &log->track[i];
		struct nf_stream *tick = &s[2 * i], *word = &s[2 * i + 1];

		describe(tick, t->cpu, "tick");
		describe(word, t->cpu, "word");
		tick->kind = NF_KIND_INSTANT;
		tick->unit = raw ? NF_UNIT_NS : NF_UNIT_TICK;
		tick->tick_hz = raw ? 0 : b->parts.tick_hz;
		snprintf(tick->clock, sizeof(tick->clock), "%s", raw ? "monotonic_raw" : "tsc");
		snprintf(tick->origin, sizeof(tick->origin), "where the samples of this CPU begin");
		word->kind = NF_KIND_COUNT;
		word->unit = NF_UNIT_COUNT;
		tick->value = t->tick;
		word->value = t->word;
		tick->n = word->n = t->n;
		tick->n_missed = t->n_lost;
		tick->n_dropped = t->n_dropped;
	}
	return s;
}

static int keep_events(const struct building *b, const char *file, struct nf_rec_causes *c,
                       struct nf_err *err)
{
	struct nf_session *session = b->in->session;
	size_t n = b->w->log.n_tracks * 2;
	struct nf_samplefile_writer *w = NULL;
	struct nf_stream *s = make_streams(b, err);
	struct nf_rec_stream_ref *ref = nf_arena_alloc(&session->arena, n, sizeof(*ref));
	char hex[65];
	int r = -NF_ENOMEM;

	if (!s)
		return r;
	if (!ref) {
		r = nf_arena_failed(&session->arena, "record", err);
		goto out;
	}
	r = nf_samplefile_create(nf_runfolder_samples_fd(session->folder),
	                         file + strlen("samples/"), s, n, &w, err);
	if (r < 0)
		goto out;
	r = nf_runfolder_give(session->folder, file, err);
	for (size_t i = 0; r == 0 && i < n; i++)
		if (s[i].n > 0)
			r = nf_samplefile_append(w, i, s[i].value, s[i].n, err);
	if (r < 0) {
		nf_samplefile_abandon(w);
		goto out;
	}
	r = nf_samplefile_finish(w, s, err);
	if (r == 0)
		r = nf_runfolder_digest(session->folder, file, hex, err);
	for (size_t i = 0; r == 0 && i < n; i++)
		r = nf_rec_stream_fill(&s[i], file, hex, &session->arena, &ref[i], err);
	if (r == 0)
		c->streams = (struct nf_list){ ref, n };
out:
	free(s);
	return r;
}

/* A name a line; what is not printable ASCII, and the backslash, as \xNN. */
static int keep_names(const struct building *b, const char *file, struct nf_err *err)
{
	const struct nf_event_log *log = &b->w->log;
	struct nf_buf text;
	int r;

	nf_buf_init(&text, NAMES_BYTES);
	for (size_t i = 0; i < log->n_names; i++) {
		for (const char *p = log->name[i]; *p; p++) {
			unsigned char ch = (unsigned char)*p;

			if (ch < ' ' || ch > '~' || ch == '\\')
				nf_buf_addf(&text, "\\x%02x", ch);
			else
				nf_buf_addc(&text, *p);
		}
		nf_buf_addc(&text, '\n');
	}
	r = nf_buf_failed(&text, "names of events", err);
	if (r == 0)
		r = nf_runfolder_put(b->in->session->folder, file, text.data, text.len_bytes, err);
	nf_buf_fini(&text);
	return r;
}

static int keep_trace(struct building *b, const char *probe, const char *file, struct nf_err *err)
{
	int *cpu = calloc(b->parts.n ? b->parts.n : 1, sizeof(*cpu));
	struct nf_buf text;
	char title[64];
	int r;

	if (!cpu)
		return nf_fail_nomem(err, "a list of CPUs", b->parts.n * sizeof(*cpu));
	for (size_t i = 0; i < b->parts.n; i++)
		cpu[i] = b->parts.part[i].cpu;
	snprintf(title, sizeof(title), "noisefloor %s", probe);
	nf_buf_init(&text, TRACE_BYTES);
	r = nf_chrome_print(&b->chrome, title, cpu, b->parts.n, &b->w->log, &text, err);
	if (r == 0)
		r = nf_runfolder_put(b->in->session->folder, file, text.data, text.len_bytes, err);
	nf_buf_fini(&text);
	free(cpu);
	return r;
}

int nf_why_evidence(struct nf_why *w, const struct nf_step_input *in, const char *stem, void *body,
                    struct nf_err *err)
{
	struct nf_session *s = in->session;
	struct building b = { .w = w, .in = in };
	struct nf_rec_causes *c = nf_arena_alloc(&s->arena, 1, sizeof(*c));
	const char *events = nf_arena_printf(&s->arena, "samples/%s-events.nfsamples", stem);
	const char *names = nf_arena_printf(&s->arena, "captures/%s-event-names.txt", stem);
	int r;

	if (!c || !events || !names)
		return nf_arena_failed(&s->arena, "record", err);
	nf_attribution_init(&b.sums);
	nf_chrome_init(&b.chrome, SPANS_MAX);
	r = w->source->parts(in, &w->log, &b.parts, err);
	if (r == 0)
		r = attribute(&b, err);
	if (r == 0)
		r = fill_trace(&b, c, err);
	if (r == 0)
		r = fill_causes(&b, c, err);
	if (r == 0 && !s->opts->no_samples) {
		r = keep_events(&b, events, c, err);
		if (r == 0)
			r = keep_names(&b, names, err);
		c->names_file = names;
	}
	if (r == 0)
		r = keep_trace(&b, s->step, "derived/trace.json", err);
	if (r == 0) {
		const struct nf_rec_causes **at = (void *)((char *)body + w->source->body_causes);

		*at = c;
	}
	nf_why_parts_fini(&b.parts);
	nf_chrome_fini(&b.chrome);
	nf_attribution_fini(&b.sums);
	return r;
}
