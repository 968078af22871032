/* SPDX-License-Identifier: MIT */
#include "measure/probe_wake.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "measure/probe_threads.h"
#include "measure/wake_loop.h"
#include "measure/wake_plan.h"

enum {
	LEAD_NS = 10 * 1000 * 1000, /* from the first thread's release to the first deadline */
	LEAD_PER_THREAD_NS = 20 * 1000,
	WARM_PERIOD_NS = 4 * 1000 * 1000,
};

struct wake_run {
	const struct nf_probe_env *env;
	const struct nf_wake_plan *plan;
	struct nf_wake_loop *loop; /* owned; one per thread */
	size_t n;
	_Atomic int64_t first_ns; /* 0 until a thread has chosen it */
	_Atomic int slack_errno;
	double overhead_ns;
};

const char *nf_wake_method_name(enum nf_wake_method m)
{
	static const char *const names[] = {
		[NF_WAKE_NANOSLEEP] = "nanosleep",
		[NF_WAKE_TIMERFD] = "timerfd",
		[NF_WAKE_DEADLINE] = "deadline",
	};

	return (unsigned)m < sizeof(names) / sizeof(names[0]) ? names[m] : "unknown";
}

/* --- the measuring threads --- */

/* SCHED_DEADLINE on threads that may not be bound: the crew bound them before. */
static int unbind(const struct wake_run *w, struct nf_err *err)
{
	struct nf_cpuset got;

	nf_cpuset_init(&got);
	int rc = nf_topology_bind_self(w->env->topo, &w->plan->cpus, &got, err);
	nf_cpuset_fini(&got);
	if (rc == 0)
		rc = nf_policy_set_self(&w->plan->sched, err);
	return rc;
}

static int wake_prepare(void *ctx, size_t i, struct nf_err *err)
{
	struct wake_run *w = ctx;
	struct nf_wake_loop *l = &w->loop[i];

	nf_stream_prefault(l->lateness);
	nf_stream_prefault(l->wake);
	if (w->plan->sched.policy == NF_POLICY_OTHER && prctl(PR_SET_TIMERSLACK, 1UL) < 0)
		atomic_store(&w->slack_errno, errno);
	if (l->method == NF_WAKE_TIMERFD) {
		l->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
		if (l->timer_fd < 0)
			return nf_fail_os(err, errno, "wake: timerfd_create");
	}
	if (i == 0)
		w->overhead_ns = nf_wake_loop_overhead_ns(l);

	/* Once through the whole loop: its code and the kernel's paths are warm, the page tables
	 * complete. Two deadlines, the first already past. */
	struct nf_wake_loop once = *l;

	once.period_ns = NF_WAKE_PERIOD_MIN_NS;
	once.n = 2;
	once.first_ns = nf_now_monotonic().ns;
	nf_wake_loop_run(&once);
	l->lateness->n = l->wake->n = 0;
	l->lateness->n_missed = l->wake->n_missed = 0;
	l->lateness->n_dropped = l->wake->n_dropped = 0;
	if (once.os_errno)
		return nf_fail_os(err, once.os_errno, "wake: %s", nf_wake_method_name(l->method));
	return w->plan->unbound ? unbind(w, err) : 0;
}

/* Sleeps and wakes as the measurement will, but for the length of a long period. */
static void wake_warm(void *ctx, size_t i, const struct nf_crew_gate *g)
{
	const struct wake_run *w = ctx;
	int64_t period = w->loop[i].period_ns;
	struct timespec ts;

	period = period < WARM_PERIOD_NS ? period : WARM_PERIOD_NS;
	int64_t next = nf_now_monotonic().ns;
	while (nf_crew_warm(g)) {
		int64_t now = nf_now_monotonic().ns;

		next = next + period > now ? next + period : now + period;
		ts.tv_sec = next / 1000000000;
		ts.tv_nsec = next % 1000000000;
		(void)!clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	}
}

static void wake_measure(void *ctx, size_t i)
{
	struct wake_run *w = ctx;
	int64_t none = 0;
	int64_t first = nf_now_monotonic().ns + LEAD_NS + (int64_t)w->n * LEAD_PER_THREAD_NS;

	if (!atomic_compare_exchange_strong(&w->first_ns, &none, first))
		first = none;
	w->loop[i].first_ns = first;
	nf_wake_loop_run(&w->loop[i]);
}

static const struct nf_crew_ops crew_ops = {
	.prepare = wake_prepare,
	.warm = wake_warm,
	.measure = wake_measure,
};

/* --- set-up --- */

static int make_streams(const struct nf_probe_env *env, const struct nf_wake_plan *plan,
                        const struct nf_crew_member *member, size_t n, struct nf_probe_run *run,
                        struct nf_err *err)
{
	static const char *const kinds[] = { "lateness", "wake" };

	run->streams = calloc(2 * n, sizeof(*run->streams));
	if (!run->streams)
		return nf_fail_nomem(err, "wake streams", 2 * n * sizeof(*run->streams));
	for (size_t i = 0; i < 2 * n; i++) {
		int cpu = plan->unbound ? -1 : member[i / 2].cpu;
		const struct nf_cpu_info *info = nf_topology_cpu(env->topo, cpu);
		struct nf_stream *s = &run->streams[i];
		char name[sizeof(s->name)];

		if (plan->unbound)
			snprintf(name, sizeof(name), "wake.any%zu.%s", i / 2, kinds[i % 2]);
		else
			snprintf(name, sizeof(name), "wake.cpu%d.%s", cpu, kinds[i % 2]);
		int rc = nf_stream_init(s, name, plan->cap, err);
		if (rc < 0)
			return rc;
		run->n_streams++;
		snprintf(s->clock, sizeof(s->clock), "monotonic");
		s->cpu = cpu;
		s->node = info ? info->node : -1;
		s->unit = NF_UNIT_NS;
		s->kind = NF_KIND_DURATION;
		if (i % 2) {
			s->kind = NF_KIND_INSTANT;
			snprintf(s->origin, sizeof(s->origin), "first deadline");
		}
	}
	return 0;
}

static int hold_latency(int64_t us, int *ret_fd, struct nf_err *err)
{
	int32_t value = (int32_t)us;

	if (us < 0)
		return 0;
	int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "wake: /dev/cpu_dma_latency does not open (%s): "
		               "run as root, or leave idle states as they are",
		               strerrordesc_np(errno));
	if (write(fd, &value, sizeof(value)) != (ssize_t)sizeof(value)) {
		int rc = nf_fail_os(err, errno, "wake: write to /dev/cpu_dma_latency");

		close(fd);
		return rc;
	}
	*ret_fd = fd;
	return 0;
}

static int make_loops(struct wake_run *w, const struct nf_wake_cfg *cfg, struct nf_probe_run *run,
                      struct nf_err *err)
{
	w->loop = calloc(w->n, sizeof(*w->loop));
	if (!w->loop)
		return nf_fail_nomem(err, "wake threads", w->n * sizeof(*w->loop));
	for (size_t i = 0; i < w->n; i++)
		w->loop[i] = (struct nf_wake_loop){
			.method = cfg->method,
			.period_ns = cfg->period_ns,
			.n = w->plan->n,
			.timer_fd = -1,
			.stop = w->env->stop,
			.lateness = &run->streams[2 * i],
			.wake = &run->streams[2 * i + 1],
		};
	return 0;
}

/* --- results --- */

static int collect(const struct wake_run *w, const struct nf_wake_cfg *cfg,
                   const struct nf_crew_member *member, struct nf_probe_run *run,
                   struct nf_err *err)
{
	int64_t begin = INT64_MAX, end = INT64_MIN;

	for (size_t i = 0; i < w->n; i++)
		if (w->loop[i].os_errno)
			return nf_fail_os(err, w->loop[i].os_errno, "wake: %s on CPU %d",
			                  nf_wake_method_name(cfg->method), member[i].cpu);

	struct nf_wake_result *res = calloc(1, sizeof(*res));
	if (!res)
		return nf_fail_nomem(err, "wake result", sizeof(*res));
	run->result = res;
	res->period_ns = cfg->period_ns;
	res->method = cfg->method;
	res->worker = calloc(w->n, sizeof(*res->worker));
	if (!res->worker)
		return nf_fail_nomem(err, "wake result", w->n * sizeof(*res->worker));
	res->n_workers = w->n;
	run->locked = true;
	for (size_t i = 0; i < w->n; i++) {
		const struct nf_wake_loop *l = &w->loop[i];

		res->worker[i] = l->count;
		res->worker[i].cpu = w->plan->unbound ? -1 : member[i].cpu;
		begin = l->raw_begin_ns < begin ? l->raw_begin_ns : begin;
		end = l->raw_end_ns > end ? l->raw_end_ns : end;
		run->locked = run->locked && l->lateness->locked && l->wake->locked;
	}
	nf_probe_note_unlocked(run);
	run->wall_ns = end - begin;
	run->overhead_ns = w->overhead_ns;
	return 0;
}

static void add_notes(struct wake_run *w, const struct nf_wake_cfg *cfg, struct nf_probe_run *run)
{
	const struct nf_wake_plan *plan = w->plan;
	int slack_errno = atomic_load(&w->slack_errno);

	if (plan->note[0])
		nf_probe_note(run, "%s", plan->note);
	if (plan->left_out >= 0)
		nf_probe_note(run, "CPU %d is left to the system and not measured", plan->left_out);
	if (plan->sched.policy == NF_POLICY_OTHER && slack_errno)
		nf_probe_note(run,
		              "timer slack could not be set (%s): the default of 50 us applies",
		              strerrordesc_np(slack_errno));
	else if (plan->sched.policy == NF_POLICY_OTHER)
		nf_probe_note(run, "timer slack of the measuring threads: 1 ns");
	nf_policy_note_holes(w->env, plan->sched.policy, false, run);
	if (plan->unbound)
		nf_probe_note(run,
		              "SCHED_DEADLINE threads ran unbound: the kernel binds them only to "
		              "a CPU that is a root domain of its own");
	if (plan->sched.policy == NF_POLICY_DEADLINE)
		nf_probe_note(run, "SCHED_DEADLINE: runtime %lld ns in each period",
		              (long long)plan->sched.runtime_ns);
	if (cfg->dma_latency_us >= 0)
		nf_probe_note(run,
		              "idle states with an exit latency over %lld us were kept out "
		              "(/dev/cpu_dma_latency)",
		              (long long)cfg->dma_latency_us);
	if (plan->cap < (uint64_t)plan->n)
		nf_probe_note(run, "room for %zu of %lld activations per CPU: the rest is dropped",
		              plan->cap, (long long)plan->n);
}

static void wake_result_fini(void *result)
{
	struct nf_wake_result *res = result;

	free(res->worker);
	res->worker = NULL;
}

static int wake_run(const struct nf_probe_env *env, const void *config, struct nf_probe_run *ret,
                    struct nf_err *err)
{
	const struct nf_wake_cfg *cfg = config;
	struct nf_wake_plan plan = { 0 };
	struct nf_probe_run run = { 0 };
	struct nf_controller controller = { 0 };
	struct wake_run w = { .env = env, .plan = &plan };
	struct nf_crew_member *member = NULL;
	int latency_fd = -1;
	int rc = nf_wake_plan(env, cfg, &plan, err);

	if (rc < 0)
		return rc;
	w.n = nf_cpuset_count(&plan.cpus);
	member = calloc(w.n, sizeof(*member));
	if (!member) {
		rc = nf_fail_nomem(err, "wake threads", w.n * sizeof(*member));
		goto out;
	}
	int cpu = -1;
	for (size_t i = 0; i < w.n; i++)
		cpu = member[i].cpu = nf_cpuset_next(&plan.cpus, cpu);
	rc = nf_cpuset_copy(&run.cpus_asked, &plan.cpus, err);
	if (rc == 0)
		rc = make_streams(env, &plan, member, w.n, &run, err);
	if (rc == 0)
		rc = make_loops(&w, cfg, &run, err);
	if (rc == 0)
		rc = hold_latency(cfg->dma_latency_us, &latency_fd, err);
	if (rc == 0)
		rc = nf_controller_enter(&controller, env, &plan.cpus, err);
	if (rc < 0)
		goto out;

	struct nf_crew_cfg crew = {
		.env = env,
		.ops = &crew_ops,
		.ctx = &w,
		.sched = plan.sched,
		.warmup_ns = NF_WARMUP_NS,
		.expected_ns = plan.n * cfg->period_ns,
		.measured = &plan.cpus,
	};
	if (plan.unbound)
		crew.sched = (struct nf_sched){ .policy = NF_POLICY_OTHER };
	rc = nf_crew_run(&crew, member, w.n, &run, err);
	if (rc == 0)
		rc = nf_controller_report(&controller, env, &plan.cpus, &run, err);
	if (rc == 0)
		rc = collect(&w, cfg, member, &run, err);
	if (rc < 0)
		goto out;
	run.policy = plan.sched.policy;
	run.priority = plan.sched.priority;
	if (plan.unbound)
		rc = nf_cpuset_copy(&run.cpus_got, &plan.cpus, err);
	add_notes(&w, cfg, &run);
out:
	nf_controller_leave(&controller);
	if (latency_fd >= 0)
		close(latency_fd);
	for (size_t i = 0; w.loop && i < w.n; i++)
		if (w.loop[i].timer_fd >= 0)
			close(w.loop[i].timer_fd);
	free(w.loop);
	free(member);
	nf_wake_plan_fini(&plan);
	if (rc < 0)
		nf_probe_run_fini(&nf_probe_wake, &run);
	else
		*ret = run;
	return rc;
}

static void wake_defaults(void *config)
{
	struct nf_wake_cfg *cfg = config;

	*cfg = (struct nf_wake_cfg){
		.common = { .cpus = "allowed",
		            .duration_ns = INT64_C(10000000000),
		            .policy = NF_POLICY_FIFO,
		            .max_sample_bytes = (size_t)256 << 20 },
		.period_ns = 4000000,
		.method = NF_WAKE_NANOSLEEP,
		.dma_latency_us = -1,
	};
}

static int wake_check(const struct nf_probe_env *env, const void *config, struct nf_err *err)
{
	struct nf_wake_plan plan = { 0 };
	int rc = nf_wake_plan(env, config, &plan, err);

	if (rc == 0)
		nf_wake_plan_fini(&plan);
	return rc;
}

static int64_t wake_estimate_ns(const struct nf_probe_env *env, const void *config)
{
	const struct nf_wake_cfg *cfg = config;
	int64_t n = 0, span = 0;

	(void)env;
	if (nf_wake_count(cfg, &n, NULL) < 0)
		return 0;
	span = n * cfg->period_ns; /* nf_wake_count() checked the product */
	return span + NF_WARMUP_NS + LEAD_NS;
}

const struct nf_probe nf_probe_wake = {
	.name = "wake",
	.summary = "periodic wake-ups: lateness of each, missed ones counted",
	.needs = 0,
	.cfg_size = sizeof(struct nf_wake_cfg),
	.defaults = wake_defaults,
	.check = wake_check,
	.estimate_ns = wake_estimate_ns,
	.run = wake_run,
	.result_fini = wake_result_fini,
};
