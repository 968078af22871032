/* SPDX-License-Identifier: MIT */
#include "report/chrome.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

enum { FIRST_SPANS = 1024, PID = 1 };

void nf_chrome_init(struct nf_chrome *c, size_t max_spans)
{
	*c = (struct nf_chrome){ .max_spans = max_spans };
}

void nf_chrome_fini(struct nf_chrome *c)
{
	for (size_t i = 0; i < NF_N_CHROME_TRACKS; i++)
		free(c->pool[i].span);
	*c = (struct nf_chrome){ 0 };
}

/* --- the longest --- */

static int by_place(const struct nf_chrome_span *a, const struct nf_chrome_span *b)
{
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
}

static int longest_first(const void *pa, const void *pb)
{
	const struct nf_chrome_span *a = pa, *b = pb;

	if (a->length_ns != b->length_ns)
		return a->length_ns > b->length_ns ? -1 : 1;
	return by_place(a, b);
}

static int in_place(const void *pa, const void *pb)
{
	return by_place(pa, pb);
}

/* Leaves the max longest; from then on shorter ones do not come in at all. */
static void prune(struct nf_chrome_pool *p, size_t max)
{
	if (p->n <= max)
		return;
	qsort(p->span, p->n, sizeof(*p->span), longest_first);
	p->n_left_out += p->n - max;
	p->n = max;
	p->shortest_ns = max > 0 ? p->span[max - 1].length_ns : INT64_MAX;
}

int nf_chrome_add(struct nf_chrome *c, const struct nf_chrome_span *s, struct nf_err *err)
{
	struct nf_chrome_pool *p = &c->pool[s->track];

	if (s->length_ns <= 0)
		return 0;
	if (s->length_ns < p->shortest_ns) {
		p->n_left_out++;
		return 0;
	}
	if (p->n == p->cap && p->n > c->max_spans && p->cap / 2 >= c->max_spans)
		prune(p, c->max_spans);
	if (p->n == p->cap) {
		size_t cap = p->cap ? p->cap * 2 : FIRST_SPANS;
		struct nf_chrome_span *span = realloc(p->span, cap * sizeof(*span));

		if (!span)
			return nf_fail_nomem(err, "spans of a trace", cap * sizeof(*span));
		p->span = span;
		p->cap = cap;
	}
	p->span[p->n++] = *s;
	return 0;
}

/* --- the text --- */

static void meta(struct nf_json *j, const char *what, int tid, const char *name)
{
	nf_json_object(j);
	nf_json_key(j, "name");
	nf_json_text(j, what);
	nf_json_key(j, "ph");
	nf_json_text(j, "M");
	nf_json_key(j, "pid");
	nf_json_i64(j, PID);
	nf_json_key(j, "tid");
	nf_json_i64(j, tid);
	nf_json_key(j, "args");
	nf_json_object(j);
	nf_json_key(j, "name");
	nf_json_text(j, name);
	nf_json_end(j);
	nf_json_end(j);
}

static int tid_of(uint32_t part, enum nf_chrome_track track)
{
	return (int)(1 + part * NF_N_CHROME_TRACKS + (uint32_t)track);
}

static void span(struct nf_json *j, const struct nf_chrome_span *s,
                 const struct nf_event_log *names)
{
	const char *kind = nf_text_cause_kind((int)s->cause.kind);
	const char *text =
	        s->cause.kind <= NF_CAUSE_LOST ? kind : nf_event_log_text(names, s->cause.name);

	nf_json_object(j);
	nf_json_key(j, "name");
	nf_json_text(j, text);
	nf_json_key(j, "cat");
	nf_json_text(j, kind);
	nf_json_key(j, "ph");
	nf_json_text(j, "X");
	nf_json_key(j, "ts");
	nf_json_double(j, (double)s->begin_ns / 1000.0);
	nf_json_key(j, "dur");
	nf_json_double(j, (double)s->length_ns / 1000.0);
	nf_json_key(j, "pid");
	nf_json_i64(j, PID);
	nf_json_key(j, "tid");
	nf_json_i64(j, tid_of(s->part, s->track));
	if (s->cause.kind == NF_CAUSE_THREAD) {
		nf_json_key(j, "args");
		nf_json_object(j);
		nf_json_key(j, "thread");
		nf_json_i64(j, s->cause.id);
		nf_json_end(j);
	}
	nf_json_end(j);
}

int nf_chrome_print(struct nf_chrome *c, const char *title, const int *cpu, size_t n_parts,
                    const struct nf_event_log *names, struct nf_buf *out, struct nf_err *err)
{
	static const char *const track[NF_N_CHROME_TRACKS] = {
		[NF_CHROME_INTERVALS] = "interruptions",
		[NF_CHROME_EVENTS] = "kernel",
	};
	struct nf_json j;

	nf_json_init(&j, out, false);
	nf_json_object(&j);
	nf_json_key(&j, "displayTimeUnit");
	nf_json_text(&j, "ns");
	nf_json_key(&j, "traceEvents");
	nf_json_array(&j);
	meta(&j, "process_name", 0, title);
	for (uint32_t i = 0; i < n_parts; i++)
		for (enum nf_chrome_track t = 0; t < NF_N_CHROME_TRACKS; t++) {
			char name[48];

			snprintf(name, sizeof(name), "CPU %d %s", cpu[i], track[t]);
			meta(&j, "thread_name", tid_of(i, t), name);
		}
	for (size_t t = 0; t < NF_N_CHROME_TRACKS; t++) {
		struct nf_chrome_pool *p = &c->pool[t];

		prune(p, c->max_spans);
		if (p->n > 1)
			qsort(p->span, p->n, sizeof(*p->span), in_place);
		for (size_t i = 0; i < p->n; i++)
			span(&j, &p->span[i], names);
	}
	nf_json_end(&j);
	nf_json_key(&j, "otherData");
	nf_json_object(&j);
	nf_json_key(&j, "interruptions_left_out");
	nf_json_u64(&j, c->pool[NF_CHROME_INTERVALS].n_left_out);
	nf_json_key(&j, "events_left_out");
	nf_json_u64(&j, c->pool[NF_CHROME_EVENTS].n_left_out);
	nf_json_end(&j);
	nf_json_end(&j);
	return nf_json_done(&j, err);
}
