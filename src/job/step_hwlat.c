/* SPDX-License-Identifier: MIT */
/* step_hwlat - the kernel's hardware latency tracer as a part of a record. */
#include <stdlib.h>
#include <string.h>

#include "job/step.h"
#include "measure/probe_hwlat.h"
#include "record/rec_hwlat.h"
#include "report/text.h"

/* Summary of the larger of inner and outer gap of each report. */
static int fill_summary(const struct nf_step_input *in, const struct nf_rec_summary **ret,
                        struct nf_err *err)
{
	const struct nf_stream *inner = nf_step_stream(in->run, "hwlat.inner");
	const struct nf_stream *outer = nf_step_stream(in->run, "hwlat.outer");

	*ret = NULL;
	if (!inner || !outer || inner->n == 0 || outer->n < inner->n)
		return 0;
	int64_t *v = calloc(inner->n, sizeof(*v));
	if (!v)
		return nf_fail_nomem(err, "gaps", inner->n * sizeof(*v));
	for (size_t i = 0; i < inner->n; i++)
		v[i] = inner->value[i] > outer->value[i] ? inner->value[i] : outer->value[i];
	int r = nf_step_summary_of(in->session, v, inner->n, 1.0, "ns", ret, err);
	free(v);
	return r;
}

static int build(const struct nf_step_input *in, void *ret_body, struct nf_err *err)
{
	const struct nf_hwlat_result *res = in->run->result;
	const struct nf_stream *inner = nf_step_stream(in->run, "hwlat.inner");
	struct nf_rec_hwlat_body *b = ret_body;

	*b = (struct nf_rec_hwlat_body){
		.window_us = (uint64_t)res->settings.window_us,
		.width_us = (uint64_t)res->settings.width_us,
		.threshold_us = (uint64_t)res->settings.threshold_us,
		.gaps = res->n_gaps,
		.max_ns = res->max_ns >= 0 ? nf_some_nat((uint64_t)res->max_ns)
		                           : (struct nf_some_nat){ 0 },
		.missed_events = inner ? inner->n_missed : 0,
	};
	return fill_summary(in, &b->summary, err);
}

static bool judge(const struct nf_step_input *in, const void *body, struct nf_rec_facts *f)
{
	const struct nf_rec_hwlat_body *b = body;
	struct nf_arena *a = &in->session->arena;

	if (!in->budget->has_max_hwlat_ns)
		return false;
	f->limit = nf_arena_printf(a, "longest gap at most %s",
	                           nf_step_duration(a, in->budget->max_hwlat_ns));
	if (b->max_ns.some && b->max_ns.v > (uint64_t)in->budget->max_hwlat_ns) {
		f->result = NF_RESULT_FAIL;
		f->reason = nf_arena_printf(a, "longest gap is %s",
		                            nf_step_duration(a, (int64_t)b->max_ns.v));
		return false;
	}
	bool blind = (uint64_t)in->budget->max_hwlat_ns < b->threshold_us * 1000;
	if (nf_step_lost(f) > 0 || in->run->stopped_by || blind) {
		f->result = NF_RESULT_PARTIAL;
		f->reason = blind ? "the tracer's threshold is above the limit: it cannot be judged"
		                  : "reports are incomplete: the limit cannot be judged";
		return true;
	}
	return false;
}

static int text(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out)
{
	return nf_text_hwlat(facts, body, out);
}

static uint64_t sample_bytes(const struct nf_probe_env *env, const void *config)
{
	(void)env;
	(void)config;
	return 1 << 20;
}

/* All four streams tell of the same reports. */
static bool counts_losses(const struct nf_stream *s)
{
	return strcmp(s->name, "hwlat.inner") == 0;
}

const struct nf_step_kind nf_step_hwlat = {
	.probe = &nf_probe_hwlat,
	.run_type = &nf_rec_hwlat_run_type,
	.schema = "HwlatRun/1",
	.claim_ceiling = "The tracer looks at one CPU at a time and only for its width of every "
	                 "window: a gap outside of that is not seen.",
	NF_STEP_LAYOUT(hwlat),
	.body = build,
	.judge = judge,
	.text = text,
	.counts_losses = counts_losses,
	.sample_bytes = sample_bytes,
};
