/* SPDX-License-Identifier: MIT */
/*
 * layout - the structs of the runtime and who may touch what.
 *
 * Blocks, channels, nodes and alarms come from pools and stay what they are until the runtime is
 * freed: a stale pointer to one can be looked at, and a generation or a sequence number tells
 * that it is stale. A worker's private state is covered by its lock (enter.h).
 */
#ifndef NF_ACTOR_LAYOUT_H
#define NF_ACTOR_LAYOUT_H

#include <pthread.h>

#include "actor/pool.h"
#include "actor/switch.h"
#include "noisefloor/actor.h"

#define NF_LINE __attribute__((aligned(64)))

/* What is at the top end of a stack, above its first frame. */
struct nf_stack {
	struct nf_pool_item item;
	char *low; /* the lowest byte that may be used */
};

/* ---- the join word: generation, joiner, state ---- */
enum {
	NF_JOIN_RUNNING = 0,
	NF_JOIN_DONE = 1, /* with a joiner: kept for that one */
	NF_JOIN_DETACHED = 2,
	NF_JOIN_JOINED = 3, /* the joiner waits */
	NF_JOIN_STATE = 3,
	NF_JOIN_CANCEL = 4,
};
#define NF_JOINER_SHIFT 3
#define NF_JOINER_BITS 28
#define NF_JOINER_MASK ((((uint64_t)1 << NF_JOINER_BITS) - 1) << NF_JOINER_SHIFT)
/* Actors up to 2^27; then tickets of threads outside; then who wants it gone. */
#define NF_JOINER_OUTSIDE (((uint32_t)1 << 27) + 1)
#define NF_JOINER_TICKETS (((uint32_t)1 << 27) - 4)
#define NF_JOINER_NOBODY (((uint32_t)1 << NF_JOINER_BITS) - 1)
#define NF_GENERATION_SHIFT 31

/* ---- the wake word of a wait on several things: sequence number, state ---- */
enum {
	NF_WAKE_ARMING = 0,
	NF_WAKE_NOTIFIED = 1,
	NF_WAKE_PARKED = 2,
	NF_WAKE_CLAIMED = 3,
	NF_WAKE_STATE = 3
};

/* By lines of the cache: what waking and joining touch; what running and ending do; the rest. */
struct nf_actor_block {
	union {
		struct nf_pool_item item; /* .next is the run queue's link */
		struct {
			void *link;
			struct nf_actor_ctx ctx; /* a free one has no context */
		};
	};
	uint64_t word; /* the join word */
	uint64_t wake; /* the wake word */
	uint64_t seq; /* of the last wait on several things */
	uint32_t pin; /* 1 + worker; 0: any */
	uint16_t preempt_off;
	bool named;
	uint8_t end; /* nf_actor_end */

	struct nf_stack *stack; /* NULL before it runs first */
	uintptr_t stack_low; /* below it no operation of the runtime fits any more */
	nf_actor_fn *fn;
	void *arg; /* in: the argument; out: the value */
	struct nf_actor_cleanup *cleanups; /* NULL in a free one */
	struct nf_actor_heap_item
	        *heap; /* what it took with nf_actor_alloc(); NULL in a free one */
	/* What it waits for, or did; read by who cancels it. */
	struct nf_chan *wait_chan;
	struct nf_actor_block *wait_join;

	struct nf_actor_ctx_more more;
	struct nf_actor_rt *rt;
	uint32_t index; /* in the pool, from 1 */
	char name[NF_ACTOR_NAME_BYTES];
	char message[NF_ACTOR_MESSAGE_BYTES];
} NF_LINE;

/* A message lies in the node before the one that its sender brought: it and the sign that it is
 * there are one line of the cache. The last node of a channel is always empty. */
struct nf_actor_node {
	struct nf_actor_node *next;
	struct nf_actor_msg msg;
	uint32_t from; /* 1 + the worker of its sender; 0: outside */
} __attribute__((aligned(32)));

/* Low bits of a channel's head: it is empty, and its receiver waits for it alone, or for several
 * things. */
#define NF_CHAN_ALONE ((uintptr_t)1)
#define NF_CHAN_AMONG ((uintptr_t)2)
#define NF_CHAN_WAITS ((uintptr_t)3)

/* By lines of the cache: what seldom changes; what senders and the receiver change; the
 * receiver's. */
struct nf_chan {
	struct nf_pool_item item;
	struct nf_wrk
	        *owner; /* only this worker touches it, with plain operations; NULL: anybody */
	struct nf_actor_rt *rt;
	uint64_t taken; /* times it was made or freed; a stale alarm is told by that */
	uint32_t bias_at; /* such a streak makes it the receiver's worker's; doubled if revoked */
	bool closed;

	uintptr_t head NF_LINE; /* the last node pushed, and the bits */
	struct nf_actor_block *waiter; /* set before a bit is */
	uint64_t wait_seq;
	uint32_t waiter_pin; /* the waiter's, whose own line is busy on its worker */

	struct nf_actor_node *tail NF_LINE; /* the node of the next message */
	uint32_t streak; /* messages from the receiver's own worker in a row */
} NF_LINE;

/* In the low bits of an alarm's state, with NF_ALARM_INBOX: it is on its way to its worker. */
enum nf_alarm_state {
	NF_ALARM_FREE,
	NF_ALARM_ARMED,
	NF_ALARM_CANCELLED,
	NF_ALARM_FIRED,
	NF_ALARM_INBOX
};
#define NF_ALARM_GENERATION_SHIFT 3

/* One timer: wakes an actor's wait, or sends a message. */
struct nf_actor_alarm {
	struct nf_pool_item item;
	uint64_t state; /* generation, NF_ALARM_INBOX, nf_alarm_state */
	struct nf_wrk *wrk; /* whose heap it is in */
	struct nf_actor_block *actor; /* NULL: a message */
	uint64_t seq;
	int64_t deadline_ns;
	uint32_t at; /* its place there; NF_ALARM_NOWHERE */
	struct nf_actor_alarm *inbox_next;
	struct nf_chan *chan;
	uint64_t chan_taken; /* another: the channel is gone */
	struct nf_actor_msg msg;
} NF_LINE;
#define NF_ALARM_NOWHERE UINT32_MAX

/* Why the context before this one was left; carried out by the one after it. */
enum nf_pending {
	NF_PEND_NONE,
	NF_PEND_RECV,
	NF_PEND_QUEUE,
	NF_PEND_WAKE,
	NF_PEND_JOIN,
	NF_PEND_EXIT
};

struct nf_wrk_stats {
	uint64_t spawned, ended, panicked, cancelled, overflowed, switches, preempted, sent,
	        received, stolen, donated, rescued, injected, wakes, sleeps, timers_fired,
	        timers_cancelled, biased, revoked, stalled;
};

/* An intrusive queue of ready actors. */
struct nf_run_queue {
	struct nf_actor_block *head, *tail;
	uint32_t n; /* read by others */
};

struct nf_timer_slot {
	int64_t deadline_ns;
	struct nf_actor_alarm *alarm;
};

struct nf_wrk {
	/* Every operation. */
	uint32_t busy; /* the owner is inside: enter.h */
	uint32_t thief; /* NF_THIEF_...: somebody else is, or the slow way is to be taken */
	struct nf_actor_block *current; /* NULL: the worker's own context */
	struct nf_actor_block *lifo;
	uint32_t lifo_left;
	uint32_t poll_left; /* picks until the shared queue and the timers are looked at */
	struct nf_actor_node *spare; /* the node freed last: the next message's, without a count */
	struct nf_actor_node
	        *ready; /* one whose line is this worker's already, for what leaves it */
	struct nf_actor_block *pending;
	enum nf_pending pending_kind;
	uint32_t countdown; /* alloc, send, checkpoint calls until the ticks are read */
	struct nf_run_queue queue NF_LINE;
	uint64_t slice_start; /* ticks */
	uint64_t slice_switches; /* stats.switches then: with another it is another's slice */
	struct nf_pool_cache nodes;
	struct nf_actor_rt *rt;
	/* The knobs in force. */
	uint32_t alloc_interval;
	uint32_t lifo_cap;
	uint64_t timeslice_ticks;
	bool save_fpu, solo, shared_queue;
	uint32_t number; /* from 1 */
	/* Less often. */
	struct nf_pool_cache blocks NF_LINE;
	struct nf_pool_cache stacks, chans, alarms;
	struct nf_timer_slot *timers; /* 4-ary heap */
	uint32_t n_timers, cap_timers;
	int64_t next_ns; /* the earliest of them; INT64_MAX: none; read by others */
	uint32_t wake_skip; /* pushes that need not think of waking somebody */
	int64_t found_ns; /* when it last found work after a search */
	struct nf_actor_ctx ctx; /* of the thread's own stack */
	struct nf_actor_ctx_more more;
	struct nf_actor_ctx dead_ctx; /* where a context that never comes back is saved */
	struct nf_actor_ctx_more dead_more;
	char *panic_stack; /* clean-ups of an actor whose stack overflowed run here */
	char *signal_stack;
	size_t signal_stack_bytes;
	pthread_t thread;
	bool started;
	struct nf_wrk_stats stats NF_LINE;
	/* Written by others. */
	struct nf_actor_block *slot NF_LINE; /* a pinned actor; where it is taken: */
	struct nf_actor_block *inbox; /* more of them, last in first */
	struct nf_actor_alarm *alarm_inbox;
	uint32_t sleeping; /* futex: 1 asleep */
	/* What a searcher saw of each other worker: steal.c. */
	struct nf_wrk_sight *sights;
} NF_LINE;

struct nf_wrk_sight {
	uint64_t switches;
	int64_t since_ns;
};

struct nf_actor_rt {
	struct nf_actor_knobs knobs;
	struct nf_wrk *workers;
	uint32_t n_workers;
	bool asym, solo;
	size_t page_bytes, guard_bytes;
	size_t slot_bytes; /* of a stack, its guard and what separates it from the next */
	int64_t wake_ns;
	char *slab;
	size_t slab_bytes;
	struct nf_pool blocks, stacks, nodes, chans, alarms;
	pthread_mutex_t bias_lock;
	pthread_mutex_t outside_lock; /* the caches and counters of threads that are no workers */
	struct nf_pool_cache out_blocks, out_nodes, out_chans, out_alarms;
	struct nf_wrk_stats out_stats;

	/* Read at every scheduling decision, seldom written. */
	uint32_t wanted NF_LINE; /* a searcher would take actors */
	uint32_t unwatched; /* workers sleep, and none of them wakes by itself to look */
	uint32_t n_sleeping;
	uint32_t spinning;
	uint32_t searching; /* 1: somebody does */
	uint32_t sentinel; /* 1: a sleeping worker wakes now and then */
	uint32_t stop;
	int64_t wake_after_ns; /* no wake for parallelism's sake before */
	int64_t wake_every_ns;

	pthread_mutex_t inject_lock NF_LINE;
	struct nf_run_queue inject;
	uint32_t inject_n; /* as inject.n, for everybody */
	uint32_t quiet; /* futex: changes when all may have ended */
	uint32_t quiet_waiters;
	uint32_t outside_tickets;
	uint32_t outside_ops; /* threads outside that touch a channel now */
};

extern __thread struct nf_wrk *nf_wrk_tls __attribute__((tls_model("initial-exec")));

/* The calling thread's worker; NULL outside. Read anew each time: the thread is another one after a
 * switch, and compilers remember the address of a thread-local. */
#if defined(__x86_64__)
NF_INLINE struct nf_wrk *nf_wrk_self(void)
{
	struct nf_wrk *w;

	__asm__ volatile("movq nf_wrk_tls@gottpoff(%%rip), %0\n\t"
	                 "movq %%fs:(%0), %0"
	                 : "=r"(w)
	                 :
	                 : "memory");
	return w;
}
#else
struct nf_wrk *nf_wrk_self(void);
#endif

#endif
