/* SPDX-License-Identifier: MIT */
#include "actor/slab.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "actor/valgrind_stack.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

/* The hot lines of stacks that lie a power of two apart fall into a few sets of the caches: so
 * the page between two stacks is there without a guard too, and tops are moved within their
 * page. */
enum { COLOURS = 16, COLOUR_BYTES = 64 };

static const char *guard_name(enum nf_actor_guard g)
{
	switch (g) {
	case NF_ACTOR_GUARD_INSTALL:
		return "MADV_GUARD_INSTALL";
	case NF_ACTOR_GUARD_MPROTECT:
		return "mprotect";
	case NF_ACTOR_GUARD_AUTO:
	case NF_ACTOR_GUARD_NONE:
		break;
	}
	return "none";
}

static int guard(const struct nf_actor_rt *rt, char *at)
{
	if (rt->knobs.guard == NF_ACTOR_GUARD_INSTALL)
		return madvise(at, rt->guard_bytes, MADV_GUARD_INSTALL);
	if (rt->knobs.guard == NF_ACTOR_GUARD_MPROTECT)
		return mprotect(at, rt->guard_bytes, PROT_NONE);
	return 0;
}

/* Emulators say yes to any advice: whether the kernel still writes there tells. */
static bool is_guarded(char *at)
{
	return syscall(SYS_getrandom, at, 1, 1 /* do not wait */) == -1 && errno == EFAULT;
}

/* Decides AUTO, and refuses what this kernel has not, with the first slot's guard. */
static int choose_guard(struct nf_actor_rt *rt, struct nf_err *err)
{
	enum nf_actor_guard wanted = rt->knobs.guard;

	if (wanted == NF_ACTOR_GUARD_NONE)
		return 0;
	if (wanted == NF_ACTOR_GUARD_AUTO)
		rt->knobs.guard = NF_ACTOR_GUARD_INSTALL;
	if (guard(rt, rt->slab) == 0) {
		if (is_guarded(rt->slab))
			return 0;
		errno = EINVAL;
	}
	if (wanted == NF_ACTOR_GUARD_INSTALL && errno == EINVAL)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "stack guards: MADV_GUARD_INSTALL needs Linux 6.13 or later; "
		               "mprotect guards work everywhere");
	if (wanted != NF_ACTOR_GUARD_AUTO)
		return nf_fail_os(err, errno, "stack guards: %s", guard_name(wanted));
	rt->knobs.guard = NF_ACTOR_GUARD_MPROTECT;
	if (guard(rt, rt->slab) != 0)
		return nf_fail_os(err, errno, "stack guards: mprotect");
	return 0;
}

/* What is below a stack: the guard, when there is one. Compilers for aarch64 probe large frames
 * every 64 KiB, for a guard of that size (GCC's stack-clash-protection-guard-size). */
static size_t gap_bytes(const struct nf_actor_rt *rt)
{
#if defined(__aarch64__)
	enum { PROBED = 64 * 1024 };

	return rt->page_bytes > PROBED ? rt->page_bytes : PROBED;
#else
	return rt->page_bytes;
#endif
}

int nf_slab_init(struct nf_actor_rt *rt, uint64_t slots, struct nf_err *err)
{
	size_t bytes;
	void *m;
	int r;

	rt->slot_bytes = rt->knobs.stack_bytes + gap_bytes(rt);
	if (__builtin_mul_overflow(slots, rt->slot_bytes, &bytes))
		return nf_fail(err, NF_EARG, "%llu stacks of %zu bytes are too many for an address",
		               (unsigned long long)slots, rt->knobs.stack_bytes);
	m = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (m == MAP_FAILED)
		return nf_fail_os(
		        err, errno,
		        "reserving %llu stacks of %zu bytes: vm.overcommit_memory=2, the address "
		        "space limit (ulimit -v) or a smaller address space; lower max_actors or "
		        "stack_bytes",
		        (unsigned long long)slots, rt->knobs.stack_bytes);
	/* A huge page would back thirty-two stacks for the sake of one. Kernels without them:
	 * fine. */
	(void)madvise(m, bytes, MADV_NOHUGEPAGE);
	rt->slab = m;
	rt->slab_bytes = bytes;
	rt->guard_bytes = rt->knobs.guard == NF_ACTOR_GUARD_NONE ? 0 : gap_bytes(rt);
	r = choose_guard(rt, err);
	if (r < 0)
		nf_slab_fini(rt);
	return r;
}

void nf_slab_fini(struct nf_actor_rt *rt)
{
	if (rt->slab)
		munmap(rt->slab, rt->slab_bytes);
	rt->slab = NULL;
}

struct nf_pool_item *nf_slab_make(uint64_t number, void *arg)
{
	struct nf_actor_rt *rt = arg;
	char *slot = rt->slab + number * rt->slot_bytes;
	struct nf_stack *s;
	char *top = slot + rt->slot_bytes - sizeof(*s);

	if (guard(rt, slot) != 0)
		return NULL;
	top -= number % COLOURS * COLOUR_BYTES;
	s = (struct nf_stack *)(void *)((uintptr_t)top & ~(uintptr_t)63);
	nf_valgrind_stack(slot + rt->guard_bytes, (char *)s);
	s->low = slot + rt->guard_bytes;
	return &s->item;
}

void nf_slab_why(const struct nf_actor_rt *rt, int os_errno, char *ret, size_t bytes)
{
	if (os_errno == 0)
		snprintf(ret, bytes, "no stack: max_actors are in use");
	else if (os_errno == ENOMEM && rt->knobs.guard == NF_ACTOR_GUARD_MPROTECT)
		snprintf(ret, bytes,
		         "no stack: mprotect guards met vm.max_map_count (two mappings a stack)");
	else if (os_errno == ENOMEM)
		snprintf(ret, bytes, "no stack: out of memory for its guard");
	else
		snprintf(ret, bytes, "no stack: guard: %s", strerrordesc_np(os_errno));
}
