/* SPDX-License-Identifier: MIT */
#include "measure/probe_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "measure/probe_threads.h"
#include "measure/tick_arch.h"
#include "measure/tick_calibrate.h"

enum {
	ROUNDS = 20, /* all ways in turn, so that a disturbance hits none alone */
	BATCHES = 100, /* per way and round */
	MAX_READS = 16, /* ways to read */
	DRIFT_GAP_NS = 5 * 1000 * 1000, /* between drift readings, unless that makes too many */
	DRIFT_MIN = 16,
	DRIFT_MAX = 512,
	SLEEP_SLICE_NS = 50 * 1000 * 1000, /* how late a stop request may be seen */
	MAX_SAMPLE_BYTES = 4 << 20,
};
#define DURATION_DEFAULT_NS INT64_C(1000000000)

/* --- ways to read --- */

static inline uint64_t to_ns(const struct timespec *ts)
{
	return (uint64_t)ts->tv_sec * UINT64_C(1000000000) + (uint64_t)ts->tv_nsec;
}

#define GETTIME_SERIES(name, clock) \
	static void series_##name(uint64_t *t, size_t n) \
	{ \
		for (uint64_t *end = t + n; t != end; t++) { \
			struct timespec ts = { 0 }; \
\
			clock_gettime(clock, &ts); \
			*t = to_ns(&ts); \
		} \
	}
GETTIME_SERIES(monotonic, CLOCK_MONOTONIC)
GETTIME_SERIES(monotonic_raw, CLOCK_MONOTONIC_RAW)
GETTIME_SERIES(realtime, CLOCK_REALTIME)

static void series_syscall(uint64_t *t, size_t n)
{
	for (uint64_t *end = t + n; t != end; t++) {
		struct timespec ts = { 0 };

		syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &ts);
		*t = to_ns(&ts);
	}
}

struct way {
	const char *name;
	const char *clock;
	double hz;
	void (*series)(uint64_t *t, size_t n);
};

static size_t list_ways(const struct nf_tick_clock *c, struct way *out)
{
	static const struct way calls[] = {
		{ "gettime_monotonic", "monotonic", 1e9, series_monotonic },
		{ "gettime_monotonic_raw", "monotonic_raw", 1e9, series_monotonic_raw },
		{ "gettime_realtime", "realtime", 1e9, series_realtime },
		{ "syscall_monotonic", "monotonic", 1e9, series_syscall },
	};
	size_t n = 0;

	if (c->source != NF_TICK_MONOTONIC_RAW)
		for (const struct nf_tick_read *r = nf_tick_arch_reads; r->name; r++)
			out[n++] =
			        (struct way){ r->name, nf_tick_name(c->source), c->hz, r->series };
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		out[n++] = calls[i];
	return n;
}

/* --- the plan --- */

static void defaults(void *cfg)
{
	*(struct nf_clock_cfg *)cfg = (struct nf_clock_cfg){
		.common = { .cpus = "allowed",
		            .duration_ns = DURATION_DEFAULT_NS,
		            .policy = NF_POLICY_OTHER,
		            .max_sample_bytes = MAX_SAMPLE_BYTES },
	};
}

struct plan {
	struct nf_cpuset cpus; /* owned */
	int64_t duration_ns;
	size_t n_drift; /* readings; 0: CLOCK_MONOTONIC_RAW is in use */
	struct way way[MAX_READS];
	size_t n_ways;
};

static size_t drift_readings(int64_t duration_ns)
{
	int64_t n = duration_ns / DRIFT_GAP_NS;

	return n < DRIFT_MIN ? DRIFT_MIN : n > DRIFT_MAX ? DRIFT_MAX : (size_t)n;
}

static int make_plan(const struct nf_probe_env *env, const struct nf_probe_common *c,
                     struct plan *ret, struct nf_err *err)
{
	struct plan p = { .duration_ns = c->duration_ns ? c->duration_ns : DURATION_DEFAULT_NS };
	int left_out;
	size_t bytes;
	int rc;

	if (c->duration_ns < 0)
		return nf_fail(err, NF_EARG, "duration of %lld ns: it must not be negative",
		               (long long)c->duration_ns);
	if (c->policy == NF_POLICY_DEADLINE)
		return nf_fail(err, NF_EARG, "the clock probe takes policies other, fifo and rr");
	rc = nf_policy_check(c->policy, c->priority, err);
	if (rc != 0)
		return rc;
	p.n_ways = list_ways(env->clock, p.way);
	if (env->clock->source != NF_TICK_MONOTONIC_RAW)
		p.n_drift = drift_readings(p.duration_ns);
	bytes = (p.n_ways * ROUNDS * BATCHES + 2 * p.n_drift) * sizeof(int64_t);
	if (bytes > c->max_sample_bytes)
		return nf_fail(err, NF_EARG,
		               "the sample memory of %zu bytes is too small: %zu bytes",
		               c->max_sample_bytes, bytes);
	nf_cpuset_init(&p.cpus);
	rc = nf_probe_select(env, c, false, &p.cpus, &left_out, err);
	if (rc != 0)
		return rc;
	*ret = p;
	return 0;
}

static int check(const struct nf_probe_env *env, const void *cfg, struct nf_err *err)
{
	const struct nf_clock_cfg *c = cfg;
	struct nf_sched sched = { .policy = c->common.policy, .priority = c->common.priority };
	struct plan p;
	int rc = make_plan(env, &c->common, &p, err);

	if (rc != 0)
		return rc;
	nf_cpuset_fini(&p.cpus);
	return nf_policy_possible(&sched, err);
}

static int64_t estimate_ns(const struct nf_probe_env *env, const void *cfg)
{
	const struct nf_clock_cfg *c = cfg;
	int64_t drift_ns = c->common.duration_ns ? c->common.duration_ns : DURATION_DEFAULT_NS;
	size_t cpus = nf_cpuset_count(nf_topology_allowed(env->topo));
	int64_t skew_ns = nf_tick_skew_estimate_ns(cpus);
	int64_t reads_ns = INT64_C(8) * ROUNDS * BATCHES * NF_CLOCK_BATCH * 50;
	int64_t rest_ns = NF_WARMUP_NS + skew_ns + reads_ns;

	if (env->clock->source == NF_TICK_MONOTONIC_RAW)
		drift_ns = 0;
	return drift_ns < INT64_MAX - rest_ns ? drift_ns + rest_ns : INT64_MAX;
}

/* --- on the measuring thread --- */

struct work {
	const struct nf_probe_env *env;
	const struct plan *plan;
	struct nf_stream *read; /* borrowed; one per way */
	struct nf_stream *drift; /* borrowed; NULL: none */
	struct nf_stream *drift_time;
	struct nf_tick_window *window; /* owned; plan->n_drift */
	size_t n_windows;
	int64_t wall_ns;
};

static void time_way(const struct way *way, struct nf_stream *s, size_t batches)
{
	uint64_t t[NF_CLOCK_BATCH + 1];

	for (size_t i = 0; i < batches; i++) {
		way->series(t, NF_CLOCK_BATCH + 1);
		nf_stream_put(s, (int64_t)(t[NF_CLOCK_BATCH] - t[0]));
	}
}

static int prepare(void *ctx, size_t i, struct nf_err *err)
{
	struct work *w = ctx;

	(void)i;
	(void)err;
	for (size_t k = 0; k < w->plan->n_ways; k++) {
		nf_stream_prefault(&w->read[k]);
		/* Once through each way; then forgotten. */
		time_way(&w->plan->way[k], &w->read[k], 1);
		w->read[k].n = 0;
	}
	if (w->drift) {
		nf_stream_prefault(w->drift);
		nf_stream_prefault(w->drift_time);
		for (size_t k = 0; k < w->plan->n_drift; k++)
			w->window[k] = nf_tick_read_window();
	}
	return 0;
}

static void warm(void *ctx, size_t i, const struct nf_crew_gate *g)
{
	const struct work *w = ctx;

	(void)i;
	while (nf_crew_warm(g))
		(void)nf_tick_end(w->env->clock);
}

static void sleep_until(const struct nf_stop *stop, int64_t monotonic_ns)
{
	int64_t left;

	while (!nf_stop_signo(stop) && (left = monotonic_ns - nf_now_monotonic().ns) > 0) {
		struct timespec ts = { .tv_nsec = left < SLEEP_SLICE_NS ? left : SLEEP_SLICE_NS };

		clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	}
}

static void read_drift(struct work *w)
{
	int64_t gap_ns = w->plan->duration_ns / (int64_t)(w->plan->n_drift - 1);
	int64_t start_ns = nf_now_monotonic().ns;

	for (size_t i = 0; i < w->plan->n_drift && !nf_stop_signo(w->env->stop); i++) {
		if (i > 0)
			sleep_until(w->env->stop, start_ns + (int64_t)i * gap_ns);
		w->window[w->n_windows++] = nf_tick_read_window();
	}
}

static void measure(void *ctx, size_t i)
{
	struct work *w = ctx;
	const struct nf_stop *stop = w->env->stop;
	struct nf_instant start = nf_now_raw();

	(void)i;
	for (int round = 0; round < ROUNDS && (round == 0 || !nf_stop_signo(stop)); round++)
		for (size_t k = 0; k < w->plan->n_ways; k++)
			time_way(&w->plan->way[k], &w->read[k], BATCHES);
	if (w->drift)
		read_drift(w);
	w->wall_ns = nf_since_ns(start, nf_now_raw());
}

static const struct nf_crew_ops crew_ops = { prepare, warm, measure };

/* --- the run --- */

static int add_stream(struct nf_probe_run *run, const char *name, const char *clock, size_t cap,
                      struct nf_stream **ret, struct nf_err *err)
{
	struct nf_stream *s = &run->streams[run->n_streams];
	char full[sizeof(s->name)];
	int rc;

	snprintf(full, sizeof(full), "clock.%s", name);
	rc = nf_stream_init(s, full, cap, err);
	if (rc != 0)
		return rc;
	run->n_streams++;
	snprintf(s->clock, sizeof(s->clock), "%s", clock);
	s->node = -1;
	s->unit = NF_UNIT_NS;
	s->kind = NF_KIND_DURATION;
	*ret = s;
	return 0;
}

static int make_streams(struct work *w, struct nf_probe_run *run, struct nf_err *err)
{
	const struct plan *p = w->plan;
	int cpu = nf_cpuset_next(&p->cpus, -1);
	const struct nf_cpu_info *info = nf_topology_cpu(w->env->topo, cpu);
	int rc = 0;

	run->streams = calloc(p->n_ways + 2, sizeof(*run->streams));
	if (!run->streams)
		return nf_fail_nomem(err, "the streams", (p->n_ways + 2) * sizeof(*run->streams));
	w->read = run->streams;
	for (size_t i = 0; i < p->n_ways && rc == 0; i++) {
		struct nf_stream *s;

		rc = add_stream(run, p->way[i].name, p->way[i].clock, ROUNDS * BATCHES, &s, err);
		if (rc != 0)
			return rc;
		s->unit = NF_UNIT_TICK;
		s->tick_hz = p->way[i].hz * NF_CLOCK_BATCH;
	}
	if (p->n_drift > 0) {
		const char *clock = nf_tick_name(w->env->clock->source);

		rc = add_stream(run, "drift", clock, p->n_drift, &w->drift, err);
		if (rc == 0)
			rc = add_stream(run, "drift.time", "monotonic_raw", p->n_drift,
			                &w->drift_time, err);
		if (rc != 0)
			return rc;
		w->drift_time->kind = NF_KIND_INSTANT;
		snprintf(w->drift_time->origin, sizeof(w->drift_time->origin), "first reading");
		w->window = calloc(p->n_drift, sizeof(*w->window));
		if (!w->window)
			return nf_fail_nomem(err, "drift readings",
			                     p->n_drift * sizeof(*w->window));
	}
	for (size_t i = 0; i < run->n_streams; i++) {
		run->streams[i].cpu = cpu;
		run->streams[i].node = info ? info->node : -1;
	}
	return 0;
}

static double middle(const struct nf_tick_window *w, const struct nf_tick_window *origin)
{
	return (double)(int64_t)(w->before_ticks - origin->before_ticks) +
	       (double)(w->after_ticks - w->before_ticks) / 2;
}

static int fill_drift(struct work *w, struct nf_clock_result *r, struct nf_err *err)
{
	const struct nf_tick_window *first = w->window;
	struct nf_err why = { 0 };
	struct nf_tick_fit fit;
	int rc;

	r->drift_ppm = (double)NAN;
	r->drift_error_ppm = (double)NAN;
	for (size_t i = 0; i < w->n_windows; i++) {
		double ticks = middle(&w->window[i], first) - middle(first, first);
		int64_t raw_ns = w->window[i].raw_ns - first->raw_ns;

		nf_stream_put(w->drift,
		              llround(nf_tick_to_ns(w->env->clock, ticks) - (double)raw_ns));
		nf_stream_put(w->drift_time, raw_ns);
	}
	if (w->n_windows == 0)
		return 0;
	rc = nf_tick_fit_windows(w->window, w->n_windows, &fit, &why);
	if (rc == -NF_ENODATA) /* stopped too early for a slope */
		return 0;
	if (rc != 0) {
		if (err)
			*err = why;
		return rc;
	}
	r->drift_ppm = (fit.hz / w->env->clock->hz - 1) * 1e6;
	r->drift_error_ppm = fit.hz_error_ppm;
	return 0;
}

static int fill_skew(const struct work *w, struct nf_clock_result *r, struct nf_probe_run *run,
                     struct nf_err *err)
{
	const struct nf_tick_clock *c = w->env->clock;
	size_t n = nf_cpuset_count(&w->plan->cpus);
	int rc;

	r->skew = calloc(n, sizeof(*r->skew));
	if (!r->skew)
		return nf_fail_nomem(err, "clock skew", n * sizeof(*r->skew));
	r->n_skew = n;
	rc = nf_tick_skew(c, w->env->topo, &w->plan->cpus, r->skew, &r->n_skew, w->env->stop, err);
	if (rc != 0)
		return rc;
	if (r->n_skew < n)
		nf_probe_note(
		        run,
		        "%zu of %zu CPUs were too busy to compare their clock, or their turn did "
		        "not come within %lld s",
		        n - r->n_skew, n, (long long)(NF_TICK_SKEW_MAX_NS / 1000000000));
	for (size_t i = 1; i < r->n_skew; i++)
		if (fabs(r->skew[i].offset_ticks) >
		    r->skew[i].uncertainty_ticks + c->read_median_ticks)
			nf_probe_note(run,
			              "the clock of CPU %d differs from that of CPU %d by %.0f ns "
			              "(+- %.0f ns)",
			              r->skew[i].cpu, r->skew[0].cpu,
			              nf_tick_to_ns(c, r->skew[i].offset_ticks),
			              nf_tick_to_ns(c, r->skew[i].uncertainty_ticks));
	return 0;
}

static void result_fini(void *result)
{
	free(((struct nf_clock_result *)result)->skew);
}

static int run_clock(struct work *w, const struct nf_probe_common *c, struct nf_probe_run *run,
                     struct nf_err *err)
{
	struct nf_controller controller = { 0 };
	struct nf_crew_member member = { .cpu = nf_cpuset_next(&w->plan->cpus, -1) };
	struct nf_crew_cfg crew = { .env = w->env,
		                    .ops = &crew_ops,
		                    .ctx = w,
		                    .sched = { .policy = c->policy, .priority = c->priority },
		                    .warmup_ns = NF_WARMUP_NS,
		                    .expected_ns = w->plan->n_drift ? w->plan->duration_ns : 0,
		                    .measured = &w->plan->cpus };
	struct nf_clock_result *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return nf_fail_nomem(err, "the result", sizeof(*r));
	run->result = r;
	r->clock = *w->env->clock;
	rc = nf_controller_enter(&controller, w->env, &w->plan->cpus, err);
	if (rc == 0)
		rc = fill_skew(w, r, run, err);
	if (rc == 0)
		rc = make_streams(w, run, err);
	if (rc == 0)
		rc = nf_crew_run(&crew, &member, 1, run, err);
	if (rc == 0)
		rc = nf_controller_report(&controller, w->env, &w->plan->cpus, run, err);
	nf_controller_leave(&controller);
	for (size_t i = 0; i < r->n_skew && rc == 0; i++)
		rc = nf_cpuset_add(&run->cpus_got, r->skew[i].cpu, err);
	if (rc == 0)
		rc = fill_drift(w, r, err);
	if (rc != 0)
		return rc;
	run->wall_ns = w->wall_ns;
	run->overhead_ns = nf_tick_to_ns(w->env->clock, w->env->clock->read_min_ticks);
	run->locked = true;
	for (size_t i = 0; i < run->n_streams; i++)
		run->locked = run->locked && run->streams[i].locked;
	nf_probe_note_unlocked(run);
	return 0;
}

static int run(const struct nf_probe_env *env, const void *cfg, struct nf_probe_run *ret,
               struct nf_err *err)
{
	const struct nf_clock_cfg *c = cfg;
	struct nf_probe_run made = { 0 };
	struct work w = { .env = env };
	struct plan p = { 0 };
	int rc = make_plan(env, &c->common, &p, err);

	if (rc != 0)
		return rc;
	w.plan = &p;
	if (env->clock->source == NF_TICK_MONOTONIC_RAW)
		nf_probe_note(&made, "the counter is not read, and no drift is measured: the clock "
		                     "is CLOCK_MONOTONIC_RAW");
	rc = nf_cpuset_copy(&made.cpus_asked, &p.cpus, err);
	if (rc == 0)
		rc = run_clock(&w, &c->common, &made, err);
	if (rc == 0) {
		*ret = made;
		made = (struct nf_probe_run){ 0 };
	}
	nf_probe_run_fini(&nf_probe_clock, &made);
	free(w.window);
	nf_cpuset_fini(&p.cpus);
	return rc;
}

const struct nf_probe nf_probe_clock = {
	.name = "clock",
	.summary = "cost of each way to read a clock, its step, skew between CPUs and drift",
	.cfg_size = sizeof(struct nf_clock_cfg),
	.defaults = defaults,
	.check = check,
	.estimate_ns = estimate_ns,
	.run = run,
	.result_fini = result_fini,
};
