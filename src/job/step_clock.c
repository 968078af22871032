/* SPDX-License-Identifier: MIT */
/* step_clock - clocks as a part of a record. */
#include <string.h>

#include "job/head.h"
#include "job/step.h"
#include "measure/probe_clock.h"
#include "record/rec_clock.h"
#include "report/text.h"

static const char prefix[] = "clock.";

static bool is_read(const struct nf_stream *s)
{
	return strncmp(s->name, prefix, strlen(prefix)) == 0 && s->kind == NF_KIND_DURATION &&
	       strcmp(s->name, "clock.drift") != 0;
}

static int fill_reads(const struct nf_step_input *in, struct nf_list *ret, struct nf_err *err)
{
	struct nf_arena *a = &in->session->arena;
	struct nf_rec_clock_read *reads = nf_arena_alloc(a, in->run->n_streams, sizeof(*reads));
	size_t n = 0;

	if (!reads)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < in->run->n_streams; i++) {
		const struct nf_stream *s = &in->run->streams[i];

		if (!is_read(s))
			continue;
		reads[n].name = nf_arena_strdup(a, s->name + strlen(prefix));
		int r = nf_step_summary(in->session, s, &reads[n].summary, err);
		if (r < 0)
			return r;
		n++;
	}
	*ret = (struct nf_list){ reads, n };
	return 0;
}

static int build(const struct nf_step_input *in, void *ret_body, struct nf_err *err)
{
	const struct nf_clock_result *res = in->run->result;
	struct nf_arena *a = &in->session->arena;
	struct nf_rec_clock_body *b = ret_body;
	struct nf_rec_clock_skew *skew = nf_arena_alloc(a, res->n_skew, sizeof(*skew));

	if (!skew)
		return nf_arena_failed(a, "record", err);
	for (size_t i = 0; i < res->n_skew; i++)
		skew[i] = (struct nf_rec_clock_skew){
			.cpu = (uint64_t)res->skew[i].cpu,
			.offset_ns = nf_tick_to_ns(&res->clock, res->skew[i].offset_ticks),
			.uncertainty_ns =
			        nf_tick_to_ns(&res->clock, res->skew[i].uncertainty_ticks),
		};
	*b = (struct nf_rec_clock_body){ .skew = { skew, res->n_skew } };
	nf_head_clock(&res->clock, a, &b->clock);
	const struct nf_stream *drift = nf_step_stream(in->run, "clock.drift");
	if (drift && drift->n > 2) {
		b->drift_ppm = nf_some_real(res->drift_ppm);
		b->drift_error_ppm = nf_some_real(res->drift_error_ppm);
	}
	return fill_reads(in, &b->reads, err);
}

static bool judge(const struct nf_step_input *in, const void *body, struct nf_rec_facts *f)
{
	(void)in;
	(void)body;
	(void)f;
	return false;
}

static int text(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out)
{
	return nf_text_clock(facts, body, out);
}

static uint64_t sample_bytes(const struct nf_probe_env *env, const void *config)
{
	(void)env;
	(void)config;
	return 4 << 20;
}

const struct nf_step_kind nf_step_clock = {
	.probe = &nf_probe_clock,
	.run_type = &nf_rec_clock_run_type,
	.schema = "ClockRun/1",
	.claim_ceiling =
	        "Shows the clocks while this run lasted; a counter may still stop or step in "
	        "suspend, migration of a guest or frequency changes that did not happen here.",
	NF_STEP_LAYOUT(clock),
	.body = build,
	.judge = judge,
	.text = text,
	.sample_bytes = sample_bytes,
};
