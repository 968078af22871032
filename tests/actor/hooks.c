/* SPDX-License-Identifier: MIT */
#include "hooks.h"

#include <sched.h>
#include <stddef.h>

void (*hooks_at)(enum nf_actor_point point);
unsigned hooks_migrate_every;
enum nf_actor_break hooks_broken;
bool hooks_no_membarrier;
uint64_t hooks_seed = 1;

static __thread uint64_t random_state;
static __thread unsigned woken;
static uint64_t threads;

static uint64_t next_random(void)
{
	uint64_t x = random_state;

	if (x == 0)
		x = (hooks_seed + nf_add(&threads, 1)) * 0x9e3779b97f4a7c15u | 1;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	random_state = x;
	return x;
}

__attribute__((noinline)) void hooks_perturb(enum nf_actor_point point)
{
	uint64_t r = next_random();

	(void)point;
	if (r % 64 == 0)
		sched_yield();
	else if (r % 8 == 0)
		for (unsigned i = 0; i < r / 64 % 512; i++)
			nf_relax();
}

__attribute__((noinline)) void nf_actor_hook(enum nf_actor_point point)
{
	if (hooks_at)
		hooks_at(point);
}

__attribute__((noinline)) bool nf_actor_hook_migrate(void)
{
	return hooks_migrate_every && ++woken % hooks_migrate_every == 0;
}

bool nf_actor_hook_broken(enum nf_actor_break what)
{
	return hooks_broken == what;
}

bool nf_actor_hook_membarrier(void)
{
	return !hooks_no_membarrier;
}
