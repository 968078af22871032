/* SPDX-License-Identifier: MIT */
#include "record/project_fields.h"

#include <string.h>

/* clang-format off */
static const struct move probe_moves[] = {
	{ "host",              "host",                ALL },
	{ "compilerSource",    "compiler_source",     MAIN },
	{ "compilerRef",       "compiler_ref",        MAIN },
	{ "chapelVersion",     "chapel_version",      MAIN },
	{ "kernelVersion",     "kernel_version",      ALL },
	{ "unameVariant",      "uname_variant",       MAIN },
	{ "sysKernelRealtime", "realtime",            MAIN },
	{ "tunedProfile",      "tuned_profile",       MAIN },
	{ "localeCount",       "locale_count",        MAIN },
	{ "sublocaleCount",    "sublocale_count",     MAIN },
	{ "coresPerLocale",    "cores_per_locale",    MAIN },
	{ "channelCount",      "channel_count",       MAIN },
	{ "sampleCount",       "samples_per_channel", MAIN },
	{ "sampleRateHz",      "sample_rate_hz",      MAIN },
	{ "partitionCount",    "partition_count",     MAIN },
	{ "timingConforms",    "timing_conforms",     MAIN },
	{ "jitterMinSeconds",  "jitter_min_s",        MAIN },
	{ "jitterMaxSeconds",  "jitter_max_s",        MAIN },
	{ "jitterMeanSeconds", "jitter_mean_s",       MAIN },
	{ "serialSeconds",     "serial_s",            MAIN },
	{ "parallelSeconds",   "parallel_s",          MAIN },
	{ "speedup",           "speedup",             MAIN },
	{ "delta",             "delta",               MAIN },
	{ NULL, NULL, MAIN },
};
/* clang-format on */

/* expectedLane: an option, else the window capture. */
static int expected_lane(struct nf_project_builder *b)
{
	const struct nf_rec_capture *c = NULL;
	const char *lane = b->o->lane;
	int v;

	for (size_t i = 0; i < b->n && !c; i++)
		if (nf_project_may_say(b, i, ALL) && b->capture[i].facts.expected_lane)
			c = &b->capture[i];
	if (lane && c && strcmp(lane, c->facts.expected_lane) != 0)
		nf_note_add(&b->notes,
		            "an option says expectedLane %s, %s says %.50s: the option is kept",
		            lane, c->name, c->facts.expected_lane);
	if (lane)
		nf_project_trace_option(b, "expectedLane", lane);
	else if (c)
		nf_project_trace(b, c, "expected_lane", "expectedLane", NULL);
	lane = lane ? lane : c ? c->facts.expected_lane : "unknown";
	v = nf_project_index(&nf_rec_expected_lane_type, lane);
	if (v < 0 && c)
		nf_note_add(&b->notes, "%s: %.50s is no lane that the record knows", c->name, lane);
	if (v > 0 && b->main->facts.realtime.some &&
	    b->main->facts.realtime.v != (strcmp(lane, "rt") == 0))
		nf_note_add(&b->notes,
		            "the %s lane was expected; the kernel is %sa realtime kernel", lane,
		            b->main->facts.realtime.v ? "" : "not ");
	return v < 0 ? 0 : v;
}

void nf_project_probe(struct nf_project_builder *b)
{
	struct nf_rec_host_probe_run *r = (void *)b->record;
	const struct nf_rec_capture_facts *f = &b->main->facts;
	bool timed = f->serial_s.some && f->parallel_s.some;
	int verdict;

	for (const struct move *m = probe_moves; m->field; m++)
		nf_project_move(b, m);
	r->date = nf_project_date(b);
	nf_project_text_or_option(b, "host", &r->host, b->o->host);
	if (b->o->compiler_source) /* a declaration: the user's word stands */
		r->compilerSource =
		        nf_project_said(b, "compilerSource", b->o->compiler_source, false);
	else
		nf_project_text_or_option(b, "compilerSource", &r->compilerSource, NULL);
	r->expectedLane = expected_lane(b);
	r->ownerIssue = nf_project_said(b, "ownerIssue", b->o->owner_issue, true);
	r->contractCeiling = nf_project_said(b, "contractCeiling", b->o->claim_ceiling, false);
	r->evidence = nf_project_said_list(b, "evidence", &b->o->evidence);
	r->followUp = nf_project_said_list(b, "followUp", &b->o->follow_up);
	verdict = nf_project_index(&nf_rec_probe_result_type, !r->timingConforms ? "fail"
	                                                      : timed            ? "pass"
	                                                                         : "partial");
	r->result = nf_project_result(b, &nf_rec_probe_result_type, verdict, "timing_conforms");
	r->notes = nf_project_notes(b);
}
