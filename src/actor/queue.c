/* SPDX-License-Identifier: MIT */
#include "actor/queue.h"

enum { TAKE_MAX = 64, DONATE_MAX = 128 };

uint32_t nf_queue_move(struct nf_run_queue *from, struct nf_run_queue *to, uint32_t n)
{
	struct nf_run_queue stay = { 0 };
	struct nf_actor_block *a;
	uint32_t moved = 0;

	while (moved < n && (a = nf_queue_pop(from)) != NULL) {
		if (a->pin) {
			nf_queue_push(&stay, a);
			continue;
		}
		nf_queue_push(to, a);
		moved++;
	}
	if (stay.n) {
		/* Back to the front. */
		stay.tail->item.next = from->head ? &from->head->item : NULL;
		if (!from->head)
			from->tail = stay.tail;
		from->head = stay.head;
		nf_st(&from->n, from->n + stay.n);
	}
	return moved;
}

void nf_inject(struct nf_actor_rt *rt, struct nf_actor_block *a)
{
	pthread_mutex_lock(&rt->inject_lock);
	nf_queue_push(&rt->inject, a);
	nf_add(&rt->inject_n, 1);
	pthread_mutex_unlock(&rt->inject_lock);
	nf_wake_any(rt);
}

NF_NOINLINE void nf_inject_take(struct nf_wrk *w)
{
	struct nf_actor_rt *rt = w->rt;
	uint32_t n, got;

	if (!nf_ld_acq(&rt->inject_n))
		return;
	pthread_mutex_lock(&rt->inject_lock);
	n = w->shared_queue ? 1 : rt->inject.n / rt->n_workers + 1;
	got = nf_queue_move(&rt->inject, &w->queue, n > TAKE_MAX ? TAKE_MAX : n);
	nf_sub(&rt->inject_n, got);
	pthread_mutex_unlock(&rt->inject_lock);
	nf_count(&w->stats.injected, got);
}

NF_NOINLINE void nf_donate(struct nf_wrk *w)
{
	struct nf_actor_rt *rt = w->rt;
	uint32_t n = w->queue.n / 2, got;

	nf_st(&rt->wanted, 0u);
	if (n == 0)
		return;
	pthread_mutex_lock(&rt->inject_lock);
	got = nf_queue_move(&w->queue, &rt->inject, n > DONATE_MAX ? DONATE_MAX : n);
	nf_add(&rt->inject_n, got);
	pthread_mutex_unlock(&rt->inject_lock);
	nf_count(&w->stats.donated, got);
}

void nf_inbox_put(struct nf_wrk *to, struct nf_actor_block *a)
{
	struct nf_actor_block *first = NULL;

	if (nf_cas(&to->slot, &first, a)) {
		nf_wake_this(to);
		return;
	}
	first = nf_ld(&to->inbox);
	do
		a->item.next = first ? &first->item : NULL;
	while (!nf_cas(&to->inbox, &first, a));
	nf_wake_this(to);
}

NF_NOINLINE void nf_inbox_take(struct nf_wrk *w)
{
	struct nf_actor_block *a = nf_ld_acq(&w->slot), *in_order = NULL, *next;

	/* Others put something there while it is empty alone: no exchange is needed. */
	if (a) {
		nf_st_rel(&w->slot, NULL);
		nf_queue_push(&w->queue, a);
	}
	if (!nf_ld_acq(&w->inbox))
		return;
	a = nf_xchg(&w->inbox, NULL);

	for (; a; a = next) {
		next = (struct nf_actor_block *)(void *)a->item.next;
		a->item.next = in_order ? &in_order->item : NULL;
		in_order = a;
	}
	for (a = in_order; a; a = next) {
		next = (struct nf_actor_block *)(void *)a->item.next;
		nf_queue_push(&w->queue, a);
	}
}

NF_NOINLINE void nf_ready_elsewhere(struct nf_wrk *w, struct nf_actor_block *a, uint32_t pin)
{
	struct nf_actor_rt *rt = w ? w->rt : a->rt;

	if (pin && (!w || pin != w->number))
		nf_inbox_put(&rt->workers[pin - 1], a);
	else if (pin)
		nf_queue_push(&w->queue, a);
	else
		nf_inject(rt, a);
}
