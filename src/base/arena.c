/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nf_arena_block {
	struct nf_arena_block *next; /* owned */
	size_t used_bytes;
	size_t cap_bytes;
	_Alignas(max_align_t) unsigned char data[];
};

enum { BLOCK_BYTES = 4096 - (int)sizeof(struct nf_arena_block) };

static void *fail(struct nf_arena *a, enum nf_code code)
{
	if (a->failed == NF_OK)
		a->failed = code;
	return NULL;
}

void nf_arena_init(struct nf_arena *a, size_t max_bytes)
{
	*a = (struct nf_arena){ .max_bytes = max_bytes };
}

void nf_arena_fini(struct nf_arena *a)
{
	struct nf_arena_block *next;

	for (struct nf_arena_block *b = a->head; b; b = next) {
		next = b->next;
		free(b);
	}
	nf_arena_init(a, a->max_bytes);
}

void *nf_arena_alloc(struct nf_arena *a, size_t n, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	struct nf_arena_block *b = a->head;
	size_t bytes, block_bytes;
	void *p;

	if (a->failed != NF_OK)
		return NULL;
	if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX - align)
		return fail(a, NF_EDATA);
	bytes = bytes ? (bytes + align - 1) / align * align : align;
	if (bytes > a->max_bytes - a->used_bytes)
		return fail(a, NF_EDATA);
	if (!b || bytes > b->cap_bytes - b->used_bytes) {
		size_t cap = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;

		if (__builtin_add_overflow(cap, sizeof(*b), &block_bytes))
			return fail(a, NF_ENOMEM);
		b = calloc(1, block_bytes);
		if (!b)
			return fail(a, NF_ENOMEM);
		b->cap_bytes = cap;
		/* A block for one large allocation is full at once: keep filling the current one.
		 */
		if (a->head && bytes > BLOCK_BYTES) {
			b->next = a->head->next;
			a->head->next = b;
		} else {
			b->next = a->head;
			a->head = b;
		}
	}
	p = b->data + b->used_bytes;
	b->used_bytes += bytes;
	a->used_bytes += bytes;
	return p;
}

char *nf_arena_strndup(struct nf_arena *a, const char *s, size_t len_bytes)
{
	char *p;

	if (len_bytes == SIZE_MAX)
		return fail(a, NF_EDATA);
	p = nf_arena_alloc(a, len_bytes + 1, 1);
	if (p && len_bytes)
		memcpy(p, s, len_bytes);
	return p;
}

char *nf_arena_strdup(struct nf_arena *a, const char *s)
{
	return s ? nf_arena_strndup(a, s, strlen(s)) : NULL;
}

char *nf_arena_printf(struct nf_arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return fail(a, NF_ENOMEM);
	p = nf_arena_alloc(a, (size_t)n + 1, 1);
	if (!p)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

int nf_arena_failed(const struct nf_arena *a, const char *what, struct nf_err *err)
{
	if (a->failed == NF_OK)
		return 0;
	if (a->failed == NF_ENOMEM)
		return nf_fail_nomem(err, what, a->used_bytes);
	return nf_fail(err, a->failed, "%s does not fit into %zu bytes", what, a->max_bytes);
}
