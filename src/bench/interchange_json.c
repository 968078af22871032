/* SPDX-License-Identifier: MIT */
/* interchange_json - forms that are one JSON document: hyperfine, Google Benchmark, smaller-is-better. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "bench/interchange_forms.h"
#include "bench/json_in.h"

enum { WHERE_BYTES = 64 };

/* One entry of a document's array. */
struct entry {
	const json_t *object;
	const char *name; /* of the text */
	char where[WHERE_BYTES];
	struct nf_results *results;
};
typedef int read_entry(const struct entry *e, struct nf_err *err);

/* key NULL: the document is the array. */
static int read_array(const char *text, size_t len_bytes, const char *name, const char *key,
                      read_entry *read, struct nf_results *ret, struct nf_err *err)
{
	struct entry e = { .name = name, .results = ret };
	const json_t *array;
	json_t *root = NULL;
	int r = nf_json_in(text, len_bytes, name, 1, &root, err);

	if (r < 0)
		return r;
	array = root;
	if (key)
		r = nf_json_in_array(root, key, name, "", &array, err);
	else if (!json_is_array(root))
		r = nf_fail(err, NF_EDATA, "%s: the document is no array", name);
	for (size_t i = 0; r == 0 && i < json_array_size(array); i++) {
		e.object = json_array_get(array, i);
		snprintf(e.where, sizeof(e.where), "%s[%zu]", key ? key : "", i);
		r = read(&e, err);
	}
	json_decref(root);
	return r;
}

static int add(const struct entry *e, struct nf_result *to, double value, struct nf_err *err)
{
	struct nf_err why = { 0 };
	int r = nf_results_add(e->results, to, value, &why);

	if (r == -NF_EDATA)
		return nf_fail(err, NF_EDATA, "%s: %s: %s", e->name, e->where, why.msg);
	return r < 0 ? nf_fail_nomem(err, "values of results", sizeof(double)) : 0;
}

static int get(const struct entry *e, const char *bench, const char *unit, struct nf_result **ret,
               struct nf_err *err)
{
	struct nf_err why = { 0 };
	int r = nf_results_get(e->results, bench, unit, ret, &why);

	if (r == -NF_EDATA)
		return nf_fail(err, NF_EDATA, "%s: %s: %s", e->name, e->where, why.msg);
	return r < 0 ? nf_fail_nomem(err, "results", sizeof(struct nf_result)) : 0;
}

/* --- hyperfine --- */

static double beside(const json_t *array, size_t i)
{
	const json_t *v = json_array_get(array, i);

	return json_is_number(v) ? json_number_value(v) : -1;
}

/* A whole number of ns that went through seconds comes back as one. */
static double ns_of(double seconds)
{
	double ns = seconds * 1e9, whole = nearbyint(ns);

	return fabs(ns - whole) <= 2 * DBL_EPSILON * fabs(ns) ? whole : ns;
}

static int read_hyperfine_entry(const struct entry *e, struct nf_err *err)
{
	const json_t *times, *codes = json_object_get(e->object, "exit_codes");
	const json_t *memory = json_object_get(e->object, "memory_usage_byte");
	const char *command;
	struct nf_result *to;
	int r = nf_json_in_text(e->object, "command", e->name, e->where, &command, err);

	if (r == 0)
		r = nf_json_in_array(e->object, "times", e->name, e->where, &times, err);
	if (r == 0)
		r = get(e, command, "ns", &to, err);
	for (size_t i = 0; r == 0 && i < json_array_size(times); i++) {
		const json_t *v = json_array_get(times, i);

		if (!json_is_number(v))
			return nf_fail(err, NF_EDATA, "%s: %s: times[%zu] is no number", e->name,
			               e->where, i);
		r = add(e, to, ns_of(json_number_value(v)), err);
		if (r < 0)
			break;
		struct nf_result_value *last = &to->item[to->n - 1];
		double code = beside(codes, i), bytes = beside(memory, i);
		last->exit_code = code >= 0 && code <= 255 ? (int)code : -1;
		last->peak_bytes = bytes >= 0 ? bytes : -1;
	}
	return r;
}

static int read_hyperfine(const char *text, size_t len_bytes, const char *name,
                          struct nf_results *ret, struct nf_err *err)
{
	return read_array(text, len_bytes, name, "results", read_hyperfine_entry, ret, err);
}

const struct nf_interchange nf_interchange_hyperfine = { "hyperfine", read_hyperfine };

/* --- Google Benchmark --- */

static uint64_t count_of(const json_t *object, const char *key)
{
	json_int_t v = json_integer_value(json_object_get(object, key));

	return v > 0 ? (uint64_t)v : 0;
}

static int fail_google(const struct entry *e, const char *bench, struct nf_err *err)
{
	const char *why = json_string_value(json_object_get(e->object, "error_message"));
	struct nf_result *to;
	int r = get(e, bench, "ns", &to, err);

	if (r < 0)
		return r;
	to->failure =
	        nf_arena_strdup(&e->results->arena, why && *why ? why : "it says that it failed");
	return nf_arena_failed(&e->results->arena, "results", err);
}

/* Members of an entry that are numbers and no counters (docs/user_guide.md of Google Benchmark, and its
 * src/json_reporter.cc). */
static bool is_own_member(const char *key)
{
	static const char *const own[] = {
		"family_index",
		"per_family_instance_index",
		"repetitions",
		"repetition_index",
		"threads",
		"iterations",
		"real_time",
		"cpu_time",
		"cpu_coefficient",
		"real_coefficient",
		"rms",
		"allocs_per_iter",
		"max_bytes_used",
		"total_allocated_bytes",
		"net_heap_growth",
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (strcmp(key, own[i]) == 0)
			return true;
	return false;
}

/* A counter's name is its unit; "items_per_second" is in items/s. */
static int read_counters(const struct entry *e, const char *bench, uint64_t operations,
                         struct nf_err *err)
{
	static const char per_second[] = "_per_second";
	const char *key;
	json_t *v;
	int r = 0;

	/* Nothing is changed; the iterator of jansson takes no pointer to const. */
	json_object_foreach((json_t *)(uintptr_t)e->object, key, v)
	{
		size_t n = strlen(key), m = strlen(per_second);
		char unit[NF_RESULT_NAME_MAX + 2];
		struct nf_result *to;

		if (r < 0 || !json_is_number(v) || is_own_member(key))
			continue;
		bool rate = n > m && strcmp(key + n - m, per_second) == 0;
		/* One that is too long is cut to a byte too much, and refused. */
		snprintf(unit, sizeof(unit), "%.*s%s", (int)(rate && n < sizeof(unit) ? n - m : n),
		         key, rate ? "/s" : "");
		r = get(e, bench, unit, &to, err);
		if (r == 0)
			r = add(e, to, json_number_value(v), err);
		if (r < 0)
			continue;
		to->is_counter = true;
		to->item[to->n - 1].operations = operations;
	}
	return r;
}

static int read_google_entry(const struct entry *e, struct nf_err *err)
{
	const char *type = json_string_value(json_object_get(e->object, "run_type"));
	const char *bench, *unit = "ns";
	struct nf_result *to = NULL;
	double time = 0, factor = 1;
	int r = nf_json_in_text(e->object, "name", e->name, e->where, &bench, err);

	if (r < 0 || (type && strcmp(type, "iteration") != 0))
		return r;
	if (json_is_true(json_object_get(e->object, "error_occurred")))
		return fail_google(e, bench, err);
	r = nf_json_in_number(e->object, "real_time", e->name, e->where, &time, err);
	if (r == 0 && json_object_get(e->object, "time_unit"))
		r = nf_json_in_text(e->object, "time_unit", e->name, e->where, &unit, err);
	if (r == 0 && strcmp(nf_result_unit(unit, &factor), "ns") != 0)
		r = nf_fail(err, NF_EDATA, "%s: %s: bad time_unit '%.*s'; allowed: ns, us, ms, s",
		            e->name, e->where, NF_UTF8_CUT(unit, 40));
	if (r == 0)
		r = get(e, bench, "ns", &to, err);
	if (r == 0)
		r = add(e, to, time * factor, err);
	if (r != 0)
		return r;
	uint64_t operations = count_of(e->object, "iterations");
	uint64_t threads = count_of(e->object, "threads");
	to->item[to->n - 1].operations = operations ? operations : 1;
	if (threads >= 1 && threads <= 1 << 20)
		to->threads = (unsigned)threads;
	return read_counters(e, bench, to->item[to->n - 1].operations, err);
}

static int read_google(const char *text, size_t len_bytes, const char *name, struct nf_results *ret,
                       struct nf_err *err)
{
	int r = read_array(text, len_bytes, name, "benchmarks", read_google_entry, ret, err);

	if (r == 0 && ret->n == 0)
		return nf_fail(
		        err, NF_EDATA,
		        "%s: no single runs; aggregates alone are not enough: run it without "
		        "--benchmark_report_aggregates_only",
		        name);
	return r;
}

const struct nf_interchange nf_interchange_google = { "google", read_google };

/* --- smaller-is-better --- */

static int read_smaller_entry(const struct entry *e, struct nf_err *err)
{
	const char *bench = NULL, *unit = NULL;
	struct nf_result *to = NULL;
	double value = 0, factor = 1;
	int r = nf_json_in_text(e->object, "name", e->name, e->where, &bench, err);

	if (r == 0)
		r = nf_json_in_text(e->object, "unit", e->name, e->where, &unit, err);
	if (r == 0)
		r = nf_json_in_number(e->object, "value", e->name, e->where, &value, err);
	if (r != 0)
		return r;
	unit = nf_result_unit(unit, &factor);
	r = get(e, bench, unit, &to, err);
	if (r != 0)
		return r;
	/* The form says which way is better, whatever the unit. */
	to->better = NF_BETTER_SMALLER;
	to->better_said = true;
	return add(e, to, value * factor, err);
}

static int read_smaller(const char *text, size_t len_bytes, const char *name,
                        struct nf_results *ret, struct nf_err *err)
{
	return read_array(text, len_bytes, name, NULL, read_smaller_entry, ret, err);
}

const struct nf_interchange nf_interchange_smaller = { "smaller-is-better", read_smaller };
