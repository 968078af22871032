/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "actor/block.h"
#include "actor/enter.h"
#include "actor/knobs.h"
#include "actor/overflow.h"
#include "actor/slab.h"
#include "actor/wake.h"
#include "actor/worker.h"

/* Items a chain: what a worker keeps, at most twice. */
enum {
	CHAIN_BLOCKS = 64,
	CHAIN_STACKS = 16,
	CHAIN_NODES = 128,
	CHAIN_CHANS = 32,
	CHAIN_ALARMS = 64
};
enum { SPIN_LEAST_NS = 2000, SPIN_MOST_NS = 100000, WAKE_EVERY_NS = 50000 };

/* What all workers and the outside may keep in stock, so that `max` can be in use. */
static uint64_t with_stock(const struct nf_actor_rt *rt, uint64_t max, uint32_t chain)
{
	return max + ((uint64_t)rt->n_workers + 1) * 2 * chain;
}

static int refuse_shadow_stack(struct nf_err *err)
{
#if defined(__x86_64__)
	enum { ARCH_SHSTK_STATUS_ = 0x5005 }; /* Linux 6.6 */
	unsigned long status = 0;

	if (syscall(SYS_arch_prctl, ARCH_SHSTK_STATUS_, &status) == 0 && (status & 1))
		return nf_fail(
		        err, NF_EUNSUPPORTED,
		        "actors: this thread has a shadow stack (CET), which stacks that are "
		        "switched by hand break; run with GLIBC_TUNABLES="
		        "glibc.cpu.hwcaps=-SHSTK");
#else
	(void)err;
#endif
	return 0;
}

static int make_pools(struct nf_actor_rt *rt, struct nf_err *err)
{
	const struct nf_actor_knobs *k = &rt->knobs;
	uint64_t actors = with_stock(rt, k->max_actors, CHAIN_BLOCKS);
	uint64_t stacks = with_stock(rt, k->max_actors, CHAIN_STACKS);
	int r;

	r = nf_pool_init(&rt->blocks, "actors", sizeof(struct nf_actor_block), CHAIN_BLOCKS, actors,
	                 err);
	if (r == 0)
		r = nf_pool_init(&rt->stacks, "stacks", rt->page_bytes, CHAIN_STACKS, stacks, err);
	if (r == 0)
		r = nf_pool_init(&rt->nodes, "messages", sizeof(struct nf_actor_node), CHAIN_NODES,
		                 with_stock(rt, k->max_messages, CHAIN_NODES), err);
	/* Each actor may have some, and they are as large as its block: no knobs of their own. */
	if (r == 0)
		r = nf_pool_init(&rt->chans, "channels", sizeof(struct nf_chan), CHAIN_CHANS,
		                 actors * 16, err);
	if (r == 0)
		r = nf_pool_init(&rt->alarms, "timers", sizeof(struct nf_actor_alarm), CHAIN_ALARMS,
		                 actors * 16, err);
	if (r < 0)
		return r;
	rt->blocks.init = nf_block_init;
	rt->blocks.arg = rt;
	rt->stacks.make = nf_slab_make;
	rt->stacks.arg = rt;
	nf_pool_cache_init(&rt->out_blocks, &rt->blocks);
	nf_pool_cache_init(&rt->out_nodes, &rt->nodes);
	nf_pool_cache_init(&rt->out_chans, &rt->chans);
	nf_pool_cache_init(&rt->out_alarms, &rt->alarms);
	return nf_slab_init(rt, stacks, err);
}

static int make_workers(struct nf_actor_rt *rt, struct nf_err *err)
{
	size_t bytes = rt->n_workers * sizeof(*rt->workers);
	int r = 0;

	rt->workers = aligned_alloc(64, bytes);
	if (!rt->workers)
		return nf_fail_nomem(err, "workers", bytes);
	__builtin_memset(rt->workers, 0, bytes);
	for (uint32_t i = 0; i < rt->n_workers && r == 0; i++)
		r = nf_worker_init(&rt->workers[i], rt, i + 1, err);
	for (uint32_t i = 0; i < rt->n_workers && r == 0; i++)
		r = nf_worker_start(&rt->workers[i], err);
	return r;
}

static void choose_spin(struct nf_actor_rt *rt)
{
	if (rt->knobs.spin_ns >= 0) {
		rt->wake_ns = 0;
		return;
	}
	rt->wake_ns = nf_wake_measure();
	rt->knobs.spin_ns = rt->wake_ns < SPIN_LEAST_NS  ? SPIN_LEAST_NS
	                    : rt->wake_ns > SPIN_MOST_NS ? SPIN_MOST_NS
	                                                 : rt->wake_ns;
}

/* What was made of it; every part may be missing. */
static void destroy(struct nf_actor_rt *rt, bool handler)
{
	nf_st_seq(&rt->stop, 1);
	if (rt->workers) {
		/* Those that were never started do not sleep. */
		nf_wake_all(rt);
		for (uint32_t i = 0; i < rt->n_workers; i++)
			nf_worker_join(&rt->workers[i]);
		for (uint32_t i = 0; i < rt->n_workers; i++)
			nf_worker_fini(&rt->workers[i]);
	}
	if (handler)
		nf_overflow_uninstall();
	free(rt->workers);
	nf_slab_fini(rt);
	nf_pool_fini(&rt->blocks);
	nf_pool_fini(&rt->stacks);
	nf_pool_fini(&rt->nodes);
	nf_pool_fini(&rt->chans);
	nf_pool_fini(&rt->alarms);
	free(rt);
}

int nf_actor_rt_new(const struct nf_actor_knobs *knobs, struct nf_actor_rt **ret_rt,
                    struct nf_err *err)
{
	struct nf_actor_knobs k;
	struct nf_actor_rt *rt;
	bool handler = false;
	int r;

	nf_actor_knobs_init(&k);
	if (knobs)
		k = *knobs;
	r = nf_knobs_resolve(&k, err);
	if (r == 0)
		r = refuse_shadow_stack(err);
	if (r < 0)
		return r;
	rt = aligned_alloc(64, sizeof(*rt));
	if (!rt)
		return nf_fail_nomem(err, "an actor runtime", sizeof(*rt));
	__builtin_memset(rt, 0, sizeof(*rt));
	rt->knobs = k;
	rt->n_workers = k.workers;
	rt->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	rt->asym = nf_asym_probe();
	rt->solo = rt->asym && rt->n_workers == 1;
	rt->unwatched = 0;
	nf_st(&rt->wake_every_ns, WAKE_EVERY_NS);
	pthread_mutex_init(&rt->bias_lock, NULL);
	pthread_mutex_init(&rt->outside_lock, NULL);
	pthread_mutex_init(&rt->inject_lock, NULL);
	choose_spin(rt);
	r = make_pools(rt, err);
	if (r == 0 && rt->knobs.guard != NF_ACTOR_GUARD_NONE) {
		r = nf_overflow_install(err);
		handler = r == 0;
	}
	if (r == 0)
		r = make_workers(rt, err);
	if (r < 0) {
		destroy(rt, handler);
		return r;
	}
	*ret_rt = rt;
	return 0;
}

/* Actors alive: those ended are counted first, so that it is never less than the truth. */
static bool all_ended(const struct nf_actor_rt *rt)
{
	uint64_t ended = 0, spawned;

	for (uint32_t i = 0; i < rt->n_workers; i++)
		ended += nf_ld_seq(&rt->workers[i].stats.ended);
	spawned = nf_ld_seq(&rt->out_stats.spawned);
	for (uint32_t i = 0; i < rt->n_workers; i++)
		spawned += nf_ld_seq(&rt->workers[i].stats.spawned);
	return spawned == ended;
}

void nf_actor_rt_wait(struct nf_actor_rt *rt)
{
	nf_add(&rt->quiet_waiters, 1);
	for (;;) {
		uint32_t seen = nf_ld_seq(&rt->quiet);
		struct timespec again = { 0, 10000000 };

		if (all_ended(rt))
			break;
		syscall(SYS_futex, &rt->quiet, FUTEX_WAIT_PRIVATE, seen, &again, NULL, 0);
	}
	nf_sub(&rt->quiet_waiters, 1);
}

static void cancel_all(struct nf_actor_rt *rt)
{
	uint64_t made = __atomic_load_n(&rt->blocks.made, __ATOMIC_ACQUIRE);

	for (uint64_t i = 0; i < made; i++) {
		struct nf_actor_block *a = nf_pool_at(&rt->blocks, i);
		uint64_t word = nf_ld_acq(&a->word);

		if ((word & NF_JOIN_STATE) == NF_JOIN_DONE)
			continue;
		/* Ended meanwhile: that is as good. */
		if (nf_actor_cancel((struct nf_actor){ a, word >> NF_GENERATION_SHIFT }, NULL) != 0)
			continue;
	}
}

void nf_actor_rt_free(struct nf_actor_rt *rt)
{
	if (!rt)
		return;
	while (!all_ended(rt)) {
		struct timespec again = { 0, 1000000 };

		cancel_all(rt);
		nf_add(&rt->quiet_waiters, 1);
		syscall(SYS_futex, &rt->quiet, FUTEX_WAIT_PRIVATE, nf_ld_seq(&rt->quiet), &again,
		        NULL, 0);
		nf_sub(&rt->quiet_waiters, 1);
	}
	destroy(rt, rt->knobs.guard != NF_ACTOR_GUARD_NONE);
}

int nf_actor_rt_run(struct nf_actor_rt *rt, nf_actor_fn *fn, void *arg,
                    struct nf_actor_status *status, struct nf_err *err)
{
	struct nf_actor a;
	int r = nf_actor_spawn(rt, NULL, fn, arg, &a, err);

	return r < 0 ? r : nf_actor_join(a, status, err);
}
