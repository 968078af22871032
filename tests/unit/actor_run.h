/* SPDX-License-Identifier: MIT */
/* actor_run - a runtime for a test: few stacks, so that instrumented builds are quick. */
#ifndef NF_ACTOR_RUN_H
#define NF_ACTOR_RUN_H

#include "nf_unit.h"

#include "noisefloor/actor.h"

static inline struct nf_actor_knobs actor_test_knobs(uint32_t workers)
{
	struct nf_actor_knobs k;

	nf_actor_knobs_init(&k);
	k.workers = workers;
	k.max_actors = 4096;
	k.spin_ns = 20000;
	return k;
}

static inline struct nf_actor_rt *actor_test_rt(const struct nf_actor_knobs *k)
{
	struct nf_actor_rt *rt = NULL;
	struct nf_err err = { 0 };

	if (nf_actor_rt_new(k, &rt, &err) != 0)
		fail_msg("no runtime: %s", err.msg);
	return rt;
}

/* Runs fn in a runtime of its own; it must return. What it returned. */
static inline void *actor_test_run(uint32_t workers, nf_actor_fn *fn, void *arg)
{
	struct nf_actor_knobs k = actor_test_knobs(workers);
	struct nf_actor_rt *rt = actor_test_rt(&k);
	struct nf_actor_status s;
	struct nf_err err = { 0 };

	if (nf_actor_rt_run(rt, fn, arg, &s, &err) != 0)
		fail_msg("run: %s", err.msg);
	if (s.end != NF_ACTOR_RETURNED)
		fail_msg("ended as %d: %s", (int)s.end, s.message);
	nf_actor_rt_free(rt);
	return s.value;
}

/* Inside actors cmocka's asserts would jump to another stack: this ends the actor. */
#define ACTOR_CHECK(cond) \
	do { \
		if (!(cond)) \
			nf_actor_panicf("%s:%d: %s", strrchr("/" __FILE__, '/') + 1, __LINE__, \
			                #cond); \
	} while (0)

#endif
