/* SPDX-License-Identifier: MIT */
/*
 * sched_state - what the benchmarks of the scheduler suite have in common: the runtime with its knobs, the calibration,
 * the CPU time that their operations took, and how work gets into an actor, or into threads.
 */
#ifndef NF_BENCH_SCHED_STATE_H
#define NF_BENCH_SCHED_STATE_H

#include <pthread.h>

#include "bench/sched_calibration.h"
#include "noisefloor/actor.h"
#include "noisefloor/bench.h"

struct nf_sched_state {
	struct nf_actor_rt *rt; /* owned; NULL: threads */
	unsigned workers; /* of the runtime, or as many threads as work at a time */
	struct nf_sched_calibration calibration;
	int64_t cpu_ns; /* of this process, in run */
	uint64_t operations;
};

/* Of struct nf_bench. The state is a struct nf_sched_state *. */
int nf_sched_actors_setup(const struct nf_bench_env *env, void **ret_state, struct nf_err *err);
/* Two workers that spin, each on a CPU of its own: -NF_EUNSUPPORTED with one CPU. */
int nf_sched_apart_setup(const struct nf_bench_env *env, void **ret_state, struct nf_err *err);
int nf_sched_threads_setup(const struct nf_bench_env *env, void **ret_state, struct nf_err *err);
void nf_sched_teardown(void *state);
int nf_sched_facts(void *state, nf_bench_fact_fn *say, void *to, struct nf_err *err);

/* fn in an actor of the runtime, whose end is waited for, with n behind its argument; a panic of it is the
 * failure of the benchmark. */
struct nf_sched_job {
	struct nf_sched_state *state;
	uint64_t n;
};
int nf_sched_run_actor(void *state, nf_actor_fn *fn, uint64_t n, struct nf_err *err);
/* n operations of fn in this thread; a failure is its result. */
typedef int nf_sched_threads_fn(struct nf_sched_state *s, uint64_t n, struct nf_err *err);
int nf_sched_run_threads(void *state, nf_sched_threads_fn *fn, uint64_t n, struct nf_err *err);

/* In an actor; what cannot be done is a panic. */
struct nf_actor nf_sched_spawn(nf_actor_fn *fn, void *arg);
struct nf_actor nf_sched_spawn_on(uint32_t worker, nf_actor_fn *fn, void *arg); /* from 1; 0: any */
void nf_sched_join(struct nf_actor a);
void *nf_sched_array(size_t n, size_t bytes); /* zeroed; ends with the actor */

/* A thread with a small stack. */
NF_NODISCARD int nf_sched_start(void *(*fn)(void *), void *arg, pthread_t *ret, struct nf_err *err);
/* fn(i-th item of the array) in n threads, all of which have ended. */
NF_NODISCARD int nf_sched_threads(unsigned n, void *(*fn)(void *), void *item, size_t item_bytes,
                                  struct nf_err *err);

#define NF_SCHED_ACTORS(n, r, d) \
	{ \
		.name = "sched." n ".actors", .doc = (d), .setup = nf_sched_actors_setup, \
		.run = (r), .teardown = nf_sched_teardown, .facts = nf_sched_facts \
	}
#define NF_SCHED_THREADS(n, r, d) \
	{ \
		.name = "sched." n ".threads", .doc = (d), .setup = nf_sched_threads_setup, \
		.run = (r), .teardown = nf_sched_teardown, .facts = nf_sched_facts \
	}
/* int name(void *state, unsigned thread, uint64_t n, struct nf_err *err), by `how`(state, fn, n, err). */
#define NF_SCHED_RUN(name, how, fn) \
	static int name(void *state, unsigned thread, uint64_t n, struct nf_err *err) \
	{ \
		(void)thread; \
		return how(state, fn, n, err); \
	}

#endif
