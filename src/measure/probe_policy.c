/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine/posture.h"
#include "measure/probe_threads.h"

/* struct sched_attr of the kernel's first version (48 bytes); its header clashes with <sched.h>. */
struct sched_attr_v0 {
	uint32_t size;
	uint32_t sched_policy;
	uint64_t sched_flags;
	int32_t sched_nice;
	uint32_t sched_priority;
	uint64_t sched_runtime;
	uint64_t sched_deadline;
	uint64_t sched_period;
};
_Static_assert(sizeof(struct sched_attr_v0) == 48, "the kernel's layout");

static const struct {
	const char *name;
	uint32_t kernel;
} policies[] = {
	[NF_POLICY_OTHER] = { "other", SCHED_OTHER },
	[NF_POLICY_FIFO] = { "fifo", SCHED_FIFO },
	[NF_POLICY_RR] = { "rr", SCHED_RR },
	[NF_POLICY_DEADLINE] = { "deadline", 6 /* SCHED_DEADLINE of linux/sched.h */ },
};

const char *nf_policy_name(enum nf_policy p)
{
	return policies[p].name;
}

static bool is_rt(enum nf_policy p)
{
	return p == NF_POLICY_FIFO || p == NF_POLICY_RR;
}

int nf_policy_check(enum nf_policy p, int priority, struct nf_err *err)
{
	if (is_rt(p) && (priority < 1 || priority > 99))
		return nf_fail(err, NF_EARG, "priority %d: policy %s takes 1 to 99", priority,
		               nf_policy_name(p));
	if (!is_rt(p) && priority != 0)
		return nf_fail(err, NF_EARG, "priority %d: policy %s has no priority", priority,
		               nf_policy_name(p));
	return 0;
}

static int refused(const struct nf_sched *s, int os_errno, struct nf_err *err)
{
	const char *name = nf_policy_name(s->policy);

	if (os_errno == EPERM && is_rt(s->policy))
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "policy %s with priority %d is not permitted: it needs CAP_SYS_NICE or "
		        "an rtprio limit of at least %d (ulimit -r), and a cpu cgroup that has "
		        "realtime bandwidth",
		        name, s->priority, s->priority);
	if (os_errno == EPERM)
		return nf_fail(
		        err, NF_EUNSUPPORTED, "policy %s is not permitted: it needs CAP_SYS_NICE%s",
		        name,
		        s->policy == NF_POLICY_DEADLINE
		                ? " and a thread that may run on every CPU of its root domain "
		                  "(an isolated CPU or a cpuset partition makes a small one)"
		                : "");
	if (os_errno == EBUSY)
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "policy %s: the kernel has no bandwidth left for %lld ns in every %lld "
		        "ns (sched_rt_runtime_us bounds the sum)",
		        name, (long long)s->runtime_ns, (long long)s->period_ns);
	if (os_errno == EINVAL && s->policy == NF_POLICY_DEADLINE)
		return nf_fail(
		        err, NF_EARG,
		        "policy deadline: runtime %lld ns, deadline %lld ns, period %lld ns: "
		        "the kernel takes 1024 ns <= runtime <= deadline <= period, and a "
		        "period from 100us to about 4.19s",
		        (long long)s->runtime_ns, (long long)s->deadline_ns,
		        (long long)s->period_ns);
	if (os_errno == ENOSYS)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "policy %s: this kernel or sandbox has no sched_setattr", name);
	return nf_fail_os(err, os_errno, "setting policy %s", name);
}

int nf_policy_set_self(const struct nf_sched *s, struct nf_err *err)
{
	uint32_t wanted = policies[s->policy].kernel;
	struct sched_attr_v0 now = { 0 };
	struct sched_attr_v0 attr = {
		.size = sizeof(attr),
		.sched_policy = wanted,
		.sched_priority = is_rt(s->policy) ? (uint32_t)s->priority : 0,
	};

	if (syscall(SYS_sched_getattr, 0, &now, sizeof(now), 0) != 0)
		return refused(s, errno, err);
	/* A thread that is there already keeps its nice value untouched. */
	if (s->policy == NF_POLICY_OTHER && now.sched_policy == SCHED_OTHER)
		return 0;
	if (s->policy == NF_POLICY_OTHER)
		attr.sched_nice = now.sched_policy == SCHED_BATCH ? now.sched_nice : 0;
	if (s->policy == NF_POLICY_DEADLINE) {
		attr.sched_runtime = (uint64_t)s->runtime_ns;
		attr.sched_deadline = (uint64_t)s->deadline_ns;
		attr.sched_period = (uint64_t)s->period_ns;
	}
	if (syscall(SYS_sched_setattr, 0, &attr, 0) != 0)
		return refused(s, errno, err);
	if (syscall(SYS_sched_getattr, 0, &now, sizeof(now), 0) != 0)
		return nf_fail_os(err, errno, "reading the scheduling policy back");
	if (now.sched_policy != wanted || now.sched_priority != attr.sched_priority)
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "policy %s was accepted and is not in force (policy %u, priority %u)",
		        nf_policy_name(s->policy), now.sched_policy, now.sched_priority);
	return 0;
}

struct trial {
	const struct nf_sched *sched;
	struct nf_err err;
	int rc;
};

static void *try_policy(void *arg)
{
	struct trial *t = arg;

	t->rc = nf_policy_set_self(t->sched, &t->err);
	return NULL;
}

int nf_policy_possible(const struct nf_sched *s, struct nf_err *err)
{
	struct trial t = { .sched = s };
	pthread_t thread;
	int rc = pthread_create(&thread, NULL, try_policy, &t);

	if (rc != 0)
		return nf_fail_os(err, rc, "starting a thread to try policy %s",
		                  nf_policy_name(s->policy));
	rc = pthread_join(thread, NULL);
	if (rc != 0)
		return nf_fail_os(err, rc, "joining the thread that tried policy %s",
		                  nf_policy_name(s->policy));
	if (t.rc != 0 && err)
		*err = t.err;
	return t.rc;
}

static void note_throttling(const struct nf_posture *f, const char *name, bool spins,
                            struct nf_probe_run *run)
{
	if (!f || !f->rt_throttled.some)
		nf_probe_note(
		        run, "whether realtime throttling is in force is unknown: regular holes of "
		             "some 50 ms a second would be the kernel's rule, not noise");
	else if (f->rt_throttled.v && f->rt_runtime_us.some && f->rt_period_us.some && spins)
		nf_probe_note(
		        run,
		        "realtime throttling: a %s thread that does not sleep may be stopped "
		        "once it has run %llu us of every %llu us (sched_rt_runtime_us); such "
		        "holes are the kernel's rule, not noise",
		        name, (unsigned long long)f->rt_runtime_us.v,
		        (unsigned long long)f->rt_period_us.v);
	else if (f->rt_throttled.v && f->rt_runtime_us.some && f->rt_period_us.some)
		nf_probe_note(
		        run,
		        "realtime throttling: all realtime threads of a CPU share %llu us of every "
		        "%llu us (sched_rt_runtime_us); where others use it up, these %s threads "
		        "wake late by the kernel's rule, not by noise",
		        (unsigned long long)f->rt_runtime_us.v,
		        (unsigned long long)f->rt_period_us.v, name);
	else if (f->rt_throttled.v)
		nf_probe_note(
		        run,
		        "realtime throttling is in force: regular holes in %s threads are the "
		        "kernel's rule, not noise",
		        name);
}

static void note_fair_server(const struct nf_probe_env *env, const char *name, bool spins,
                             struct nf_probe_run *run)
{
	const char *source =
	        nf_posture_fair_server_read(env->root) ? "" : ", in force by kernel version";

	if (spins)
		nf_probe_note(
		        run,
		        "fair server%s: the kernel takes about 50 ms of every second from a %s "
		        "thread when other threads wait for the same CPU; such holes are the "
		        "kernel's rule, not noise",
		        source, name);
	else
		nf_probe_note(
		        run,
		        "fair server%s: where realtime threads keep a CPU busy, others get about "
		        "50 ms of every second before these %s threads; such late wake-ups are "
		        "the kernel's rule, not noise",
		        source, name);
}

void nf_policy_note_holes(const struct nf_probe_env *env, enum nf_policy p, bool spins,
                          struct nf_probe_run *run)
{
	const struct nf_posture *f = env->posture;
	const char *name = nf_policy_name(p);

	if (!is_rt(p))
		return;
	note_throttling(f, name, spins, run);
	if (f && f->fair_server.some && f->fair_server.v)
		note_fair_server(env, name, spins, run);
}
