/* SPDX-License-Identifier: MIT */
/* atomic - short names for the compiler's atomic operations, and the points at which a test's
 * build may change the schedule. */
#ifndef NF_ACTOR_ATOMIC_H
#define NF_ACTOR_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#define NF_LIKELY(x) __builtin_expect(!!(x), 1)
#define NF_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NF_NOINLINE __attribute__((noinline))
/* For functions whose frame holds no array; every instruction of them counts. */
#if defined(__has_attribute) && __has_attribute(no_stack_protector)
#define NF_NO_PROTECTOR __attribute__((no_stack_protector))
#else
#define NF_NO_PROTECTOR
#endif
#define NF_INLINE static inline __attribute__((always_inline))

#define nf_ld(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define nf_ld_acq(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define nf_ld_seq(p) __atomic_load_n((p), __ATOMIC_SEQ_CST)
#define nf_st(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define nf_st_rel(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define nf_st_seq(p, v) __atomic_store_n((p), (v), __ATOMIC_SEQ_CST)
#define nf_xchg(p, v) __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST)
#define nf_add(p, v) __atomic_add_fetch((p), (v), __ATOMIC_SEQ_CST)
#define nf_sub(p, v) __atomic_sub_fetch((p), (v), __ATOMIC_SEQ_CST)
#define nf_fetch_and(p, v) __atomic_fetch_and((p), (v), __ATOMIC_SEQ_CST)
#define nf_fetch_or(p, v) __atomic_fetch_or((p), (v), __ATOMIC_SEQ_CST)
#define nf_cas(p, expected, desired) \
	__atomic_compare_exchange_n((p), (expected), (desired), false, __ATOMIC_SEQ_CST, \
	                            __ATOMIC_SEQ_CST)
/* Counters with one writer, read by others: one instruction where there is one that adds to
 * memory. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define nf_count(p, n) \
	do { \
		if (sizeof(*(p)) == 8) \
			__asm__("addq %1, %0" : "+m"(*(p)) : "er"((uint64_t)(n))); \
		else \
			__asm__("addl %1, %0" : "+m"(*(p)) : "er"((uint32_t)(n))); \
	} while (0)
#else
#define nf_count(p, n) nf_st((p), nf_ld(p) + (n))
#endif
/* The compiler keeps the order; the processor need not. */
#define nf_compiler_fence() __atomic_signal_fence(__ATOMIC_SEQ_CST)

static inline void nf_relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

/* Where a schedule can matter. In a build for schedule tests the test decides what happens
 * there. */
enum nf_actor_point {
	NF_POINT_ENTER,
	NF_POINT_LEAVE,
	NF_POINT_SWITCH,
	NF_POINT_COMMIT,
	NF_POINT_PUSH,
	NF_POINT_PUSH_OWN,
	NF_POINT_PUSH_LINK,
	NF_POINT_POP,
	NF_POINT_QUEUE,
	NF_POINT_WAIT, /* in a loop that waits for another thread */
	NF_POINT_SLEEP,
	NF_POINT_AWAKE,
	NF_POINTS,
};
/* Mistakes that a build for tests can be told to make: each has a test that finds it. */
enum nf_actor_break {
	NF_BREAK_NOTHING,
	NF_BREAK_COMMIT, /* what waits is made resumable before it is saved */
	NF_BREAK_LOST_WAKE, /* a receiver parks without looking again */
	NF_BREAK_STALE_WORKER, /* the worker from before the switch is used after it */
	NF_BREAK_STALE_ERRNO, /* so is the address of errno */
	NF_BREAK_PREEMPT_OFF, /* preemption happens though it is off */
	NF_BREAK_FPU, /* the floating point environment is not saved */
	NF_BREAK_DRIFT, /* full stocks are not shared */
	NF_BREAK_LIFO, /* woken actors go first without a limit */
	NF_BREAK_JOIN, /* the join word is changed in two steps */
	NF_BREAK_TIMER_GENERATION, /* a timer is cancelled by a stale handle */
	NF_BREAK_TIMER_RACE, /* a timer is cancelled while it fires */
	NF_BREAK_CLASH, /* frames are not probed: the test's own code */
	NF_BREAK_STALLED, /* a receiver spins for a sender in mid-push */
	NF_BREAK_RESCUE, /* nothing is taken from behind a long actor */
	NF_BREAK_FATAL, /* every fault is taken for an overflow */
	NF_BREAK_REVOKE, /* a channel is everybody's before its owner has left it */
	NF_BREAK_OWN_SLICES, /* knobs are the process's, not the runtime's */
};
#ifdef NF_ACTOR_HOOKS
void nf_actor_hook(enum nf_actor_point point);
/* Whether a woken actor shall go through the shared queue, so that any worker may run it. */
bool nf_actor_hook_migrate(void);
bool nf_actor_hook_broken(enum nf_actor_break what);
#define NF_BROKEN(what) NF_UNLIKELY(nf_actor_hook_broken(NF_BREAK_##what))
/* Whether membarrier(2) is there. */
bool nf_actor_hook_membarrier(void);
#define NF_HAS_MEMBARRIER() nf_actor_hook_membarrier()
#define NF_POINT(p) nf_actor_hook(p)
#define NF_MIGRATE() nf_actor_hook_migrate()
#else
#define NF_BROKEN(what) false
#define NF_HAS_MEMBARRIER() true
#define NF_POINT(p) ((void)0)
#define NF_MIGRATE() false
#endif

#endif
