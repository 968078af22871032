/* SPDX-License-Identifier: MIT */
#include "measure/probe_osnoise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/probe_tracer.h"

enum {
	S_NOISE,
	S_RUNTIME,
	S_LONGEST,
	S_COUNT, /* the first of one for each source */
	S_CPU = S_COUNT + NF_OSNOISE_SOURCES,
	S_TIME,
	N_STREAMS,
};
enum { PERIODS_MAX = 1 << 20 };

struct osnoise_run {
	const struct nf_probe_env *env;
	const struct nf_osnoise_probe_cfg *cfg;
	struct nf_osnoise *tracer;
	struct nf_stream *stream; /* N_STREAMS; borrowed */
	struct nf_osnoise_result *result; /* borrowed */
	uint64_t n_missed;
};

static void add_cause(struct nf_osnoise_result *r, const struct nf_osnoise_report *p)
{
	struct nf_osnoise_cause *c;
	size_t i = 0;

	while (i < r->n_causes && (r->cause[i].source != p->cause.source ||
	                           strcmp(r->cause[i].name, p->cause.name) != 0))
		i++;
	if (i == NF_OSNOISE_CAUSES) {
		r->n_unnamed++;
		return;
	}
	c = &r->cause[i];
	if (i == r->n_causes) {
		r->n_causes++;
		c->source = p->cause.source;
		memcpy(c->name, p->cause.name, sizeof(c->name));
	}
	c->n++;
	if (__builtin_add_overflow(c->total_ns, p->cause.duration_ns, &c->total_ns))
		c->total_ns = INT64_MAX;
	if (p->cause.duration_ns > c->longest_ns)
		c->longest_ns = p->cause.duration_ns;
}

static int on_report(void *ctx, const struct nf_osnoise_report *p)
{
	struct osnoise_run *w = ctx;

	if (p->what == NF_OSNOISE_CAUSE)
		add_cause(w->result, p);
	if (p->what != NF_OSNOISE_PERIOD || p->cpu < 0 || p->cpu >= NF_CPU_MAX)
		return 0;
	nf_stream_put(&w->stream[S_NOISE], p->period.noise_ns);
	nf_stream_put(&w->stream[S_RUNTIME], p->period.runtime_ns);
	nf_stream_put(&w->stream[S_LONGEST], p->period.longest_ns);
	for (int i = 0; i < NF_OSNOISE_SOURCES; i++)
		nf_stream_put(&w->stream[S_COUNT + i], p->period.count[i]);
	nf_stream_put(&w->stream[S_CPU], p->cpu);
	nf_stream_put(&w->stream[S_TIME], p->t_ns);
	w->result->n_periods++;
	return 0;
}

static int start(void *ctx, const struct nf_cpuset *cpus, struct nf_err *err)
{
	struct osnoise_run *w = ctx;
	const struct nf_osnoise_cfg kernel = {
		.period_us = w->cfg->period_ns / NF_TRACER_US_NS,
		.runtime_us = w->cfg->runtime_ns / NF_TRACER_US_NS,
		.threshold_us = w->cfg->threshold_ns / NF_TRACER_US_NS,
		.stop_us = w->cfg->stop_ns / NF_TRACER_US_NS,
		.stop_total_us = w->cfg->stop_total_ns / NF_TRACER_US_NS,
		.causes = w->cfg->causes,
		.cpus = cpus,
	};

	return nf_osnoise_start(w->env->root, w->env->journal, NF_TRACER_OSNOISE, &kernel,
	                        &w->tracer, &w->result->settings, err);
}

static int cpus_of(void *ctx, struct nf_cpuset *ret, struct nf_err *err)
{
	struct osnoise_run *w = ctx;

	return nf_osnoise_cpus(w->tracer, ret, err);
}

static int drain(void *ctx, struct nf_err *err)
{
	struct osnoise_run *w = ctx;
	int rc = nf_osnoise_stopped(w->tracer, &w->result->at_limit, err);

	if (rc == 0)
		rc = nf_osnoise_drain(w->tracer, on_report, w, &w->n_missed, err);
	return rc < 0 ? rc : w->result->at_limit;
}

static int stop(void *ctx, bool *ret_left_alone, struct nf_err *err)
{
	struct osnoise_run *w = ctx;

	return nf_osnoise_stop(w->tracer, ret_left_alone, err);
}

static const struct nf_tracer_ops ops = { start, cpus_of, drain, stop };

static int make_streams(size_t max_bytes, struct nf_probe_run *run, struct nf_err *err)
{
	static const struct {
		const char *name;
		enum nf_sample_unit unit;
		enum nf_sample_kind kind;
	} rows[N_STREAMS] = {
		[S_NOISE] = { "osnoise.noise", NF_UNIT_NS, NF_KIND_DURATION },
		[S_RUNTIME] = { "osnoise.runtime", NF_UNIT_NS, NF_KIND_DURATION },
		[S_LONGEST] = { "osnoise.longest", NF_UNIT_NS, NF_KIND_DURATION },
		[S_COUNT + NF_OSNOISE_HARDWARE] = { "osnoise.hw", NF_UNIT_COUNT, NF_KIND_COUNT },
		[S_COUNT + NF_OSNOISE_NMI] = { "osnoise.nmi", NF_UNIT_COUNT, NF_KIND_COUNT },
		[S_COUNT + NF_OSNOISE_IRQ] = { "osnoise.irq", NF_UNIT_COUNT, NF_KIND_COUNT },
		[S_COUNT +
		        NF_OSNOISE_SOFTIRQ] = { "osnoise.softirq", NF_UNIT_COUNT, NF_KIND_COUNT },
		[S_COUNT + NF_OSNOISE_THREAD] = { "osnoise.thread", NF_UNIT_COUNT, NF_KIND_COUNT },
		[S_CPU] = { "osnoise.cpu", NF_UNIT_COUNT, NF_KIND_COUNT },
		[S_TIME] = { "osnoise.time", NF_UNIT_NS, NF_KIND_INSTANT },
	};
	size_t cap = max_bytes / N_STREAMS / sizeof(int64_t);

	if (cap == 0)
		return nf_fail(err, NF_EARG, "%zu bytes hold no period", max_bytes);
	cap = cap < PERIODS_MAX ? cap : PERIODS_MAX;
	run->streams = calloc(N_STREAMS, sizeof(*run->streams));
	if (!run->streams)
		return nf_fail_nomem(err, "osnoise streams", N_STREAMS * sizeof(*run->streams));
	for (int i = 0; i < N_STREAMS; i++) {
		struct nf_stream *s = &run->streams[i];
		int rc = nf_stream_init(s, rows[i].name, cap, err);

		if (rc < 0)
			return rc;
		run->n_streams++;
		s->unit = rows[i].unit;
		s->kind = rows[i].kind;
		if (rows[i].kind != NF_KIND_COUNT)
			snprintf(s->clock, sizeof(s->clock), "trace");
		if (i == S_TIME)
			snprintf(s->origin, sizeof(s->origin), "start of the tracer");
	}
	return 0;
}

static int by_source_and_total(const void *a, const void *b)
{
	const struct nf_osnoise_cause *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return x->total_ns != y->total_ns ? (x->total_ns > y->total_ns ? -1 : 1)
	                                  : strcmp(x->name, y->name);
}

static void add_notes(const struct osnoise_run *w, struct nf_probe_run *run)
{
	const struct nf_osnoise_settings *s = &w->result->settings;

	nf_probe_note(run, "the tracer looked %lld us in every %lld us", (long long)s->runtime_us,
	              (long long)s->period_us);
	if (w->result->at_limit)
		nf_probe_note(run, "the kernel stopped recording: a limit was exceeded");
	if (w->cfg->causes && !s->causes)
		nf_probe_note(run, "this kernel has no events that name what interrupted");
	if (w->n_missed > 0)
		nf_probe_note(run, "the trace buffer lost %llu records",
		              (unsigned long long)w->n_missed);
	if (run->streams[0].n_dropped > 0)
		nf_probe_note(run, "room for %zu periods: the rest is dropped",
		              run->streams[0].cap);
}

static int osnoise_check(const struct nf_probe_env *env, const void *config, struct nf_err *err)
{
	const struct nf_osnoise_probe_cfg *cfg = config;
	const struct {
		const char *name;
		int64_t ns;
	} rows[] = {
		{ "period", cfg->period_ns },         { "runtime", cfg->runtime_ns },
		{ "threshold", cfg->threshold_ns },   { "stop", cfg->stop_ns },
		{ "stop-total", cfg->stop_total_ns },
	};
	int rc = nf_tracer_check_common(env, &cfg->common, err);

	for (size_t i = 0; rc == 0 && i < sizeof(rows) / sizeof(rows[0]); i++)
		rc = nf_tracer_check_us("osnoise", rows[i].name, rows[i].ns, err);
	if (rc == 0 && cfg->period_ns && cfg->runtime_ns > cfg->period_ns)
		rc = nf_fail(err, NF_EARG,
		             "osnoise: runtime %lld ns is longer than the period, %lld ns",
		             (long long)cfg->runtime_ns, (long long)cfg->period_ns);
	if (rc == 0)
		rc = nf_osnoise_check(env->root, NF_TRACER_OSNOISE, err);
	if (rc == 0)
		rc = nf_tracer_check_journal(env, "osnoise", err);
	return rc;
}

static int osnoise_run(const struct nf_probe_env *env, const void *config, struct nf_probe_run *ret,
                       struct nf_err *err)
{
	const struct nf_osnoise_probe_cfg *cfg = config;
	struct nf_probe_run run = { .policy = NF_POLICY_OTHER, .controller_cpu = -1 };
	struct nf_osnoise_result *res;
	struct osnoise_run w;
	int rc = osnoise_check(env, config, err);

	if (rc < 0)
		return rc;
	res = calloc(1, sizeof(*res));
	if (!res)
		return nf_fail_nomem(err, "osnoise result", sizeof(*res));
	run.result = res;
	rc = make_streams(cfg->common.max_sample_bytes, &run, err);
	if (rc < 0)
		goto out;
	w = (struct osnoise_run){ .env = env, .cfg = cfg, .stream = run.streams, .result = res };
	rc = nf_tracer_window(env, &cfg->common, &ops, &w, &run, err);
	if (rc < 0)
		goto out;
	qsort(res->cause, res->n_causes, sizeof(res->cause[0]), by_source_and_total);
	for (size_t i = 0; i < run.n_streams; i++)
		run.streams[i].n_missed = w.n_missed;
	add_notes(&w, &run);
out:
	if (rc < 0)
		nf_probe_run_fini(&nf_probe_osnoise, &run);
	else
		*ret = run;
	return rc;
}

static void osnoise_defaults(void *config)
{
	*(struct nf_osnoise_probe_cfg *)config = (struct nf_osnoise_probe_cfg){
		.common = { .cpus = "allowed",
		            .duration_ns = NF_TRACER_DURATION_NS,
		            .max_sample_bytes = (size_t)256 << 20 },
		.causes = true,
	};
}

static int64_t osnoise_estimate_ns(const struct nf_probe_env *env, const void *config)
{
	const struct nf_osnoise_probe_cfg *cfg = config;

	(void)env;
	return cfg->common.duration_ns ? cfg->common.duration_ns : NF_TRACER_DURATION_NS;
}

const struct nf_probe nf_probe_osnoise = {
	.name = "osnoise",
	.summary = "noise that the kernel's osnoise tracer counts on each CPU, by its source",
	.needs = NF_NEEDS_ROOT | NF_NEEDS_TRACER,
	.cfg_size = sizeof(struct nf_osnoise_probe_cfg),
	.defaults = osnoise_defaults,
	.check = osnoise_check,
	.estimate_ns = osnoise_estimate_ns,
	.run = osnoise_run,
};
