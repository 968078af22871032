/* SPDX-License-Identifier: MIT */
/* One word tells everything about an actor's end: running, done, detached or joined, by whom,
 * whether it is to be cancelled, and the generation that makes a stale handle known. */
#include "actor/join.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "actor/chan.h"
#include "actor/preempt.h"
#include "actor/resume.h"
#include "actor/waits.h"

static uint64_t generation(uint64_t word)
{
	return word >> NF_GENERATION_SHIFT;
}

static uint32_t joiner(uint64_t word)
{
	return (uint32_t)((word & NF_JOINER_MASK) >> NF_JOINER_SHIFT);
}

static uint64_t with(uint64_t word, uint64_t state, uint32_t who)
{
	return (word & ~(NF_JOINER_MASK | NF_JOIN_STATE)) | (uint64_t)who << NF_JOINER_SHIFT |
	       state;
}

static const uint32_t *low_half(const uint64_t *word)
{
	return (const uint32_t *)(const void *)word; /* both processors are little-endian */
}

static int stale(struct nf_err *err)
{
	return nf_fail(err, NF_ENODATA,
	               "the handle is stale: the actor was joined, or ended detached");
}

static int taken(struct nf_err *err, uint64_t word)
{
	return nf_fail(err, NF_EEXIST, "%s",
	               (word & NF_JOIN_STATE) == NF_JOIN_DETACHED ? "the actor is detached"
	                                                          : "another one joins the actor");
}

NF_INLINE void fill(struct nf_actor_status *s, const struct nf_actor_block *b)
{
	if (!s)
		return;
	s->end = b->end;
	s->value = b->end == NF_ACTOR_RETURNED ? b->arg : NULL;
	s->name[0] = s->message[0] = '\0';
	if (b->named)
		memcpy(s->name, b->name, sizeof(s->name));
	if (b->end != NF_ACTOR_RETURNED)
		memcpy(s->message, b->message, sizeof(s->message));
}

/* Where the actor has ended, keeps it for `who`. 0: it is kept. 1: it runs. Else the error. */
NF_INLINE int look(struct nf_actor a, uint32_t who, bool solo, uint64_t *ret_word,
                   struct nf_err *err)
{
	uint64_t word = nf_ld_acq(&a.block->word);

	for (;;) {
		uint64_t state = word & NF_JOIN_STATE;

		*ret_word = word;
		if (generation(word) != a.generation)
			return stale(err);
		if (state == NF_JOIN_DETACHED ||
		    (joiner(word) && (joiner(word) != who || who == NF_JOINER_NOBODY)))
			return taken(err, word);
		if (state != NF_JOIN_DONE)
			return 1;
		if (joiner(word))
			return 0;
		if (nf_word_cas(solo, &a.block->word, &word, with(word, NF_JOIN_DONE, who)))
			return 0;
	}
}

/* ---- by an actor ---- */

/* After the joiner was left: it waits, or the other has ended already. */
void nf_commit_join(struct nf_wrk *w, struct nf_actor_block *a)
{
	struct nf_actor_block *t = nf_ld(&a->wait_join);
	uint64_t word = nf_ld_acq(&t->word), joined;

	do {
		if ((word & NF_JOIN_STATE) != NF_JOIN_RUNNING) {
			nf_ready_back(w, a);
			return;
		}
		joined = with(word, NF_JOIN_JOINED, a->index);
	} while (!nf_word_cas(w->solo, &t->word, &word, joined));
	/* It may run elsewhere by now, or be another one; the words say so. */
	if (nf_ld_seq(&a->word) & NF_JOIN_CANCEL)
		nf_join_unwait(w, a);
}

void nf_join_unwait(struct nf_wrk *w, struct nf_actor_block *a)
{
	struct nf_actor_block *t = nf_ld_acq(&a->wait_join);
	uint64_t word;

	if (!t)
		return;
	word = nf_ld_acq(&t->word);
	while ((word & NF_JOIN_STATE) == NF_JOIN_JOINED && joiner(word) == a->index)
		if (nf_word_cas(a->rt->solo, &t->word, &word, with(word, NF_JOIN_RUNNING, 0))) {
			if (w)
				nf_ready(w, a);
			else
				nf_ready_elsewhere(NULL, a, a->pin);
			return;
		}
}

/* Who joins has often spawned several: the first of the queue runs here, the rest is for whoever
 * sleeps, without the usual patience. */
static void offer(struct nf_wrk *w)
{
	if (NF_LIKELY(!nf_ld(&w->rt->n_sleeping)) || w->queue.n < 2)
		return;
	w->wake_skip = 1;
	nf_wake_for(w);
}

int nf_waits_join_body(struct nf_actor a, struct nf_actor_status *status, struct nf_err *err)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_block *self = w->current;
	uint64_t word;
	int r;

	if (self == a.block && generation(nf_ld(&a.block->word)) == a.generation)
		return nf_fail(err, NF_EARG, "an actor cannot join itself");
	nf_stack_check(w);
	nf_enter(w);
	for (;;) {
		/* A failure's message is formatted once the worker is left. */
		r = look(a, self->index, w->solo, &word, NULL);
		if (r != 1)
			break;
		if (nf_is_cancelled(self))
			nf_block_end_cancelled(w);
		if (NF_UNLIKELY(self->preempt_off))
			nf_block_end_unready(w);
		nf_st_rel(&self->wait_join, a.block);
		offer(w);
		w = nf_park(w, self, NF_PEND_JOIN);
	}
	if (r == 0) {
		fill(status, a.block);
		nf_block_free(w, a.block);
	}
	nf_leave(w);
	if (r == -NF_ENODATA)
		return stale(err);
	return r < 0 ? taken(err, word) : 0;
}

/* ---- by a thread ---- */

static int look_outside(struct nf_actor a, uint32_t who, uint64_t *ret_word, struct nf_err *err)
{
	struct nf_actor_rt *rt = a.block->rt;
	int r;

	nf_outside_enter(rt);
	r = look(a, who, rt->solo, ret_word, err);
	if (r == 1) {
		uint64_t word = *ret_word;

		if ((word & NF_JOIN_STATE) == NF_JOIN_RUNNING &&
		    nf_word_cas(rt->solo, &a.block->word, &word, with(word, NF_JOIN_JOINED, who)))
			*ret_word = with(word, NF_JOIN_JOINED, who);
	}
	nf_outside_leave(rt);
	return r;
}

static int join_outside(struct nf_actor a, struct nf_actor_status *status, struct nf_err *err)
{
	uint32_t ticket = nf_add(&a.block->rt->outside_tickets, 1) % NF_JOINER_TICKETS;
	uint32_t who = NF_JOINER_OUTSIDE + ticket;
	uint64_t word;
	int r;

	while ((r = look_outside(a, who, &word, err)) == 1)
		if ((word & NF_JOIN_STATE) == NF_JOIN_JOINED)
			syscall(SYS_futex, low_half(&a.block->word), FUTEX_WAIT_PRIVATE,
			        (uint32_t)word, NULL, NULL, 0);
	if (r < 0)
		return r;
	fill(status, a.block);
	nf_block_free_outside(a.block);
	return 0;
}

bool nf_join_done(struct nf_wrk *w, struct nf_actor_block *a)
{
	uint64_t word = nf_ld_acq(&a->word);
	uint32_t who;

	do {
		if ((word & NF_JOIN_STATE) == NF_JOIN_DETACHED)
			return true;
	} while (!nf_word_cas(w->solo, &a->word, &word,
	                      with(word & ~(uint64_t)NF_JOIN_CANCEL, NF_JOIN_DONE, joiner(word))));
	who = joiner(word);
	if (who >= NF_JOINER_OUTSIDE)
		syscall(SYS_futex, low_half(&a->word), FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	else if (who)
		nf_ready(w, nf_pool_at(&w->rt->blocks, who - 1));
	return false;
}

/* ---- the public ones ---- */

int nf_actor_join(struct nf_actor a, struct nf_actor_status *status, struct nf_err *err)
{
	struct nf_wrk *w = nf_wrk_self();

	if (!a.block)
		return nf_fail(err, NF_EARG, "no actor to join");
	if (w && w->rt == a.block->rt)
		return nf_waits_join(a, status, err);
	return join_outside(a, status, err);
}

int nf_actor_detach(struct nf_actor a, struct nf_err *err)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_rt *rt;
	uint64_t word;
	int r;

	if (!a.block)
		return nf_fail(err, NF_EARG, "no actor to detach");
	rt = a.block->rt;
	if (w && w->rt != rt)
		w = NULL;
	if (w)
		nf_enter(w);
	else
		nf_outside_enter(rt);
	do {
		r = look(a, NF_JOINER_NOBODY, rt->solo, &word, NULL);
		if (r == 1 && joiner(word))
			r = -NF_EEXIST;
	} while (r == 1 &&
	         !nf_word_cas(rt->solo, &a.block->word, &word, with(word, NF_JOIN_DETACHED, 0)));
	if (r == 0 && w)
		nf_block_free(w, a.block);
	if (w)
		nf_leave(w);
	else
		nf_outside_leave(rt);
	if (r == 0 && !w)
		nf_block_free_outside(a.block);
	if (r == -NF_ENODATA)
		return stale(err);
	return r < 0 ? taken(err, word) : 0;
}

/* ---- cancelling ---- */

/* Wakes it from whatever it waits for; at worst it is woken for nothing. w NULL: outside. */
static void unwait(struct nf_wrk *w, struct nf_actor_block *b)
{
	struct nf_chan *c = nf_ld_seq(&b->wait_chan);

	if (c)
		nf_chan_kick(w, c);
	if (!w)
		nf_outside_enter(b->rt);
	nf_join_unwait(w, b);
	nf_wake_claim(w, b, nf_ld_seq(&b->wake) >> 2);
	if (!w)
		nf_outside_leave(b->rt);
}

int nf_actor_cancel(struct nf_actor a, struct nf_err *err)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_rt *rt;
	uint64_t word;
	bool done;

	if (!a.block)
		return nf_fail(err, NF_EARG, "no actor to cancel");
	rt = a.block->rt;
	if (w && w->rt != rt)
		w = NULL;
	if (w)
		nf_enter(w);
	else
		nf_outside_enter(rt);
	word = nf_ld_acq(&a.block->word);
	do
		done = generation(word) != a.generation || (word & NF_JOIN_STATE) == NF_JOIN_DONE;
	while (!done && !nf_word_cas(rt->solo, &a.block->word, &word, word | NF_JOIN_CANCEL));
	if (!w)
		nf_outside_leave(rt);
	if (done) {
		if (w)
			nf_leave(w);
		return nf_fail(err, NF_ENODATA, "the actor has ended already");
	}
	if (w && !rt->solo)
		nf_leave(w);
	if (!w || !rt->solo)
		nf_asym_fence(rt);
	if (w && !rt->solo)
		nf_enter(w);
	unwait(w, a.block);
	if (w)
		nf_leave(w);
	return 0;
}
