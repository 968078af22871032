/* SPDX-License-Identifier: MIT */
/* A program to stop in: an actor in the middle of its work, and one that comes back from
 * waiting. */
#include "noisefloor/actor.h"

void stop_here(void);
__attribute__((noinline)) void stop_here(void)
{
	__asm__ volatile("");
}

static void *inner(void *arg)
{
	struct nf_actor_msg m;

	if (nf_chan_recv(arg, &m) == 0)
		stop_here();
	return arg;
}

static void *outer(void *arg)
{
	struct nf_chan *c;
	struct nf_actor a;

	if (nf_chan_new(NULL, &c, NULL) != 0 || nf_actor_spawn(NULL, NULL, inner, c, &a, NULL) != 0)
		return NULL;
	nf_actor_yield();
	if (nf_chan_send(c, (struct nf_actor_msg){ 0 }) != 0 || nf_actor_join(a, NULL, NULL) != 0)
		return NULL;
	return arg;
}

int main(void)
{
	struct nf_actor_knobs k;
	struct nf_actor_rt *rt;
	struct nf_actor_status s = { 0 };

	nf_actor_knobs_init(&k);
	k.workers = 1;
	if (nf_actor_rt_new(&k, &rt, NULL) != 0)
		return 1;
	if (nf_actor_rt_run(rt, outer, &k, &s, NULL) != 0)
		return 1;
	nf_actor_rt_free(rt);
	return s.value != &k;
}
