/* SPDX-License-Identifier: MIT */
#include "record/project_fields.h"

#include <string.h>

/* clang-format off */
static const struct move validation_moves[] = {
	{ "host",              "host",                ALL },
	{ "kernelVersion",     "kernel_version",      ALL },
	{ "unameVariant",      "uname_variant",       ALL },
	{ "sysKernelRealtime", "realtime",            ALL },
	{ "tunedProfile",      "tuned_profile",       ALL },
	{ "defaultKernel",     "default_kernel",      ALL },
	{ "nextEntryState",    "next_entry",          ALL },
	{ "baseMatched",       "base_matched",        MAIN },
	{ "baseMismatched",    "base_mismatched",     MAIN },
	{ "rtMatched",         "rt_matched",          MAIN },
	{ "rtMismatched",      "rt_mismatched",       MAIN },
	{ "cmdlineMatched",    "cmdline_matched",     MAIN },
	{ "cmdlineMissing",    "cmdline_missing",     MAIN },
	{ "validatorPass",     "validator_pass",      MAIN },
	{ NULL, NULL, MAIN },
};
/* clang-format on */

/* The lane of the validated kernel: what it is, else what its validator was told. */
static void kernel_lane(struct nf_project_builder *b, struct nf_rec_kernel_validation_run *r)
{
	const struct nf_rec_capture *c = nf_project_who(b, "realtime", ALL);
	const struct nf_rec_capture_facts *f = &b->main->facts;
	bool rt;

	if (c) {
		rt = c->facts.realtime.v;
		nf_project_trace(b, c, "realtime", "lane", rt ? "rt" : "generic");
		if (f->expect_rt.some && f->expect_rt.v != rt)
			nf_note_add(&b->notes,
			            "the validator was told to expect %s kernel, and it is %sone",
			            f->expect_rt.v ? "a realtime" : "no realtime",
			            rt ? "" : "not ");
	} else if (f->expect_rt.some) {
		rt = f->expect_rt.v;
		nf_project_trace(b, b->main, "expect_rt", "lane", rt ? "rt" : "generic");
	} else if (b->o->lane) {
		rt = strcmp(b->o->lane, "rt") == 0;
		nf_project_trace_option(b, "lane", b->o->lane);
	} else {
		nf_note_add(&b->missing, "lane");
		return;
	}
	if (b->o->lane && (strcmp(b->o->lane, "rt") == 0) != rt)
		nf_note_add(&b->notes, "an option says lane %s, the captures say %s: they are kept",
		            b->o->lane, rt ? "rt" : "generic");
	r->lane = rt ? NF_KERNEL_LANE_RT : NF_KERNEL_LANE_GENERIC;
}

/* All counts over all seconds, in ten of them; the largest latency of all. */
static void add_smi(struct nf_project_builder *b, struct nf_rec_kernel_validation_run *r)
{
	uint64_t count = 0, seconds = 0;
	const struct nf_field *max = nf_project_field(&nf_rec_capture_facts_type, "hwlat_max_us");

	for (size_t i = 0; i < b->n; i++) {
		const struct nf_rec_capture_facts *f = &b->capture[i].facts;

		if (!nf_project_may_say(b, i, ALL))
			continue;
		if (f->smi_count.some && f->smi_s.some && f->smi_s.v > 0 &&
		    f->smi_s.v < 1000000000 && f->smi_count.v < 1000000000000) {
			count += f->smi_count.v;
			seconds += f->smi_s.v;
			nf_project_trace(b, &b->capture[i], "smi_count", "smiCountPer10s", NULL);
			nf_project_trace(b, &b->capture[i], "smi_s", "smiCountPer10s", NULL);
		}
		if (nf_project_has(&b->capture[i], max)) {
			if (!r->hwlatMaxUs.some || f->hwlat_max_us.v > r->hwlatMaxUs.v)
				r->hwlatMaxUs = f->hwlat_max_us;
			nf_project_trace(b, &b->capture[i], "hwlat_max_us", "hwlatMaxUs", NULL);
		}
	}
	if (seconds == 0)
		return;
	r->smiCountPer10s = nf_some_nat((count * 10 + seconds / 2) / seconds);
	if (count * 10 % seconds != 0)
		nf_note_add(&b->notes, "smiCountPer10s is rounded: %llu in %llu s",
		            (unsigned long long)count, (unsigned long long)seconds);
}

void nf_project_validation(struct nf_project_builder *b)
{
	struct nf_rec_kernel_validation_run *r = (void *)b->record;

	for (const struct move *m = validation_moves; m->field; m++)
		nf_project_move(b, m);
	r->date = nf_project_date(b);
	nf_project_text_or_option(b, "host", &r->host, b->o->host);
	kernel_lane(b, r);
	add_smi(b, r);
	r->phase = nf_project_said(b, "phase", b->o->phase, false);
	r->intent = nf_project_said(b, "intent", b->o->intent, true);
	r->ownerIssue = nf_project_said(b, "ownerIssue", b->o->owner_issue, true);
	r->evidence = nf_project_said_list(b, "evidence", &b->o->evidence);
	r->followUp = nf_project_said_list(b, "followUp", &b->o->follow_up);
	r->result = nf_project_result(b, &nf_rec_validation_result_type,
	                              nf_project_index(&nf_rec_validation_result_type,
	                                               r->validatorPass ? "pass" : "fail"),
	                              "validator_pass");
	r->notes = nf_project_notes(b);
}
