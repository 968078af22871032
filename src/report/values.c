/* SPDX-License-Identifier: MIT */
#include "report/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "samples/fwq_write.h"

/* A piece is handed over when it is this long; no single value is longer than the rest of the buffer. */
enum { PIECE_BYTES = 1 << 16, BUFFER_BYTES = 2 * PIECE_BYTES };

struct writer {
	struct nf_buf out;
	const struct nf_sink *sink;
	const struct nf_values_opts *o;
};

static int hand_over(struct writer *w, size_t above, struct nf_err *err)
{
	if (w->out.len_bytes <= above && !w->out.failed)
		return 0;
	int r = nf_buf_failed(&w->out, "the values", err);
	if (r == 0)
		r = w->sink->write(w->sink->ctx, w->out.data, w->out.len_bytes, err);
	nf_buf_clear(&w->out);
	return r;
}

static int finish(struct writer *w, int r, struct nf_err *err)
{
	if (r == 0)
		r = hand_over(w, 0, err);
	nf_buf_fini(&w->out);
	return r;
}

static bool wanted(const struct nf_values_opts *o, const struct nf_stream *s)
{
	return !o->only || strcmp(o->only, s->name) == 0;
}

static bool in_ns(const struct nf_values_opts *o, const struct nf_stream *s)
{
	return o->ns && s->unit == NF_UNIT_TICK;
}

const char *nf_values_unit(const struct nf_stream *s, const struct nf_values_opts *o)
{
	if (s->unit == NF_UNIT_COUNT)
		return "count";
	return s->unit == NF_UNIT_NS || in_ns(o, s) ? "ns" : "tick";
}

static void add_value(struct writer *w, const struct nf_stream *s, int64_t v)
{
	if (in_ns(w->o, s))
		(void)nf_buf_add_double(&w->out, nf_stream_ns(s, v));
	else
		(void)nf_buf_addf(&w->out, "%" PRId64, v);
}

int nf_values_plain(const struct nf_stream *s, size_t n, const struct nf_values_opts *o,
                    const struct nf_sink *sink, struct nf_err *err)
{
	struct writer w = { .sink = sink, .o = o };
	int r = 0;

	nf_buf_init(&w.out, BUFFER_BYTES);
	for (size_t k = 0; k < n; k++) {
		if (!wanted(o, &s[k]))
			continue;
		for (size_t i = 0; i < s[k].n && r == 0; i++) {
			add_value(&w, &s[k], s[k].value[i]);
			(void)nf_buf_addc(&w.out, '\n');
			r = hand_over(&w, PIECE_BYTES, err);
		}
	}
	return finish(&w, r, err);
}

/* A character of a name as it may reach a terminal: control characters as \xNN. */
static void add_char(struct nf_buf *out, char c)
{
	if ((unsigned char)c < 0x20 || c == 0x7f)
		(void)nf_buf_addf(out, "\\x%02x", (unsigned char)c);
	else
		(void)nf_buf_addc(out, c);
}

/* RFC 4180: a field with a quote or a comma is quoted. */
static void add_field(struct nf_buf *out, const char *text)
{
	bool quoted = strpbrk(text, "\",") != NULL;

	if (quoted)
		(void)nf_buf_addc(out, '"');
	for (const char *p = text; *p; p++) {
		if (*p == '"')
			(void)nf_buf_addc(out, '"');
		add_char(out, *p);
	}
	if (quoted)
		(void)nf_buf_addc(out, '"');
}

int nf_values_csv(const struct nf_stream *s, size_t n, const struct nf_values_opts *o,
                  const struct nf_sink *sink, struct nf_err *err)
{
	struct writer w = { .sink = sink, .o = o };
	int r = 0;

	nf_buf_init(&w.out, BUFFER_BYTES);
	if (!o->no_heading)
		(void)nf_buf_adds(&w.out, "stream,index,value,unit\n");
	for (size_t k = 0; k < n; k++) {
		if (!wanted(o, &s[k]))
			continue;
		for (size_t i = 0; i < s[k].n && r == 0; i++) {
			add_field(&w.out, s[k].name);
			(void)nf_buf_addf(&w.out, ",%zu,", i);
			add_value(&w, &s[k], s[k].value[i]);
			(void)nf_buf_addf(&w.out, ",%s\n", nf_values_unit(&s[k], o));
			r = hand_over(&w, PIECE_BYTES, err);
		}
	}
	return finish(&w, r, err);
}

static void add_loss(struct nf_json *j, const char *key, uint64_t n)
{
	nf_json_key(j, key);
	nf_json_u64(j, n);
}

static void begin_stream(struct nf_json *j, const struct nf_stream *s,
                         const struct nf_values_opts *o)
{
	static const char *const kinds[] = { [NF_KIND_DURATION] = "duration",
		                             [NF_KIND_INSTANT] = "instant",
		                             [NF_KIND_COUNT] = "count" };

	nf_json_object(j);
	nf_json_key(j, "name");
	nf_json_text(j, s->name);
	nf_json_key(j, "kind");
	nf_json_text(j, kinds[s->kind]);
	nf_json_key(j, "unit");
	nf_json_text(j, nf_values_unit(s, o));
	nf_json_key(j, "tick_hz");
	if (s->unit == NF_UNIT_TICK)
		nf_json_double(j, s->tick_hz);
	else
		nf_json_null(j);
	add_loss(j, "dropped", s->n_dropped);
	add_loss(j, "saturated", s->n_saturated);
	add_loss(j, "missed", s->n_missed);
	add_loss(j, "truncated", s->n_truncated);
	nf_json_key(j, "values");
	nf_json_array(j);
}

int nf_values_json(const char *file, const struct nf_stream *s, size_t n,
                   const struct nf_values_opts *o, const struct nf_sink *sink, struct nf_err *err)
{
	struct writer w = { .sink = sink, .o = o };
	struct nf_json j;
	int r = 0;

	nf_buf_init(&w.out, BUFFER_BYTES);
	nf_json_init(&j, &w.out, false);
	nf_json_object(&j);
	nf_json_key(&j, "file");
	nf_json_text(&j, file);
	nf_json_key(&j, "streams");
	nf_json_array(&j);
	for (size_t k = 0; k < n && r == 0; k++) {
		if (!wanted(o, &s[k]))
			continue;
		begin_stream(&j, &s[k], o);
		for (size_t i = 0; i < s[k].n && r == 0; i++) {
			if (in_ns(o, &s[k]))
				nf_json_double(&j, nf_stream_ns(&s[k], s[k].value[i]));
			else
				nf_json_i64(&j, s[k].value[i]);
			r = hand_over(&w, PIECE_BYTES, err);
		}
		nf_json_end(&j);
		nf_json_end(&j);
	}
	nf_json_end(&j);
	nf_json_end(&j);
	if (r == 0)
		r = nf_json_done(&j, err);
	return finish(&w, r, err);
}

int nf_values_fwq(const struct nf_stream *s, size_t n, const struct nf_sink *sink,
                  struct nf_err *err)
{
	struct nf_fwq_worker_text *w;
	char(*cpu)[12];
	int r = 0;

	for (size_t k = 0; k < n; k++)
		if (s[k].kind != NF_KIND_DURATION || s[k].unit == NF_UNIT_COUNT)
			return nf_fail(err, NF_EDATA, "stream %s holds no durations", s[k].name);
	w = calloc(n ? n : 1, sizeof(*w));
	cpu = calloc(n ? n : 1, sizeof(*cpu));
	if (!w || !cpu)
		r = nf_fail_nomem(err, "the workers", n * sizeof(*w));
	for (size_t k = 0; k < n && r == 0; k++) {
		double hz = s[k].unit == NF_UNIT_TICK ? s[k].tick_hz : 1e9;
		int64_t sum = 0;

		r = nf_fwq_sum(s[k].value, s[k].n, &sum, err);
		snprintf(cpu[k], sizeof(cpu[k]), "%d", s[k].cpu);
		w[k] = (struct nf_fwq_worker_text){ .index = (int)k,
			                            .cpus = cpu[k],
			                            .seconds = (double)sum / hz,
			                            .ghz = hz / 1e9,
			                            .value = s[k].value,
			                            .n = s[k].n };
	}
	if (r == 0)
		r = nf_fwq_write(NF_FWQ_THREADS, w, n, sink, err);
	free(cpu);
	free(w);
	return r;
}
