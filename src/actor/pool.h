/* SPDX-License-Identifier: MIT */
/* pool - objects of one kind that are never given back to the system while the runtime lives.
 * Each worker keeps a few; full chains go to a shared list and come from there, so that what is
 * made on one worker and freed on another does not pile up. */
#ifndef NF_ACTOR_POOL_H
#define NF_ACTOR_POOL_H

#include <pthread.h>
#include <stddef.h>

#include "actor/atomic.h"
#include "base/fail.h"

/* At the start of every pooled object. The second is used in free ones alone. */
struct nf_pool_item {
	struct nf_pool_item *next, *next_chain;
};

/* One user's stock: `head` holds up to `limit`, `spare` is NULL or a full chain. */
struct nf_pool_cache {
	struct nf_pool_item *head, *spare;
	uint32_t n, limit;
};

struct nf_pool {
	pthread_mutex_t lock;
	struct nf_pool_item *chains;
	const char *what;
	size_t item_bytes;
	uint32_t chain; /* items a chain, a power of two */
	uint32_t segment_shift; /* 2 to that many items a segment, a multiple of chain */
	uint64_t made, max;
	char **segments; /* max over the items of one, rounded up */
	size_t n_segments;
	void (*init)(void *item, uint64_t number,
	             void *arg); /* prepares a new item; numbers from 0 */
	/* Instead of segments: the address of item `number`, prepared; NULL with errno set. */
	struct nf_pool_item *(*make)(uint64_t number, void *arg);
	void *arg; /* of both */
};

int nf_pool_init(struct nf_pool *p, const char *what, size_t item_bytes, uint32_t chain,
                 uint64_t max, struct nf_err *err);
void nf_pool_fini(struct nf_pool *p);
void nf_pool_cache_init(struct nf_pool_cache *c, const struct nf_pool *p);
/* Item `number`, which was made. */
NF_INLINE void *nf_pool_at(struct nf_pool *p, uint64_t number)
{
	char *segment = nf_ld_acq(&p->segments[number >> p->segment_shift]);

	return segment + (number & (((uint64_t)1 << p->segment_shift) - 1)) * p->item_bytes;
}

/* Slow halves of the two below. */
void *nf_pool_refill(struct nf_pool *p, struct nf_pool_cache *c);
void nf_pool_spill(struct nf_pool *p, struct nf_pool_cache *c);

/* NULL: max are in use, or no memory (errno says which: 0 or ENOMEM and the like). */
NF_INLINE void *nf_pool_get(struct nf_pool *p, struct nf_pool_cache *c)
{
	struct nf_pool_item *i = c->head;

	if (NF_UNLIKELY(!i))
		return nf_pool_refill(p, c);
	c->head = i->next;
	c->n--;
	return i;
}

NF_INLINE void nf_pool_put(struct nf_pool *p, struct nf_pool_cache *c, void *item)
{
	struct nf_pool_item *i = item;

	if (NF_UNLIKELY(c->n == c->limit))
		nf_pool_spill(p, c);
	i->next = c->head;
	c->head = i;
	c->n++;
}

#endif
