/* SPDX-License-Identifier: MIT */
/* step_timerlat - the kernel's timerlat tracer as a part of a record. */
#include <string.h>

#include "job/step.h"
#include "measure/probe_timerlat.h"
#include "record/rec_timerlat.h"
#include "report/text.h"

static uint64_t natural(int64_t v)
{
	return v < 0 ? 0 : (uint64_t)v;
}

static int fill_cpu(const struct nf_step_input *in, const struct nf_timerlat_result *res, size_t i,
                    struct nf_rec_timerlat_cpu *ret, struct nf_err *err)
{
	const struct nf_stream *irq = &in->run->streams[2 * i], *thread = irq + 1;
	struct nf_arena *a = &in->session->arena;
	int r;

	*ret = (struct nf_rec_timerlat_cpu){
		.cpu = (uint64_t)res->cpu[i],
		.irq_stream = nf_arena_strdup(a, irq->name),
		.thread_stream = nf_arena_strdup(a, thread->name),
		.missed = irq->n_missed,
	};
	if ((r = nf_step_summary(in->session, irq, &ret->irq, err)) < 0 ||
	    (r = nf_step_summary(in->session, thread, &ret->thread, err)) < 0)
		return r;
	if (ret->irq)
		ret->worst_irq_ns = nf_some_real(ret->irq->max);
	if (ret->thread)
		ret->worst_thread_ns = nf_some_real(ret->thread->max);
	return 0;
}

static bool later(struct nf_some_real a, struct nf_some_real than)
{
	return a.some && (!than.some || a.v > than.v);
}

static int build(const struct nf_step_input *in, void *ret_body, struct nf_err *err)
{
	const struct nf_timerlat_result *res = in->run->result;
	struct nf_rec_timerlat_body *b = ret_body;
	struct nf_rec_timerlat_cpu *c =
	        nf_arena_alloc(&in->session->arena, res->n_cpus, sizeof(*c));

	if (!c)
		return nf_arena_failed(&in->session->arena, "record", err);
	*b = (struct nf_rec_timerlat_body){
		.period_us = natural(res->settings.period_us),
		.stop_irq_us = natural(res->settings.stop_us),
		.stop_thread_us = natural(res->settings.stop_total_us),
		.at_limit = res->at_limit,
		.missed_events = res->n_lost,
		.cpus = { c, res->n_cpus },
	};
	for (size_t i = 0; i < res->n_cpus; i++) {
		int r = fill_cpu(in, res, i, &c[i], err);

		if (r < 0)
			return r;
		if (later(c[i].worst_irq_ns, b->worst_irq_ns))
			b->worst_irq_ns = c[i].worst_irq_ns;
		if (later(c[i].worst_thread_ns, b->worst_thread_ns)) {
			b->worst_thread_ns = c[i].worst_thread_ns;
			b->worst_cpu = nf_some_nat(c[i].cpu);
		}
	}
	return 0;
}

/* No limit of the budget is about the kernel's own timers. */
static bool judge(const struct nf_step_input *in, const void *body, struct nf_rec_facts *f)
{
	(void)in;
	(void)body;
	(void)f;
	return false;
}

static int text(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out)
{
	return nf_text_timerlat(facts, body, out);
}

static uint64_t sample_bytes(const struct nf_probe_env *env, const void *config)
{
	const struct nf_timerlat_cfg *cfg = config;
	/* The kernel's own period is 1 ms. */
	uint64_t period_ns = cfg->period_ns > 0 ? (uint64_t)cfg->period_ns : 1000000;
	uint64_t n = (uint64_t)cfg->common.duration_ns / period_ns + 1, bytes;
	uint64_t per = nf_cpuset_count(nf_topology_allowed(env->topo)) * 2 * sizeof(int64_t);

	if (__builtin_mul_overflow(n, per, &bytes) || bytes > cfg->common.max_sample_bytes)
		bytes = cfg->common.max_sample_bytes;
	return bytes;
}

/* An activation is one loss, not one of each stream. */
static bool counts_losses(const struct nf_stream *s)
{
	const char *end = strrchr(s->name, '.');

	return end && strcmp(end, ".irq") == 0;
}

const struct nf_step_kind nf_step_timerlat = {
	.probe = &nf_probe_timerlat,
	.run_type = &nf_rec_timerlat_run_type,
	.schema = "TimerlatRun/1",
	.claim_ceiling = "Shows how late timers of the kernel and its own threads under SCHED_FIFO "
	                 "95 were; not how late a program would be woken.",
	NF_STEP_LAYOUT(timerlat),
	.body = build,
	.judge = judge,
	.text = text,
	.counts_losses = counts_losses,
	.sample_bytes = sample_bytes,
};
