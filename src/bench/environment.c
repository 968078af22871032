/* SPDX-License-Identifier: MIT */
#include "bench/environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { ITEMS_MAX = 1 << 20 };

static size_t count(const char *const *list)
{
	size_t n = 0;

	while (list && list[n] && n < ITEMS_MAX)
		n++;
	return n;
}

/* With its '='; 0: it has none. */
static size_t name_length(const char *item)
{
	const char *eq = strchr(item, '=');

	return eq && eq != item ? (size_t)(eq - item) + 1 : 0;
}

static bool named_in(const char *const *list, size_t n, const char *item, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(list[i], item, len) == 0)
			return true;
	return false;
}

int nf_environment_make(char *const *own, const char *const *over, uint64_t seed,
                        struct nf_environment *ret, struct nf_err *err)
{
	static const char name[] = NF_BENCH_PAD_NAME "=";
	const char *const *own_items = (const char *const *)own;
	size_t n_own = count(own_items), n_over = count(over), n = 0;
	struct nf_rng rng;

	nf_rng_seed(&rng, seed);
	size_t pad_bytes = (size_t)nf_rng_below(&rng, NF_BENCH_PAD_MAX + 1);
	char **item = calloc(n_own + n_over + 2, sizeof(*item));
	char *pad = malloc(sizeof(name) + pad_bytes);
	if (!item || !pad) {
		free(item);
		free(pad);
		return nf_fail_nomem(err, "a benchmark's environment",
		                     (n_own + n_over + 2) * sizeof(*item));
	}
	memcpy(pad, name, sizeof(name) - 1);
	memset(pad + sizeof(name) - 1, 'x', pad_bytes);
	pad[sizeof(name) - 1 + pad_bytes] = '\0';
	for (size_t i = 0; i < n_own; i++) {
		size_t len = name_length(own[i]);

		if (len && strncmp(own[i], name, sizeof(name) - 1) != 0 &&
		    !named_in(over, n_over, own[i], len) &&
		    !named_in(own_items + i + 1, n_own - i - 1, own[i], len))
			item[n++] = own[i];
	}
	for (size_t i = 0; i < n_over; i++) {
		size_t len = name_length(over[i]);

		if (len && !named_in(over + i + 1, n_over - i - 1, over[i], len))
			memcpy(&item[n++], &over[i], sizeof(*item)); /* execve() changes none */
	}
	item[n] = pad;
	*ret = (struct nf_environment){ item, pad };
	return 0;
}

void nf_environment_fini(struct nf_environment *e)
{
	free(e->item);
	free(e->pad);
	*e = (struct nf_environment){ 0 };
}
