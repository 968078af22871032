/* SPDX-License-Identifier: MIT */
#include "job/lane_window.h"

#include <string.h>

#include "record/run_view.h"

#define NS_PER_10S UINT64_C(10000000000)

static bool nat_at(const json_t *body, const char *key, uint64_t *ret)
{
	const json_t *v = json_object_get(body, key);

	if (!json_is_integer(v) || json_integer_value(v) < 0)
		return false;
	*ret = (uint64_t)json_integer_value(v);
	return true;
}

/* Why no step of that probe left anything, as the window says it. */
static const char *why_not(const json_t *record, const char *probe, struct nf_arena *a)
{
	const json_t *steps = json_object_get(record, "steps");
	const char *reason = NULL;

	for (size_t i = 0; i < json_array_size(steps) && !reason; i++) {
		const json_t *step = json_array_get(steps, i);
		const char *name = json_string_value(json_object_get(step, "name"));

		if (name && strcmp(name, probe) == 0)
			reason = json_string_value(json_object_get(step, "reason"));
	}
	return nf_arena_printf(a, "%s was not measured in the realtime kernel%s%.200s", probe,
	                       reason ? ": " : "", reason ? reason : "");
}

/* An SMI stops all CPUs: the CPU that saw most of a window counted them. */
static void read_smi(const json_t *record, struct nf_arena *a, struct nf_lane_window *w)
{
	const json_t *list = json_object_get(record, "smi");
	uint64_t count = 0, time_ns = 0, scaled;
	size_t n_untrusted = 0;
	bool over = false;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *body = json_object_get(json_array_get(list, i), "body");
		uint64_t c, ns;

		if (!json_is_true(json_object_get(body, "trusted")))
			n_untrusted++;
		else if (nat_at(body, "max_count", &c) && nat_at(body, "window_ns", &ns))
			over |= __builtin_add_overflow(count, c, &count) ||
			        __builtin_add_overflow(time_ns, ns, &time_ns);
	}
	if (json_array_size(list) == 0) {
		w->smi_note = why_not(record, "smi", a);
		return;
	}
	if (n_untrusted)
		w->smi_note = nf_arena_printf(
		        a,
		        "%zu of %zu SMI counts are of a guest whose counter never moved: they are "
		        "left out",
		        n_untrusted, json_array_size(list));
	if (n_untrusted == json_array_size(list))
		return;
	if (over || time_ns == 0 || __builtin_mul_overflow(count, NS_PER_10S, &scaled) ||
	    __builtin_add_overflow(scaled, time_ns / 2, &scaled)) {
		w->smi_note = "the window's SMI counts are no counts over a time";
		return;
	}
	w->smi_per_10s = nf_some_nat(scaled / time_ns);
	if (!w->smi_note && (count * NS_PER_10S) % time_ns != 0)
		w->smi_note = nf_arena_printf(a, "smiCountPer10s is rounded: %llu in %.3f s",
		                              (unsigned long long)count, (double)time_ns * 1e-9);
}

static void read_hwlat(const json_t *record, struct nf_arena *a, struct nf_lane_window *w)
{
	const json_t *list = json_object_get(record, "hwlat");
	uint64_t max_ns = 0, threshold_us = 0, missed = 0, v;
	bool seen = false;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *body = json_object_get(json_array_get(list, i), "body");

		if (nat_at(body, "max_ns", &v)) {
			seen = true;
			max_ns = v > max_ns ? v : max_ns;
		}
		if (nat_at(body, "missed_events", &v) && v > 0)
			missed = v > UINT64_MAX - missed ? UINT64_MAX : missed + v;
		if (nat_at(body, "threshold_us", &v) && v > threshold_us)
			threshold_us = v;
	}
	if (seen)
		w->hwlat_max_us = nf_some_nat(max_ns / 1000 + (max_ns % 1000 != 0));
	if (json_array_size(list) == 0)
		w->hwlat_note = why_not(record, "hwlat", a);
	else if (missed)
		w->hwlat_note = nf_arena_printf(
		        a, "hwlat lost %llu reports: a longer gap may be among them",
		        (unsigned long long)missed);
	else if (!seen)
		w->hwlat_note = nf_arena_printf(
		        a, "hwlat saw no gap over its threshold, %llu us, in %zu samples",
		        (unsigned long long)threshold_us, json_array_size(list));
}

int nf_lane_window_read(const json_t *record, struct nf_arena *a, struct nf_lane_window *ret,
                        struct nf_err *err)
{
	struct nf_lane_window w = { 0 };
	const char *schema = json_string_value(json_object_get(record, "schema"));

	if (!schema || strcmp(schema, "WindowRun/1") != 0)
		record = NULL;
	read_smi(record, a, &w);
	read_hwlat(record, a, &w);
	int r = nf_arena_failed(a, "what a window saw", err);
	if (r == 0)
		*ret = w;
	return r;
}

int nf_lane_window_open(const char *run, struct nf_arena *a, struct nf_lane_window *ret,
                        struct nf_err *err)
{
	struct nf_err why = { 0 };
	json_t *record = NULL;
	int r = nf_run_read(run, &record, &why);

	if (r == 0) {
		r = nf_lane_window_read(record, a, ret, err);
		json_decref(record);
		return r;
	}
	if (r == -NF_ENOMEM) {
		*err = why;
		return r;
	}
	struct nf_lane_window w = {
		.smi_note = nf_arena_printf(a, "the realtime window: %.200s", why.msg),
	};
	r = nf_arena_failed(a, "what a window saw", err);
	if (r == 0)
		*ret = w;
	return r;
}
