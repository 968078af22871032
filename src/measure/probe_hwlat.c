/* SPDX-License-Identifier: MIT */
#include "measure/probe_hwlat.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure/probe_window.h"

#define DURATION_DEFAULT_NS INT64_C(10000000000)

enum { S_INNER, S_OUTER, S_TIME, S_CPU, N_STREAMS };
enum { REPORTS_MAX = 1 << 20, NS_PER_US = 1000 };

struct hwlat_run {
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

static int trace(const struct nf_probe_env *env, const struct nf_hwlat_probe_cfg *cfg,
                 struct hwlat_run *w, struct nf_probe_run *run, struct nf_err *err)
{
	int64_t span = cfg->common.duration_ns ? cfg->common.duration_ns : DURATION_DEFAULT_NS;
	struct nf_hwlat_cfg kernel = {
		.window_us = cfg->window_ns / NS_PER_US,
		.width_us = cfg->width_ns / NS_PER_US,
		.threshold_us = cfg->threshold_ns / NS_PER_US,
		.cpus = &run->cpus_asked,
	};
	struct nf_bracket *bracket = NULL;
	int rc = nf_bracket_open(env->root, &run->cpus_asked, &bracket, err);

	if (rc == 0)
		rc = nf_hwlat_start(env->root, env->journal, &kernel, &w->tracer,
		                    &w->result->settings, err);
	if (rc < 0)
		goto out;

	struct nf_instant start = nf_now_raw();
	struct nf_err stop_err = { 0 };
	bool left_alone = false;

	rc = nf_hwlat_cpus(w->tracer, &run->cpus_got, err);
	if (rc == 0)
		rc = nf_window_sleep(env, start, span, drain, w, err);
	run->wall_ns = nf_since_ns(start, nf_now_raw());
	run->stopped_by = nf_stop_signo(env->stop);
	if (rc == 0)
		rc = drain(w, err);
	/* Puts everything back, whatever happened before. What was seen stays good where that fails: the
	 * journal keeps what is left to do. */
	if (nf_hwlat_stop(w->tracer, &left_alone, &stop_err) < 0)
		nf_probe_note(run,
		              "the tracer's settings could not all be put back (%.120s): tried "
		              "again when the program ends",
		              stop_err.msg);
	if (left_alone)
		nf_probe_note(run,
		              "a setting of the tracer was changed by someone else meanwhile and "
		              "was left alone");
	if (rc == 0)
		rc = nf_bracket_close(bracket, &run->bracket, err);
out:
	nf_bracket_free(bracket);
	return rc;
}

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
	int rc = nf_window_check(env, &cfg->common, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].ns < 0 || rows[i].ns % NS_PER_US != 0)
			return nf_fail(err, NF_EARG,
			               "hwlat: %s %lld ns: the kernel takes whole microseconds",
			               rows[i].name, (long long)rows[i].ns);
	if (cfg->window_ns && cfg->width_ns > cfg->window_ns)
		return nf_fail(err, NF_EARG,
		               "hwlat: width %lld ns is longer than the window, %lld ns",
		               (long long)cfg->width_ns, (long long)cfg->window_ns);
	return 0;
}

static int check_cpus(const struct nf_probe_env *env, const struct nf_probe_common *c,
                      struct nf_err *err)
{
	struct nf_cpuset cpus;
	int rc;

	nf_cpuset_init(&cpus);
	rc = nf_topology_select(env->topo, c->cpus ? c->cpus : "allowed", &cpus, err);
	nf_cpuset_fini(&cpus);
	return rc;
}

static int hwlat_check(const struct nf_probe_env *env, const void *config, struct nf_err *err)
{
	const struct nf_hwlat_probe_cfg *cfg = config;
	int rc = check_cfg(env, cfg, err);

	if (rc == 0)
		rc = check_cpus(env, &cfg->common, err);
	if (rc == 0)
		rc = nf_hwlat_check(env->root, err);
	if (rc == 0 && !env->journal)
		rc = nf_fail(err, NF_EUNSUPPORTED,
		             "hwlat changes tracer settings and needs a journal to undo them: %s",
		             env->no_journal ? env->no_journal : "a writable runtime folder");
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
	rc = nf_topology_select(env->topo, cfg->common.cpus ? cfg->common.cpus : "allowed",
	                        &run.cpus_asked, err);
	if (rc == 0)
		rc = make_streams(cfg->common.max_sample_bytes, &run, err);
	if (rc < 0)
		goto out;
	w.stream = run.streams;
	w.result = res;
	rc = trace(env, cfg, &w, &run, err);
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
		            .duration_ns = DURATION_DEFAULT_NS,
		            .max_sample_bytes = (size_t)256 << 20 },
	};
}

static int64_t hwlat_estimate_ns(const struct nf_probe_env *env, const void *config)
{
	const struct nf_hwlat_probe_cfg *cfg = config;

	(void)env;
	return cfg->common.duration_ns ? cfg->common.duration_ns : DURATION_DEFAULT_NS;
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
