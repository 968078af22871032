/* SPDX-License-Identifier: MIT */
/*
 * actor - an M:N actor runtime: many actors with stacks of their own on a few worker threads.
 *
 *   static void *hello(void *arg)
 *   {
 *           return arg; // what the joiner finds in status.value
 *   }
 *
 *   struct nf_actor_knobs k;
 *   struct nf_actor_rt *rt;
 *   struct nf_actor_status s;
 *
 *   nf_actor_knobs_init(&k);
 *   if (nf_actor_rt_new(&k, &rt, &err) == 0 && nf_actor_rt_run(rt, hello, NULL, &s, &err) == 0)
 *           ...
 *   nf_actor_rt_free(rt);
 *
 * Who may call what
 *   "actor": only from an actor. "anywhere": from an actor, or from any thread ("outside"). An outside
 *   thread may make and end a runtime, spawn, join, cancel, make channels, send, close and set timers.
 *   It never receives. An actor of another runtime counts as outside.
 *
 * Switch points
 *   An actor keeps its worker until it calls a function marked "switches": recv, select, join, sleep,
 *   yield, and, once its time slice is used up, alloc, send and checkpoint. It may go on on another
 *   worker, that is on another thread.
 *
 * What an actor may do
 *   - It may call anything that does not wait. A call that blocks (read on a pipe, a contended mutex,
 *     sleep(3)) blocks its worker. The others go on: what waits behind it is taken over, but for
 *     actors pinned to that worker; with one worker nothing goes on.
 *   - It must not hold a mutex, or any lock that belongs to a thread, over a switch point.
 *     nf_actor_preempt_off() keeps alloc, send and checkpoint from being one.
 *   - Thread-local variables and errno belong to the worker. A value is not kept over a switch point, and
 *     compilers keep the ADDRESS over one: read errno before the next switch point, or through
 *     nf_actor_errno(). Store nothing in thread-local variables.
 *   - Floating point: rounding mode, traps and flags must be the default ones at a switch point, unless
 *     the runtime was made with save_fpu. Values are always safe.
 *   - Signals are delivered to threads: mask them as the program needs before it makes the runtime
 *     (workers inherit the mask). A handler may call nothing from here. longjmp within one actor is fine,
 *     from one into another is not.
 *   - fork() in an actor: the child may only exec or _exit.
 *   - vfork-like tricks with the stack, shadow stacks (CET) and split stacks do not work; a runtime is
 *     refused on a thread with an active shadow stack.
 *
 * Errors: 0 or -NF_E... as everywhere; ret_ outputs are untouched on failure. Threads: as said above.
 */
#ifndef NOISEFLOOR_ACTOR_H
#define NOISEFLOOR_ACTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <noisefloor/err.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nf_actor_rt; /* a runtime: its workers, stacks, queues */
struct nf_chan; /* an unbounded channel of messages: many senders, one receiver at a time */

/* ---- runtimes ---- */

enum nf_actor_run_queue {
	NF_ACTOR_STEALING, /* each worker has its own queue; idle ones take from the others */
	NF_ACTOR_SHARED, /* one queue for all: what that costs can be measured */
};

enum nf_actor_guard {
	NF_ACTOR_GUARD_AUTO, /* the first of the next two that the kernel has */
	NF_ACTOR_GUARD_INSTALL, /* MADV_GUARD_INSTALL, Linux 6.13: no mapping of its own */
	NF_ACTOR_GUARD_MPROTECT, /* two mappings a stack: about vm.max_map_count / 2 stacks */
	NF_ACTOR_GUARD_NONE, /* an overflow runs into the neighbour's stack */
};

/* Each runtime has its own values; several runtimes in one process may differ. */
struct nf_actor_knobs {
	uint32_t workers; /* exact count, 1..256; 0: as many as CPUs this process may use */
	uint32_t alloc_interval; /* >= 1: so many allocs, sends, checkpoints read the ticks once */
	uint64_t timeslice_ticks; /* ... and yields when these are used up. 0: at each of them */
	size_t stack_bytes; /* 16 KiB..1 GiB, rounded up to pages; a guard comes on top */
	uint32_t max_actors; /* 1..2^27: stacks are reserved, not used, for that many */
	uint64_t max_messages; /* waiting in all channels together */
	int64_t spin_ns; /* an idle worker looks for work so long; -1: as long as a wake costs */
	int64_t timer_slack_ns; /* 0..1 s: timers so close fire together where the worker slept */
	uint32_t lifo_cap; /* woken actors run first, so many in a row (1,024 at most); 0: never */
	enum nf_actor_run_queue run_queue;
	enum nf_actor_guard guard;
	bool save_fpu; /* rounding mode, traps and flags are each actor's own */
	const int
	        *cpus; /* worker i runs on cpus[i % n_cpus] alone; borrowed until rt_new returns */
	size_t n_cpus; /* 0: not bound */
};

/* The defaults: one worker per CPU, alloc_interval 128, timeslice_ticks 300,000, 64 KiB stacks,
 * 262,144 actors, 2^26 messages, spin_ns -1, timer_slack_ns 100,000, lifo_cap 32, stealing,
 * guard auto, nothing saved, nothing bound. */
NF_API void nf_actor_knobs_init(struct nf_actor_knobs *ret);

/* Starts the workers. knobs NULL: the defaults. -NF_EARG: a knob is out of its range.
 * -NF_EUNSUPPORTED: shadow stacks, or a guard that this kernel has not. -NF_EOS, -NF_ENOMEM: the
 * message names the limit that was met. Anywhere. */
NF_API NF_NODISCARD int nf_actor_rt_new(const struct nf_actor_knobs *knobs,
                                        struct nf_actor_rt **ret_rt, struct nf_err *err);
/* Waits until every actor has ended. Outside only. */
NF_API void nf_actor_rt_wait(struct nf_actor_rt *rt);
/* Cancels every actor, waits until all have ended (one that never comes to a switch point keeps
 * it waiting), ends the workers, gives everything back: handles and channels too. NULL is fine.
 * Outside only. */
NF_API void nf_actor_rt_free(struct nf_actor_rt *rt);
/* The runtime of the calling actor; NULL outside. Anywhere. */
NF_API struct nf_actor_rt *nf_actor_rt_current(void);
/* The knobs as they are in force (workers, stack_bytes, spin_ns and guard resolved). cpus is
 * NULL. */
NF_API void nf_actor_rt_knobs(const struct nf_actor_rt *rt, struct nf_actor_knobs *ret);

/* Counted since the runtime was made, over all workers; read while they run, so not one instant. */
struct nf_actor_stats {
	uint64_t spawned, ended, panicked, cancelled, overflowed; /* actors */
	uint64_t switches; /* resumes of an actor */
	uint64_t preempted; /* of those that ended by a used-up time slice */
	uint64_t sent, received; /* messages */
	uint64_t stolen, donated, rescued; /* actors that changed the worker, and why */
	uint64_t injected; /* through the shared queue */
	uint64_t wakes, sleeps; /* of workers */
	uint64_t timers_fired, timers_cancelled;
	uint64_t biased, revoked; /* channels that came to belong to one worker, and no longer */
	uint64_t stalled; /* times a receiver met a sender in mid-push */
	uint64_t stacks, blocks, nodes, channels; /* made so far; never given back before rt_free */
	int64_t wake_ns; /* what a wake of a worker costs here; 0: not measured */
	int64_t spin_ns; /* in force */
	bool switch_inlined; /* the context switch is part of recv, yield, ... */
	bool asymmetric; /* membarrier(2) works: no locked operations for a worker's own queue */
};
NF_API void nf_actor_rt_stats(const struct nf_actor_rt *rt, struct nf_actor_stats *ret);

/* ---- actors ---- */

/* A handle. It stays valid to pass for as long as the runtime lives, and is recognised as stale
 * once the actor was joined, or has ended detached. */
struct nf_actor {
	struct nf_actor_block *block;
	uint64_t generation;
};

enum nf_actor_end {
	NF_ACTOR_RETURNED, /* value is what its function returned, or gave to nf_actor_exit() */
	NF_ACTOR_PANICKED, /* message says why */
	NF_ACTOR_OVERFLOWED, /* its stack overflowed */
	NF_ACTOR_CANCELLED,
	NF_ACTOR_NOT_STARTED, /* no stack could be had; message names the limit */
};

enum { NF_ACTOR_NAME_BYTES = 24, NF_ACTOR_MESSAGE_BYTES = 104 };

struct nf_actor_status {
	enum nf_actor_end end;
	void *value; /* NULL unless RETURNED */
	char name[NF_ACTOR_NAME_BYTES]; /* "" when it had none */
	char message[NF_ACTOR_MESSAGE_BYTES]; /* "" unless it ended badly */
};

typedef void *nf_actor_fn(void *arg);

struct nf_actor_opts {
	const char *name; /* copied, cut to 23 bytes; NULL: none */
	uint32_t pin; /* 1 + the worker it always runs on; 0: any */
};

/* A new actor that runs fn(arg). rt NULL: the caller's own. opts NULL: no name, any worker. ret
 * NULL: detached from the start. -NF_ENOMEM: max_actors are alive. Anywhere. */
NF_API NF_NODISCARD int nf_actor_spawn(struct nf_actor_rt *rt, const struct nf_actor_opts *opts,
                                       nf_actor_fn *fn, void *arg, struct nf_actor *ret,
                                       struct nf_err *err);
/* Waits until it has ended; the handle is stale afterwards. status NULL: not wanted. -NF_EARG:
 * itself. -NF_EEXIST: somebody else joins it, or it is detached. -NF_ENODATA: stale. Anywhere;
 * an actor switches, a thread blocks. */
NF_API NF_NODISCARD int nf_actor_join(struct nf_actor a, struct nf_actor_status *status,
                                      struct nf_err *err);
/* Nobody will join it. Errors as nf_actor_join. Anywhere. */
NF_API NF_NODISCARD int nf_actor_detach(struct nf_actor a, struct nf_err *err);
/* Asks it to end: at its next switch point, or where it waits now, its clean-ups run and it ends as
 * CANCELLED. -NF_ENODATA: it has ended already, or is stale. Anywhere. */
NF_API NF_NODISCARD int nf_actor_cancel(struct nf_actor a, struct nf_err *err);
/* spawn and join. Outside only. */
NF_API NF_NODISCARD int nf_actor_rt_run(struct nf_actor_rt *rt, nf_actor_fn *fn, void *arg,
                                        struct nf_actor_status *status, struct nf_err *err);

/* Of the calling actor. Outside: block NULL, "" and 0. Anywhere. */
NF_API struct nf_actor nf_actor_self(void);
NF_API const char *nf_actor_name(void);
NF_API uint32_t nf_actor_worker(void); /* 1 + the worker it runs on now */

/* ---- ending ---- */

/* Run in reverse order when the actor ends by exit, panic, overflow or cancel: they free what it
 * holds. They must not switch. The struct is the caller's and lives until it is popped. */
struct nf_actor_cleanup {
	void (*fn)(void *arg);
	void *arg;
	struct nf_actor_cleanup *below; /* the runtime's */
};
/* Actor. A function that pushed one pops it before it returns; an actor that returns with one
 * left is reported as PANICKED, and what is left does not run (its frame is gone). */
NF_API void nf_actor_cleanup_push(struct nf_actor_cleanup *c);
NF_API void nf_actor_cleanup_pop(bool run);

/* Ends the calling actor. Outside an actor they abort the program. */
NF_API void nf_actor_exit(void *value) __attribute__((noreturn));
/* message is copied, cut to 103 bytes. Other actors go on; the joiner sees it. */
NF_API void nf_actor_panic(const char *message) __attribute__((noreturn));
NF_API void nf_actor_panicf(const char *fmt, ...) NF_PRINTF(1, 2) __attribute__((noreturn));

/* ---- time ---- */

/* CLOCK_MONOTONIC in ns: what deadlines are given in. */
NF_API int64_t nf_actor_now_ns(void);
/* Lets the others run. Actor; switches. Outside it does nothing. */
NF_API void nf_actor_yield(void);
/* At least that long; <= 0 yields. Actor; switches. */
NF_API void nf_actor_sleep(int64_t ns);

/* Preemption: each of alloc, send and checkpoint counts. Anywhere. */
NF_API void nf_actor_checkpoint(void);
/* malloc(3) that counts, of memory that is freed when the actor ends, if not before. Aligned to 16
 * bytes. NULL: no memory. Belongs to the actor that took it; outside, to the thread. */
NF_API void *nf_actor_alloc(size_t bytes) __attribute__((malloc, alloc_size(1)));
NF_API void nf_actor_free(void *p); /* by the same actor; NULL is fine */
/* Nested: no preemption until as many on as off. Waiting or yielding in between is a panic.
 * Actor. */
NF_API void nf_actor_preempt_off(void);
NF_API void nf_actor_preempt_on(void);
/* errno's address on the worker that runs the caller now. */
NF_API int *nf_actor_errno(void);

/* ---- channels ---- */

/* Two words; what they mean is the program's. */
struct nf_actor_msg {
	uint64_t word;
	void *ptr;
};

/* rt NULL: the caller's own. Anywhere. */
NF_API NF_NODISCARD int nf_chan_new(struct nf_actor_rt *rt, struct nf_chan **ret,
                                    struct nf_err *err);
/* Nobody uses it any more. How many messages were left in it and are lost. NULL is fine.
 * Anywhere. */
NF_API uint64_t nf_chan_free(struct nf_chan *c);
/* Never waits. Messages of one sender arrive in its order. -NF_ENODATA: closed. -NF_ENOMEM:
 * max_messages wait. Anywhere; an actor may be preempted after it. */
NF_API NF_NODISCARD int nf_chan_send(struct nf_chan *c, struct nf_actor_msg m);
/* Waits for a message. -NF_ENODATA: closed and empty. -NF_EEXIST: another actor waits on it.
 * -NF_EARG: a channel of another runtime, or not an actor. Actor; switches. */
NF_API NF_NODISCARD int nf_chan_recv(struct nf_chan *c, struct nf_actor_msg *ret);
/* Does not wait: -NF_ETIMEOUT: empty. */
NF_API NF_NODISCARD int nf_chan_try_recv(struct nf_chan *c, struct nf_actor_msg *ret);
/* -NF_ETIMEOUT: none until deadline_ns (nf_actor_now_ns()). */
NF_API NF_NODISCARD int nf_chan_recv_until(struct nf_chan *c, int64_t deadline_ns,
                                           struct nf_actor_msg *ret);
/* The first of n channels (1..64) that has a message or is closed and empty; among several that
 * have one, they take turns. ret_which is set with -NF_ENODATA too: that one is closed.
 * deadline_ns INT64_MAX: none. */
NF_API NF_NODISCARD int nf_chan_select(struct nf_chan *const *c, size_t n, int64_t deadline_ns,
                                       size_t *ret_which, struct nf_actor_msg *ret);
/* No more messages: what is in it can still be received. A send at the same time is in or out.
 * Anywhere. */
NF_API void nf_chan_close(struct nf_chan *c);

/* ---- timers ---- */

struct nf_actor_timer {
	struct nf_actor_alarm *alarm;
	uint64_t generation;
};
/* Sends m to c at deadline_ns. ret NULL: it will not be cancelled. Anywhere. */
NF_API NF_NODISCARD int nf_actor_timer_start(struct nf_chan *c, struct nf_actor_msg m,
                                             int64_t deadline_ns, struct nf_actor_timer *ret,
                                             struct nf_err *err);
/* 0: it will not fire. -NF_ENODATA: it has fired, or was cancelled. Anywhere. */
NF_API NF_NODISCARD int nf_actor_timer_cancel(struct nf_actor_timer t);

#ifdef __cplusplus
}
#endif

#endif
