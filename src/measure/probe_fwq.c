/* SPDX-License-Identifier: MIT */
#include "measure/probe_fwq.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure/fwq_calibrate.h"
#include "measure/probe_threads.h"

enum {
	QUANTUM_MIN_NS = 100,
	QUANTUM_DEFAULT_NS = 10 * 1000,
	SAMPLES_DEFAULT = 10000,
	SPARE_SAMPLES = 1024, /* room beyond the expected number, besides a quarter of it */
	WARM_BATCH_NS = 1000 * 1000, /* the warm-up looks at the gate about so often */
};
#define QUANTUM_MAX_NS INT64_C(10000000000)
#define MAX_SAMPLE_BYTES ((size_t)256 << 20)

struct worker {
	struct nf_fwq_room *room; /* owned */
	struct nf_stream *stream; /* borrowed */
	int64_t wall_ns; /* of the samples kept */
	int64_t span_ns; /* from before the deadline was set to the end, with those dropped */
};

struct fwq {
	const struct nf_probe_env *env;
	const struct nf_fwq_cfg *cfg;
	nf_fwq_loop_fn *loop;
	const volatile sig_atomic_t *stop;
	uint64_t work;
	uint64_t warm_work; /* at most WARM_BATCH_NS */
	size_t warm_n;
	double duration_ticks; /* 0: by count */
	bool drop; /* by duration: a full buffer drops and counts */
	struct worker *worker; /* owned */
	struct nf_crew_member *member; /* owned */
	size_t n_workers;
};

static void defaults(void *cfg)
{
	*(struct nf_fwq_cfg *)cfg = (struct nf_fwq_cfg){
		.common = { .cpus = "allowed",
		            .policy = NF_POLICY_OTHER,
		            .max_sample_bytes = MAX_SAMPLE_BYTES },
		.quantum_ns = QUANTUM_DEFAULT_NS,
		.kernel = NF_KERNEL_CHAIN,
	};
}

/* The configuration with the default count filled in. */
static struct nf_fwq_cfg settled(const void *cfg)
{
	struct nf_fwq_cfg c = *(const struct nf_fwq_cfg *)cfg;

	if (c.common.duration_ns == 0 && c.n_samples == 0)
		c.n_samples = SAMPLES_DEFAULT;
	return c;
}

/* --- the plan: everything that can be refused before anything is touched --- */

struct plan {
	struct nf_cpuset cpus; /* owned; measured */
	int left_out; /* housekeeping CPU, -1: none */
	size_t n_workers;
	size_t room; /* samples per worker that the memory limit allows */
};

static int check_numbers(const struct nf_fwq_cfg *c, struct nf_err *err)
{
	if (c->kernel < 0 || c->kernel >= NF_N_KERNELS)
		return nf_fail(err, NF_EARG, "no such kernel (%d)", (int)c->kernel);
	if (c->common.duration_ns < 0 || c->n_samples < 0 || c->n_threads < 0)
		return nf_fail(err, NF_EARG,
		               "duration, samples and threads must not be negative (%lld ns, %lld, "
		               "%lld)",
		               (long long)c->common.duration_ns, (long long)c->n_samples,
		               (long long)c->n_threads);
	if (c->work == 0 && (c->quantum_ns < QUANTUM_MIN_NS || c->quantum_ns > QUANTUM_MAX_NS))
		return nf_fail(err, NF_EARG, "quantum of %lld ns: the range is 100ns to 10s",
		               (long long)c->quantum_ns);
	if (c->common.policy == NF_POLICY_DEADLINE)
		return nf_fail(err, NF_EARG,
		               "policy deadline throttles a thread that does not sleep; fwq takes "
		               "other, fifo and rr");
	return nf_policy_check(c->common.policy, c->common.priority, err);
}

static void plan_fini(struct plan *p)
{
	nf_cpuset_fini(&p->cpus);
}

static int make_plan(const struct nf_probe_env *env, const struct nf_fwq_cfg *c, struct plan *ret,
                     struct nf_err *err)
{
	struct plan p = { .left_out = -1, .n_workers = 1 };
	size_t n_cpus;
	int rc;

	nf_cpuset_init(&p.cpus);
	rc = check_numbers(c, err);
	if (rc != 0)
		return rc;
	if (!nf_fwq_loop_for(env->clock, c->kernel))
		return nf_fail(err, NF_EUNSUPPORTED,
		               "no loop on this architecture's counter; --clock monotonic works "
		               "everywhere");
	rc = nf_probe_select(env, &c->common, true, &p.cpus, &p.left_out, err);
	if (rc != 0)
		return rc;
	n_cpus = nf_cpuset_count(&p.cpus);
	if ((uint64_t)c->n_threads > n_cpus) {
		rc = nf_fail(err, NF_EARG,
		             "--threads %lld: %zu CPUs are selected and each thread measures a CPU "
		             "of its own; select more CPUs or at most %zu threads",
		             (long long)c->n_threads, n_cpus, n_cpus);
		goto out;
	}
	p.n_workers = c->n_threads > 0 ? (size_t)c->n_threads : n_cpus;
	p.room = c->common.max_sample_bytes / sizeof(int64_t) / p.n_workers;
	if (c->common.duration_ns == 0 && (uint64_t)c->n_samples > p.room) {
		rc = nf_fail(
		        err, NF_EARG,
		        "%lld samples of 8 bytes for %zu threads exceed the sample memory of %zu "
		        "bytes: at most %zu samples each",
		        (long long)c->n_samples, p.n_workers, c->common.max_sample_bytes, p.room);
		goto out;
	}
	if (c->common.duration_ns > 0 && p.room < 4 * (size_t)SPARE_SAMPLES) {
		rc = nf_fail(
		        err, NF_EARG,
		        "the sample memory of %zu bytes is too small for %zu threads: at least "
		        "%zu bytes",
		        c->common.max_sample_bytes, p.n_workers,
		        4 * SPARE_SAMPLES * sizeof(int64_t) * p.n_workers);
		goto out;
	}
	*ret = p;
	return 0;
out:
	plan_fini(&p);
	return rc;
}

static int check(const struct nf_probe_env *env, const void *cfg, struct nf_err *err)
{
	const struct nf_fwq_cfg c = settled(cfg);
	struct nf_sched sched = { .policy = c.common.policy, .priority = c.common.priority };
	struct plan p;
	int rc = make_plan(env, &c, &p, err);

	if (rc != 0)
		return rc;
	plan_fini(&p);
	return nf_policy_possible(&sched, err);
}

static int planned_cpus(const struct nf_probe_env *env, const void *cfg, struct nf_cpuset *ret,
                        struct nf_err *err)
{
	const struct nf_fwq_cfg c = settled(cfg);
	struct plan p;
	int cpu = -1;
	int rc = make_plan(env, &c, &p, err);

	if (rc != 0)
		return rc;
	for (size_t i = 0; i < p.n_workers && rc == 0; i++) {
		cpu = nf_cpuset_next(&p.cpus, cpu);
		rc = nf_cpuset_add(ret, cpu, err);
	}
	plan_fini(&p);
	return rc;
}

static int64_t estimate_ns(const struct nf_probe_env *env, const void *cfg)
{
	const struct nf_fwq_cfg settled_cfg = settled(cfg);
	const struct nf_fwq_cfg *c = &settled_cfg;
	/* Some ten milliseconds of calibration come with the warm-up. An iteration of every kernel
	 * lasts of the order of a nanosecond. */
	double quantum_ns = c->work != 0 ? (double)c->work : (double)c->quantum_ns;
	double by_count_ns = (double)c->n_samples * quantum_ns;
	double ns = (double)c->common.duration_ns;

	(void)env;
	if (c->common.duration_ns == 0 || (c->n_samples > 0 && by_count_ns < ns))
		ns = by_count_ns;
	ns += NF_WARMUP_NS * 1.25;
	return ns < 9e18 ? (int64_t)ns : INT64_MAX;
}

/* --- sizes --- */

/* Samples expected in the duration, with what to spare. */
static double expected_samples(const struct nf_fwq_cfg *c, double quantum_ns)
{
	return (double)c->common.duration_ns / quantum_ns * 1.25 + SPARE_SAMPLES;
}

/* Target of the calibration: the quantum asked for, or the shortest whose samples fit in memory. */
static int64_t fitting_quantum(const struct nf_fwq_cfg *c, const struct plan *p,
                               struct nf_probe_run *run)
{
	double least;

	if (c->common.duration_ns == 0 || c->work != 0 ||
	    (c->n_samples > 0 && (uint64_t)c->n_samples <= p->room) ||
	    expected_samples(c, (double)c->quantum_ns) <= (double)p->room)
		return c->quantum_ns;
	least = (double)c->common.duration_ns * 1.25 / (double)(p->room - SPARE_SAMPLES);
	nf_probe_note(
	        run,
	        "the quantum was stretched from %lld ns to %.0f ns so that the samples of %zu "
	        "threads fit into %zu bytes",
	        (long long)c->quantum_ns, least + 1, p->n_workers, c->common.max_sample_bytes);
	return least + 1 < (double)INT64_MAX ? (int64_t)(least + 1) : INT64_MAX;
}

static size_t capacity(struct fwq *f, const struct plan *p, double quantum_ns,
                       struct nf_probe_run *run)
{
	const struct nf_fwq_cfg *c = f->cfg;
	double expected;

	if (c->common.duration_ns == 0)
		return (size_t)c->n_samples;
	expected = expected_samples(c, quantum_ns);
	f->drop = true;
	if (c->n_samples > 0 && (double)c->n_samples <= expected &&
	    (uint64_t)c->n_samples <= p->room) {
		f->drop = false; /* the ceiling was asked for: the run ends there */
		return (size_t)c->n_samples;
	}
	if (expected <= (double)p->room)
		return (size_t)expected;
	nf_probe_note(
	        run,
	        "the sample memory holds %zu samples a thread, about %.0f were expected: later "
	        "ones are dropped and counted",
	        p->room, expected);
	return p->room;
}

/* --- on the measuring threads --- */

static struct nf_fwq_loop loop_over(const struct fwq *f, const struct worker *w, int64_t *sample,
                                    size_t n)
{
	return (struct nf_fwq_loop){ .work = f->work,
		                     .vector = w->room->vector,
		                     .sample = sample,
		                     .n = n,
		                     .deadline_tick = UINT64_MAX,
		                     .stop = f->stop };
}

/* The loop between two reads of CLOCK_MONOTONIC_RAW right outside its own reads: the time between. */
static int64_t run_loop(const struct fwq *f, struct nf_fwq_loop *l)
{
	struct nf_instant before = nf_now_raw();

	f->loop(l);
	return nf_since_ns(before, nf_now_raw());
}

static int prepare(void *ctx, size_t i, struct nf_err *err)
{
	struct fwq *f = ctx;
	struct worker *w = &f->worker[i];
	struct nf_fwq_loop l;

	(void)err;
	nf_stream_prefault(w->stream);
	nf_fwq_room_fill(w->room);
	/* Once through all that measuring will execute. */
	l = loop_over(f, w, w->room->scratch, 4);
	l.work = f->warm_work;
	w->wall_ns = run_loop(f, &l);
	return 0;
}

static void warm(void *ctx, size_t i, const struct nf_crew_gate *g)
{
	const struct fwq *f = ctx;
	const struct worker *w = &f->worker[i];

	while (nf_crew_warm(g)) {
		struct nf_fwq_loop l = loop_over(f, w, w->room->scratch, f->warm_n);

		l.work = f->warm_work;
		f->loop(&l);
	}
}

static void measure(void *ctx, size_t i)
{
	struct fwq *f = ctx;
	struct worker *w = &f->worker[i];
	struct nf_stream *s = w->stream;
	struct nf_fwq_loop l = loop_over(f, w, s->value, s->cap);
	struct nf_instant begin = nf_now_raw();

	if (f->duration_ticks > 0)
		l.deadline_tick = nf_tick_end(f->env->clock) + (uint64_t)f->duration_ticks;
	w->wall_ns = run_loop(f, &l);
	s->n = l.n;
	s->origin_tick = l.first_tick;
	while (f->drop && l.last_tick <= l.deadline_tick && !nf_stop_signo(f->env->stop)) {
		uint64_t deadline = l.deadline_tick;

		l = loop_over(f, w, w->room->scratch, NF_FWQ_SCRATCH);
		l.deadline_tick = deadline;
		f->loop(&l);
		s->n_dropped += l.n;
	}
	w->span_ns = nf_since_ns(begin, nf_now_raw());
}

static const struct nf_crew_ops crew_ops = { prepare, warm, measure };

/* --- the run --- */

static int make_streams(const struct fwq *f, const struct plan *p, size_t cap,
                        struct nf_probe_run *run, struct nf_err *err)
{
	const struct nf_probe_env *env = f->env;
	int cpu = -1;

	run->streams = calloc(p->n_workers, sizeof(*run->streams));
	if (!run->streams)
		return nf_fail_nomem(err, "the streams", p->n_workers * sizeof(*run->streams));
	for (size_t i = 0; i < p->n_workers; i++) {
		struct nf_stream *s = &run->streams[i];
		const struct nf_cpu_info *info;
		char name[sizeof(s->name)];
		int rc;

		cpu = nf_cpuset_next(&p->cpus, cpu);
		snprintf(name, sizeof(name), "fwq.cpu%d", cpu);
		rc = nf_stream_init(s, name, cap, err);
		if (rc != 0)
			return rc;
		run->n_streams = i + 1;
		info = nf_topology_cpu(env->topo, cpu);
		snprintf(s->clock, sizeof(s->clock), "%s", nf_tick_name(env->clock->source));
		s->cpu = cpu;
		s->node = info ? info->node : -1;
		s->unit = NF_UNIT_TICK;
		s->kind = NF_KIND_DURATION;
		s->tick_hz = env->clock->hz;
		f->worker[i].stream = s;
		f->member[i].cpu = cpu;
	}
	return 0;
}

static int fwq_init(struct fwq *f, const struct nf_probe_env *env, const struct nf_fwq_cfg *c,
                    const struct plan *p, struct nf_err *err)
{
	static const volatile sig_atomic_t never = 0;

	*f = (struct fwq){ .env = env,
		           .cfg = c,
		           .loop = nf_fwq_loop_for(env->clock, c->kernel),
		           .stop = env->stop ? &env->stop->signo : &never,
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

static void fwq_fini(struct fwq *f)
{
	for (size_t i = 0; f->worker && i < f->n_workers; i++)
		free(f->worker[i].room);
	free(f->worker);
	free(f->member);
}

static void result_fini(void *result)
{
	free(((struct nf_fwq_result *)result)->worker);
}

static double sum_ns(const struct nf_stream *s)
{
	double ticks = 0;

	for (size_t i = 0; i < s->n; i++)
		ticks += (double)s->value[i];
	return ticks * 1e9 / s->tick_hz;
}

static int fill_result(const struct fwq *f, struct nf_probe_run *run, struct nf_err *err)
{
	struct nf_fwq_result *r = calloc(1, sizeof(*r));

	if (!r)
		return nf_fail_nomem(err, "the result", sizeof(*r));
	run->result = r;
	r->worker = calloc(f->n_workers, sizeof(*r->worker));
	if (!r->worker)
		return nf_fail_nomem(err, "the result", f->n_workers * sizeof(*r->worker));
	r->n_workers = f->n_workers;
	r->kernel = f->cfg->kernel;
	r->work = f->work;
	run->locked = true;
	for (size_t i = 0; i < f->n_workers; i++) {
		const struct worker *w = &f->worker[i];
		const struct nf_crew_member *m = &f->member[i];

		r->worker[i] = (struct nf_fwq_worker){
			.cpu = m->cpu,
			.wall_ns = w->wall_ns,
			.sum_to_wall = sum_ns(w->stream) / (double)w->wall_ns,
			.minor_faults = m->minor_faults,
			.major_faults = m->major_faults,
			.involuntary_switches = m->involuntary_switches,
		};
		if (w->span_ns > run->wall_ns)
			run->wall_ns = w->span_ns;
		run->locked = run->locked && w->stream->locked;
	}
	nf_probe_note_unlocked(run);
	return 0;
}

static int run_fwq(struct fwq *f, const struct plan *p, struct nf_probe_run *run,
                   struct nf_err *err)
{
	const struct nf_fwq_cfg *c = f->cfg;
	struct nf_fwq_calibration cal;
	struct nf_controller controller = { 0 };
	struct nf_crew_cfg crew = { .env = f->env,
		                    .ops = &crew_ops,
		                    .ctx = f,
		                    .sched = { .policy = c->common.policy,
		                               .priority = c->common.priority },
		                    .warmup_ns = NF_WARMUP_NS,
		                    .measured = &p->cpus };
	double expected_ns = (double)c->common.duration_ns;
	size_t cap;
	int rc;

	rc = nf_controller_enter(&controller, f->env, &p->cpus, err);
	if (rc != 0)
		return rc;
	rc = nf_fwq_calibrate(f->env, nf_cpuset_next(&p->cpus, -1), c->kernel, c->work,
	                      fitting_quantum(c, p, run), &cal, err);
	if (rc != 0)
		goto out;
	if (cal.stopped)
		nf_probe_note(run,
		              "stopped while the work was calibrated: a quantum may be shorter or "
		              "longer than asked for");
	f->work = cal.work;
	f->warm_n = cal.quantum_ns < WARM_BATCH_NS ? (size_t)(WARM_BATCH_NS / cal.quantum_ns) : 1;
	f->warm_n = f->warm_n < 1 ? 1 : f->warm_n > NF_FWQ_SCRATCH ? NF_FWQ_SCRATCH : f->warm_n;
	f->warm_work = cal.work;
	if (cal.quantum_ns > WARM_BATCH_NS)
		f->warm_work = (uint64_t)(WARM_BATCH_NS / cal.iteration_ns);
	f->duration_ticks = (double)c->common.duration_ns * f->env->clock->hz / 1e9;
	run->overhead_ns = cal.overhead_ns;
	cap = capacity(f, p, cal.quantum_ns, run);
	if (!f->drop && (expected_ns <= 0 || (double)cap * cal.quantum_ns < expected_ns))
		expected_ns = (double)cap * cal.quantum_ns;
	crew.expected_ns = expected_ns < 9e18 ? (int64_t)expected_ns : INT64_MAX;
	rc = make_streams(f, p, cap, run, err);
	if (rc == 0)
		rc = nf_crew_run(&crew, f->member, f->n_workers, run, err);
	if (rc == 0)
		rc = nf_controller_report(&controller, f->env, &p->cpus, run, err);
	if (rc == 0)
		rc = fill_result(f, run, err);
out:
	nf_controller_leave(&controller);
	return rc;
}

static int run(const struct nf_probe_env *env, const void *cfg, struct nf_probe_run *ret,
               struct nf_err *err)
{
	const struct nf_fwq_cfg settled_cfg = settled(cfg);
	const struct nf_fwq_cfg *c = &settled_cfg;
	struct nf_probe_run made = { 0 };
	struct fwq f = { 0 };
	struct plan p = { .left_out = -1, .n_workers = 1 };
	int rc = make_plan(env, c, &p, err);

	if (rc != 0)
		return rc;
	rc = nf_probe_note_plan(env, &c->common, &p.cpus, p.left_out, &made, err);
	if (rc == 0)
		rc = fwq_init(&f, env, c, &p, err);
	if (rc == 0)
		rc = run_fwq(&f, &p, &made, err);
	if (rc != 0)
		goto out;
	*ret = made;
	made = (struct nf_probe_run){ 0 };
out:
	nf_probe_run_fini(&nf_probe_fwq, &made);
	fwq_fini(&f);
	plan_fini(&p);
	return rc;
}

const struct nf_probe nf_probe_fwq = {
	.name = "fwq",
	.summary = "fixed work quanta: the time that the same work takes, again and again",
	.cfg_size = sizeof(struct nf_fwq_cfg),
	.defaults = defaults,
	.check = check,
	.estimate_ns = estimate_ns,
	.cpus = planned_cpus,
	.run = run,
	.result_fini = result_fini,
};
