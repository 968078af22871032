/* SPDX-License-Identifier: MIT */
/* fiber - tells AddressSanitizer and ThreadSanitizer that the stack changes. Nothing in other
 * builds. */
#ifndef NF_ACTOR_FIBER_H
#define NF_ACTOR_FIBER_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__has_feature)
#define NF_FIBER_FEATURE(x) __has_feature(x)
#else
#define NF_FIBER_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || NF_FIBER_FEATURE(address_sanitizer)
#define NF_FIBER_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define NF_FIBER_ASAN 0
#endif
#if defined(__SANITIZE_THREAD__) || NF_FIBER_FEATURE(thread_sanitizer)
#define NF_FIBER_TSAN 1
#include <sanitizer/tsan_interface.h>
#else
#define NF_FIBER_TSAN 0
#endif

struct nf_fiber {
#if NF_FIBER_ASAN
	void *fake;
	const void *bottom;
	size_t bytes;
#elif NF_FIBER_TSAN
	void *tsan;
#else
	char none; /* C has no empty struct */
#endif
};

static inline __attribute__((always_inline)) void nf_fiber_leave(struct nf_fiber *from,
                                                                 struct nf_fiber *to, bool dying)
{
#if NF_FIBER_ASAN
	__sanitizer_start_switch_fiber(dying ? NULL : &from->fake, to->bottom, to->bytes);
#elif NF_FIBER_TSAN
	__tsan_switch_to_fiber(to->tsan, 0);
#endif
	(void)from;
	(void)to;
	(void)dying;
}

/* self NULL: a new actor's first moment. */
static inline __attribute__((always_inline)) void nf_fiber_arrive(struct nf_fiber *self)
{
#if NF_FIBER_ASAN
	__sanitizer_finish_switch_fiber(self ? self->fake : NULL, NULL, NULL);
#endif
	(void)self;
}

/* A stack that is about to run. */
static inline void nf_fiber_make(struct nf_fiber *f, void *bottom, size_t bytes)
{
#if NF_FIBER_ASAN
	f->fake = NULL;
	f->bottom = bottom;
	f->bytes = bytes;
#elif NF_FIBER_TSAN
	f->tsan = __tsan_create_fiber(0);
#endif
	(void)f;
	(void)bottom;
	(void)bytes;
}

/* A stack that was left for good; frames on it were abandoned, not returned from. */
static inline void nf_fiber_end(struct nf_fiber *f)
{
#if NF_FIBER_ASAN
	__asan_unpoison_memory_region(f->bottom, f->bytes);
#elif NF_FIBER_TSAN
	__tsan_destroy_fiber(f->tsan);
#endif
	(void)f;
}

/* A stack that is used anew, with frames on it that were abandoned. */
static inline void nf_fiber_wipe(void *bottom, size_t bytes)
{
#if NF_FIBER_ASAN
	__asan_unpoison_memory_region(bottom, bytes);
#endif
	(void)bottom;
	(void)bytes;
}

/* The calling thread's own stack. */
void nf_fiber_thread(struct nf_fiber *f);

#endif
