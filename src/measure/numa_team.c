/* SPDX-License-Identifier: MIT */
#include "measure/numa_team.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

enum {
	CACHE_LINE_BYTES = 64,
	SPINS_BEFORE_YIELD = 20000, /* some 100 us: a thread that shares its CPU gives way */
};

struct nf_team_slot {
	_Alignas(CACHE_LINE_BYTES) _Atomic uint32_t done; /* number of the last job finished */
	uint32_t served; /* last job seen; the servant's own */
	double sum;
};

static inline void relax(unsigned *spins)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
	if (++*spins >= SPINS_BEFORE_YIELD) {
		*spins = 0;
		sched_yield();
	}
}

static void futex_wait(_Atomic uint32_t *word, uint32_t seen)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void futex_wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

int nf_team_init(struct nf_team *t, size_t n, const struct nf_reduce *reduce, struct nf_err *err)
{
	struct nf_team_slot *slot = aligned_alloc(CACHE_LINE_BYTES, n * sizeof(*slot));

	if (!slot)
		return nf_fail_nomem(err, "reduction threads", n * sizeof(*slot));
	memset(slot, 0, n * sizeof(*slot));
	memset(t, 0, sizeof(*t));
	t->n = n;
	t->reduce = reduce;
	t->slot = slot;
	return 0;
}

void nf_team_fini(struct nf_team *t)
{
	free(t->slot);
	t->slot = NULL;
}

static double reduce_pieces(const struct nf_reduce *r, const struct nf_team_job *job, size_t member)
{
	double sum = 0;

	for (size_t i = job->first[member]; i < job->first[member + 1]; i++) {
		const struct nf_piece *p = &job->piece[i];

		sum += job->plain ? r->plain(p->p, p->rows * p->cols)
		                  : r->rows(p->p, p->rows, p->cols);
	}
	return sum;
}

double nf_team_reduce_alone(const struct nf_reduce *reduce, const struct nf_team_job *job,
                            size_t n_threads)
{
	double sum = 0;

	for (size_t m = 0; m < n_threads; m++)
		sum += reduce_pieces(reduce, job, m);
	return sum;
}

static uint32_t call(struct nf_team *t, const struct nf_team_job *job)
{
	uint32_t number = atomic_load_explicit(&t->call, memory_order_relaxed) + 1;

	t->job = job;
	atomic_store_explicit(&t->n_ready, 0, memory_order_relaxed);
	atomic_store_explicit(&t->call, number, memory_order_release);
	futex_wake_all(&t->call);
	return number;
}

int64_t nf_team_reduce(struct nf_team *t, const struct nf_team_job *job, double *ret_sum)
{
	uint32_t number = call(t, job);
	unsigned spins = 0;

	while (atomic_load_explicit(&t->n_ready, memory_order_acquire) < t->n - 1)
		relax(&spins);

	int64_t t0 = nf_now_raw().ns;

	atomic_store_explicit(&t->go, number, memory_order_release);

	double sum = reduce_pieces(t->reduce, job, 0);

	spins = 0;
	for (size_t m = 1; m < t->n; m++) {
		while (atomic_load_explicit(&t->slot[m].done, memory_order_acquire) != number)
			relax(&spins);
		sum += t->slot[m].sum;
	}

	int64_t t1 = nf_now_raw().ns;

	*ret_sum = sum;
	return t1 - t0;
}

void nf_team_dismiss(struct nf_team *t)
{
	call(t, NULL);
}

void nf_team_serve(struct nf_team *t, size_t member)
{
	struct nf_team_slot *s = &t->slot[member];

	for (;;) {
		uint32_t number;
		unsigned spins = 0;

		while ((number = atomic_load_explicit(&t->call, memory_order_acquire)) == s->served)
			futex_wait(&t->call, s->served);
		s->served = number;
		if (!t->job)
			return;
		atomic_fetch_add_explicit(&t->n_ready, 1, memory_order_acq_rel);
		while (atomic_load_explicit(&t->go, memory_order_acquire) != number)
			relax(&spins);
		s->sum = reduce_pieces(t->reduce, t->job, member);
		atomic_store_explicit(&s->done, number, memory_order_release);
	}
}
