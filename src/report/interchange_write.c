/* SPDX-License-Identifier: MIT */
#include "report/interchange_write.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "noisefloor/location.h"
#include "noisefloor/summary.h"

typedef int write_form(const struct nf_results *r, const struct nf_interchange_about *about,
                       struct nf_buf *out, struct nf_err *err);

static const double ns_a_second = 1e9;

/* Of a part of a result's values; x has room for them. */
static int median_of(const struct nf_result_value *v, size_t n, double *x, double *ret,
                     struct nf_err *err)
{
	for (size_t i = 0; i < n; i++)
		x[i] = v[i].value;
	return nf_median(x, n, ret, err);
}

static int room_for(const struct nf_result *r, double **ret, struct nf_err *err)
{
	size_t n = r->n ? r->n : 1;

	*ret = calloc(n, sizeof(**ret));
	return *ret ? 0 : nf_fail_nomem(err, "values of results", n * sizeof(**ret));
}

static int only_times(const struct nf_results *r, const char *form, struct nf_err *err)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->result[i].n > 0 && !r->result[i].is_counter &&
		    strcmp(r->result[i].unit, "ns") != 0)
			return nf_fail(err, NF_EDATA, "'%.*s' is in %.*s; %s holds times only",
			               NF_UTF8_CUT(r->result[i].bench, 60),
			               NF_UTF8_CUT(r->result[i].unit, 40), form);
	return 0;
}

/* --- lines --- */

static int write_lines(const struct nf_results *r, const struct nf_interchange_about *about,
                       struct nf_buf *out, struct nf_err *err)
{
	int rc = 0;

	(void)about;
	for (size_t i = 0; i < r->n; i++)
		for (size_t j = 0; rc == 0 && j < r->result[i].n; j++) {
			struct nf_json js;

			nf_json_init(&js, out, false);
			nf_json_object(&js);
			nf_json_key(&js, "bench");
			nf_json_text(&js, r->result[i].bench);
			nf_json_key(&js, "value");
			nf_json_double(&js, r->result[i].item[j].value);
			nf_json_key(&js, "unit");
			nf_json_text(&js, r->result[i].unit);
			if (r->result[i].better != nf_result_better(r->result[i].unit)) {
				nf_json_key(&js, "better");
				nf_json_text(&js, nf_better_names[r->result[i].better]);
			}
			nf_json_end(&js);
			rc = nf_json_done(&js, err);
		}
	return rc;
}

/* --- hyperfine --- */

static void seconds(struct nf_json *js, const char *key, double ns)
{
	nf_json_key(js, key);
	nf_json_double(js, ns / ns_a_second);
}

/* Nothing where one of them is unknown. */
static void mean_seconds(struct nf_json *js, const char *key, const struct nf_result *r, bool user)
{
	double sum = 0;

	for (size_t i = 0; i < r->n; i++) {
		double v = user ? r->item[i].user_ns : r->item[i].system_ns;

		if (v < 0)
			return;
		sum += v;
	}
	seconds(js, key, sum / (double)r->n);
}

static bool all_peaks(const struct nf_result *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->item[i].peak_bytes < 0)
			return false;
	return true;
}

static void process_arrays(struct nf_json *js, const struct nf_result *r)
{
	if (all_peaks(r)) {
		nf_json_key(js, "memory_usage_byte");
		nf_json_array(js);
		for (size_t i = 0; i < r->n; i++)
			nf_json_i64(js, (int64_t)r->item[i].peak_bytes);
		nf_json_end(js);
	}
	nf_json_key(js, "exit_codes");
	nf_json_array(js);
	for (size_t i = 0; i < r->n; i++)
		if (r->item[i].exit_code >= 0)
			nf_json_i64(js, r->item[i].exit_code);
		else
			nf_json_null(js);
	nf_json_end(js);
}

static int hyperfine_entry(struct nf_json *js, const struct nf_result *r, struct nf_err *err)
{
	struct nf_summary s;
	double *x;
	int rc = room_for(r, &x, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < r->n; i++)
		x[i] = r->item[i].value;
	rc = nf_summarize(x, r->n, &s, err);
	free(x);
	if (rc < 0)
		return rc;
	nf_json_object(js);
	nf_json_key(js, "command");
	nf_json_text(js, r->bench);
	seconds(js, "mean", s.mean);
	nf_json_key(js, "stddev");
	if (s.has_sd)
		nf_json_double(js, s.sd / ns_a_second);
	else
		nf_json_null(js);
	seconds(js, "median", s.median);
	mean_seconds(js, "user", r, true);
	mean_seconds(js, "system", r, false);
	seconds(js, "min", s.min);
	seconds(js, "max", s.max);
	nf_json_key(js, "times");
	nf_json_array(js);
	for (size_t i = 0; i < r->n; i++)
		nf_json_double(js, r->item[i].value / ns_a_second);
	nf_json_end(js);
	process_arrays(js, r);
	nf_json_end(js);
	return 0;
}

static int write_hyperfine(const struct nf_results *r, const struct nf_interchange_about *about,
                           struct nf_buf *out, struct nf_err *err)
{
	struct nf_json js;
	int rc = only_times(r, "hyperfine", err);

	(void)about;
	nf_json_init(&js, out, true);
	nf_json_object(&js);
	nf_json_key(&js, "results");
	nf_json_array(&js);
	for (size_t i = 0; rc == 0 && i < r->n; i++)
		if (r->result[i].n > 0 && !r->result[i].is_counter)
			rc = hyperfine_entry(&js, &r->result[i], err);
	nf_json_end(&js);
	nf_json_end(&js);
	return rc < 0 ? rc : nf_json_done(&js, err);
}

/* --- Google Benchmark --- */

static void member_text(struct nf_json *js, const char *key, const char *text)
{
	nf_json_key(js, key);
	nf_json_text(js, text);
}

static void member_count(struct nf_json *js, const char *key, uint64_t v)
{
	nf_json_key(js, key);
	nf_json_u64(js, v);
}

/* Values [from, to) are those of one set. */
static size_t end_of_set(const struct nf_result *r, size_t from)
{
	size_t to = from;

	while (to < r->n && r->item[to].set == r->item[from].set)
		to++;
	return to;
}

static size_t count_sets(const struct nf_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i = end_of_set(r, i))
		n++;
	return n;
}

static void google_head(struct nf_json *js, const struct nf_result *r, size_t index)
{
	member_text(js, "name", r->bench);
	member_count(js, "family_index", index);
	member_count(js, "per_family_instance_index", 0);
	member_text(js, "run_name", r->bench);
	member_text(js, "run_type", "iteration");
}

/* Every entry has both times: readers take them unasked (compare.py of Google Benchmark does). What is not known is 0 and
 * says so. */
static void google_times(struct nf_json *js, double real_ns, const struct nf_result_value *v,
                         size_t n)
{
	double sum = 0;
	bool known = n > 0;

	for (size_t i = 0; i < n; i++) {
		known = known && v[i].user_ns >= 0 && v[i].system_ns >= 0;
		sum += v[i].user_ns + v[i].system_ns;
	}
	nf_json_key(js, "real_time");
	nf_json_double(js, real_ns);
	nf_json_key(js, "cpu_time");
	nf_json_double(js, known ? sum / (double)n : 0);
	member_text(js, "time_unit", "ns");
	if (known || n == 0)
		return;
	nf_json_key(js, "cpu_time_known");
	nf_json_bool(js, false);
}

static int google_set(struct nf_json *js, const struct nf_result *r, size_t index, size_t from,
                      size_t to, size_t set, double *x, struct nf_err *err)
{
	double median;
	int rc = median_of(r->item + from, to - from, x, &median, err);

	if (rc < 0)
		return rc;
	nf_json_object(js);
	google_head(js, r, index);
	member_count(js, "repetitions", count_sets(r));
	member_count(js, "repetition_index", set);
	member_count(js, "threads", r->threads ? r->threads : 1);
	member_count(js, "iterations", r->item[from].operations);
	google_times(js, median, r->item + from, to - from);
	nf_json_end(js);
	return 0;
}

/* As the library writes it: the times are there, and 0. */
static void google_failure(struct nf_json *js, const struct nf_result *r, size_t index)
{
	nf_json_object(js);
	google_head(js, r, index);
	member_count(js, "repetitions", 1);
	member_count(js, "repetition_index", 0);
	member_count(js, "threads", r->threads ? r->threads : 1);
	nf_json_key(js, "error_occurred");
	nf_json_bool(js, true);
	member_text(js, "error_message", r->failure ? r->failure : "no values");
	member_count(js, "iterations", 1);
	google_times(js, 0, NULL, 0);
	nf_json_end(js);
}

static int google_result(struct nf_json *js, const struct nf_result *r, size_t index,
                         struct nf_err *err)
{
	size_t set = 0;
	double *x;
	int rc;

	if (r->n == 0) {
		google_failure(js, r, index);
		return 0;
	}
	rc = room_for(r, &x, err);
	for (size_t i = 0; rc == 0 && i < r->n; i = end_of_set(r, i))
		rc = google_set(js, r, index, i, end_of_set(r, i), set++, x, err);
	free(x);
	return rc;
}

static int write_google(const struct nf_results *r, const struct nf_interchange_about *about,
                        struct nf_buf *out, struct nf_err *err)
{
	struct nf_json js;
	int rc = only_times(r, "google", err);

	nf_json_init(&js, out, true);
	nf_json_object(&js);
	nf_json_key(&js, "context");
	nf_json_object(&js);
	if (about->date)
		member_text(&js, "date", about->date);
	if (about->host)
		member_text(&js, "host_name", about->host);
	member_text(&js, "executable", "noisefloor");
	nf_json_end(&js);
	nf_json_key(&js, "benchmarks");
	nf_json_array(&js);
	for (size_t i = 0; rc == 0 && i < r->n; i++)
		if (!r->result[i].is_counter)
			rc = google_result(&js, &r->result[i], i, err);
	nf_json_end(&js);
	nf_json_end(&js);
	return rc < 0 ? rc : nf_json_done(&js, err);
}

/* --- Go --- */

/* One word of printable characters. */
static void word(struct nf_buf *out, const char *s)
{
	for (; *s; s++)
		nf_buf_addc(out, isspace((unsigned char)*s) ? '_' : *s);
}

/* What follows "Benchmark" must not begin with a lower-case letter. */
static void go_name(struct nf_buf *out, const char *name)
{
	static const char prefix[] = "Benchmark";
	size_t n = sizeof(prefix) - 1;

	if (strncmp(name, prefix, n) != 0 || islower((unsigned char)name[n])) {
		nf_buf_adds(out, prefix);
		nf_buf_addc(out, (char)(isspace((unsigned char)name[0])
		                                ? '_'
		                                : toupper((unsigned char)name[0])));
		name++;
	}
	word(out, name);
}

static void go_pair(struct nf_buf *out, double value, const char *unit)
{
	nf_buf_addc(out, '\t');
	nf_buf_add_double(out, value);
	nf_buf_addc(out, ' ');
	word(out, unit);
}

/* A line for each unit of which the other way is better than it tells itself. */
static int go_units(const struct nf_results *r, struct nf_buf *out, struct nf_err *err)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct nf_result *one = &r->result[i];
		bool said = false;

		if (one->n == 0)
			continue;
		for (size_t k = 0; k < r->n; k++) {
			const struct nf_result *other = &r->result[k];

			if (other->n == 0 || strcmp(other->unit, one->unit) != 0)
				continue;
			if (other->better != one->better)
				return nf_fail(
				        err, NF_EDATA,
				        "'%.*s' and '%.*s' are both in %.*s, of one larger is "
				        "better; go has one way for a unit",
				        NF_UTF8_CUT(one->bench, 60), NF_UTF8_CUT(other->bench, 60),
				        NF_UTF8_CUT(one->unit, 40));
			said = said || k < i;
		}
		if (said || one->better == nf_result_better(one->unit))
			continue;
		nf_buf_adds(out, "Unit ");
		word(out, strcmp(one->unit, "ns") == 0 ? "ns/op" : one->unit);
		nf_buf_addf(out, " better=%s\n",
		            one->better == NF_BETTER_LARGER ? "higher" : "lower");
	}
	return 0;
}

static int write_go(const struct nf_results *r, const struct nf_interchange_about *about,
                    struct nf_buf *out, struct nf_err *err)
{
	if (about->host) {
		nf_buf_adds(out, "host: ");
		word(out, about->host);
		nf_buf_addc(out, '\n');
	}
	int rc = go_units(r, out, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < r->n; i++)
		for (size_t j = 0; j < r->result[i].n; j++) {
			const struct nf_result_value *v = &r->result[i].item[j];
			bool time = strcmp(r->result[i].unit, "ns") == 0;

			go_name(out, r->result[i].bench);
			nf_buf_addf(out, "\t%" PRIu64, v->operations);
			go_pair(out, v->value, time ? "ns/op" : r->result[i].unit);
			if (v->user_ns >= 0)
				go_pair(out, v->user_ns, "user-ns/op");
			if (v->system_ns >= 0)
				go_pair(out, v->system_ns, "sys-ns/op");
			if (v->peak_bytes >= 0)
				go_pair(out, v->peak_bytes, "peak-RSS-bytes");
			nf_buf_addc(out, '\n');
		}
	return nf_buf_failed(out, "results", err);
}

/* --- smaller-is-better --- */

static int smaller_entry(struct nf_json *js, const struct nf_result *r, struct nf_err *err)
{
	double median = 0, *x, low = r->item[0].value, high = low;
	int rc = room_for(r, &x, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < r->n; i++) {
		low = r->item[i].value < low ? r->item[i].value : low;
		high = r->item[i].value > high ? r->item[i].value : high;
	}
	rc = median_of(r->item, r->n, x, &median, err);
	free(x);
	if (rc < 0)
		return rc;
	struct nf_buf text;
	nf_buf_init(&text, 200);
	nf_json_object(js);
	member_text(js, "name", r->bench);
	member_text(js, "unit", r->unit);
	nf_json_key(js, "value");
	nf_json_double(js, median);
	nf_buf_addf(&text, "%.6g to %.6g", low, high);
	member_text(js, "range", text.data);
	rc = nf_buf_failed(&text, "results", err); /* clearing forgets it */
	nf_buf_clear(&text);
	nf_buf_addf(&text, "median of %zu values", r->n);
	member_text(js, "extra", text.data);
	nf_json_end(js);
	if (rc == 0)
		rc = nf_buf_failed(&text, "results", err);
	nf_buf_fini(&text);
	return rc;
}

static int write_smaller(const struct nf_results *r, const struct nf_interchange_about *about,
                         struct nf_buf *out, struct nf_err *err)
{
	struct nf_json js;
	int rc = 0;

	(void)about;
	for (size_t i = 0; i < r->n; i++)
		if (r->result[i].n > 0 && !r->result[i].is_counter &&
		    r->result[i].better == NF_BETTER_LARGER)
			return nf_fail(err, NF_EDATA,
			               "'%.*s' is in %.*s, of which more is better; "
			               "smaller-is-better cannot hold it",
			               NF_UTF8_CUT(r->result[i].bench, 60),
			               NF_UTF8_CUT(r->result[i].unit, 40));
	nf_json_init(&js, out, true);
	nf_json_array(&js);
	for (size_t i = 0; rc == 0 && i < r->n; i++)
		if (r->result[i].n > 0 && !r->result[i].is_counter)
			rc = smaller_entry(&js, &r->result[i], err);
	nf_json_end(&js);
	return rc < 0 ? rc : nf_json_done(&js, err);
}

/* --- THE table --- */

static write_form *const forms[NF_N_INTERCHANGE] = {
	[NF_INTERCHANGE_LINES] = write_lines,     [NF_INTERCHANGE_HYPERFINE] = write_hyperfine,
	[NF_INTERCHANGE_GOOGLE] = write_google,   [NF_INTERCHANGE_GO] = write_go,
	[NF_INTERCHANGE_SMALLER] = write_smaller,
};

int nf_interchange_write(enum nf_interchange_id id, const struct nf_results *r,
                         const struct nf_interchange_about *about, struct nf_buf *out,
                         struct nf_err *err)
{
	static const struct nf_interchange_about nothing = { 0 };

	if (r->n_values == 0 && id != NF_INTERCHANGE_GOOGLE)
		return nf_fail(err, NF_EDATA, "there is no value to write");
	return forms[id](r, about ? about : &nothing, out, err);
}
