/* SPDX-License-Identifier: MIT */
#include "samples/samplefile_format.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static const char *const units[] = { "tick", "ns", "count" };
static const char *const kinds[] = { "duration", "instant", "count" };

enum { N_UNITS = 3, N_KINDS = 3 };

/* Integers beyond this do not survive every JSON reader: they are written as text. */
static const uint64_t json_exact = ((uint64_t)1 << 53) - 1;

/* --- bytes ----------------------------------------------------------------------------------- */

void nf_chunk_put(const struct nf_chunk *c, unsigned char ret[NF_SAMPLEFILE_CHUNK_BYTES])
{
	nf_le32_put(c->stream, ret);
	nf_le32_put(c->count, ret + 4);
	nf_le64_put(c->first, ret + 8);
	nf_le32_put(c->crc, ret + 16);
	nf_le32_put(c->zero, ret + 20);
}

struct nf_chunk nf_chunk_get(const unsigned char p[NF_SAMPLEFILE_CHUNK_BYTES])
{
	return (struct nf_chunk){ .stream = nf_le32_get(p),
		                  .count = nf_le32_get(p + 4),
		                  .first = nf_le64_get(p + 8),
		                  .crc = nf_le32_get(p + 16),
		                  .zero = nf_le32_get(p + 20) };
}

/* --- metadata -------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct nf_stream *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int check_stream(const struct nf_stream *s, size_t i, enum nf_code code, struct nf_err *err)
{
	if (!s->name[0] || !memchr(s->name, 0, sizeof(s->name)) ||
	    !memchr(s->clock, 0, sizeof(s->clock)) || !memchr(s->origin, 0, sizeof(s->origin)))
		return nf_fail(err, code, "stream %zu: a text is empty or too long", i);
	if (s->cpu < -1 || s->node < -1)
		return nf_fail(err, code, "stream '%s': cpu %d, node %d", s->name, s->cpu, s->node);
	if ((unsigned)s->unit >= N_UNITS || (unsigned)s->kind >= N_KINDS)
		return nf_fail(err, code, "stream '%s': unknown unit or kind", s->name);
	if (!isfinite(s->tick_hz) || s->tick_hz < 0 ||
	    (s->tick_hz > 0) != (s->unit == NF_UNIT_TICK))
		return nf_fail(err, code, "stream '%s': tick_hz is %g for unit '%s'", s->name,
		               s->tick_hz, units[s->unit]);
	if (s->width != 0 && s->width != 4 && s->width != 8)
		return nf_fail(err, code, "stream '%s': width is 4 or 8, not %u", s->name,
		               s->width);
	return 0;
}

int nf_samplefile_check_streams(const struct nf_stream *streams, size_t n, bool from_file,
                                struct nf_err *err)
{
	enum nf_code code = from_file ? NF_EDATA : NF_EARG;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++)
		r = check_stream(&streams[i], i, code, err);
	if (r < 0)
		return r;

	const struct nf_stream **sorted = malloc((n + 1) * sizeof(const struct nf_stream *));

	if (!sorted)
		return nf_fail_nomem(err, "the names of streams",
		                     (n + 1) * sizeof(const struct nf_stream *));
	for (size_t i = 0; i < n; i++)
		sorted[i] = &streams[i];
	qsort(sorted, n, sizeof(const struct nf_stream *), by_name);
	for (size_t i = 1; i < n && r == 0; i++)
		if (by_name(&sorted[i - 1], &sorted[i]) == 0)
			r = nf_fail(err, code, "two streams are called '%s'", sorted[i]->name);
	free(sorted);
	return r;
}

static void put_id(struct nf_json *j, const char *key, int id)
{
	nf_json_key(j, key);
	if (id < 0)
		nf_json_null(j);
	else
		nf_json_i64(j, id);
}

static void put_text(struct nf_json *j, const char *key, const char *text)
{
	nf_json_key(j, key);
	nf_json_text(j, text);
}

int nf_samplefile_write_header(const struct nf_stream *streams, size_t n, struct nf_buf *out,
                               struct nf_err *err)
{
	struct nf_json j;
	int r;

	nf_json_init(&j, out, false);
	nf_json_array(&j);
	for (size_t i = 0; i < n; i++) {
		const struct nf_stream *s = &streams[i];

		nf_json_object(&j);
		put_text(&j, "name", s->name);
		put_id(&j, "cpu", s->cpu);
		put_id(&j, "node", s->node);
		put_text(&j, "clock", s->clock);
		nf_json_key(&j, "tick_hz");
		nf_json_double(&j, s->tick_hz);
		put_text(&j, "unit", units[s->unit]);
		put_text(&j, "kind", kinds[s->kind]);
		put_text(&j, "origin", s->origin);
		nf_json_key(&j, "width");
		nf_json_u64(&j, nf_stream_width(s));
		nf_json_end(&j);
	}
	nf_json_end(&j);
	r = nf_json_done(&j, err);
	if (r == 0 && j.n_replaced > 0)
		r = nf_fail(err, NF_EARG, "a stream's name, clock or origin is not UTF-8");
	return r;
}

/* The array that a JSON text must be. *ret: owned by the caller, json_decref(). */
static int load_array(const char *json, size_t len_bytes, json_t **ret, struct nf_err *err)
{
	json_error_t e;
	json_t *a = json_loadb(json, len_bytes, JSON_REJECT_DUPLICATES, &e);

	if (!a && json_error_code(&e) == json_error_out_of_memory)
		return nf_fail_nomem(err, "JSON", len_bytes);
	if (!a)
		return nf_fail(err, NF_EDATA, "JSON, byte %d: %s", e.position, e.text);
	if (!json_is_array(a)) {
		json_decref(a);
		return nf_fail(err, NF_EDATA, "JSON: not an array");
	}
	*ret = a;
	return 0;
}

static bool get_text(const json_t *o, const char *key, char *ret, size_t size)
{
	const json_t *v = json_object_get(o, key);
	size_t len = json_string_length(v);

	/* jansson refuses NULs in texts. */
	if (!json_is_string(v) || len >= size)
		return false;
	memcpy(ret, json_string_value(v), len + 1);
	return true;
}

static bool get_id(const json_t *o, const char *key, int *ret)
{
	const json_t *v = json_object_get(o, key);
	json_int_t n = json_integer_value(v);

	if (json_is_null(v))
		n = -1;
	else if (!json_is_integer(v) || n < 0 || n > INT_MAX)
		return false;
	*ret = (int)n;
	return true;
}

static bool get_name_of(const json_t *o, const char *key, const char *const *names, unsigned n,
                        unsigned *ret)
{
	const char *s = json_string_value(json_object_get(o, key));

	for (unsigned i = 0; s && i < n; i++)
		if (strcmp(s, names[i]) == 0) {
			*ret = i;
			return true;
		}
	return false;
}

/* NULL, or the member that is missing or wrong. */
static const char *get_stream(const json_t *o, struct nf_stream *ret)
{
	const json_t *hz = json_object_get(o, "tick_hz"), *width = json_object_get(o, "width");
	unsigned unit, kind;

	if (!get_text(o, "name", ret->name, sizeof(ret->name)))
		return "name";
	if (!get_id(o, "cpu", &ret->cpu))
		return "cpu";
	if (!get_id(o, "node", &ret->node))
		return "node";
	if (!get_text(o, "clock", ret->clock, sizeof(ret->clock)))
		return "clock";
	if (!json_is_number(hz))
		return "tick_hz";
	if (!get_name_of(o, "unit", units, N_UNITS, &unit))
		return "unit";
	if (!get_name_of(o, "kind", kinds, N_KINDS, &kind))
		return "kind";
	if (!get_text(o, "origin", ret->origin, sizeof(ret->origin)))
		return "origin";
	if (json_integer_value(width) != 4 && json_integer_value(width) != 8)
		return "width";
	ret->tick_hz = json_number_value(hz);
	ret->unit = (enum nf_sample_unit)unit;
	ret->kind = (enum nf_sample_kind)kind;
	ret->width = (uint8_t)json_integer_value(width);
	return NULL;
}

int nf_samplefile_read_header(const char *json, size_t len_bytes, struct nf_stream **ret_streams,
                              size_t *ret_n, struct nf_err *err)
{
	struct nf_stream *streams = NULL;
	json_t *a = NULL;
	int r = load_array(json, len_bytes, &a, err);

	if (r < 0)
		return r;

	size_t n = json_array_size(a);

	if (n == 0 || n > NF_SAMPLEFILE_STREAMS_MAX) {
		r = nf_fail(err, NF_EDATA, "1..%d streams, not %zu", NF_SAMPLEFILE_STREAMS_MAX, n);
		goto out;
	}
	streams = calloc(n, sizeof(*streams));
	if (!streams) {
		r = nf_fail_nomem(err, "streams", n * sizeof(*streams));
		goto out;
	}
	for (size_t i = 0; i < n; i++) {
		const char *wrong = get_stream(json_array_get(a, i), &streams[i]);

		if (wrong) {
			r = nf_fail(err, NF_EDATA, "stream %zu: '%s' is missing or wrong", i,
			            wrong);
			goto out;
		}
	}
	r = nf_samplefile_check_streams(streams, n, true, err);
	if (r < 0)
		goto out;
	*ret_streams = streams;
	*ret_n = n;
	streams = NULL;
out:
	free(streams);
	json_decref(a);
	return r;
}

/* --- losses ---------------------------------------------------------------------------------- */

static void put_count(struct nf_json *j, const char *key, uint64_t v)
{
	char text[24];

	nf_json_key(j, key);
	if (v <= json_exact) {
		nf_json_u64(j, v);
		return;
	}
	snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
	nf_json_text(j, text);
}

int nf_samplefile_write_losses(const struct nf_stream *streams, const uint64_t *n_values, size_t n,
                               struct nf_buf *out, struct nf_err *err)
{
	struct nf_json j;

	nf_json_init(&j, out, false);
	nf_json_array(&j);
	for (size_t i = 0; i < n; i++) {
		nf_json_object(&j);
		put_count(&j, "n", n_values[i]);
		put_count(&j, "dropped", streams[i].n_dropped);
		put_count(&j, "saturated", streams[i].n_saturated);
		put_count(&j, "missed", streams[i].n_missed);
		put_count(&j, "truncated", streams[i].n_truncated);
		nf_json_end(&j);
	}
	nf_json_end(&j);
	return nf_json_done(&j, err);
}

static bool get_count(const json_t *o, const char *key, uint64_t *ret)
{
	const json_t *v = json_object_get(o, key);
	const char *s = json_string_value(v);
	char *end;

	if (json_is_integer(v) && json_integer_value(v) >= 0) {
		*ret = (uint64_t)json_integer_value(v);
		return true;
	}
	if (!s || s[0] < '0' || s[0] > '9')
		return false;
	errno = 0;
	*ret = strtoull(s, &end, 10);
	return errno == 0 && *end == '\0';
}

static bool get_losses(const json_t *o, struct nf_stream *s)
{
	uint64_t n = 0;

	return get_count(o, "n", &n) && n == s->n && get_count(o, "dropped", &s->n_dropped) &&
	       get_count(o, "saturated", &s->n_saturated) && get_count(o, "missed", &s->n_missed) &&
	       get_count(o, "truncated", &s->n_truncated);
}

int nf_samplefile_read_losses(const char *json, size_t len_bytes, struct nf_stream *streams,
                              size_t n, struct nf_err *err)
{
	json_t *a = NULL;
	int r = load_array(json, len_bytes, &a, err);
	size_t i = 0;

	if (r < 0)
		return r;
	while (i < n && json_array_size(a) == n && get_losses(json_array_get(a, i), &streams[i]))
		i++;
	if (i < n) {
		r = nf_fail(err, NF_EDATA,
		            "losses: entry %zu of %zu is missing, wrong or for other values", i, n);
		for (i = 0; i < n; i++)
			streams[i].n_dropped = streams[i].n_saturated = streams[i].n_missed =
			        streams[i].n_truncated = 0;
	}
	json_decref(a);
	return r;
}
