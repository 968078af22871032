/* SPDX-License-Identifier: MIT */
/*
 * arena - many small allocations that are freed together, with a ceiling.
 *
 * A record owns one arena: all its texts and lists live there. A failed allocation returns NULL and
 * is remembered (nf_arena_failed), so builders check once at the end.
 */
#ifndef NF_BASE_ARENA_H
#define NF_BASE_ARENA_H

#include <stddef.h>

#include "base/fail.h"

struct nf_arena_block;

struct nf_arena {
	struct nf_arena_block *head; /* owned */
	size_t used_bytes;
	size_t max_bytes;
	enum nf_code failed; /* NF_OK, NF_ENOMEM, NF_EDATA (ceiling) */
};

void nf_arena_init(struct nf_arena *a, size_t max_bytes);
void nf_arena_fini(struct nf_arena *a);

/* Zeroed, aligned for any type, valid until fini. NULL: failed (remembered) or n * size overflows. */
void *nf_arena_alloc(struct nf_arena *a, size_t n, size_t size);
char *nf_arena_strdup(struct nf_arena *a, const char *s); /* NULL in: NULL out, no failure */
char *nf_arena_strndup(struct nf_arena *a, const char *s, size_t len_bytes);
char *nf_arena_printf(struct nf_arena *a, const char *fmt, ...) NF_PRINTF(2, 3);

NF_NODISCARD int nf_arena_failed(const struct nf_arena *a, const char *what, struct nf_err *err);

#endif
