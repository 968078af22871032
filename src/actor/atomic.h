/* SPDX-License-Identifier: MIT */
/* atomic - short names for the compiler's atomic operations, and the points at which a test's build may
 * change the schedule. */
#ifndef NF_ACTOR_ATOMIC_H
#define NF_ACTOR_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#define NF_LIKELY(x) __builtin_expect(!!(x), 1)
#define NF_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NF_NOINLINE __attribute__((noinline))
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
/* Counters with one writer, read by others. */
#define nf_count(p, n) nf_st((p), nf_ld(p) + (n))
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

/* Where a schedule can matter. In a build for schedule tests the test decides what happens there. */
enum nf_actor_point {
	NF_POINT_ENTER,
	NF_POINT_LEAVE,
	NF_POINT_SWITCH,
	NF_POINT_COMMIT,
	NF_POINT_PUSH,
	NF_POINT_PUSH_LINK,
	NF_POINT_POP,
	NF_POINT_QUEUE,
	NF_POINT_WAIT, /* in a loop that waits for another thread */
	NF_POINT_SLEEP,
	NF_POINT_AWAKE,
	NF_POINTS,
};
#ifdef NF_ACTOR_HOOKS
void nf_actor_hook(enum nf_actor_point point);
/* Whether a woken actor shall go through the shared queue, so that any worker may run it. */
bool nf_actor_hook_migrate(void);
#define NF_POINT(p) nf_actor_hook(p)
#define NF_MIGRATE() nf_actor_hook_migrate()
#else
#define NF_POINT(p) ((void)0)
#define NF_MIGRATE() false
#endif

#endif
