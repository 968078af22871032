/* SPDX-License-Identifier: MIT */
#include "actor/enter.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATIENCE = 100 };

bool nf_asym_probe(void)
{
	return NF_HAS_MEMBARRIER() &&
	       syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 &&
	       syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void nf_asym_fence(const struct nf_actor_rt *rt)
{
	if (rt->asym)
		syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

static void wait_a_bit(int *tries)
{
	NF_POINT(NF_POINT_WAIT);
	if (++*tries % PATIENCE == 0)
		sched_yield();
	else
		nf_relax();
}

NF_NOINLINE void nf_enter_slow(struct nf_wrk *w)
{
	for (int tries = 0;;) {
		if (w->rt->asym) {
			nf_st_rel(&w->busy, 1);
			nf_compiler_fence();
		} else {
			nf_xchg(&w->busy, 1);
		}
		if (!(nf_ld_seq(&w->thief) & NF_THIEF_INSIDE))
			return;
		nf_st_rel(&w->busy, 0);
		while (nf_ld_acq(&w->thief) & NF_THIEF_INSIDE)
			wait_a_bit(&tries);
	}
}

bool nf_seize(struct nf_wrk *v)
{
	int tries = 0;

	if (nf_fetch_or(&v->thief, NF_THIEF_INSIDE) & NF_THIEF_INSIDE)
		return false;
	nf_asym_fence(v->rt);
	while (nf_ld_seq(&v->busy)) {
		if (tries >= 20 * PATIENCE) {
			nf_unseize(v);
			return false;
		}
		wait_a_bit(&tries);
	}
	return true;
}

void nf_unseize(struct nf_wrk *v)
{
	nf_fetch_and(&v->thief, ~(uint32_t)NF_THIEF_INSIDE);
}

void nf_outside_enter(struct nf_actor_rt *rt)
{
	int tries = 0;

	if (rt->solo)
		while (!nf_seize(&rt->workers[0]))
			wait_a_bit(&tries);
}

void nf_outside_leave(struct nf_actor_rt *rt)
{
	if (rt->solo)
		nf_unseize(&rt->workers[0]);
}
