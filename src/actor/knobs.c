/* SPDX-License-Identifier: MIT */
#include "actor/knobs.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

enum {
	MAX_WORKERS = 256,
	MIN_STACK = 16 * 1024,
	MAX_STACK = 1 << 30,
	MAX_ACTORS = 1 << 27,
	MAX_SLACK_NS = 1000000000,
};
#define MAX_MESSAGES ((uint64_t)1 << 40)

void nf_actor_knobs_init(struct nf_actor_knobs *ret)
{
	*ret = (struct nf_actor_knobs){
		.alloc_interval = 128,
		.timeslice_ticks = 300000,
		.stack_bytes = 64 * 1024,
		.max_actors = 1 << 18,
		.max_messages = 1 << 26,
		.spin_ns = -1,
		.timer_slack_ns = 100000,
		.lifo_cap = 32,
	};
}

static int usable_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return CPU_COUNT(&set);
	return (int)sysconf(_SC_NPROCESSORS_ONLN); /* more than 1,024 of them */
}

static int check_cpus(const struct nf_actor_knobs *k, struct nf_err *err)
{
	if (k->n_cpus && !k->cpus)
		return nf_fail(err, NF_EARG, "n_cpus %zu without cpus", k->n_cpus);
	for (size_t i = 0; i < k->n_cpus; i++)
		if (k->cpus[i] < 0 || k->cpus[i] >= CPU_SETSIZE)
			return nf_fail(err, NF_EARG, "cpus[%zu] is %d: 0..%d is allowed", i,
			               k->cpus[i], CPU_SETSIZE - 1);
	return 0;
}

int nf_knobs_resolve(struct nf_actor_knobs *k, struct nf_err *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (k->workers > MAX_WORKERS)
		return nf_fail(err, NF_EARG, "workers %u: 1..%d, or 0 for one per CPU", k->workers,
		               MAX_WORKERS);
	if (k->alloc_interval == 0)
		return nf_fail(err, NF_EARG, "alloc_interval 0: at least 1");
	if (k->stack_bytes < MIN_STACK || k->stack_bytes > MAX_STACK)
		return nf_fail(err, NF_EARG, "stack_bytes %zu: %d..%d is allowed", k->stack_bytes,
		               MIN_STACK, MAX_STACK);
	if (k->max_actors == 0 || k->max_actors > MAX_ACTORS)
		return nf_fail(err, NF_EARG, "max_actors %u: 1..%d is allowed", k->max_actors,
		               MAX_ACTORS);
	if (k->max_messages == 0 || k->max_messages > MAX_MESSAGES)
		return nf_fail(err, NF_EARG, "max_messages %llu: 1..%llu is allowed",
		               (unsigned long long)k->max_messages,
		               (unsigned long long)MAX_MESSAGES);
	if (k->spin_ns < -1)
		return nf_fail(err, NF_EARG, "spin_ns %lld: at least 0, or -1",
		               (long long)k->spin_ns);
	if (k->timer_slack_ns < 0 || k->timer_slack_ns > MAX_SLACK_NS)
		return nf_fail(err, NF_EARG, "timer_slack_ns %lld: 0..%d is allowed",
		               (long long)k->timer_slack_ns, MAX_SLACK_NS);
	if (k->run_queue != NF_ACTOR_STEALING && k->run_queue != NF_ACTOR_SHARED)
		return nf_fail(err, NF_EARG, "run_queue %d: stealing or shared", (int)k->run_queue);
	if (k->guard < NF_ACTOR_GUARD_AUTO || k->guard > NF_ACTOR_GUARD_NONE)
		return nf_fail(err, NF_EARG, "guard %d: auto, install, mprotect or none",
		               (int)k->guard);
	if (check_cpus(k, err) < 0)
		return -NF_EARG;
	if (k->workers == 0) {
		int n = usable_cpus();

		k->workers = n < 1 ? 1 : n > MAX_WORKERS ? MAX_WORKERS : (uint32_t)n;
	}
	k->stack_bytes = (k->stack_bytes + page - 1) / page * page;
	return 0;
}
