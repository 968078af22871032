/* SPDX-License-Identifier: MIT */
#include "record/run_view.h"

#include <stddef.h>
#include <string.h>

#include "record/capture_facts.h"
#include "record/metrics.h"

/* Where a field stands in records of ours, in published ones, in captures. */
struct place {
	size_t off;
	const char *ours, *published, *capture;
};
#define AT(f) offsetof(struct nf_run_view, f)
#define SETUP "head.setup_before."
/* clang-format off */
static const struct place texts[] = {
	{ AT(tag),            "head.tag",               NULL,            "tag" },
	{ AT(host),           "head.host.label",        "host",          "host" },
	{ AT(lane),           "head.lane",              "lane",          NULL },
	{ AT(expected_lane),  "head.expected_lane",     "expectedLane",  "expected_lane" },
	{ AT(kernel),         SETUP "kernel_release",   "kernelVersion", "kernel_version" },
	{ AT(cmdline),        SETUP "kernel_cmdline",   NULL,            "kernel_cmdline" },
	{ AT(platform),       "head.host.platform_kind", NULL,           NULL },
	{ AT(boot_id),        SETUP "boot_id",          NULL,            NULL },
	{ AT(run_id),         "head.run_id",            NULL,            NULL },
	{ AT(started_utc),    "head.started_utc",       NULL,            NULL },
	{ AT(captured_utc),   "head.started_utc",       NULL,            "captured_utc" },
	{ AT(cpus_isolated),  SETUP "cpus_isolated",    NULL,            "cpus_isolated" },
	{ AT(cpus_nohz_full), SETUP "cpus_nohz_full",   NULL,            "nohz_full" },
};
/* clang-format on */

static const json_t *at_path(const json_t *v, const char *path)
{
	char key[64];

	while (v && path && *path) {
		size_t n = strcspn(path, ".");

		if (n >= sizeof(key))
			return NULL;
		memcpy(key, path, n);
		key[n] = '\0';
		v = json_object_get(v, key);
		path += path[n] == '.' ? n + 1 : n;
	}
	return path ? v : NULL;
}

static bool number_at(const json_t *record, const char *path, double *ret)
{
	const json_t *v = at_path(record, path);

	if (!json_is_number(v))
		return false;
	*ret = json_number_value(v);
	return true;
}

static enum nf_known bool_at(const json_t *record, const char *path)
{
	const json_t *v = at_path(record, path);

	return json_is_true(v) ? NF_KNOWN_YES : json_is_false(v) ? NF_KNOWN_NO : NF_KNOWN_NOT;
}

static void find_lane(struct nf_run_view *v)
{
	if (v->lane && strcmp(v->lane, "unknown") != 0)
		return;
	if (v->realtime != NF_KNOWN_NOT)
		v->lane = v->realtime == NF_KNOWN_YES ? "rt" : "generic";
	else
		v->lane = v->expected_lane ? v->expected_lane : "unknown";
	/* A validator was told what to expect. */
	if (strcmp(v->lane, "unknown") == 0 && bool_at(v->record, "expect_rt") != NF_KNOWN_NOT)
		v->lane = bool_at(v->record, "expect_rt") == NF_KNOWN_YES ? "rt" : "generic";
}

static void find_per_element(struct nf_run_view *v)
{
	double serial_s, channels, samples;

	if (!number_at(v->record, "serialSeconds", &serial_s) ||
	    !number_at(v->record, "channelCount", &channels) ||
	    !number_at(v->record, "sampleCount", &samples) || channels < 1 || samples < 1)
		return;
	v->has_per_element = true;
	v->serial_ns_per_element = serial_s * 1e9 / (channels * samples);
}

int nf_run_view(const char *label, const json_t *record, struct nf_run_view *ret,
                struct nf_err *err)
{
	struct nf_run_view v = { .label = label, .record = record };
	bool ours, capture;
	double captured;

	v.schema = nf_metrics_schema(record);
	if (!v.schema)
		return nf_fail(err, NF_EDATA,
		               "%s is no record that can be compared; allowed: runs, HostProbeRun, "
		               "KernelValidationRun, captures",
		               label);
	capture = strcmp(v.schema, "CaptureFacts") == 0;
	ours = !capture && json_object_get(record, "schema");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *path = capture ? texts[i].capture
		                   : ours  ? texts[i].ours
		                           : texts[i].published;
		const char *text = json_string_value(at_path(record, path));

		memcpy((char *)&v + texts[i].off, &text, sizeof(text));
	}
	v.realtime = bool_at(record, capture ? "realtime"
	                             : ours  ? SETUP "realtime"
	                                     : "sysKernelRealtime");
	if (v.realtime == NF_KNOWN_NOT && !ours && !capture) {
		const char *variant = json_string_value(json_object_get(record, "unameVariant"));

		if (variant)
			v.realtime = strstr(variant, "PREEMPT_RT") ? NF_KNOWN_YES : NF_KNOWN_NO;
	}
	v.conforms = bool_at(record, capture ? "timing_conforms"
	                             : ours  ? "wake.body.conforms"
	                                     : "timingConforms");
	v.has_smi_window = number_at(record, "smi_s", &v.smi_window_s);
	find_lane(&v);
	v.has_uptime = number_at(record, capture ? "uptime_s" : SETUP "uptime_s", &v.uptime_s);
	v.uptime_step_s = 0.01;
	(void)number_at(record, "uptime_step_s", &v.uptime_step_s);
	v.has_load = number_at(record, capture ? "load_1min" : SETUP "load_1min", &v.load_1min);
	if (v.has_uptime && v.captured_utc && nf_capture_utc(v.captured_utc, &captured)) {
		v.has_boot = true;
		v.boot_s = captured - v.uptime_s;
	}
	v.has_jitter =
	        number_at(record, capture ? "jitter_max_s" : "jitterMaxSeconds", &v.jitter_max_s);
	if (!capture && !ours)
		find_per_element(&v);
	*ret = v;
	return 0;
}
