/* SPDX-License-Identifier: MIT */
#include "measure/probe_timerlat.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure/probe_tracer.h"

enum { CONTEXTS = 2 }; /* irq and thread */
enum { PER_S_MAX = 10000, SPARE = 1024 }; /* the kernel's shortest period is 100 us */

struct timerlat_run {
	const struct nf_probe_env *env;
	const struct nf_timerlat_cfg *cfg;
	struct nf_osnoise *tracer;
	struct nf_stream *stream; /* CONTEXTS a CPU; borrowed */
	int64_t *last; /* owned; number of the last activation of each stream, -1: none yet */
	struct nf_timerlat_result *result; /* borrowed */
};

static int on_report(void *ctx, const struct nf_osnoise_report *p)
{
	struct timerlat_run *w = ctx;
	size_t i = 0;

	if (p->what != NF_OSNOISE_LATENCY || (int)p->latency.context >= CONTEXTS)
		return 0;
	while (i < w->result->n_cpus && w->result->cpu[i] != p->cpu)
		i++;
	if (i == w->result->n_cpus)
		return 0; /* of a CPU that was not asked for: somebody else's tracer */
	i = i * CONTEXTS + (size_t)p->latency.context;
	if (w->last[i] >= 0 && p->latency.activation > w->last[i] + 1)
		w->stream[i].n_missed += (uint64_t)(p->latency.activation - w->last[i] - 1);
	w->last[i] = p->latency.activation;
	nf_stream_put(&w->stream[i], p->latency.latency_ns);
	return 0;
}

static int start(void *ctx, const struct nf_cpuset *cpus, struct nf_err *err)
{
	struct timerlat_run *w = ctx;
	const struct nf_osnoise_cfg kernel = {
		.period_us = w->cfg->period_ns / NF_TRACER_US_NS,
		.stop_us = w->cfg->stop_irq_ns / NF_TRACER_US_NS,
		.stop_total_us = w->cfg->stop_thread_ns / NF_TRACER_US_NS,
		.cpus = cpus,
	};

	return nf_osnoise_start(w->env->root, w->env->journal, NF_TRACER_TIMERLAT, &kernel,
	                        &w->tracer, &w->result->settings, err);
}

static int cpus_of(void *ctx, struct nf_cpuset *ret, struct nf_err *err)
{
	struct timerlat_run *w = ctx;

	return nf_osnoise_cpus(w->tracer, ret, err);
}

static int drain(void *ctx, struct nf_err *err)
{
	struct timerlat_run *w = ctx;
	int rc = nf_osnoise_stopped(w->tracer, &w->result->at_limit, err);

	if (rc == 0)
		rc = nf_osnoise_drain(w->tracer, on_report, w, &w->result->n_lost, err);
	return rc < 0 ? rc : w->result->at_limit;
}

static int stop(void *ctx, bool *ret_left_alone, struct nf_err *err)
{
	struct timerlat_run *w = ctx;

	return nf_osnoise_stop(w->tracer, ret_left_alone, err);
}

static const struct nf_tracer_ops ops = { start, cpus_of, drain, stop };

static int64_t duration_ns(const struct nf_timerlat_cfg *cfg)
{
	return cfg->common.duration_ns ? cfg->common.duration_ns : NF_TRACER_DURATION_NS;
}

/* Activations to make room for on each CPU. */
static size_t capacity(const struct nf_timerlat_cfg *cfg, size_t n_cpus)
{
	size_t room = cfg->common.max_sample_bytes / sizeof(int64_t) / CONTEXTS / n_cpus;
	double per_s = cfg->period_ns > 0 ? 1e9 / (double)cfg->period_ns : PER_S_MAX;
	double expected = (double)duration_ns(cfg) * 1e-9 * per_s * 1.25 + SPARE;

	return expected < (double)room ? (size_t)expected : room;
}

static int make_streams(const struct nf_probe_env *env, const struct nf_timerlat_cfg *cfg,
                        const struct nf_cpuset *cpus, struct timerlat_run *w,
                        struct nf_probe_run *run, struct nf_err *err)
{
	static const char *const names[CONTEXTS] = { "irq", "thread" };
	size_t n = nf_cpuset_count(cpus), cap = capacity(cfg, n);
	int cpu = -1;

	if (cap == 0)
		return nf_fail(err, NF_EARG, "%zu bytes hold no activation of %zu CPUs",
		               cfg->common.max_sample_bytes, n);
	w->last = calloc(n, CONTEXTS * sizeof(*w->last));
	w->result->cpu = calloc(n, sizeof(*w->result->cpu));
	run->streams = calloc(n, CONTEXTS * sizeof(*run->streams));
	if (!w->last || !w->result->cpu || !run->streams)
		return nf_fail_nomem(err, "timerlat streams", n * CONTEXTS * sizeof(*run->streams));
	w->stream = run->streams;
	for (size_t i = 0; i < n; i++) {
		const struct nf_cpu_info *info;

		cpu = nf_cpuset_next(cpus, cpu);
		info = nf_topology_cpu(env->topo, cpu);
		w->result->cpu[w->result->n_cpus++] = cpu;
		for (size_t k = 0; k < CONTEXTS; k++) {
			struct nf_stream *s = &run->streams[i * CONTEXTS + k];
			char name[sizeof(s->name)];
			int rc;

			snprintf(name, sizeof(name), "timerlat.cpu%d.%s", cpu, names[k]);
			rc = nf_stream_init(s, name, cap, err);
			if (rc < 0)
				return rc;
			run->n_streams++;
			s->unit = NF_UNIT_NS;
			s->kind = NF_KIND_DURATION;
			s->cpu = cpu;
			s->node = info ? info->node : -1;
			snprintf(s->clock, sizeof(s->clock), "trace");
			w->last[i * CONTEXTS + k] = -1;
		}
	}
	return 0;
}

static void add_notes(const struct nf_timerlat_result *r, struct nf_probe_run *run)
{
	uint64_t dropped = 0;

	if (r->at_limit)
		nf_probe_note(run, "the kernel stopped recording: a limit was exceeded");
	if (r->n_lost > 0)
		nf_probe_note(run, "the trace buffer lost %llu records",
		              (unsigned long long)r->n_lost);
	for (size_t i = 0; i < run->n_streams; i++)
		dropped += run->streams[i].n_dropped;
	if (dropped > 0)
		nf_probe_note(run, "room for %zu activations on each CPU: the rest is dropped",
		              run->streams[0].cap);
}

static int timerlat_check(const struct nf_probe_env *env, const void *config, struct nf_err *err)
{
	const struct nf_timerlat_cfg *cfg = config;
	int rc = nf_tracer_check_common(env, &cfg->common, err);

	if (rc == 0)
		rc = nf_tracer_check_us("timerlat", "period", cfg->period_ns, err);
	if (rc == 0)
		rc = nf_tracer_check_us("timerlat", "stop-irq", cfg->stop_irq_ns, err);
	if (rc == 0)
		rc = nf_tracer_check_us("timerlat", "stop-thread", cfg->stop_thread_ns, err);
	if (rc == 0)
		rc = nf_osnoise_check(env->root, NF_TRACER_TIMERLAT, err);
	if (rc == 0)
		rc = nf_tracer_check_journal(env, "timerlat", err);
	return rc;
}

static int timerlat_run(const struct nf_probe_env *env, const void *config,
                        struct nf_probe_run *ret, struct nf_err *err)
{
	const struct nf_timerlat_cfg *cfg = config;
	struct nf_probe_run run = { .policy = NF_POLICY_OTHER, .controller_cpu = -1 };
	struct timerlat_run w = { .env = env, .cfg = cfg };
	struct nf_cpuset cpus;
	int rc = timerlat_check(env, config, err);

	if (rc < 0)
		return rc;
	nf_cpuset_init(&cpus);
	run.result = w.result = calloc(1, sizeof(*w.result));
	if (!w.result) {
		rc = nf_fail_nomem(err, "timerlat result", sizeof(*w.result));
		goto out;
	}
	rc = nf_topology_select(env->topo, cfg->common.cpus ? cfg->common.cpus : "allowed", &cpus,
	                        err);
	if (rc == 0)
		rc = make_streams(env, cfg, &cpus, &w, &run, err);
	if (rc == 0)
		rc = nf_tracer_window(env, &cfg->common, &ops, &w, &run, err);
	if (rc != 0)
		goto out;
	add_notes(w.result, &run);
	*ret = run;
	run = (struct nf_probe_run){ 0 };
out:
	nf_probe_run_fini(&nf_probe_timerlat, &run);
	nf_cpuset_fini(&cpus);
	free(w.last);
	return rc;
}

static void timerlat_defaults(void *config)
{
	*(struct nf_timerlat_cfg *)config = (struct nf_timerlat_cfg){
		.common = { .cpus = "allowed",
		            .duration_ns = NF_TRACER_DURATION_NS,
		            .max_sample_bytes = (size_t)256 << 20 },
	};
}

static int64_t timerlat_estimate_ns(const struct nf_probe_env *env, const void *config)
{
	(void)env;
	return duration_ns(config);
}

static void timerlat_result_fini(void *result)
{
	free(((struct nf_timerlat_result *)result)->cpu);
}

const struct nf_probe nf_probe_timerlat = {
	.name = "timerlat",
	.summary = "how late the kernel's own periodic timers are, with its timerlat tracer",
	.needs = NF_NEEDS_ROOT | NF_NEEDS_TRACER,
	.cfg_size = sizeof(struct nf_timerlat_cfg),
	.defaults = timerlat_defaults,
	.check = timerlat_check,
	.estimate_ns = timerlat_estimate_ns,
	.run = timerlat_run,
	.result_fini = timerlat_result_fini,
};
