/* SPDX-License-Identifier: MIT */
/* wake - sleeping and waking of workers, and what a wake costs here. */
#ifndef NF_ACTOR_WAKE_H
#define NF_ACTOR_WAKE_H

#include "actor/layout.h"

/* There is work that another worker may do: wakes one if that pays. The common case is that nothing
 * happens. */
void nf_wake_for_slow(struct nf_wrk *w);

NF_INLINE void nf_wake_for(struct nf_wrk *w)
{
	if (nf_ld(&w->rt->unwatched) || (w->queue.n && --w->wake_skip == 0))
		nf_wake_for_slow(w);
}

/* There is work in the shared queue: sees to it that somebody looks there. Any thread. */
void nf_wake_any(struct nf_actor_rt *rt);
/* There is work in this one's inbox. */
void nf_wake_this(struct nf_wrk *v);
/* All of them, to see the stop flag. */
void nf_wake_all(struct nf_actor_rt *rt);

/* Something to do without a search. */
bool nf_has_work(const struct nf_wrk *w);
/* Looks at the flags for so many times, before others are told that this worker has nothing to
 * do. */
enum { NF_GLANCES = 200 };
/* Returns when there may be work again. Not inside. */
void nf_idle(struct nf_wrk *w);

/* What a wake of a sleeping thread costs here, in ns, from the call to the woken thread's first
 * step; the median of a few. */
int64_t nf_wake_measure(void);

#endif
