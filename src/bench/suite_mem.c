/* SPDX-License-Identifier: MIT */
/*
 * suite_mem - memory: the triad of STREAM (McCalpin, IEEE TCCA Newsletter, December 1995), and dependent
 * loads along a random cycle of cache lines.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/rng.h"
#include "bench/suites.h"

enum {
	LINE_BYTES = 64,
	TRIAD_BYTES = 3 * sizeof(double), /* that an element moves; as STREAM counts */
	CACHES = 4, /* all arrays together are so many times the last cache */
};
static const size_t ARRAYS_MIN_BYTES = (size_t)48 << 20, ARRAYS_MAX_BYTES = (size_t)1 << 30;

/* --- triad --- */

struct triad {
	double *a; /* owned, mapped: a, b, c behind each other for each thread */
	size_t mapped_bytes;
	size_t length; /* elements of an array of one thread */
	uint64_t *at; /* owned: where each thread goes on, a line apart */
};

static size_t arrays_bytes(void)
{
	long cache = sysconf(_SC_LEVEL3_CACHE_SIZE), pages = sysconf(_SC_PHYS_PAGES),
	     page = sysconf(_SC_PAGESIZE);
	size_t bytes = cache > 0 ? CACHES * (size_t)cache : 0;

	if (bytes < ARRAYS_MIN_BYTES)
		bytes = ARRAYS_MIN_BYTES;
	if (bytes > ARRAYS_MAX_BYTES)
		bytes = ARRAYS_MAX_BYTES;
	if (pages > 0 && page > 0 && bytes > (size_t)pages / 8 * (size_t)page)
		bytes = (size_t)pages / 8 * (size_t)page;
	return bytes;
}

static void triad_teardown(void *state)
{
	struct triad *t = state;

	if (t->a)
		munmap(t->a, t->mapped_bytes);
	free(t->at);
	free(t);
}

static int triad_setup(const struct nf_bench_env *env, void **ret, struct nf_err *err)
{
	struct triad *t = calloc(1, sizeof(*t));

	if (!t)
		return nf_fail_nomem(err, "three arrays", sizeof(*t));
	t->length = arrays_bytes() / TRIAD_BYTES / env->threads / 512 * 512 + 512;
	t->mapped_bytes = t->length * TRIAD_BYTES * env->threads;
	t->at = calloc(env->threads, LINE_BYTES);
	void *p = mmap(NULL, t->mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	               -1, 0);
	t->a = p == MAP_FAILED ? NULL : p;
	/* Bandwidth, not page tables; and a gigabyte of small pages takes seconds to be touched first. Where
	 * there are no large ones the same is measured with small ones. */
	if (t->a)
		(void)madvise(t->a, t->mapped_bytes, MADV_HUGEPAGE);
	if (!t->a || !t->at) {
		size_t bytes = t->mapped_bytes;

		triad_teardown(t);
		return nf_fail_nomem(err, "three arrays", bytes);
	}
	*ret = t;
	return 0;
}

/* First touched where it is used. */
static int triad_touch(void *state, unsigned thread, struct nf_err *err)
{
	struct triad *t = state;
	double *a = t->a + 3 * t->length * thread;

	(void)err;
	for (size_t i = 0; i < 3 * t->length; i++)
		a[i] = (double)(i % 1000) + 1;
	return 0;
}

static int triad_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	struct triad *t = state;
	double *restrict a = t->a + 3 * t->length * thread;
	const double *restrict b = a + t->length, *restrict c = b + t->length;
	uint64_t *at = t->at + thread * (LINE_BYTES / sizeof(*t->at));
	double s = 3;

	(void)err;
	nf_bench_touch(&s);
	for (uint64_t left = n; left > 0;) {
		size_t from = (size_t)*at;
		size_t part = left < t->length - from ? (size_t)left : t->length - from;

		for (size_t i = from; i < from + part; i++)
			a[i] = b[i] + s * c[i];
		nf_bench_touch(a);
		left -= part;
		*at = from + part == t->length ? 0 : from + part;
	}
	return 0;
}

/* --- chase --- */

struct line {
	struct line *next;
	char rest[LINE_BYTES - sizeof(struct line *)];
};

struct chase {
	struct line *line; /* owned, mapped; n of each thread behind each other */
	size_t n;
	size_t mapped_bytes;
	uint64_t seed;
	struct {
		struct line *at;
		char rest[LINE_BYTES - sizeof(struct line *)];
	} * thread; /* owned */
};

static void chase_teardown(void *state)
{
	struct chase *c = state;

	if (c->line)
		munmap(c->line, c->mapped_bytes);
	free(c->thread);
	free(c);
}

static int chase_setup(size_t bytes, const struct nf_bench_env *env, void **ret, struct nf_err *err)
{
	struct chase *c = calloc(1, sizeof(*c));

	if (!c)
		return nf_fail_nomem(err, "a cycle of cache lines", sizeof(*c));
	c->n = bytes / LINE_BYTES;
	c->mapped_bytes = bytes * env->threads;
	c->seed = env->seed;
	c->thread = calloc(env->threads, sizeof(*c->thread));
	void *p = mmap(NULL, c->mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	               -1, 0);
	c->line = p == MAP_FAILED ? NULL : p;
	if (!c->line || !c->thread) {
		bytes = c->mapped_bytes;
		chase_teardown(c);
		return nf_fail_nomem(err, "a cycle of cache lines", bytes);
	}
	*ret = c;
	return 0;
}

/* One cycle through all lines in random order (Sattolo, Information Processing Letters 22, 1986). */
static int chase_touch(void *state, unsigned thread, struct nf_err *err)
{
	struct chase *c = state;
	struct line *line = c->line + c->n * thread;
	struct nf_rng rng;

	(void)err;
	nf_rng_seed(&rng, c->seed + thread);
	for (size_t i = 0; i < c->n; i++)
		line[i].next = &line[i];
	for (size_t i = c->n - 1; i > 0; i--) {
		size_t j = (size_t)nf_rng_below(&rng, i);
		struct line *swap = line[i].next;

		line[i].next = line[j].next;
		line[j].next = swap;
	}
	c->thread[thread].at = line;
	return 0;
}

static int chase_run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
{
	struct chase *c = state;
	struct line *at = c->thread[thread].at;

	(void)err;
	for (uint64_t i = 0; i < n; i++)
		at = at->next;
	nf_bench_keep(at);
	c->thread[thread].at = at;
	return 0;
}

#define CHASE(word, bytes) \
	static int setup_##word(const struct nf_bench_env *env, void **ret, struct nf_err *err) \
	{ \
		return chase_setup(bytes, env, ret, err); \
	}
CHASE(4k, (size_t)4 << 10)
CHASE(16k, (size_t)16 << 10)
CHASE(64k, (size_t)64 << 10)
CHASE(256k, (size_t)256 << 10)
CHASE(1m, (size_t)1 << 20)
CHASE(4m, (size_t)4 << 20)
CHASE(16m, (size_t)16 << 20)
CHASE(64m, (size_t)64 << 20)

/* clang-format off */
#define ROW(word, size) { .name = "mem.chase-" #word, \
	.doc = "a dependent load, random lines of " size, \
	.max_threads = NF_BENCH_THREADS_MAX, .setup = setup_##word, .thread_setup = chase_touch, \
	.run = chase_run, .teardown = chase_teardown }
const struct nf_bench nf_suite_mem[] = {
	{ .name = "mem.triad", .doc = "a = b + 3 c beyond the caches: an element",
	  .max_threads = NF_BENCH_THREADS_MAX, .bytes = TRIAD_BYTES, .setup = triad_setup,
	  .thread_setup = triad_touch, .run = triad_run, .teardown = triad_teardown },
	ROW(4k, "4 KiB"),
	ROW(16k, "16 KiB"),
	ROW(64k, "64 KiB"),
	ROW(256k, "256 KiB"),
	ROW(1m, "1 MiB"),
	ROW(4m, "4 MiB"),
	ROW(16m, "16 MiB"),
	ROW(64m, "64 MiB"),
	{ .name = NULL },
};
/* clang-format on */
