/* SPDX-License-Identifier: MIT */
#include "actor/pool.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { SEGMENT_BYTES = 256 * 1024 };

int nf_pool_init(struct nf_pool *p, const char *what, size_t item_bytes, uint32_t chain,
                 uint64_t max, struct nf_err *err)
{
	uint32_t shift = (uint32_t)__builtin_ctz(chain);
	size_t n, bytes;

	while ((item_bytes << (shift + 1)) <= SEGMENT_BYTES)
		shift++;

	*p = (struct nf_pool){ .what = what, .item_bytes = item_bytes, .chain = chain, .max = max };
	p->segment_shift = shift;
	n = (size_t)(max >> shift) + 1;
	if (__builtin_mul_overflow(n, sizeof(*p->segments), &bytes))
		return nf_fail(err, NF_EARG, "%s: %llu are too many", what,
		               (unsigned long long)max);
	p->segments = calloc(n, sizeof(*p->segments));
	if (!p->segments)
		return nf_fail_nomem(err, what, bytes);
	p->n_segments = n;
	pthread_mutex_init(&p->lock, NULL);
	return 0;
}

void nf_pool_fini(struct nf_pool *p)
{
	if (!p->segments)
		return;
	for (size_t i = 0; i < p->n_segments; i++)
		if (p->segments[i])
			munmap(p->segments[i], p->item_bytes << p->segment_shift);
	free(p->segments);
	p->segments = NULL;
	pthread_mutex_destroy(&p->lock);
}

void nf_pool_cache_init(struct nf_pool_cache *c, const struct nf_pool *p)
{
	*c = (struct nf_pool_cache){ .limit = p->chain };
}

/* Lock held. */
static struct nf_pool_item *new_item(struct nf_pool *p)
{
	size_t s = (size_t)(p->made >> p->segment_shift);
	void *item;

	if (p->make)
		return p->make(p->made, p->arg);
	if (!p->segments[s]) {
		void *m = mmap(NULL, p->item_bytes << p->segment_shift, PROT_READ | PROT_WRITE,
		               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (m == MAP_FAILED)
			return NULL;
		__atomic_store_n(&p->segments[s], m, __ATOMIC_RELEASE);
	}
	item = nf_pool_at(p, p->made);
	if (p->init)
		p->init(item, p->made, p->arg);
	return item;
}

/* Lock held. Up to a chain of new items; how many in *ret_n. */
static struct nf_pool_item *new_chain(struct nf_pool *p, uint32_t *ret_n)
{
	struct nf_pool_item *first = NULL, **last = &first;
	uint32_t n = 0;

	errno = 0;
	while (n < p->chain && p->made < p->max) {
		struct nf_pool_item *i = new_item(p);

		if (!i)
			break;
		nf_st_rel(&p->made, p->made + 1); /* others look how many there are */
		n++;
		*last = i;
		last = &i->next;
	}
	*last = NULL;
	*ret_n = n;
	return first;
}

NF_NOINLINE void *nf_pool_refill(struct nf_pool *p, struct nf_pool_cache *c)
{
	struct nf_pool_item *i;
	uint32_t n = p->chain;

	if (c->spare) {
		i = c->spare;
		c->spare = NULL;
	} else {
		pthread_mutex_lock(&p->lock);
		i = p->chains;
		if (i)
			p->chains = i->next_chain;
		else
			i = new_chain(p, &n);
		pthread_mutex_unlock(&p->lock);
		if (!i)
			return NULL;
	}
	c->head = i->next;
	c->n = n - 1;
	return i;
}

NF_NOINLINE void nf_pool_spill(struct nf_pool *p, struct nf_pool_cache *c)
{
	if (c->spare && !NF_BROKEN(DRIFT)) {
		pthread_mutex_lock(&p->lock);
		c->spare->next_chain = p->chains;
		p->chains = c->spare;
		pthread_mutex_unlock(&p->lock);
	}
	c->spare = c->head;
	c->head = NULL;
	c->n = 0;
}
