/* SPDX-License-Identifier: MIT */
#include "actor/steal.h"

#include "actor/queue.h"
#include "actor/timer.h"

/* DONATE_FROM: shorter queues are cheaper run where they are. */
enum { DONATE_FROM = 8, STALLED_NS = 20000 };

/* v's current actor has run for a while: takes half of what waits behind it. */
static bool rescue(struct nf_wrk *w, struct nf_wrk *v, int64_t now_ns)
{
	struct nf_run_queue got = { 0 };
	struct nf_actor_block *a;
	uint32_t timers;

	if (NF_BROKEN(RESCUE) || !nf_seize(v))
		return false;
	nf_queue_move(&v->queue, &got, (v->queue.n + 1) / 2);
	a = v->lifo;
	if (got.n == 0 && a && !a->pin) {
		nf_st(&v->lifo, NULL);
		nf_queue_push(&got, a);
	}
	nf_enter(w);
	nf_count(&w->stats.rescued, got.n);
	while ((a = nf_queue_pop(&got)) != NULL)
		nf_queue_push(&w->queue, a);
	timers = nf_timers_rescue(w, v, now_ns);
	nf_leave(w);
	nf_unseize(v);
	return nf_ld(&w->queue.n) || nf_ld(&w->lifo) || timers;
}

bool nf_steal(struct nf_wrk *w, int64_t now_ns)
{
	struct nf_actor_rt *rt = w->rt;

	for (uint32_t i = 1; i < rt->n_workers; i++) {
		struct nf_wrk *v = &rt->workers[(w->number - 1 + i) % rt->n_workers];
		struct nf_wrk_sight *s = &w->sights[v->number - 1];
		uint64_t switches = nf_ld(&v->stats.switches);
		uint32_t n = nf_ld(&v->queue.n);

		if (switches != s->switches) {
			s->switches = switches;
			s->since_ns = now_ns;
			if (n >= DONATE_FROM && !nf_ld(&rt->wanted))
				nf_st(&rt->wanted, 1u);
			continue;
		}
		if (!n && !nf_ld(&v->lifo) && nf_ld(&v->next_ns) > now_ns)
			continue;
		if (now_ns - s->since_ns > STALLED_NS && rescue(w, v, now_ns))
			return true;
	}
	return false;
}
