/* SPDX-License-Identifier: MIT */
#include "measure/probe_detour.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure/kernels/gap.h"
#include "measure/probe_threads.h"

enum {
	DETOURS_PER_S = 100000, /* room is made for so many on each CPU */
	SPARE_DETOURS = 65536, /* beyond them */
	LEAST_ROOM = 1024,
	BYTES_PER_DETOUR = 2 * sizeof(int64_t),
	FIRST_LOOK_NS =
	        10 * 1000 * 1000, /* before the warm-up, so that a threshold can be refused */
	WARM_BATCH_NS = 1000 * 1000, /* the warm-up looks at the gate about so often */
};
#define DURATION_DEFAULT_NS INT64_C(10000000000)
#define MAX_SAMPLE_BYTES ((size_t)256 << 20)

struct worker {
	struct nf_stream *start; /* borrowed */
	struct nf_stream *length;
	int64_t warm_shortest; /* gap, in ticks */
	int64_t threshold; /* ticks */
	struct nf_gap_loop loop; /* the measured one, when it has ended */
	int64_t wall_ns;
};

struct detour {
	const struct nf_probe_env *env;
	const struct nf_detour_cfg *cfg;
	nf_gap_loop_fn *loop;
	const volatile sig_atomic_t *stop;
	struct worker *worker; /* owned */
	struct nf_crew_member *member; /* owned */
	size_t n_workers;
};

static void defaults(void *cfg)
{
	*(struct nf_detour_cfg *)cfg = (struct nf_detour_cfg){
		.common = { .cpus = "allowed",
		            .duration_ns = DURATION_DEFAULT_NS,
		            .policy = NF_POLICY_OTHER,
		            .max_sample_bytes = MAX_SAMPLE_BYTES },
	};
}

static int64_t duration_ns(const struct nf_detour_cfg *c)
{
	return c->common.duration_ns > 0 ? c->common.duration_ns : DURATION_DEFAULT_NS;
}

static nf_gap_loop_fn *loop_for(const struct nf_tick_clock *clock)
{
	return clock->source == NF_TICK_MONOTONIC_RAW ? nf_gap_monotonic : nf_gap_on_counter;
}

/* Detours that room is made for on each of n CPUs. */
static size_t capacity(const struct nf_detour_cfg *c, size_t n)
{
	size_t room = c->common.max_sample_bytes / BYTES_PER_DETOUR / n;
	double expected = (double)duration_ns(c) * 1e-9 * DETOURS_PER_S + SPARE_DETOURS;

	return expected < (double)room ? (size_t)expected : room;
}

uint64_t nf_detour_sample_bytes(const struct nf_detour_cfg *cfg, size_t n_cpus)
{
	return n_cpus > 0 ? (uint64_t)capacity(cfg, n_cpus) * n_cpus * BYTES_PER_DETOUR : 0;
}

/* --- the plan: everything that can be refused before anything is touched --- */

struct plan {
	struct nf_cpuset cpus; /* owned; measured */
	int left_out; /* housekeeping CPU, -1: none */
	size_t n_workers;
	size_t cap; /* detours kept per CPU */
};

static void plan_fini(struct plan *p)
{
	nf_cpuset_fini(&p->cpus);
}

static int check_numbers(const struct nf_detour_cfg *c, struct nf_err *err)
{
	if (c->common.duration_ns < 0 || c->threshold_ns < 0)
		return nf_fail(err, NF_EARG,
		               "duration and threshold must not be negative (%lld ns, %lld ns)",
		               (long long)c->common.duration_ns, (long long)c->threshold_ns);
	if (c->common.policy == NF_POLICY_DEADLINE)
		return nf_fail(err, NF_EARG,
		               "policy deadline throttles a thread that does not sleep; detour "
		               "takes other, fifo and rr");
	return nf_policy_check(c->common.policy, c->common.priority, err);
}

static int make_plan(const struct nf_probe_env *env, const struct nf_detour_cfg *c,
                     struct plan *ret, struct nf_err *err)
{
	struct plan p = { .left_out = -1 };
	int rc;

	nf_cpuset_init(&p.cpus);
	rc = check_numbers(c, err);
	if (rc != 0)
		return rc;
	if (!loop_for(env->clock))
		return nf_fail(err, NF_EUNSUPPORTED,
		               "no loop on this architecture's counter; --clock monotonic works "
		               "everywhere");
	rc = nf_probe_select(env, &c->common, true, &p.cpus, &p.left_out, err);
	if (rc != 0)
		return rc;
	p.n_workers = nf_cpuset_count(&p.cpus);
	p.cap = capacity(c, p.n_workers);
	if (p.cap < LEAST_ROOM) {
		rc = nf_fail(
		        err, NF_EARG,
		        "the sample memory of %zu bytes is too small for %zu CPUs: at least %zu "
		        "bytes",
		        c->common.max_sample_bytes, p.n_workers,
		        (size_t)LEAST_ROOM * BYTES_PER_DETOUR * p.n_workers);
		plan_fini(&p);
		return rc;
	}
	*ret = p;
	return 0;
}

static int check(const struct nf_probe_env *env, const void *cfg, struct nf_err *err)
{
	const struct nf_detour_cfg *c = cfg;
	struct nf_sched sched = { .policy = c->common.policy, .priority = c->common.priority };
	struct plan p;
	int rc = make_plan(env, c, &p, err);

	if (rc != 0)
		return rc;
	plan_fini(&p);
	return nf_policy_possible(&sched, err);
}

static int64_t estimate_ns(const struct nf_probe_env *env, const void *cfg)
{
	(void)env;
	/* Beside the warm-up: the first look and the locking of the buffers. */
	return duration_ns(cfg) + NF_WARMUP_NS / 4 * 5;
}

/* --- on the measuring threads --- */

/* The shortest gap of a stretch in which nothing is recorded. */
static void look(const struct detour *f, struct worker *w, int64_t ns)
{
	struct nf_gap_loop l = {
		.threshold = INT64_MAX,
		.deadline_tick = nf_tick_end(f->env->clock) +
		                 (uint64_t)((double)ns * f->env->clock->hz / 1e9),
		.stop = f->stop,
	};

	f->loop(&l);
	if (l.shortest < w->warm_shortest)
		w->warm_shortest = l.shortest;
}

/* Shortest gap + step: with a shorter one no interruption can be told from none. */
static int64_t smallest_ticks(const struct detour *f, const struct worker *w)
{
	int64_t shortest =
	        w->warm_shortest == INT64_MAX || w->warm_shortest < 0 ? 0 : w->warm_shortest;

	return shortest + f->env->clock->step_ticks;
}

static int prepare(void *ctx, size_t i, struct nf_err *err)
{
	struct detour *f = ctx;
	struct worker *w = &f->worker[i];
	const struct nf_tick_clock *clock = f->env->clock;

	nf_stream_prefault(w->start);
	nf_stream_prefault(w->length);
	w->warm_shortest = INT64_MAX;
	look(f, w, FIRST_LOOK_NS);
	double smallest_ns = nf_tick_to_ns(clock, (double)smallest_ticks(f, w));
	if (f->cfg->threshold_ns > 0 && (double)f->cfg->threshold_ns < smallest_ns &&
	    w->warm_shortest != INT64_MAX)
		return nf_fail(
		        err, NF_EARG,
		        "threshold of %lld ns: the loop cannot tell a detour below %.1f ns on "
		        "CPU %d (shortest gap %.1f ns + clock step %.1f ns)",
		        (long long)f->cfg->threshold_ns, smallest_ns, w->start->cpu,
		        nf_tick_to_ns(clock, (double)w->warm_shortest),
		        nf_tick_to_ns(clock, (double)clock->step_ticks));
	return 0;
}

static void warm(void *ctx, size_t i, const struct nf_crew_gate *g)
{
	struct detour *f = ctx;

	while (nf_crew_warm(g))
		look(f, &f->worker[i], WARM_BATCH_NS);
}

static void measure(void *ctx, size_t i)
{
	struct detour *f = ctx;
	struct worker *w = &f->worker[i];
	const double hz = f->env->clock->hz;
	struct nf_gap_loop l = {
		.stop = f->stop,
		.start = w->start->value,
		.length = w->length->value,
		.room = w->start->cap,
	};

	w->threshold = f->cfg->threshold_ns > 0 ? (int64_t)((double)f->cfg->threshold_ns * hz / 1e9)
	                                        : NF_DETOUR_FACTOR * smallest_ticks(f, w);
	l.threshold = w->threshold;
	l.deadline_tick =
	        nf_tick_end(f->env->clock) + (uint64_t)((double)duration_ns(f->cfg) * hz / 1e9);
	struct nf_instant before = nf_now_raw();
	f->loop(&l);
	w->wall_ns = nf_since_ns(before, nf_now_raw());
	w->loop = l;
}

static const struct nf_crew_ops crew_ops = { prepare, warm, measure };

/* --- the run --- */

static int make_stream(const struct detour *f, int cpu, const char *what, size_t cap,
                       enum nf_sample_kind kind, struct nf_stream *s, struct nf_err *err)
{
	const struct nf_cpu_info *info = nf_topology_cpu(f->env->topo, cpu);
	char name[sizeof(s->name)];
	int rc;

	snprintf(name, sizeof(name), "detour.cpu%d.%s", cpu, what);
	rc = nf_stream_init(s, name, cap, err);
	if (rc != 0)
		return rc;
	snprintf(s->clock, sizeof(s->clock), "%s", nf_tick_name(f->env->clock->source));
	if (kind == NF_KIND_INSTANT)
		snprintf(s->origin, sizeof(s->origin), "start of the run");
	s->cpu = cpu;
	s->node = info ? info->node : -1;
	s->unit = NF_UNIT_TICK;
	s->kind = kind;
	s->tick_hz = f->env->clock->hz;
	return 0;
}

static int make_streams(const struct detour *f, const struct plan *p, struct nf_probe_run *run,
                        struct nf_err *err)
{
	int cpu = -1;

	run->streams = calloc(2 * p->n_workers, sizeof(*run->streams));
	if (!run->streams)
		return nf_fail_nomem(err, "the streams", 2 * p->n_workers * sizeof(*run->streams));
	for (size_t i = 0; i < p->n_workers; i++) {
		struct nf_stream *s = &run->streams[2 * i];
		int rc;

		cpu = nf_cpuset_next(&p->cpus, cpu);
		rc = make_stream(f, cpu, "start", p->cap, NF_KIND_INSTANT, &s[0], err);
		if (rc != 0)
			return rc;
		run->n_streams = 2 * i + 1;
		rc = make_stream(f, cpu, "length", p->cap, NF_KIND_DURATION, &s[1], err);
		if (rc != 0)
			return rc;
		run->n_streams = 2 * i + 2;
		f->worker[i].start = &s[0];
		f->worker[i].length = &s[1];
		f->member[i].cpu = cpu;
	}
	return 0;
}

static int detour_init(struct detour *f, const struct nf_probe_env *env,
                       const struct nf_detour_cfg *c, const struct plan *p, struct nf_err *err)
{
	static const volatile sig_atomic_t never = 0;

	*f = (struct detour){ .env = env,
		              .cfg = c,
		              .loop = loop_for(env->clock),
		              .stop = env->stop ? &env->stop->signo : &never,
		              .n_workers = p->n_workers };
	f->worker = calloc(p->n_workers, sizeof(*f->worker));
	f->member = calloc(p->n_workers, sizeof(*f->member));
	if (!f->worker || !f->member)
		return nf_fail_nomem(err, "the workers", p->n_workers * sizeof(*f->worker));
	return 0;
}

static void detour_fini(struct detour *f)
{
	free(f->worker);
	free(f->member);
}

static void result_fini(void *result)
{
	free(((struct nf_detour_result *)result)->worker);
}

/* What the loop counted and stored, into the streams and one row of the result. */
static void collect(const struct detour *f, size_t i, struct nf_detour_worker *ret,
                    struct nf_probe_run *run)
{
	const struct worker *w = &f->worker[i];
	const struct nf_gap_loop *l = &w->loop;
	const struct nf_crew_member *m = &f->member[i];
	const struct nf_tick_clock *clock = f->env->clock;
	int64_t shortest = l->shortest < w->warm_shortest ? l->shortest : w->warm_shortest;
	bool looked = w->warm_shortest != INT64_MAX;

	w->start->n = w->length->n = l->n;
	w->start->n_dropped = w->length->n_dropped = l->n_dropped;
	w->start->origin_tick = w->length->origin_tick = l->first_tick;
	*ret = (struct nf_detour_worker){
		.cpu = m->cpu,
		.looked = looked,
		.loop_min_ns = looked ? nf_tick_to_ns(clock, (double)shortest) : 0,
		.smallest_ns = looked ? nf_tick_to_ns(clock, (double)smallest_ticks(f, w)) : 0,
		.threshold_ns = nf_tick_to_ns(clock, (double)w->threshold),
		.threshold_ticks = w->threshold,
		.n_reads = l->n_reads,
		.n_detours = l->n + l->n_dropped,
		.detoured_ns = nf_tick_to_ns(clock, (double)l->detoured),
		.longest_ns = nf_tick_to_ns(clock, (double)l->longest),
		.span_ns = nf_tick_to_ns(clock, (double)(l->last_tick - l->first_tick)),
		.wall_ns = w->wall_ns,
		.minor_faults = m->minor_faults,
		.major_faults = m->major_faults,
		.involuntary_switches = m->involuntary_switches,
	};
	if (shortest < 0)
		nf_probe_note(run, "the clock went back by up to %.1f ns on CPU %d",
		              -nf_tick_to_ns(clock, (double)shortest), m->cpu);
	if (l->n_dropped > 0)
		nf_probe_note(
		        run,
		        "CPU %d: the sample memory held %zu detours, %llu more are in the counts "
		        "and sums alone",
		        m->cpu, l->n, (unsigned long long)l->n_dropped);
	if (w->wall_ns > run->wall_ns)
		run->wall_ns = w->wall_ns;
	run->locked = run->locked && w->start->locked && w->length->locked;
}

static int fill_result(const struct detour *f, struct nf_probe_run *run, struct nf_err *err)
{
	struct nf_detour_result *r = calloc(1, sizeof(*r));

	if (!r)
		return nf_fail_nomem(err, "the result", sizeof(*r));
	run->result = r;
	r->worker = calloc(f->n_workers, sizeof(*r->worker));
	if (!r->worker)
		return nf_fail_nomem(err, "the result", f->n_workers * sizeof(*r->worker));
	r->n_workers = f->n_workers;
	run->locked = true;
	for (size_t i = 0; i < f->n_workers; i++) {
		collect(f, i, &r->worker[i], run);
		/* What one turn of the loop takes: the dearest of them, as the reader must assume. */
		if (r->worker[i].loop_min_ns > run->overhead_ns)
			run->overhead_ns = r->worker[i].loop_min_ns;
	}
	nf_probe_note_unlocked(run);
	return 0;
}

static int run_detour(struct detour *f, const struct plan *p, struct nf_probe_run *run,
                      struct nf_err *err)
{
	const struct nf_detour_cfg *c = f->cfg;
	struct nf_controller controller = { 0 };
	struct nf_crew_cfg crew = { .env = f->env,
		                    .ops = &crew_ops,
		                    .ctx = f,
		                    .sched = { .policy = c->common.policy,
		                               .priority = c->common.priority },
		                    .warmup_ns = NF_WARMUP_NS,
		                    .expected_ns = duration_ns(c),
		                    .measured = &p->cpus };
	int rc;

	rc = nf_controller_enter(&controller, f->env, &p->cpus, err);
	if (rc != 0)
		return rc;
	rc = make_streams(f, p, run, err);
	if (rc == 0)
		rc = nf_crew_run(&crew, f->member, f->n_workers, run, err);
	if (rc == 0)
		rc = nf_controller_report(&controller, f->env, &p->cpus, run, err);
	if (rc == 0)
		rc = fill_result(f, run, err);
	nf_controller_leave(&controller);
	return rc;
}

static int run(const struct nf_probe_env *env, const void *cfg, struct nf_probe_run *ret,
               struct nf_err *err)
{
	const struct nf_detour_cfg *c = cfg;
	struct nf_probe_run made = { 0 };
	struct detour f = { 0 };
	struct plan p;
	int rc = make_plan(env, c, &p, err);

	if (rc != 0)
		return rc;
	rc = nf_probe_note_plan(env, &c->common, &p.cpus, p.left_out, &made, err);
	if (rc == 0)
		rc = detour_init(&f, env, c, &p, err);
	if (rc == 0)
		rc = run_detour(&f, &p, &made, err);
	if (rc != 0)
		goto out;
	*ret = made;
	made = (struct nf_probe_run){ 0 };
out:
	nf_probe_run_fini(&nf_probe_detour, &made);
	detour_fini(&f);
	plan_fini(&p);
	return rc;
}

const struct nf_probe nf_probe_detour = {
	.name = "detour",
	.summary = "what interrupts a loop that only reads a clock: when, and for how long",
	.cfg_size = sizeof(struct nf_detour_cfg),
	.defaults = defaults,
	.check = check,
	.estimate_ns = estimate_ns,
	.run = run,
	.result_fini = result_fini,
};
