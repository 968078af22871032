/* SPDX-License-Identifier: MIT */
#include "actor/overflow.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "actor/block.h"
#include "actor/preempt.h"

enum { SIGNAL_STACK_BYTES = 64 * 1024, PANIC_STACK_BYTES = 64 * 1024 };

/* A signal's handler belongs to the process, so this state does too. */
static struct {
	pthread_mutex_t lock;
	unsigned users;
	struct sigaction before;
} handler = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The worker whose running actor's guard holds the address; else NULL. */
static struct nf_wrk *whose(uintptr_t at)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_rt *rt;
	uintptr_t low;

	if (!w || !w->current || !w->current->stack)
		return NULL;
	rt = w->rt;
	low = (uintptr_t)w->current->stack->low - rt->guard_bytes;
	return at - low < rt->guard_bytes || NF_BROKEN(FATAL) ? w : NULL;
}

static void on_segv(int signal, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	struct nf_wrk *w = whose((uintptr_t)info->si_addr);

	/* Inside an operation of the runtime there is room by nf_stack_check(). */
	if (w && !w->busy) {
		uintptr_t top = (uintptr_t)w->panic_stack + PANIC_STACK_BYTES - 64;

		nf_fiber_wipe(w->panic_stack, PANIC_STACK_BYTES);
#if defined(__x86_64__)
		u->uc_mcontext.gregs[REG_RSP] = (greg_t)top;
		u->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)nf_overflow_entry;
		u->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)0x400; /* direction: up */
#elif defined(__aarch64__)
		u->uc_mcontext.sp = top;
		u->uc_mcontext.pc = (uintptr_t)nf_overflow_entry;
#endif
		return;
	}
	(void)signal;
	/* Not ours: the instruction runs again under the handler that was there before. */
	sigaction(SIGSEGV, &handler.before, NULL);
}

int nf_overflow_install(struct nf_err *err)
{
	struct sigaction ours = { .sa_sigaction = on_segv,
		                  .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	int r = 0;

	pthread_mutex_lock(&handler.lock);
	sigemptyset(&ours.sa_mask);
	if (handler.users == 0 && sigaction(SIGSEGV, &ours, &handler.before) != 0)
		r = nf_fail_os(err, errno, "handler of stack overflows: sigaction");
	else
		handler.users++;
	pthread_mutex_unlock(&handler.lock);
	return r;
}

void nf_overflow_uninstall(void)
{
	struct sigaction now;

	pthread_mutex_lock(&handler.lock);
	/* Somebody else's that came later stays. */
	if (--handler.users == 0 && sigaction(SIGSEGV, NULL, &now) == 0 &&
	    (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_segv)
		sigaction(SIGSEGV, &handler.before, NULL);
	pthread_mutex_unlock(&handler.lock);
}

static char *map(size_t bytes)
{
	void *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return m == MAP_FAILED ? NULL : m;
}

int nf_overflow_prepare(struct nf_wrk *w, struct nf_err *err)
{
	unsigned long least = getauxval(AT_MINSIGSTKSZ); /* vector registers; 0: not told */

	w->signal_stack_bytes = SIGNAL_STACK_BYTES + least;
	w->panic_stack = map(PANIC_STACK_BYTES);
	w->signal_stack = map(w->signal_stack_bytes);
	if (!w->panic_stack || !w->signal_stack)
		return nf_fail_nomem(err, "a worker's signal stacks", w->signal_stack_bytes);
	return 0;
}

void nf_overflow_thread(struct nf_wrk *w)
{
	stack_t s = { .ss_sp = w->signal_stack, .ss_size = w->signal_stack_bytes };

	/* It can fail with a stack too small alone. */
	(void)sigaltstack(&s, NULL);
}

void nf_overflow_release(struct nf_wrk *w)
{
	if (w->panic_stack) {
		/* Nobody returned from the frames on it: what is mapped here next must not inherit
		 * their red zones. */
		nf_fiber_wipe(w->panic_stack, PANIC_STACK_BYTES);
		munmap(w->panic_stack, PANIC_STACK_BYTES);
	}
	if (w->signal_stack)
		munmap(w->signal_stack, w->signal_stack_bytes);
	w->panic_stack = w->signal_stack = NULL;
}

/* On the worker's panic stack, for the actor whose own is full. */
void nf_overflow_main(void);
void nf_overflow_main(void)
{
	struct nf_wrk *w = nf_wrk_self();
	struct nf_actor_block *a = w->current;
	char message[NF_ACTOR_MESSAGE_BYTES];

#if NF_FIBER_ASAN
	__sanitizer_start_switch_fiber(NULL, w->panic_stack, PANIC_STACK_BYTES);
	__sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
	a->stack_low = 0;
	snprintf(message, sizeof(message), "stack overflow in actor '%s' (%zu bytes)",
	         a->named ? a->name : "", w->rt->knobs.stack_bytes);
	nf_block_end(NF_ACTOR_OVERFLOWED, NULL, message);
}

NF_NOINLINE void nf_overflow_now(struct nf_wrk *w)
{
	char *top = w->panic_stack + PANIC_STACK_BYTES - 64;

	nf_fiber_wipe(w->panic_stack, PANIC_STACK_BYTES);
#if defined(__x86_64__)
	__asm__ volatile("movq %0, %%rsp\n\tjmp nf_overflow_entry" : : "r"(top) : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("mov sp, %0\n\tb nf_overflow_entry" : : "r"(top) : "memory");
#endif
	__builtin_unreachable();
}
