/* SPDX-License-Identifier: MIT */
#include "record/check_figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noisefloor/summary.h"
#include "record/rec_common.h"
#include "record/walk.h"
#include "samples/samplefile.h"

/* Other compilers and machines round sums and interpolations differently in the last digits. */
static const double tolerance = 1e-9;
enum { NAME_BYTES = 160 };
/* Figures of more samples than this are not recomputed: 2 GiB of values. */
#define VALUES_MAX ((size_t)1 << 28)

struct figures {
	const json_t *root; /* the whole record */
	struct nf_checked *c;
	const struct nf_checklist *all;
	struct nf_err *err;
	struct nf_path at;
	const json_t *facts; /* of the step at hand */
	const json_t *periodic; /* nearest record around with period_ns */
	char file[256]; /* what `reader` reads; "": nothing */
	struct nf_samplefile_reader *reader; /* owned */
	int64_t *value; /* owned: samples of one stream at a time */
	size_t cap; /* of value */
	size_t held; /* number of the stream in value; SIZE_MAX: none */
};

static void forget(struct figures *f)
{
	nf_samplefile_close(f->reader);
	f->reader = NULL;
	f->held = SIZE_MAX;
	f->file[0] = '\0';
}

/* What is in a file of samples; *ret NULL where it is not there or not whole: others say so. */
static int load(struct figures *f, const char *file, const struct nf_samplefile **ret)
{
	const struct nf_checked *on = nf_checklist_find(f->all, file);
	int rc;

	*ret = NULL;
	if (!on || !on->on_disk || on->state != NF_CHECK_COMPLETE ||
	    strlen(file) >= sizeof(f->file))
		return 0;
	if (strcmp(f->file, file) != 0) {
		struct nf_err why = { 0 };

		forget(f);
		rc = nf_samplefile_open(f->all->dirfd, on->path, &f->reader, &why);
		if (rc == -NF_EDATA) {
			nf_checked_note(f->c, NF_CHECK_COMPLETE,
			                "%.100s: its figures are not recomputed: %.80s", file,
			                why.msg);
			return 0;
		}
		if (rc < 0) {
			*f->err = why;
			return rc;
		}
		snprintf(f->file, sizeof(f->file), "%s", file);
	}
	*ret = nf_samplefile_about(f->reader);
	return 0;
}

/* Stream i with its values, which are borrowed until the next one is read. */
static int read_stream(struct figures *f, const struct nf_samplefile *s, size_t i,
                       struct nf_stream *ret)
{
	struct nf_stream one = s->streams[i];

	if (f->held != i && one.n > 0) {
		f->held = SIZE_MAX;
		if (one.n > f->cap) {
			free(f->value);
			f->cap = 0;
			f->value = malloc(one.n * sizeof(*f->value));
			if (!f->value)
				return nf_fail_nomem(f->err, "samples", one.n * sizeof(*f->value));
			f->cap = one.n;
		}
		int rc = nf_samplefile_values(f->reader, i, f->value, f->err);
		if (rc < 0)
			return rc;
		f->held = i;
	}
	one.value = one.n > 0 ? f->value : NULL;
	*ret = one;
	return 0;
}

static void differs(struct figures *f, const char *key, double got, double wanted, const char *file)
{
	nf_checked_note(f->c, NF_CHECK_DAMAGED, "%s.%s is %.17g where %s gives %.17g", f->at.text,
	                key, got, file, wanted);
}

static bool close_to(double a, double b)
{
	return a == b || fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* object[key] is `wanted`, or null where there is none (NaN). */
static void compare(struct figures *f, const json_t *object, const char *key, double wanted,
                    const char *file)
{
	const json_t *v = json_object_get(object, key);

	if (json_is_null(v) && isnan(wanted))
		return;
	double got = json_is_number(v) ? json_number_value(v) : (double)NAN;
	if (isnan(got) || isnan(wanted) || !close_to(got, wanted))
		differs(f, key, got, wanted, file);
}

static const struct nf_stream *stream_of(const struct nf_samplefile *s, const char *name)
{
	for (size_t i = 0; i < s->n_streams; i++)
		if (strcmp(s->streams[i].name, name) == 0)
			return &s->streams[i];
	return NULL;
}

static double factor_of(const struct nf_stream *s)
{
	return s->unit == NF_UNIT_TICK ? 1e9 / s->tick_hz : 1.0;
}

/* One element of facts.streams. */
static int check_stream_ref(struct figures *f, const json_t *ref)
{
	const char *file = json_string_value(json_object_get(ref, "file"));
	const char *name = json_string_value(json_object_get(ref, "stream"));
	const struct nf_samplefile *s;

	if (!file || !name || json_is_null(json_object_get(ref, "sha256")))
		return 0; /* not kept */
	int rc = load(f, file, &s);
	if (rc < 0 || !s)
		return rc;
	const struct nf_stream *stream = stream_of(s, name);
	if (!stream) {
		nf_checked_note(f->c, NF_CHECK_DAMAGED, "%s: %.80s has no stream %.47s", f->at.text,
		                file, name);
		return 0;
	}
	compare(f, ref, "count", (double)stream->n, file);
	compare(f, ref, "tick_hz", stream->unit == NF_UNIT_TICK ? stream->tick_hz : (double)NAN,
	        file);
	compare(f, ref, "dropped", (double)stream->n_dropped, file);
	compare(f, ref, "saturated", (double)stream->n_saturated, file);
	compare(f, ref, "missed", (double)stream->n_missed, file);
	compare(f, ref, "truncated", (double)stream->n_truncated, file);
	return 0;
}

static int check_facts(struct figures *f, const json_t *facts)
{
	static const char *const losses[] = { "dropped", "saturated", "missed", "truncated" };
	const json_t *refs = json_object_get(facts, "streams"), *ref;
	/* Streams that describe the same events count once in the totals: which do is the step's. */
	double most[4] = { 0 };
	int rc = 0;
	size_t i;

	size_t key = nf_path_key(&f->at, "streams");
	json_array_foreach(refs, i, ref)
	{
		size_t before = nf_path_index(&f->at, i);

		if (rc == 0)
			rc = check_stream_ref(f, ref);
		nf_path_cut(&f->at, before);
		for (size_t k = 0; k < 4; k++)
			most[k] = fmax(most[k], json_number_value(json_object_get(ref, losses[k])));
	}
	nf_path_cut(&f->at, key);
	for (size_t k = 0; rc == 0 && k < 4 && json_array_size(refs) > 0; k++)
		if (json_number_value(json_object_get(facts, losses[k])) < most[k])
			nf_checked_note(f->c, NF_CHECK_DAMAGED,
			                "%s.%s is less than one of its streams lost", f->at.text,
			                losses[k]);
	return rc;
}

/* form with {key} replaced by record[key]. False: it has no such field, or there is no room. */
static bool expand(const char *form, const json_t *record, char ret[NAME_BYTES])
{
	size_t len = 0;

	while (*form) {
		char key[32], text[NAME_BYTES];
		const char *end = *form == '{' ? strchr(form, '}') : NULL;

		if (!end) {
			if (len + 1 >= NAME_BYTES)
				return false;
			ret[len++] = *form++;
			continue;
		}
		snprintf(key, sizeof(key), "%.*s", (int)(end - form - 1), form + 1);
		const json_t *v = json_object_get(record, key);
		if (json_is_integer(v))
			snprintf(text, sizeof(text), "%" JSON_INTEGER_FORMAT,
			         json_integer_value(v));
		else if (json_is_string(v))
			snprintf(text, sizeof(text), "%s", json_string_value(v));
		else
			return false;
		if (strlen(text) >= NAME_BYTES - len)
			return false;
		memcpy(ret + len, text, strlen(text));
		len += strlen(text);
		form = end + 1;
	}
	ret[len] = '\0';
	return true;
}

struct values {
	int64_t *own; /* owned; NULL: borrowed */
	const int64_t *v;
	size_t n;
	double factor; /* to ns, or 1 */
};

static int64_t distance(int64_t a, int64_t b)
{
	/* Samples of a damaged file may be anything; unsigned arithmetic does not overflow. */
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static size_t put_intervals(const struct nf_stream *s, enum nf_figure_values how, int64_t period,
                            int64_t *ret)
{
	size_t n = 0;

	for (size_t i = 1; i < s->n; i++) {
		int64_t d = distance(s->value[i], s->value[i - 1]);

		if (how != NF_FIGURE_INTERVALS) {
			d = distance(d, period);
			if (d < 0)
				d = distance(0, d);
		}
		ret[n++] = d;
	}
	return n;
}

/* How many instants of the stream lie in each full second of a span. ret->own is set even on failure. */
static int put_rate(struct figures *f, const struct nf_stream *s, double span_ns,
                    struct values *ret)
{
	double per_second = s->unit == NF_UNIT_TICK ? s->tick_hz : 1e9;
	size_t seconds =
	        span_ns >= 1e9 && span_ns < 1e9 * VALUES_MAX ? (size_t)(span_ns * 1e-9) : 0;

	*ret = (struct values){ .factor = 1.0 };
	if (seconds == 0)
		return 0;
	ret->v = ret->own = calloc(seconds, sizeof(*ret->own));
	if (!ret->own)
		return nf_fail_nomem(f->err, "a rate", seconds * sizeof(*ret->own));
	for (size_t i = 0; i < s->n; i++) {
		double at = (double)s->value[i] / per_second;

		if (at >= 0 && at < (double)seconds)
			ret->own[(size_t)at]++;
	}
	ret->n = seconds;
	return 0;
}

static bool ends_in(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && strcmp(s + n - m, suffix) == 0;
}

/* Whether the rule takes this stream of the file; names as expanded. */
static bool takes(const struct nf_figure_rule *rule, const char *names, const struct nf_stream *s)
{
	size_t len = strlen(s->name);

	if (rule->values == NF_FIGURE_JITTER_OF_ALL)
		return ends_in(s->name, names);
	if (rule->values != NF_FIGURE_LARGER)
		return strcmp(s->name, names) == 0;
	return (strncmp(names, s->name, len) == 0 && names[len] == ' ') ||
	       (ends_in(names, s->name) && names[strlen(names) - len - 1] == ' ');
}

/* Adds what the rule makes of stream `one`; nth: how many were added before. */
static void put_values(const struct figures *f, const struct nf_figure_rule *rule,
                       const struct nf_stream *one, size_t nth, struct values *ret)
{
	int64_t period = json_integer_value(json_object_get(f->periodic, "period_ns"));

	ret->factor = factor_of(one);
	if (rule->values == NF_FIGURE_AS_IS) {
		ret->v = one->value;
		ret->n = one->n;
	} else if (rule->values != NF_FIGURE_LARGER) {
		ret->n += put_intervals(one, rule->values, period, ret->own + ret->n);
	} else if (nth == 0) {
		if (one->n > 0)
			memcpy(ret->own, one->value, one->n * sizeof(*ret->own));
		ret->n = one->n;
	} else {
		ret->n = one->n < ret->n ? one->n : ret->n;
		for (size_t k = 0; k < ret->n; k++)
			if (one->value[k] > ret->own[k])
				ret->own[k] = one->value[k];
	}
}

/* The values of one file that the rule names; names as expanded. ret->n 0: none. *ret_many: there are more than are
 * recomputed. */
static int take_values(struct figures *f, const struct nf_figure_rule *rule, const json_t *record,
                       const char *names, const struct nf_samplefile *s, struct values *ret,
                       bool *ret_many)
{
	bool rate = rule->values == NF_FIGURE_PER_SECOND;
	struct nf_stream one = { .n = 0 };
	size_t total = 0, nth = 0;
	int rc = 0;

	*ret = (struct values){ .factor = 1.0 };
	for (size_t i = 0; i < s->n_streams; i++)
		if (takes(rule, names, &s->streams[i]) &&
		    __builtin_add_overflow(total, s->streams[i].n, &total))
			total = SIZE_MAX;
	*ret_many = total > VALUES_MAX;
	/* A rate is 0 where nothing happened; other figures need samples. */
	if (*ret_many || (total == 0 && !rate))
		return 0;
	if (rule->values != NF_FIGURE_AS_IS && !rate) {
		ret->own = malloc(total * sizeof(*ret->own));
		if (!ret->own)
			return nf_fail_nomem(f->err, "samples", total * sizeof(*ret->own));
		ret->v = ret->own;
	}
	for (size_t i = 0; rc == 0 && i < s->n_streams; i++) {
		if (!takes(rule, names, &s->streams[i]))
			continue;
		rc = read_stream(f, s, i, &one);
		if (rc == 0 && rate)
			return put_rate(f, &one,
			                json_number_value(json_object_get(record, "span_ns")), ret);
		if (rc == 0)
			put_values(f, rule, &one, nth++, ret);
	}
	return rc;
}

/* The number of samples at or beyond a percentile: which side a sample that equals it up to the last
 * digits falls on is open. */
static void compare_beyond(struct figures *f, const struct values *v, const json_t *percentile,
                           const char *file)
{
	double value = json_number_value(json_object_get(percentile, "value"));
	double beyond = json_number_value(json_object_get(percentile, "n_beyond"));
	double slack = tolerance * fabs(value);
	size_t least = 0, most = 0;

	for (size_t i = 0; i < v->n; i++) {
		double x = (double)v->v[i] * v->factor;

		least += x > value + slack;
		most += x >= value - slack;
	}
	if (beyond < (double)least || beyond > (double)most)
		differs(f, "n_beyond", beyond, (double)most, file);
}

/* v NULL: who is beyond a percentile is not counted. */
static void compare_figures(struct figures *f, struct nf_summary s, const struct values *v,
                            const json_t *summary, const char *file)
{
	const json_t *list = json_object_get(summary, "percentiles"), *one;
	size_t i;

	compare(f, summary, "n", (double)s.n, file);
	compare(f, summary, "min", s.min, file);
	compare(f, summary, "max", s.max, file);
	compare(f, summary, "mean", s.mean, file);
	compare(f, summary, "median", s.median, file);
	compare(f, summary, "mad", s.mad, file);
	compare(f, summary, "sd", s.has_sd ? s.sd : (double)NAN, file);
	compare(f, summary, "median_ci_lo", s.has_median_ci ? s.median_ci_lo : (double)NAN, file);
	compare(f, summary, "median_ci_hi", s.has_median_ci ? s.median_ci_hi : (double)NAN, file);
	size_t key = nf_path_key(&f->at, "percentiles");
	json_array_foreach(list, i, one)
	{
		size_t before = nf_path_index(&f->at, i);

		if (i >= NF_SUMMARY_PERCENTILES)
			break;
		compare(f, one, "p", s.percentile[i].p, file);
		compare(f, one, "value", s.percentile[i].value, file);
		if (v)
			compare_beyond(f, v, one, file);
		nf_path_cut(&f->at, before);
	}
	if (json_array_size(list) != NF_SUMMARY_PERCENTILES)
		differs(f, "length", (double)json_array_size(list), NF_SUMMARY_PERCENTILES, file);
	nf_path_cut(&f->at, key);
	double binned = 0;
	list = json_object_get(summary, "histogram");
	json_array_foreach(list, i, one)
	{
		binned += json_number_value(one);
	}
	if (json_array_size(list) > 0 && binned != (double)s.n)
		nf_checked_note(f->c, NF_CHECK_DAMAGED, "%s.histogram holds %.17g of %zu samples",
		                f->at.text, binned, s.n);
}

static int compare_summary(struct figures *f, const struct values *v, const json_t *summary,
                           const char *file)
{
	struct nf_summary s;
	int rc = nf_summarize_i64(v->v, v->n, v->factor, &s, f->err);

	if (rc == 0)
		compare_figures(f, s, v, summary, file);
	return rc;
}

/* Values of the variant `record` in the record's own sets, the list `key` of each. */
static int check_in_sets(struct figures *f, const json_t *record, const char *key,
                         const json_t *summary)
{
	const json_t *sets = json_object_get(f->root, "sets"), *set, *v;
	const json_t *variants = json_object_get(f->root, "variants");
	size_t i, k, n = 0, room = 1, index = 0;
	struct nf_summary s;

	while (index < json_array_size(variants) && json_array_get(variants, index) != record)
		index++;
	json_array_foreach(sets, i, set) room += json_array_size(json_object_get(set, key));
	double *x = calloc(room, sizeof(*x));
	if (!x)
		return nf_fail_nomem(f->err, "the values of a run", room * sizeof(*x));
	json_array_foreach(sets, i, set)
	{
		const json_t *of = json_object_get(set, "variant");

		if (!json_is_null(json_object_get(set, "failure")) ||
		    json_integer_value(of) != (json_int_t)index)
			continue;
		json_array_foreach(json_object_get(set, key), k, v) x[n++] = json_number_value(v);
	}
	int rc = n > 0 ? nf_summarize(x, n, &s, f->err) : 0;
	if (n == 0)
		nf_checked_note(f->c, NF_CHECK_DAMAGED, "%.100s: the sets have no %s", f->at.text,
		                key);
	else if (rc == 0)
		compare_figures(f, s, NULL, summary, "sets");
	free(x);
	return rc;
}

/* f->at is the summary's path. */
static int check_summary(struct figures *f, const struct nf_type *t, const char *key,
                         const json_t *record, const json_t *summary)
{
	const struct nf_figure_rule *rule = nf_figure_rule(t->name, key);
	const json_t *refs = json_object_get(f->facts, "streams");
	const char *file = json_string_value(json_object_get(json_array_get(refs, 0), "file"));
	const struct nf_samplefile *s;
	char names[NAME_BYTES];
	struct values v;
	bool many = false;

	if (!rule) {
		nf_checked_note(f->c, NF_CHECK_COMPLETE, "%.100s is not recomputed", f->at.text);
		return 0;
	}
	if (rule->values == NF_FIGURE_IN_SETS)
		return check_in_sets(f, record, rule->stream, summary);
	if (!file || json_is_null(json_object_get(json_array_get(refs, 0), "sha256")))
		return 0;
	int rc = load(f, file, &s);
	if (rc < 0 || !s)
		return rc;
	if (!expand(rule->stream, record, names)) {
		nf_checked_note(f->c, NF_CHECK_DAMAGED, "%.100s: its stream has no name",
		                f->at.text);
		return 0;
	}
	rc = take_values(f, rule, record, names, s, &v, &many);
	if (rc == 0 && many)
		nf_checked_note(f->c, NF_CHECK_COMPLETE,
		                "%.100s is not recomputed: it has more than %zu samples",
		                f->at.text, VALUES_MAX);
	else if (rc == 0 && v.n == 0)
		nf_checked_note(f->c, NF_CHECK_DAMAGED, "%.100s: %.60s has no samples of %.47s",
		                f->at.text, file, names);
	else if (rc == 0)
		rc = compare_summary(f, &v, summary, file);
	free(v.own);
	return rc;
}

static int walk(struct figures *f, const struct nf_type *t, const json_t *value);

static int walk_field(struct figures *f, const struct nf_type *t, const struct nf_field *field,
                      const json_t *record)
{
	const json_t *v = json_object_get(record, field->key), *one;
	int rc = 0;
	size_t i;

	if (field->type == &nf_rec_summary_type && json_is_object(v))
		return check_summary(f, t, field->key, record, v);
	if (field->type == &nf_rec_facts_type && json_is_object(v)) {
		f->facts = v;
		return check_facts(f, v);
	}
	if (field->type->kind == NF_T_RECORD && json_is_object(v))
		return walk(f, field->type, v);
	if (field->type->kind != NF_T_LIST || field->type->elem->kind != NF_T_RECORD)
		return 0;
	json_array_foreach(v, i, one)
	{
		size_t before = nf_path_index(&f->at, i);

		if (rc == 0)
			rc = walk(f, field->type->elem, one);
		nf_path_cut(&f->at, before);
	}
	return rc;
}

/* The facts of a step stand before what it measured. Types are trees: the depth is theirs. */
static int walk(struct figures *f, const struct nf_type *t, const json_t *value)
{
	const json_t *periodic = f->periodic;
	int rc = 0;

	if (json_is_integer(json_object_get(value, "period_ns")))
		f->periodic = value;
	for (const struct nf_field *field = t->fields; rc == 0 && field->key; field++) {
		size_t before = nf_path_key(&f->at, field->key);

		rc = walk_field(f, t, field, value);
		nf_path_cut(&f->at, before);
	}
	f->periodic = periodic;
	return rc;
}

int nf_check_figures(const struct nf_type *t, const json_t *value, const struct nf_checklist *all,
                     struct nf_checked *c, struct nf_err *err)
{
	struct nf_err own = { 0 };
	struct figures f = { .c = c, .all = all, .err = err ? err : &own };
	f.root = value;
	f.held = SIZE_MAX;
	int rc = walk(&f, t, value);

	forget(&f);
	free(f.value);
	return rc;
}
