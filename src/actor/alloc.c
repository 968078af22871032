/* SPDX-License-Identifier: MIT */
#include "actor/alloc.h"

#include <stdlib.h>

#include "actor/preempt.h"

struct nf_actor_heap_item {
	struct nf_actor_heap_item *next, **link; /* link NULL: taken outside of actors */
} __attribute__((aligned(16)));

void *nf_actor_alloc(size_t bytes)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_heap_item *h;
	size_t all;

	if (__builtin_add_overflow(bytes, sizeof(*h), &all))
		return NULL;
	if (w)
		nf_stack_check(w);
	h = malloc(all);
	if (!h)
		return NULL;
	h->next = NULL;
	h->link = NULL;
	if (w) {
		struct nf_actor_block *a = w->current;

		h->next = a->heap;
		h->link = &a->heap;
		if (h->next)
			h->next->link = &h->next;
		a->heap = h;
		nf_preempt_count(w);
	}
	return h + 1;
}

void nf_actor_free(void *p)
{
	struct nf_actor_heap_item *h = p;

	if (!p)
		return;
	h--;
	if (h->link) {
		*h->link = h->next;
		if (h->next)
			h->next->link = h->link;
	}
	free(h);
}

void nf_heap_free_all(struct nf_actor_block *a)
{
	struct nf_actor_heap_item *h = a->heap, *next;

	for (; h; h = next) {
		next = h->next;
		free(h);
	}
	a->heap = NULL;
}
