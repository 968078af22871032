/* SPDX-License-Identifier: MIT */
#include "actor/layout.h"

static void add(struct nf_actor_stats *s, const struct nf_wrk_stats *w)
{
	s->spawned += nf_ld(&w->spawned);
	s->ended += nf_ld(&w->ended);
	s->panicked += nf_ld(&w->panicked);
	s->cancelled += nf_ld(&w->cancelled);
	s->overflowed += nf_ld(&w->overflowed);
	s->switches += nf_ld(&w->switches);
	s->preempted += nf_ld(&w->preempted);
	s->sent += nf_ld(&w->sent);
	s->received += nf_ld(&w->received);
	s->stolen += nf_ld(&w->rescued) + nf_ld(&w->donated);
	s->donated += nf_ld(&w->donated);
	s->rescued += nf_ld(&w->rescued);
	s->injected += nf_ld(&w->injected);
	s->wakes += nf_ld(&w->wakes);
	s->sleeps += nf_ld(&w->sleeps);
	s->timers_fired += nf_ld(&w->timers_fired);
	s->timers_cancelled += nf_ld(&w->timers_cancelled);
	s->biased += nf_ld(&w->biased);
	s->revoked += nf_ld(&w->revoked);
	s->stalled += nf_ld(&w->stalled);
}

void nf_actor_rt_stats(const struct nf_actor_rt *rt, struct nf_actor_stats *ret)
{
	*ret = (struct nf_actor_stats){ .stacks = nf_ld(&rt->stacks.made),
		                        .blocks = nf_ld(&rt->blocks.made),
		                        .nodes = nf_ld(&rt->nodes.made),
		                        .channels = nf_ld(&rt->chans.made),
		                        .wake_ns = rt->wake_ns,
		                        .spin_ns = rt->knobs.spin_ns,
		                        .switch_inlined = true,
		                        .asymmetric = rt->asym };
	add(ret, &rt->out_stats);
	for (uint32_t i = 0; i < rt->n_workers; i++)
		add(ret, &rt->workers[i].stats);
}

void nf_actor_rt_knobs(const struct nf_actor_rt *rt, struct nf_actor_knobs *ret)
{
	*ret = rt->knobs;
	ret->cpus = NULL;
}
