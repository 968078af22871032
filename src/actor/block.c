/* SPDX-License-Identifier: MIT */
#include "actor/block.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actor/alloc.h"
#include "actor/chan.h"
#include "actor/join.h"
#include "actor/resume.h"
#include "actor/slab.h"
#include "actor/waits.h"

/* What an operation of the runtime needs of a stack, at most. Sanitizers' frames are larger. */
#if NF_FIBER_ASAN || NF_FIBER_TSAN
enum { RESERVE_BYTES = 8192 };
#else
enum { RESERVE_BYTES = 2560 };
#endif

void nf_block_init(void *item, uint64_t number, void *rt)
{
	struct nf_actor_block *a = item;

	a->rt = rt;
	a->index = (uint32_t)number + 1;
	a->word = NF_JOIN_DONE;
}

bool nf_block_bind(struct nf_wrk *w, struct nf_actor_block *a)
{
	struct nf_actor_rt *rt = w->rt;
	struct nf_stack *s = nf_pool_get(&rt->stacks, &w->stacks);

	if (NF_UNLIKELY(!s)) {
		int why = errno;

		a->end = NF_ACTOR_NOT_STARTED;
		nf_slab_why(rt, why, a->message, sizeof(a->message));
		nf_block_bury(w, a);
		return false;
	}
	a->stack = s;
	/* Where the next one to start will write first. */
	if (w->stacks.head) {
		__builtin_prefetch(w->stacks.head, 1);
		__builtin_prefetch((char *)w->stacks.head - 64, 1);
	}
	a->stack_low = (uintptr_t)s->low + RESERVE_BYTES;
	a->ctx.sp = s;
	a->ctx.pc = (void *)(uintptr_t)nf_actor_entry;
	a->ctx.fp = NULL;
	nf_fiber_make(&a->more.fiber, s->low, (size_t)((char *)s - s->low));
	return true;
}

void nf_block_bury(struct nf_wrk *w, struct nf_actor_block *a)
{
	struct nf_wrk_stats *s = &w->stats;
	struct nf_stack *stack = a->stack;

	if (NF_LIKELY(stack)) {
		nf_fiber_end(&a->more.fiber);
		a->stack = NULL;
		nf_pool_put(&w->rt->stacks, &w->stacks, stack);
	}
	if (NF_UNLIKELY(a->end != NF_ACTOR_RETURNED)) {
		nf_count(&s->panicked, a->end == NF_ACTOR_PANICKED);
		nf_count(&s->cancelled, a->end == NF_ACTOR_CANCELLED);
		nf_count(&s->overflowed, a->end == NF_ACTOR_OVERFLOWED);
	}
	/* Once the word says so, a joiner may be through with it. */
	if (nf_join_done(w, a))
		nf_block_free(w, a);
	nf_count(&s->ended, 1u);
}

void nf_block_free_outside(struct nf_actor_block *a)
{
	struct nf_actor_rt *rt = a->rt;

	pthread_mutex_lock(&rt->outside_lock);
	nf_block_next_generation(a);
	nf_pool_put(&rt->blocks, &rt->out_blocks, a);
	pthread_mutex_unlock(&rt->outside_lock);
}

/* ---- spawning ---- */

/* Everything but the generation. */
static void prepare(struct nf_actor_block *a, const struct nf_actor_opts *opts, nf_actor_fn *fn,
                    void *arg)
{
	a->stack = NULL;
	a->fn = fn;
	a->arg = arg;
	a->pin = 0;
	a->preempt_off = 0;
	a->end = NF_ACTOR_RETURNED;
	a->named = false;
	if (!opts)
		return;
	a->pin = opts->pin;
	if (opts->name) {
		a->named = true;
		memset(a->name, 0, sizeof(a->name));
		memcpy(a->name, opts->name, strnlen(opts->name, sizeof(a->name) - 1));
	}
}

/* Its handle, before anybody can run it. */
static struct nf_actor born(struct nf_actor_block *a, bool detached)
{
	uint64_t generation = nf_ld(&a->word) >> NF_GENERATION_SHIFT;

	nf_st_rel(&a->word, generation << NF_GENERATION_SHIFT |
	                            (detached ? NF_JOIN_DETACHED : NF_JOIN_RUNNING));
	return (struct nf_actor){ a, generation };
}

static int no_block(const struct nf_actor_rt *rt, struct nf_err *err)
{
	if (errno)
		return nf_fail(err, NF_ENOMEM, "no memory for one more actor");
	return nf_fail(err, NF_ENOMEM, "%u actors are alive: max_actors allows no more",
	               rt->knobs.max_actors);
}

static struct nf_actor_block *block_outside(struct nf_actor_rt *rt)
{
	struct nf_actor_block *a;

	pthread_mutex_lock(&rt->outside_lock);
	a = nf_pool_get(&rt->blocks, &rt->out_blocks);
	if (a)
		nf_count(&rt->out_stats.spawned, 1u);
	pthread_mutex_unlock(&rt->outside_lock);
	return a;
}

int nf_actor_spawn(struct nf_actor_rt *rt, const struct nf_actor_opts *opts, nf_actor_fn *fn,
                   void *arg, struct nf_actor *ret, struct nf_err *err)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_block *a;
	struct nf_actor handle;

	if (w && rt && w->rt != rt)
		w = NULL;
	if (!rt && !w)
		return nf_fail(err, NF_EARG, "an actor spawned outside of actors needs a runtime");
	if (!rt)
		rt = w->rt;
	if (opts && opts->pin > rt->n_workers)
		return nf_fail(err, NF_EARG, "pin %u: the runtime has workers 1..%u", opts->pin,
		               rt->n_workers);
	if (w) {
		nf_enter(w);
		a = nf_pool_get(&rt->blocks, &w->blocks);
	} else {
		a = block_outside(rt);
	}
	if (NF_UNLIKELY(!a)) {
		if (w)
			nf_leave(w);
		return no_block(rt, err);
	}
	prepare(a, opts, fn, arg);
	handle = born(a, !ret);
	if (w) {
		nf_count(&w->stats.spawned, 1u);
		nf_ready_back(w, a);
		if (NF_UNLIKELY(nf_ld(&rt->n_sleeping)))
			nf_wake_for(w);
		nf_leave(w);
	} else {
		nf_ready_elsewhere(NULL, a, a->pin);
	}
	if (ret)
		*ret = handle;
	return 0;
}

/* ---- the first moment and the last ---- */

/* Called by nf_actor_entry, on the new stack, by whoever switched here. Inside. */
void nf_actor_main(struct nf_wrk *w);
void nf_actor_main(struct nf_wrk *w)
{
	struct nf_actor_block *a = w->current;
	void *value;

	nf_fiber_arrive(NULL);
	if (NF_UNLIKELY(w->save_fpu))
		nf_fpu_load(NF_FPU_DEFAULT);
	nf_commit(w);
	if (nf_is_cancelled(a))
		nf_block_end_cancelled(w);
	nf_leave(w);
	value = a->fn(a->arg);
	if (NF_UNLIKELY(a->cleanups)) {
		a->cleanups = NULL;
		nf_actor_panic("returned with a clean-up pushed");
	}
	nf_block_end(NF_ACTOR_RETURNED, value, NULL);
}

static void note(struct nf_actor_block *a, const char *message)
{
	size_t n = strnlen(message, sizeof(a->message) - 1);

	memcpy(a->message, message, n);
	a->message[n] = '\0';
}

void nf_block_end(enum nf_actor_end end, void *value, const char *message)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_block *a;

	if (!w)
		__builtin_trap(); /* a caller's bug: there is no actor to end */
	a = w->current;
	a->preempt_off++;
	if (NF_UNLIKELY(end != NF_ACTOR_RETURNED))
		note(a, message ? message : "");
	a->end = (uint8_t)end;
	while (NF_UNLIKELY(a->cleanups)) {
		struct nf_actor_cleanup *c = a->cleanups;

		a->cleanups = c->below;
		c->fn(c->arg);
	}
	if (NF_UNLIKELY(a->heap))
		nf_heap_free_all(a);
	a->arg = value;
	nf_waits_exit();
}

void nf_waits_exit_body(void)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_block *a = w->current, *next;

	nf_enter(w);
	w->pending = a;
	w->pending_kind = NF_PEND_EXIT;
	next = nf_pick_bound(w);
	nf_resume(w, (struct nf_actor_side){ &w->dead_ctx, &w->dead_more }, next, true);
	__builtin_unreachable();
}

void nf_block_end_cancelled(struct nf_wrk *w)
{
	nf_leave(w);
	nf_block_end(NF_ACTOR_CANCELLED, NULL, "cancelled");
}

void nf_block_end_unready(struct nf_wrk *w)
{
	nf_leave(w);
	nf_block_end(NF_ACTOR_PANICKED, NULL, "waits with preemption off, or in a clean-up");
}

/* ---- the public ones ---- */

void nf_actor_exit(void *value)
{
	nf_block_end(NF_ACTOR_RETURNED, value, NULL);
}

void nf_actor_panic(const char *message)
{
	nf_block_end(NF_ACTOR_PANICKED, NULL, message);
}

void nf_actor_panicf(const char *fmt, ...)
{
	char message[NF_ACTOR_MESSAGE_BYTES];
	va_list args;

	va_start(args, fmt);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it was started a line above */
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	nf_block_end(NF_ACTOR_PANICKED, NULL, message);
}

void nf_actor_cleanup_push(struct nf_actor_cleanup *c)
{
	struct nf_actor_block *a = nf_wrk_self()->current;

	c->below = a->cleanups;
	a->cleanups = c;
}

void nf_actor_cleanup_pop(bool run)
{
	struct nf_actor_block *a = nf_wrk_self()->current;
	struct nf_actor_cleanup *c = a->cleanups;

	if (!c)
		return;
	a->cleanups = c->below;
	if (run)
		c->fn(c->arg);
}

struct nf_actor nf_actor_self(void)
{
	struct nf_wrk *w = nf_wrk_self();

	if (!w)
		return (struct nf_actor){ 0 };
	return (struct nf_actor){ w->current, nf_ld(&w->current->word) >> NF_GENERATION_SHIFT };
}

const char *nf_actor_name(void)
{
	struct nf_wrk *w = nf_wrk_self();

	return w && w->current->named ? w->current->name : "";
}

uint32_t nf_actor_worker(void)
{
	struct nf_wrk *w = nf_wrk_self();

	return w ? w->number : 0;
}

struct nf_actor_rt *nf_actor_rt_current(void)
{
	struct nf_wrk *w = nf_wrk_self();

	return w ? w->rt : NULL;
}
