/* SPDX-License-Identifier: MIT */
/* step_wake - periodic wake-ups as a part of a record. */
#include <math.h>
#include <stdlib.h>

#include "job/step.h"
#include "measure/probe_wake.h"
#include "record/rec_wake.h"
#include "report/text.h"

static int64_t magnitude(int64_t v)
{
	return v < 0 ? -v : v;
}

/* Intervals of one worker and their distances from the period, in scratch of n - 1 values each. */
static int fill_intervals(const struct nf_step_input *in, const struct nf_stream *wake,
                          int64_t period_ns, int64_t *interval, int64_t *jitter,
                          struct nf_rec_wake_worker *ret, struct nf_err *err)
{
	size_t n = wake->n - 1;
	int r = nf_intervals_from_timestamps(wake->value, wake->n, interval, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		jitter[i] = magnitude(interval[i] - period_ns);
	r = nf_step_summary_of(in->session, interval, n, 1.0, "ns", &ret->interval, err);
	if (r < 0)
		return r;
	r = nf_step_summary_of(in->session, jitter, n, 1.0, "ns", &ret->jitter, err);
	if (r == 0 && ret->interval)
		ret->worst_interval_ns = nf_some_real(ret->interval->max);
	return r;
}

static int fill_worker(const struct nf_step_input *in, const struct nf_wake_result *res, size_t i,
                       int64_t *interval, int64_t *jitter, size_t *n_jitter,
                       struct nf_rec_wake_worker *ret, struct nf_err *err)
{
	const struct nf_stream *lateness = &in->run->streams[2 * i];
	const struct nf_stream *wake = &in->run->streams[2 * i + 1];
	const struct nf_wake_worker *w = &res->worker[i];
	struct nf_arena *a = &in->session->arena;
	struct nf_budget_ns budget = in->budget->timing;
	int r;

	budget.period_ns = res->period_ns;
	*ret = (struct nf_rec_wake_worker){
		.cpu = (uint64_t)w->cpu,
		.lateness_stream = nf_arena_strdup(a, lateness->name),
		.wake_stream = nf_arena_strdup(a, wake->name),
		.due = w->n_due,
		.recorded = lateness->n,
		.missed = w->n_missed,
		.holes = w->n_holes,
		.interrupted = w->n_interrupted,
	};
	r = nf_step_summary(in->session, lateness, &ret->lateness, err);
	if (r < 0)
		return r;
	if (ret->lateness)
		ret->worst_lateness_ns = nf_some_real(ret->lateness->max);

	size_t n = wake->n > 1 ? wake->n - 1 : 0;
	interval += *n_jitter;
	jitter += *n_jitter;
	if (n > 0) {
		r = fill_intervals(in, wake, res->period_ns, interval, jitter, ret, err);
		if (r < 0)
			return r;
		*n_jitter += n;
	}
	struct nf_conformance c =
	        nf_conforms_ns(&budget, n ? interval : NULL, n, w->n_missed, w->n_due > 0);
	ret->over_jitter = c.n_over_jitter;
	ret->over_latency = c.n_over_latency;
	/* Dropped samples may hide a violation: then only a failure can be told. */
	if (!c.conforms || (lateness->n_dropped == 0 && !in->run->stopped_by))
		ret->conforms = nf_some_bool(c.conforms);
	return 0;
}

static int build(const struct nf_step_input *in, void *ret_body, struct nf_err *err)
{
	const struct nf_wake_result *res = in->run->result;
	struct nf_rec_wake_body *b = ret_body;
	struct nf_arena *a = &in->session->arena;
	size_t total = 1, n_jitter = 0;
	bool all = true, any_fails = false;
	int64_t *scratch = NULL;
	int r;

	for (size_t i = 0; i < res->n_workers; i++)
		total += in->run->streams[2 * i].n;
	struct nf_rec_wake_worker *w = nf_arena_alloc(a, res->n_workers, sizeof(*w));
	if (!w)
		return nf_arena_failed(a, "record", err);
	scratch = calloc(total, 2 * sizeof(*scratch));
	if (!scratch)
		return nf_fail_nomem(err, "intervals", total * 2 * sizeof(*scratch));

	*b = (struct nf_rec_wake_body){
		.period_ns = (uint64_t)res->period_ns,
		.method = (int)res->method,
		.workers = { w, res->n_workers },
	};
	nf_job_budget_record(in->budget, &b->budget);
	b->budget.period_ns = b->period_ns;
	for (size_t i = 0; i < res->n_workers; i++) {
		r = fill_worker(in, res, i, scratch, scratch + total, &n_jitter, &w[i], err);
		if (r < 0)
			goto out;
		all = all && w[i].conforms.some && w[i].conforms.v;
		any_fails = any_fails || (w[i].conforms.some && !w[i].conforms.v);
	}
	if (any_fails || all)
		b->conforms = nf_some_bool(all);
	r = nf_step_summary_of(in->session, scratch + total, n_jitter, 1.0, "ns", &b->jitter, err);
out:
	free(scratch);
	return r;
}

static bool judge(const struct nf_step_input *in, const void *body, struct nf_rec_facts *f)
{
	const struct nf_rec_wake_body *b = body;
	const struct nf_rec_wake_worker *w = b->workers.items;
	struct nf_arena *a = &in->session->arena;
	uint64_t over_jitter = 0, over_latency = 0, missed = 0;

	f->limit = nf_arena_printf(a, "period %s, jitter at most %s, latency at most %s",
	                           nf_step_duration(a, (int64_t)b->budget.period_ns),
	                           nf_step_duration(a, (int64_t)b->budget.max_jitter_ns),
	                           nf_step_duration(a, (int64_t)b->budget.max_latency_ns));
	for (size_t i = 0; i < b->workers.n; i++) {
		over_jitter += w[i].over_jitter;
		over_latency += w[i].over_latency;
		missed += w[i].missed;
	}
	if (!b->conforms.some) {
		f->result = NF_RESULT_PARTIAL;
		f->reason = "samples are incomplete: the budget cannot be judged";
		return true;
	}
	if (!b->conforms.v) {
		f->result = NF_RESULT_FAIL;
		f->reason = nf_arena_printf(a,
		                            "%llu intervals over the jitter limit, %llu over the "
		                            "latency limit, %llu missed",
		                            (unsigned long long)over_jitter,
		                            (unsigned long long)over_latency,
		                            (unsigned long long)missed);
	}
	return false;
}

static int text(const struct nf_rec_facts *facts, const void *body, struct nf_buf *out)
{
	return nf_text_wake(facts, body, out);
}

static uint64_t sample_bytes(const struct nf_probe_env *env, const void *config)
{
	const struct nf_wake_cfg *cfg = config;
	uint64_t bytes, n = cfg->n_activations > 0
	                            ? (uint64_t)cfg->n_activations
	                            : (uint64_t)(cfg->common.duration_ns / cfg->period_ns);

	if (__builtin_mul_overflow(n, 16 * nf_cpuset_count(nf_topology_allowed(env->topo)),
	                           &bytes) ||
	    bytes > cfg->common.max_sample_bytes)
		bytes = cfg->common.max_sample_bytes;
	return bytes;
}

/* Lateness and wake-up tell of the same activations. */
static bool counts_losses(const struct nf_stream *s)
{
	return s->kind == NF_KIND_DURATION;
}

const struct nf_step_kind nf_step_wake = {
	.probe = &nf_probe_wake,
	.run_type = &nf_rec_wake_run_type,
	.schema = "WakeRun/1",
	.claim_ceiling =
	        "Shows how late timers woke threads of this policy on these CPUs in this run; "
	        "rarer and longer delays than a run of this length can show remain possible.",
	NF_STEP_LAYOUT(wake),
	.body = build,
	.judge = judge,
	.text = text,
	.counts_losses = counts_losses,
	.sample_bytes = sample_bytes,
};
