/* SPDX-License-Identifier: MIT */
#include "prop/mem.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "prop/case.h"

enum { BLOCK = 1 << 16 };
static const size_t most = (size_t)1 << 30;

struct pt_block {
	struct pt_block *next;
	alignas(16) char bytes[];
};

void pt_mem_init(struct pt_mem *m, struct pt_case *owner)
{
	*m = (struct pt_mem){ .owner = owner };
}

void pt_mem_reset(struct pt_mem *m)
{
	if (m->used == 0 && m->at == m->first)
		return;
	for (struct pt_block *b = m->first->next, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	m->first->next = NULL;
	m->at = m->first;
	m->used = 0;
	m->size = BLOCK; /* the first one is never larger */
	m->total = 0;
}

void pt_mem_fini(struct pt_mem *m)
{
	pt_mem_reset(m);
	free(m->first);
	*m = (struct pt_mem){ 0 };
}

static bool grow(struct pt_mem *m, size_t size)
{
	size_t want = m->first && size > BLOCK ? size : BLOCK;
	struct pt_block *b;

	if (m->total > most - want)
		return false;
	b = malloc(sizeof(*b) + want);
	if (!b)
		return false;
	b->next = NULL;
	if (m->at)
		m->at->next = b;
	else
		m->first = b;
	m->at = b;
	m->used = 0;
	m->size = want;
	m->total += want;
	return true;
}

void *pt_mem_alloc(struct pt_mem *m, size_t size)
{
	if (!m)
		return NULL;
	if (size <= most) {
		size = (size + 15) & ~(size_t)15;
		if (!m->at && !grow(m, 0))
			goto fail;
		if (m->size - m->used < size && !grow(m, size))
			goto fail;
		/* grow() sets m->at. cppcheck-suppress nullPointerRedundantCheck */
		void *p = m->at->bytes + m->used;

		m->used += size;
		return memset(p, 0, size);
	}
fail:
	if (m->owner)
		PT_FAIL(m->owner, "no memory for %zu bytes more", size);
	return NULL;
}

struct pt_mem *pt_mem_new(void)
{
	return calloc(1, sizeof(struct pt_mem));
}

void pt_mem_free(struct pt_mem *m)
{
	if (!m)
		return;
	pt_mem_fini(m);
	free(m);
}
