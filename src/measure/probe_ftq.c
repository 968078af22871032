/* SPDX-License-Identifier: MIT */
#include "measure/probe_ftq.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure/fwq_calibrate.h"
#include "measure/kernels/ftq.h"
#include "measure/probe_threads.h"

enum {
	BYTES_PER_QUANTUM = 2 * sizeof(int64_t),
	WARM_QUANTA = 8, /* the warm-up looks at the gate after so many */
	WARM_QUANTUM_NS = 100 * 1000, /* at most */
};
#define DURATION_DEFAULT_NS INT64_C(10000000000)
#define MAX_SAMPLE_BYTES ((size_t)256 << 20)

struct worker {
	struct nf_fwq_room *room; /* owned */
	struct nf_stream *units; /* borrowed */
	struct nf_stream *overshoot;
	int64_t wall_ns;
};

struct ftq {
	const struct nf_probe_env *env;
	const struct nf_ftq_cfg *cfg;
	nf_ftq_loop_fn *loop;
	const volatile sig_atomic_t *stop;
	uint64_t work;
	double unit_ns;
	uint64_t quantum; /* ticks */
	struct worker *worker; /* owned */
	struct nf_crew_member *member; /* owned */
	size_t n_workers;
};

static void defaults(void *cfg)
{
	*(struct nf_ftq_cfg *)cfg = (struct nf_ftq_cfg){
		.common = { .cpus = "allowed",
		            .duration_ns = DURATION_DEFAULT_NS,
		            .policy = NF_POLICY_OTHER,
		            .max_sample_bytes = MAX_SAMPLE_BYTES },
		.quantum_ns = NF_FTQ_QUANTUM_NS,
		.unit_ns = NF_FTQ_UNIT_NS,
		.kernel = NF_KERNEL_CHAIN,
	};
}

static int64_t duration_ns(const struct nf_ftq_cfg *c)
{
	return c->common.duration_ns > 0 ? c->common.duration_ns : DURATION_DEFAULT_NS;
}

/* Whole quanta in the duration, at least one. */
static uint64_t n_quanta(const struct nf_ftq_cfg *c)
{
	int64_t n = duration_ns(c) / c->quantum_ns;

	return n < 1 ? 1 : (uint64_t)n;
}

uint64_t nf_ftq_sample_bytes(const struct nf_ftq_cfg *cfg, size_t n_cpus)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(n_quanta(cfg), n_cpus * BYTES_PER_QUANTUM, &bytes))
		return UINT64_MAX;
	return bytes;
}

static nf_ftq_loop_fn *loop_for(const struct nf_tick_clock *clock, enum nf_kernel_id kernel)
{
	return clock->source == NF_TICK_MONOTONIC_RAW ? nf_ftq_on_monotonic[kernel]
	                                              : nf_ftq_on_counter[kernel];
}

/* --- the plan: everything that can be refused before anything is touched --- */

struct plan {
	struct nf_cpuset cpus; /* owned; measured */
	int left_out; /* housekeeping CPU, -1: none */
	size_t n_workers;
	size_t n_quanta;
};

static void plan_fini(struct plan *p)
{
	nf_cpuset_fini(&p->cpus);
}

static int check_numbers(const struct nf_ftq_cfg *c, struct nf_err *err)
{
	if (c->kernel < 0 || c->kernel >= NF_N_KERNELS)
		return nf_fail(err, NF_EARG, "no such kernel (%d)", (int)c->kernel);
	if (c->common.duration_ns < 0)
		return nf_fail(err, NF_EARG, "duration must not be negative (%lld ns)",
		               (long long)c->common.duration_ns);
	if (c->quantum_ns < NF_FTQ_QUANTUM_MIN_NS || c->quantum_ns > NF_FTQ_QUANTUM_MAX_NS)
		return nf_fail(err, NF_EARG, "quantum of %lld ns: the range is 10us to 1s",
		               (long long)c->quantum_ns);
	if (c->unit_ns < NF_FTQ_UNIT_MIN_NS || c->unit_ns > c->quantum_ns / NF_FTQ_UNITS_MIN)
		return nf_fail(err, NF_EARG,
		               "units of %lld ns: from %d ns to a %dth of the quantum (%lld ns)",
		               (long long)c->unit_ns, NF_FTQ_UNIT_MIN_NS, NF_FTQ_UNITS_MIN,
		               (long long)(c->quantum_ns / NF_FTQ_UNITS_MIN));
	if (c->common.policy == NF_POLICY_DEADLINE)
		return nf_fail(err, NF_EARG,
		               "policy deadline throttles a thread that does not sleep; ftq takes "
		               "other, fifo and rr");
	return nf_policy_check(c->common.policy, c->common.priority, err);
}

static int make_plan(const struct nf_probe_env *env, const struct nf_ftq_cfg *c, struct plan *ret,
                     struct nf_err *err)
{
	struct plan p = { .left_out = -1 };
	uint64_t bytes;
	int rc;

	nf_cpuset_init(&p.cpus);
	rc = check_numbers(c, err);
	if (rc != 0)
		return rc;
	if (!loop_for(env->clock, c->kernel))
		return nf_fail(err, NF_EUNSUPPORTED,
		               "no loop on this architecture's counter; --clock monotonic works "
		               "everywhere");
	rc = nf_probe_select(env, &c->common, true, &p.cpus, &p.left_out, err);
	if (rc != 0)
		return rc;
	p.n_workers = nf_cpuset_count(&p.cpus);
	p.n_quanta = (size_t)n_quanta(c);
	bytes = nf_ftq_sample_bytes(c, p.n_workers);
	if (bytes > c->common.max_sample_bytes) {
		/* A grid that ends early would be another measurement: nothing is dropped here. */
		rc = nf_fail(
		        err, NF_EARG,
		        "%zu quanta for each CPU exceed the sample memory of %zu bytes: at most "
		        "%zu (a longer quantum, a shorter run, fewer CPUs or more memory)",
		        p.n_quanta, c->common.max_sample_bytes,
		        c->common.max_sample_bytes / BYTES_PER_QUANTUM / p.n_workers);
		plan_fini(&p);
		return rc;
	}
	*ret = p;
	return 0;
}

static int check(const struct nf_probe_env *env, const void *cfg, struct nf_err *err)
{
	const struct nf_ftq_cfg *c = cfg;
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
	/* Some ten milliseconds of calibration come with the warm-up. */
	return duration_ns(cfg) + NF_WARMUP_NS / 4 * 5;
}

/* --- on the measuring threads --- */

/* Into memory that nobody keeps; some 800 us. */
static void run_scratch(const struct ftq *f, const struct worker *w)
{
	uint64_t most = (uint64_t)(WARM_QUANTUM_NS * f->env->clock->hz / 1e9);
	struct nf_ftq_loop l = {
		.work = f->work,
		.vector = w->room->vector,
		.quantum = f->quantum < most ? f->quantum : most + 1,
		.units = w->room->scratch,
		.overshoot = w->room->scratch + WARM_QUANTA,
		.n = WARM_QUANTA,
		.stop = f->stop,
	};

	f->loop(&l);
}

static int prepare(void *ctx, size_t i, struct nf_err *err)
{
	struct ftq *f = ctx;
	struct worker *w = &f->worker[i];

	(void)err;
	nf_stream_prefault(w->units);
	nf_stream_prefault(w->overshoot);
	nf_fwq_room_fill(w->room);
	run_scratch(f, w);
	return 0;
}

static void warm(void *ctx, size_t i, const struct nf_crew_gate *g)
{
	const struct ftq *f = ctx;

	while (nf_crew_warm(g))
		run_scratch(f, &f->worker[i]);
}

static void measure(void *ctx, size_t i)
{
	struct ftq *f = ctx;
	struct worker *w = &f->worker[i];
	struct nf_ftq_loop l = {
		.work = f->work,
		.vector = w->room->vector,
		.quantum = f->quantum,
		.units = w->units->value,
		.overshoot = w->overshoot->value,
		.n = w->units->cap,
		.stop = f->stop,
	};
	struct nf_instant before = nf_now_raw();

	f->loop(&l);
	w->wall_ns = nf_since_ns(before, nf_now_raw());
	w->units->n = w->overshoot->n = l.n;
	w->units->origin_tick = w->overshoot->origin_tick = l.first_tick;
}

static const struct nf_crew_ops crew_ops = { prepare, warm, measure };

/* --- the run --- */

static int make_stream(const struct ftq *f, int cpu, bool overshoot, size_t cap,
                       struct nf_stream *s, struct nf_err *err)
{
	const struct nf_cpu_info *info = nf_topology_cpu(f->env->topo, cpu);
	char name[sizeof(s->name)];
	int rc;

	snprintf(name, sizeof(name), "ftq.cpu%d%s", cpu, overshoot ? ".overshoot" : "");
	rc = nf_stream_init(s, name, cap, err);
	if (rc != 0)
		return rc;
	s->cpu = cpu;
	s->node = info ? info->node : -1;
	s->unit = overshoot ? NF_UNIT_TICK : NF_UNIT_COUNT;
	s->kind = overshoot ? NF_KIND_DURATION : NF_KIND_COUNT;
	if (overshoot) {
		snprintf(s->clock, sizeof(s->clock), "%s", nf_tick_name(f->env->clock->source));
		s->tick_hz = f->env->clock->hz;
	}
	return 0;
}

static int make_streams(const struct ftq *f, const struct plan *p, struct nf_probe_run *run,
                        struct nf_err *err)
{
	int cpu = -1;

	run->streams = calloc(2 * p->n_workers, sizeof(*run->streams));
	if (!run->streams)
		return nf_fail_nomem(err, "the streams", 2 * p->n_workers * sizeof(*run->streams));
	for (size_t i = 0; i < p->n_workers; i++) {
		struct nf_stream *s = &run->streams[2 * i];

		cpu = nf_cpuset_next(&p->cpus, cpu);
		for (size_t k = 0; k < 2; k++) {
			int rc = make_stream(f, cpu, k == 1, p->n_quanta, &s[k], err);

			if (rc != 0)
				return rc;
			run->n_streams = 2 * i + k + 1;
		}
		f->worker[i].units = &s[0];
		f->worker[i].overshoot = &s[1];
		f->member[i].cpu = cpu;
	}
	return 0;
}

static int ftq_init(struct ftq *f, const struct nf_probe_env *env, const struct nf_ftq_cfg *c,
                    const struct plan *p, struct nf_err *err)
{
	static const volatile sig_atomic_t never = 0;
	double quantum = (double)c->quantum_ns * env->clock->hz / 1e9;

	*f = (struct ftq){ .env = env,
		           .cfg = c,
		           .loop = loop_for(env->clock, c->kernel),
		           .stop = env->stop ? &env->stop->signo : &never,
		           .quantum = quantum < 1 ? 1 : (uint64_t)(quantum + 0.5),
		           .n_workers = p->n_workers };
	f->worker = calloc(p->n_workers, sizeof(*f->worker));
	f->member = calloc(p->n_workers, sizeof(*f->member));
	if (!f->worker || !f->member)
		return nf_fail_nomem(err, "the workers", p->n_workers * sizeof(*f->worker));
	for (size_t i = 0; i < p->n_workers; i++) {
		f->worker[i].room = nf_fwq_room_new();
		if (!f->worker[i].room)
			return nf_fail_nomem(err, "a worker", sizeof(struct nf_fwq_room));
	}
	return 0;
}

static void ftq_fini(struct ftq *f)
{
	for (size_t i = 0; f->worker && i < f->n_workers; i++)
		free(f->worker[i].room);
	free(f->worker);
	free(f->member);
}

static void result_fini(void *result)
{
	free(((struct nf_ftq_result *)result)->worker);
}

static int fill_result(const struct ftq *f, struct nf_probe_run *run, struct nf_err *err)
{
	struct nf_ftq_result *r = calloc(1, sizeof(*r));

	if (!r)
		return nf_fail_nomem(err, "the result", sizeof(*r));
	run->result = r;
	r->worker = calloc(f->n_workers, sizeof(*r->worker));
	if (!r->worker)
		return nf_fail_nomem(err, "the result", f->n_workers * sizeof(*r->worker));
	r->n_workers = f->n_workers;
	r->kernel = f->cfg->kernel;
	r->work = f->work;
	r->unit_ns = f->unit_ns;
	r->quantum_ticks = f->quantum;
	run->locked = true;
	for (size_t i = 0; i < f->n_workers; i++) {
		const struct worker *w = &f->worker[i];
		const struct nf_crew_member *m = &f->member[i];

		r->worker[i] = (struct nf_ftq_worker){
			.cpu = m->cpu,
			.wall_ns = w->wall_ns,
			.minor_faults = m->minor_faults,
			.major_faults = m->major_faults,
			.involuntary_switches = m->involuntary_switches,
		};
		if (w->wall_ns > run->wall_ns)
			run->wall_ns = w->wall_ns;
		run->locked = run->locked && w->units->locked && w->overshoot->locked;
	}
	nf_probe_note_unlocked(run);
	return 0;
}

/* How much work a unit is. */
static int choose_work(struct ftq *f, const struct plan *p, struct nf_probe_run *run,
                       struct nf_err *err)
{
	struct nf_fwq_calibration cal;
	int rc = nf_fwq_calibrate(f->env, nf_cpuset_next(&p->cpus, -1), f->cfg->kernel, 0,
	                          f->cfg->unit_ns, &cal, err);

	if (rc != 0)
		return rc;
	if (cal.stopped)
		nf_probe_note(
		        run,
		        "stopped while the work was calibrated: a unit may be shorter or longer "
		        "than asked for");
	f->work = cal.work;
	f->unit_ns = cal.quantum_ns;
	run->overhead_ns = cal.overhead_ns;
	if (cal.quantum_ns > (double)f->cfg->quantum_ns / NF_FTQ_UNITS_MIN)
		nf_probe_note(run,
		              "a unit takes %.0f ns here, as short as it can be: only %.1f of them "
		              "fit into "
		              "a quantum",
		              cal.quantum_ns, (double)f->cfg->quantum_ns / cal.quantum_ns);
	return 0;
}

static int run_ftq(struct ftq *f, const struct plan *p, struct nf_probe_run *run,
                   struct nf_err *err)
{
	const struct nf_ftq_cfg *c = f->cfg;
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
	rc = choose_work(f, p, run, err);
	if (rc == 0)
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
	const struct nf_ftq_cfg *c = cfg;
	struct nf_probe_run made = { 0 };
	struct ftq f = { 0 };
	struct plan p;
	int rc = make_plan(env, c, &p, err);

	if (rc != 0)
		return rc;
	rc = nf_probe_note_plan(env, &c->common, &p.cpus, p.left_out, &made, err);
	if (rc == 0)
		rc = ftq_init(&f, env, c, &p, err);
	if (rc == 0)
		rc = run_ftq(&f, &p, &made, err);
	if (rc != 0)
		goto out;
	*ret = made;
	made = (struct nf_probe_run){ 0 };
out:
	nf_probe_run_fini(&nf_probe_ftq, &made);
	ftq_fini(&f);
	plan_fini(&p);
	return rc;
}

const struct nf_probe nf_probe_ftq = {
	.name = "ftq",
	.summary =
	        "how much work fits into each quantum of time, and at what frequencies it is less",
	.cfg_size = sizeof(struct nf_ftq_cfg),
	.defaults = defaults,
	.check = check,
	.estimate_ns = estimate_ns,
	.run = run,
	.result_fini = result_fini,
};
