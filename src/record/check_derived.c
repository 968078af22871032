/* SPDX-License-Identifier: MIT */
#include "record/check_derived.h"

#include <math.h>
#include <string.h>

#include "record/walk.h"

/* Figures are sums and quotients of the ones beside them, made in another order at most. */
#define TOLERANCE 1e-9

static double number(const json_t *record, const char *key)
{
	const json_t *v = json_object_get(record, key);

	return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

static double inside(const json_t *record, const char *key, const char *figure)
{
	return number(json_object_get(record, key), figure);
}

/* --- one rule a figure: its value by the others, NaN where they do not say --- */

static double worker_noise(const json_t *w)
{
	return 1 - inside(w, "summary", "min") / inside(w, "summary", "mean");
}

static double worker_worst(const json_t *w)
{
	return inside(w, "summary", "max") - inside(w, "summary", "min");
}

static double body_noise(const json_t *body)
{
	const json_t *workers = json_object_get(body, "workers"), *w;
	double least = 0, all = 0;
	size_t i;

	json_array_foreach(workers, i, w)
	{
		double n = inside(w, "summary", "n");

		if (isnan(n))
			continue; /* a worker without samples adds nothing */
		least += n * inside(w, "summary", "min");
		all += n * inside(w, "summary", "mean");
	}
	return all > 0 ? 1 - least / all : (double)NAN;
}

static double body_worst(const json_t *body)
{
	const json_t *workers = json_object_get(body, "workers"), *w;
	double worst = (double)NAN;
	size_t i;

	json_array_foreach(workers, i, w)
	{
		worst = fmax(worst, number(w, "worst_ns"));
	}
	return worst;
}

static double numa_speedup(const json_t *b)
{
	return inside(b, "serial", "median") / inside(b, "parallel", "median");
}

static double numa_base(const json_t *b)
{
	return inside(b, "serial", "median");
}

static double numa_per_element(const json_t *b)
{
	return inside(b, "serial", "median") / (number(b, "channels") * number(b, "samples"));
}

static double numa_to_limit(const json_t *b)
{
	return inside(b, "serial", "median") / inside(b, "read_limit", "median");
}

static double wake_lateness(const json_t *w)
{
	return inside(w, "lateness", "max");
}

static double wake_interval(const json_t *w)
{
	return inside(w, "interval", "max");
}

static const struct rule {
	const char *type, *key;
	double (*value)(const json_t *record);
} rules[] = {
	{ "NoiseWorker", "noise_ratio", worker_noise },
	{ "NoiseWorker", "worst_ns", worker_worst },
	{ "NoiseBody", "noise_ratio", body_noise },
	{ "NoiseBody", "worst_detour_ns", body_worst },
	{ "NumaBody", "speedup", numa_speedup },
	{ "NumaBody", "base_serial_median_ns", numa_base },
	{ "NumaBody", "serial_ns_per_element", numa_per_element },
	{ "NumaBody", "serial_to_limit_ratio", numa_to_limit },
	{ "WakeWorker", "worst_lateness_ns", wake_lateness },
	{ "WakeWorker", "worst_interval_ns", wake_interval },
};

static void differs(struct nf_checked *c, const struct nf_path *at, const char *key, double says,
                    double want)
{
	if (!isnan(says) && !isnan(want) && fabs(says - want) > TOLERANCE * fmax(1, fabs(want)))
		nf_checked_note(c, NF_CHECK_DAMAGED,
		                "%.120s.%s is %.17g, the figures beside it give %.17g", at->text,
		                key, says, want);
}

/* --- what stands in two places --- */

/* Activations that a worker missed are losses of its stream. */
static void check_missed(const json_t *step, const struct nf_path *at, struct nf_checked *c)
{
	const json_t *workers = json_object_get(json_object_get(step, "body"), "workers"), *w;
	const json_t *streams = json_object_get(json_object_get(step, "facts"), "streams"), *s;
	size_t i, k;

	json_array_foreach(workers, i, w)
	{
		const json_t *name = json_object_get(w, "lateness_stream");

		json_array_foreach(streams, k, s)
		{
			if (name && json_equal(name, json_object_get(s, "stream")))
				differs(c, at, "workers.missed", number(w, "missed"),
				        number(s, "missed"));
		}
	}
}

/* The answer in short says what the steps say, and passes only where they do. */
static void check_window(const json_t *window, const struct nf_path *at, struct nf_checked *c)
{
	static const char *const same[] = { "noise_ratio", "repeat_below_ratio" };
	const json_t *headline = json_object_get(window, "headline"), *one;
	const json_t *noise = json_object_get(json_object_get(window, "noise"), "body");
	const char *result =
	        json_string_value(json_object_get(json_object_get(window, "head"), "result"));
	size_t i;

	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		differs(c, at, same[i], number(headline, same[i]), number(noise, same[i]));
	json_array_foreach(json_object_get(window, "steps"), i, one)
	{
		const char *step = json_string_value(json_object_get(one, "result"));

		if (step && result && strcmp(result, "pass") == 0 && strcmp(step, "pass") != 0)
			nf_checked_note(c, NF_CHECK_DAMAGED,
			                "head.result is pass, steps[%zu].result is %.20s", i, step);
		if (step && result && strcmp(step, "fail") == 0 && strcmp(result, "fail") != 0)
			nf_checked_note(c, NF_CHECK_DAMAGED,
			                "head.result is %.20s, steps[%zu].result is fail", result,
			                i);
	}
}

static const struct twin {
	const char *type;
	void (*check)(const json_t *record, const struct nf_path *at, struct nf_checked *c);
} twins[] = {
	{ "WakeStep", check_missed },
	{ "WakeRun", check_missed },
	{ "WindowRun", check_window },
};

/* --- all of a record --- */

static void check_record(const struct nf_type *t, const json_t *record, const struct nf_path *at,
                         struct nf_checked *c)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strcmp(rules[i].type, t->name) == 0)
			differs(c, at, rules[i].key, number(record, rules[i].key),
			        rules[i].value(record));
	for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++)
		if (strcmp(twins[i].type, t->name) == 0)
			twins[i].check(record, at, c);
}

/* Types are trees: the depth is theirs. */
static void walk(const struct nf_type *t, const json_t *value, struct nf_path *at,
                 struct nf_checked *c)
{
	const json_t *one;
	size_t i;

	check_record(t, value, at, c);
	for (const struct nf_field *field = t->fields; field->key; field++) {
		const json_t *v = json_object_get(value, field->key);
		size_t before = nf_path_key(at, field->key);

		if (field->type->kind == NF_T_RECORD && json_is_object(v))
			walk(field->type, v, at, c);
		if (field->type->kind == NF_T_LIST && field->type->elem->kind == NF_T_RECORD)
			json_array_foreach(v, i, one)
			{
				size_t list = nf_path_index(at, i);

				walk(field->type->elem, one, at, c);
				nf_path_cut(at, list);
			}
		nf_path_cut(at, before);
	}
}

void nf_check_derived(const struct nf_type *t, const json_t *value, struct nf_checked *c)
{
	struct nf_path at = { .text = "" };

	walk(t, value, &at, c);
}
