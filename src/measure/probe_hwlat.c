/* SPDX-License-Identifier: MIT */
#include "measure/probe_hwlat.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure/probe_tracer.h"

enum { S_INNER, S_OUTER, S_TIME, S_CPU, N_STREAMS };
enum { REPORTS_MAX = 1 << 20 };

struct hwlat_run {
	const struct nf_probe_env *env;
	const struct nf_hwlat_probe_cfg *cfg;
	struct nf_hwlat *tracer;
	struct nf_stream *stream; /* N_STREAMS; borrowed */
	struct nf_hwlat_result *result; /* borrowed */
	uint64_t n_missed;
};

static int on_gap(void *ctx, const struct nf_hwlat_gap *gap)
{
	struct hwlat_run *w = ctx;
	int64_t longest = gap->inner_ns > gap->outer_ns ? gap->inner_ns : gap->outer_ns;

	nf_stream_put(&w->stream[S_INNER], gap->inner_ns);
	nf_stream_put(&w->stream[S_OUTER], gap->outer_ns);
	nf_stream_put(&w->stream[S_TIME], gap->t_ns);
	nf_stream_put(&w->stream[S_CPU], gap->cpu);
	w->result->n_gaps++;
	w->result->max_ns = longest > w->result->max_ns ? longest : w->result->max_ns;
	return 0;
}

static int drain(void *ctx, struct nf_err *err)
{
	struct hwlat_run *w = ctx;

	return nf_hwlat_drain(w->tracer, on_gap, w, &w->n_missed, err);
}

static int make_streams(size_t max_bytes, struct nf_probe_run *run, struct nf_err *err)
{
	static const struct {
		const char *name;
		enum nf_sample_unit unit;
		enum nf_sample_kind kind;
	} rows[N_STREAMS] = {
		[S_INNER] = { "hwlat.inner", NF_UNIT_NS, NF_KIND_DURATION },
		[S_OUTER] = { "hwlat.outer", NF_UNIT_NS, NF_KIND_DURATION },
		[S_TIME] = { "hwlat.time", NF_UNIT_NS, NF_KIND_INSTANT },
		[S_CPU] = { "hwlat.cpu", NF_UNIT_COUNT, NF_KIND_COUNT },
	};
	size_t cap = max_bytes / N_STREAMS / sizeof(int64_t);

	if (cap == 0)
		return nf_fail(err, NF_EARG, "%zu bytes hold no report", max_bytes);
	cap = cap < REPORTS_MAX ? cap : REPORTS_MAX;
	run->streams = calloc(N_STREAMS, sizeof(*run->streams));
	if (!run->streams)
		return nf_fail_nomem(err, "hwlat streams", N_STREAMS * sizeof(*run->streams));
	for (int i = 0; i < N_STREAMS; i++) {
		struct nf_stream *s = &run->streams[i];
		int rc = nf_stream_init(s, rows[i].name, cap, err);

		if (rc < 0)
			return rc;
		run->n_streams++;
		s->unit = rows[i].unit;
		s->kind = rows[i].kind;
		s->cpu = -1;
		s->node = -1;
		if (i != S_CPU)
			snprintf(s->clock, sizeof(s->clock), "trace");
		if (i == S_TIME)
			snprintf(s->origin, sizeof(s->origin), "start of the tracer");
	}
	return 0;
}

static int start(void *ctx, const struct nf_cpuset *cpus, struct nf_err *err)
{
	struct hwlat_run *w = ctx;
	const struct nf_hwlat_cfg kernel = {
		.window_us = w->cfg->window_ns / NF_TRACER_US_NS,
		.width_us = w->cfg->width_ns / NF_TRACER_US_NS,
		.threshold_us = w->cfg->threshold_ns / NF_TRACER_US_NS,
		.cpus = cpus,
	};

	return nf_hwlat_start(w->env->root, w->env->journal, &kernel, &w->tracer,
	                      &w->result->settings, err);
}

static int cpus_of(void *ctx, struct nf_cpuset *ret, struct nf_err *err)
{
	struct hwlat_run *w = ctx;

	return nf_hwlat_cpus(w->tracer, ret, err);
}

static int stop(void *ctx, bool *ret_left_alone, struct nf_err *err)
{
	struct hwlat_run *w = ctx;

	return nf_hwlat_stop(w->tracer, ret_left_alone, err);
}

static const struct nf_tracer_ops ops = { start, cpus_of, drain, stop };

static void add_notes(const struct hwlat_run *w, struct nf_probe_run *run)
{
	const struct nf_hwlat_settings *s = &w->result->settings;

	nf_probe_note(run,
	              "the tracer looked %lld us in every %lld us: gaps outside that time are "
	              "not seen",
	              (long long)s->width_us, (long long)s->window_us);
	if (w->n_missed > 0)
		nf_probe_note(run, "the trace buffer lost %llu reports",
		              (unsigned long long)w->n_missed);
	if (run->streams[0].n_dropped > 0)
		nf_probe_note(run, "room for %zu reports: the rest is dropped",
		              run->streams[0].cap);
}

static int check_cfg(const struct nf_probe_env *env, const struct nf_hwlat_probe_cfg *cfg,
                     struct nf_err *err)
{
	const struct {
		const char *name;
		int64_t ns;
	} rows[] = {
		{ "window", cfg->window_ns },
		{ "width", cfg->width_ns },
		{ "threshold", cfg->threshold_ns },
	};
	int rc = nf_tracer_check_common(env, &cfg->common, err);

	for (size_t i = 0; rc == 0 && i < sizeof(rows) / sizeof(rows[0]); i++)
		rc = nf_tracer_check_us("hwlat", rows[i].name, rows[i].ns, err);
	if (rc < 0)
		return rc;
	if (cfg->window_ns && cfg->width_ns > cfg->window_ns)
		return nf_fail(err, NF_EARG,
		               "hwlat: width %lld ns is longer than the window, %lld ns",
		               (long long)cfg->width_ns, (long long)cfg->window_ns);
	return 0;
}

static int hwlat_check(const struct nf_probe_env *env, const void *config, struct nf_err *err)
{
	const struct nf_hwlat_probe_cfg *cfg = config;
	int rc = check_cfg(env, cfg, err);

	if (rc == 0)
		rc = nf_hwlat_check(env->root, err);
	if (rc == 0)
		rc = nf_tracer_check_journal(env, "hwlat", err);
	return rc;
}

static int hwlat_run(const struct nf_probe_env *env, const void *config, struct nf_probe_run *ret,
                     struct nf_err *err)
{
	const struct nf_hwlat_probe_cfg *cfg = config;
	struct nf_probe_run run = { .policy = NF_POLICY_OTHER, .controller_cpu = -1 };
	struct nf_hwlat_result *res;
	struct hwlat_run w = { 0 };
	int rc = hwlat_check(env, config, err);

	if (rc < 0)
		return rc;
	res = calloc(1, sizeof(*res));
	if (!res)
		return nf_fail_nomem(err, "hwlat result", sizeof(*res));
	run.result = res;
	res->max_ns = -1;
	rc = make_streams(cfg->common.max_sample_bytes, &run, err);
	if (rc < 0)
		goto out;
	w = (struct hwlat_run){ .env = env, .cfg = cfg, .stream = run.streams, .result = res };
	rc = nf_tracer_window(env, &cfg->common, &ops, &w, &run, err);
	if (rc < 0)
		goto out;
	for (size_t i = 0; i < run.n_streams; i++)
		run.streams[i].n_missed = w.n_missed;
	add_notes(&w, &run);
out:
	if (rc < 0)
		nf_probe_run_fini(&nf_probe_hwlat, &run);
	else
		*ret = run;
	return rc;
}

static void hwlat_defaults(void *config)
{
	struct nf_hwlat_probe_cfg *cfg = config;

	*cfg = (struct nf_hwlat_probe_cfg){
		.common = { .cpus = "allowed",
		            .duration_ns = NF_TRACER_DURATION_NS,
		            .max_sample_bytes = (size_t)256 << 20 },
	};
}

static int64_t hwlat_estimate_ns(const struct nf_probe_env *env, const void *config)
{
	const struct nf_hwlat_probe_cfg *cfg = config;

	(void)env;
	return cfg->common.duration_ns ? cfg->common.duration_ns : NF_TRACER_DURATION_NS;
}

const struct nf_probe nf_probe_hwlat = {
	.name = "hwlat",
	.summary = "gaps that the kernel's hwlat tracer sees",
	.needs = NF_NEEDS_ROOT | NF_NEEDS_TRACER,
	.cfg_size = sizeof(struct nf_hwlat_probe_cfg),
	.defaults = hwlat_defaults,
	.check = hwlat_check,
	.estimate_ns = hwlat_estimate_ns,
	.run = hwlat_run,
};
