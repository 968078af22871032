/* SPDX-License-Identifier: MIT */
#include "measure/wake_plan.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
	RUNTIME_MIN_NS = 20 * 1000,
	RUNTIME_MAX_NS = 1000 * 1000,
	BYTES_PER_ACTIVATION = 2 * sizeof(int64_t),
};
/* Of SCHED_DEADLINE: sched_deadline_period_max_us of the kernel, 2^22 us unless changed. */
#define DEADLINE_PERIOD_MAX_NS (INT64_C(4194304) * 1000)
#define SPAN_MAX_NS (INT64_C(366) * 86400 * 1000000000)

int nf_wake_count(const struct nf_wake_cfg *cfg, int64_t *ret, struct nf_err *err)
{
	int64_t n = cfg->n_activations, span;

	if (cfg->period_ns < NF_WAKE_PERIOD_MIN_NS || cfg->period_ns > NF_WAKE_PERIOD_MAX_NS)
		return nf_fail(err, NF_EARG, "period %lld ns: wake takes 100us to 10s",
		               (long long)cfg->period_ns);
	if (cfg->method == NF_WAKE_DEADLINE && cfg->period_ns > DEADLINE_PERIOD_MAX_NS)
		return nf_fail(err, NF_EARG,
		               "period %lld ns: SCHED_DEADLINE takes 100us to 4.194304s",
		               (long long)cfg->period_ns);
	if (n < 0 || cfg->common.duration_ns < 0)
		return nf_fail(err, NF_EARG, "wake: negative %s",
		               n < 0 ? "number of activations" : "duration");
	if (n == 0 && cfg->common.duration_ns == 0)
		return nf_fail(err, NF_EARG,
		               "wake: neither a duration nor a number of "
		               "activations");
	if (n == 0)
		n = cfg->common.duration_ns / cfg->period_ns;
	n = n > 0 ? n : 1;
	if (__builtin_mul_overflow(n, cfg->period_ns, &span) || span > SPAN_MAX_NS)
		return nf_fail(err, NF_EARG,
		               "%lld activations every %lld ns take longer than 366 days",
		               (long long)n, (long long)cfg->period_ns);
	*ret = n;
	return 0;
}

/* The reason a default could not be had, short enough for a note. */
static void note_step_down(struct nf_wake_plan *p, const struct nf_err *why)
{
	int room = (int)sizeof(p->note) - 64;

	snprintf(p->note, sizeof(p->note), "policy other, not the default fifo: %.*s", room,
	         why->msg);
}

static int select_cpus(const struct nf_probe_env *env, const struct nf_probe_common *common,
                       const struct nf_sched *sched, struct nf_wake_plan *p, struct nf_err *err)
{
	struct nf_probe_common c = *common;

	c.policy = sched->policy;
	c.priority = sched->priority;
	/* These threads sleep most of the time, yet they wake at priorities above the system's own
	 * work on every CPU at the same instant: one CPU stays free for it. */
	return nf_probe_select(env, &c, true, &p->cpus, &p->left_out, err);
}

static int settle_default(const struct nf_probe_env *env, const struct nf_probe_common *common,
                          struct nf_wake_plan *p, struct nf_err *err)
{
	struct nf_err why = { 0 };

	p->sched = (struct nf_sched){
		.policy = NF_POLICY_FIFO,
		.priority = common->priority ? common->priority : NF_WAKE_PRIORITY,
	};
	int rc = nf_policy_check(p->sched.policy, p->sched.priority, err);

	if (rc < 0)
		return rc;
	rc = select_cpus(env, common, &p->sched, p, &why);
	if (rc == 0) {
		rc = nf_policy_possible(&p->sched, &why);
		if (rc == 0)
			return 0;
		nf_cpuset_fini(&p->cpus);
	}
	if (rc != -NF_EARG && rc != -NF_EUNSUPPORTED) {
		if (err)
			*err = why;
		return rc;
	}
	p->sched = (struct nf_sched){ .policy = NF_POLICY_OTHER };
	rc = select_cpus(env, common, &p->sched, p, err);
	if (rc == 0)
		note_step_down(p, &why);
	return rc;
}

static int settle_given(const struct nf_probe_env *env, const struct nf_probe_common *common,
                        struct nf_wake_plan *p, struct nf_err *err)
{
	bool rt = common->policy == NF_POLICY_FIFO || common->policy == NF_POLICY_RR;

	if (common->policy == NF_POLICY_DEADLINE)
		return nf_fail(err, NF_EARG,
		               "policy deadline is the method deadline of wake: ask for that");
	p->sched = (struct nf_sched){
		.policy = common->policy,
		.priority = rt && !common->priority ? NF_WAKE_PRIORITY : common->priority,
	};
	int rc = nf_policy_check(p->sched.policy, p->sched.priority, err);

	if (rc == 0)
		rc = select_cpus(env, common, &p->sched, p, err);
	if (rc == 0 && rt)
		rc = nf_policy_possible(&p->sched, err);
	return rc;
}

/* --- SCHED_DEADLINE --- */

struct attempt {
	const struct nf_probe_env *env;
	const struct nf_cpuset *cpus; /* bound to */
	const struct nf_sched *sched;
	int rc;
	struct nf_err err;
};

static void *attempt_main(void *arg)
{
	struct attempt *a = arg;
	struct nf_cpuset got;

	nf_cpuset_init(&got);
	a->rc = nf_topology_bind_self(a->env->topo, a->cpus, &got, &a->err);
	nf_cpuset_fini(&got);
	if (a->rc == 0)
		a->rc = nf_policy_set_self(a->sched, &a->err);
	return NULL;
}

/* Whether a thread bound to exactly these CPUs gets the policy. */
static int possible_on(const struct nf_probe_env *env, const struct nf_cpuset *cpus,
                       const struct nf_sched *sched, struct nf_err *err)
{
	struct attempt a = { .env = env, .cpus = cpus, .sched = sched };
	pthread_t thread;
	int rc = pthread_create(&thread, NULL, attempt_main, &a);

	if (rc != 0)
		return nf_fail_os(err, rc, "wake: starting a thread to try SCHED_DEADLINE");
	rc = pthread_join(thread, NULL);
	if (rc != 0)
		return nf_fail_os(err, rc, "wake: joining the thread that tried SCHED_DEADLINE");
	if (a.rc != 0 && err)
		*err = a.err;
	return a.rc;
}

static int settle_deadline(const struct nf_probe_env *env, const struct nf_wake_cfg *cfg,
                           struct nf_wake_plan *p, struct nf_err *err)
{
	const struct nf_probe_common *common = &cfg->common;
	int64_t runtime = cfg->period_ns / 10;
	struct nf_cpuset one;

	if (common->policy_given && common->policy != NF_POLICY_DEADLINE)
		return nf_fail(err, NF_EARG,
		               "method deadline runs under SCHED_DEADLINE: policy %s does not go "
		               "with it",
		               nf_policy_name(common->policy));
	runtime = runtime < RUNTIME_MIN_NS ? RUNTIME_MIN_NS : runtime;
	runtime = runtime > RUNTIME_MAX_NS ? RUNTIME_MAX_NS : runtime;
	p->sched = (struct nf_sched){
		.policy = NF_POLICY_DEADLINE,
		.runtime_ns = runtime,
		.deadline_ns = cfg->period_ns,
		.period_ns = cfg->period_ns,
	};
	int rc = select_cpus(env, common, &p->sched, p, err);
	if (rc < 0)
		return rc;

	struct nf_err why = { 0 };

	nf_cpuset_init(&one);
	rc = nf_cpuset_add(&one, nf_cpuset_next(&p->cpus, -1), err);
	if (rc == 0 && (rc = possible_on(env, &one, &p->sched, &why)) != 0) {
		if (rc == -NF_EUNSUPPORTED &&
		    nf_cpuset_equal(&p->cpus, nf_topology_online(env->topo)) &&
		    nf_cpuset_count(&p->cpus) > 1) {
			p->unbound = true;
			rc = possible_on(env, &p->cpus, &p->sched, &why);
		}
		if (rc != 0 && err)
			*err = why;
	}
	nf_cpuset_fini(&one);
	return rc;
}

int nf_wake_plan(const struct nf_probe_env *env, const struct nf_wake_cfg *cfg,
                 struct nf_wake_plan *ret, struct nf_err *err)
{
	struct nf_wake_plan p = { .left_out = -1 };
	size_t n, room;
	int rc;

	if ((unsigned)cfg->method > NF_WAKE_DEADLINE)
		return nf_fail(err, NF_EARG, "wake: unknown method %d", (int)cfg->method);
	if (cfg->dma_latency_us < -1 || cfg->dma_latency_us > INT32_MAX)
		return nf_fail(err, NF_EARG, "wake: idle latency %lld us: 0 to %d, or -1",
		               (long long)cfg->dma_latency_us, INT32_MAX);
	rc = nf_wake_count(cfg, &p.n, err);
	if (rc < 0)
		return rc;
	if (cfg->method == NF_WAKE_DEADLINE)
		rc = settle_deadline(env, cfg, &p, err);
	else if (cfg->common.policy_given)
		rc = settle_given(env, &cfg->common, &p, err);
	else
		rc = settle_default(env, &cfg->common, &p, err);
	if (rc < 0)
		goto out;

	n = nf_cpuset_count(&p.cpus);
	room = cfg->common.max_sample_bytes / n / BYTES_PER_ACTIVATION;
	if (room == 0) {
		rc = nf_fail(err, NF_EARG,
		             "%zu bytes hold no sample of %zu CPUs (%zu needed for one each)",
		             cfg->common.max_sample_bytes, n, n * BYTES_PER_ACTIVATION);
		goto out;
	}
	p.cap = (uint64_t)p.n < room ? (size_t)p.n : room;
	*ret = p;
	return 0;
out:
	nf_wake_plan_fini(&p);
	return rc;
}

void nf_wake_plan_fini(struct nf_wake_plan *p)
{
	nf_cpuset_fini(&p->cpus);
}
