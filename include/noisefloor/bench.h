/* SPDX-License-Identifier: MIT */
/*
 * bench - benchmarks of a program's own, in one table, that `noisefloor bench` can run.
 *
 *   static int run(void *state, unsigned thread, uint64_t n, struct nf_err *err)
 *   {
 *           for (uint64_t i = 0; i < n; i++)
 *                   nf_bench_keep(work(i));
 *           return 0;
 *   }
 *   static const struct nf_bench table[] = {
 *           { .name = "demo.work", .doc = "one call of work()", .run = run },
 *           { .name = NULL },
 *   };
 *   int main(int argc, char **argv)
 *   {
 *           return nf_bench_main(table, argc, argv);
 *   }
 *
 * A set is a fresh process of this program: set up, calibrate how many operations last long enough,
 * one iteration that is discarded, then the iterations that count, tear down. The value of an iteration
 * is its time in nanoseconds over n: of the only thread, or from the first thread's start to
 * the last one's end.
 */
#ifndef NOISEFLOOR_BENCH_H
#define NOISEFLOOR_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NF_BENCH_THREADS_MAX = 1024, NF_BENCH_NAME_MAX = 100, NF_BENCH_FACTS_MAX = 32 };

/* How a set runs; what setup may draw on. */
struct nf_bench_env {
	unsigned threads;
	uint64_t seed; /* of this set */
};

/* Something that belongs to a result without being one: what a cost was that it depends on, a setting. name: a-z,
 * 0-9, '_'; text NULL: the number counts, which is finite. Both are copied. At most NF_BENCH_FACTS_MAX a set. */
typedef void nf_bench_fact_fn(void *to, const char *name, double value, const char *text);

/* Functions return 0 or -NF_E... with *err filled; a failure ends the set as failed. -NF_EUNSUPPORTED in the
 * first set, with what is missing: this machine cannot have it, so it is left out. */
struct nf_bench {
	/* Lower-case words of letters, digits, '-' and '_', separated by dots; NULL ends a table. */
	const char *name;
	const char *doc; /* one line: what one operation is */
	/* Threads that can be asked for, and what is taken when none are; 0 stands for 1. */
	unsigned min_threads;
	unsigned max_threads;
	unsigned default_threads;
	uint64_t bytes; /* that one operation of one thread moves; 0: no question of bytes */
	/* Not timed, in the first thread. NULL: *ret_state is NULL. */
	int (*setup)(const struct nf_bench_env *env, void **ret_state, struct nf_err *err);
	/* Not timed, once in every thread, bound to its CPU: what should be touched there. NULL: nothing. */
	int (*thread_setup)(void *state, unsigned thread, struct nf_err *err);
	/* Timed: n >= 1 operations, in each of the threads at a time; thread is 0 .. threads - 1. With more than
	 * one thread they may work together: all get the same n. Never prints or allocates unless that is
	 * what is measured. */
	int (*run)(void *state, unsigned thread, uint64_t n, struct nf_err *err);
	void (*teardown)(
	        void *state); /* not timed; NULL: nothing. Not called when the set is stopped. */
	/* Not timed, after the last iteration, before teardown: say(to, ...) for each fact. NULL: none. */
	int (*facts)(void *state, nf_bench_fact_fn *say, void *to, struct nf_err *err);
};

/* The program's whole main(): answers `noisefloor bench`, or prints what the table holds. Returns an exit
 * code (tables/exit.def). The table ends with a NULL name. */
NF_API int nf_bench_main(const struct nf_bench *table, int argc, char *const *argv);

/* The compiler must have computed x, and cannot know what becomes of it. x: a scalar. */
#define nf_bench_keep(x) \
	do { \
		__typeof__(x) nf_bench_kept_ = (x); \
		__asm__ volatile("" : : "g"(nf_bench_kept_) : "memory"); \
	} while (0)

/* What p points at may have been read and written: stores before it happen, loads after it happen anew. */
static inline void nf_bench_touch(void *p)
{
	__asm__ volatile("" : : "g"(p) : "memory");
}

/* x, of which the compiler forgets what it knew: a constant becomes a value that cannot be folded. */
static inline uint64_t nf_bench_hide(uint64_t x)
{
	__asm__ volatile("" : "+r"(x));
	return x;
}

#ifdef __cplusplus
}
#endif

#endif
