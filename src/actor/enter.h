/* SPDX-License-Identifier: MIT */
/*
 * enter - the lock of a worker's private state: its queue, timers, stocks, and the channels it
 * owns.
 *
 * The owner takes and gives it back with plain stores, for each operation of the runtime.
 * Somebody else (who steals, or needs a channel of that worker's) raises a flag and makes every
 * processor pass a memory barrier with membarrier(2): after that either the owner saw the flag,
 * or its `busy` is seen. Without membarrier(2) the owner takes the slow way each time. It is
 * held over a context switch: who arrives gives it back.
 */
#ifndef NF_ACTOR_ENTER_H
#define NF_ACTOR_ENTER_H

#include "actor/layout.h"

enum { NF_THIEF_INSIDE = 1, NF_THIEF_SLOW = 2 };

void nf_enter_slow(struct nf_wrk *w);

NF_INLINE void nf_enter(struct nf_wrk *w)
{
	nf_st_rel(&w->busy, 1);
	nf_compiler_fence();
	if (NF_UNLIKELY(nf_ld_acq(&w->thief)))
		nf_enter_slow(w);
	NF_POINT(NF_POINT_ENTER);
}

NF_INLINE void nf_leave(struct nf_wrk *w)
{
	nf_compiler_fence();
	nf_st_rel(&w->busy, 0);
	NF_POINT(NF_POINT_LEAVE);
}

/* The other side, from outside of any lock. False: somebody else is in, or the owner is inside
 * and does not come out within a moment. */
bool nf_seize(struct nf_wrk *v);
void nf_unseize(struct nf_wrk *v);

/* A barrier on every processor that runs a thread of this process. */
void nf_asym_fence(const struct nf_actor_rt *rt);
/* Whether this kernel has that. */
bool nf_asym_probe(void);

/* Words that with one worker are covered by its lock, and are everybody's else. */
NF_INLINE bool nf_word_cas(bool solo, uint64_t *p, uint64_t *expected, uint64_t desired)
{
	if (solo || NF_BROKEN(JOIN)) {
		uint64_t now = nf_ld(p);

		if (now != *expected) {
			*expected = now;
			return false;
		}
		NF_POINT(NF_POINT_WAIT);
		nf_st(p, desired);
		return true;
	}
	return nf_cas(p, expected, desired);
}

/* For threads outside: the lock of the only worker, where there is only one. */
void nf_outside_enter(struct nf_actor_rt *rt);
void nf_outside_leave(struct nf_actor_rt *rt);

#endif
