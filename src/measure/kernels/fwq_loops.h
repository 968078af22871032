/* SPDX-License-Identifier: MIT */
/*
 * fwq_loops - the four kernels and the timed loop around each, for one clock. A file defines
 * KERNEL_TICK() (a read that separates two quanta) and FWQ_LOOP_NAME(kernel), then includes this once.
 * LOOP_STATE and LOOP_TIMED(l, step) put another loop around the same steps (ftq_loop.h).
 *
 * Every value that a kernel carries passes through an empty asm in each iteration: the compiler must
 * have it in a register there and may know nothing about it afterwards, so no iteration can be
 * merged, vectorised, hoisted or dropped. Iterations count down, so that the counter itself needs no
 * second register. The loop runs to l->work iterations; 0 is allowed (the loop's own cost).
 */
#ifndef NF_MEASURE_FWQ_LOOPS_H
#define NF_MEASURE_FWQ_LOOPS_H

#include "kernel_arch.h"
#include "measure/kernels/kernels.h"

#define KEEP_INT(v) __asm__ volatile("" : "+r"(v))
#define KEEP_FP(v) __asm__ volatile("" : "+" KERNEL_FP(v))

/* step: the statements of one iteration; i counts down from l->work to 1. */
#define FWQ_TIMED(l, step) \
	do { \
		const uint64_t work_ = (l)->work; \
		const uint64_t deadline_ = (l)->deadline_tick; \
		const volatile sig_atomic_t *const stop_ = (l)->stop; \
		int64_t *at_ = (l)->sample; \
		int64_t *const end_ = at_ + (l)->n; \
		uint64_t prev_ = KERNEL_TICK(); \
\
		(l)->first_tick = prev_; \
		while (at_ != end_) { \
			for (uint64_t i = work_; i != 0; i--) { \
				KEEP_INT(i); \
				step; \
			} \
			uint64_t now_ = KERNEL_TICK(); \
			*at_++ = (int64_t)(now_ - prev_); \
			prev_ = now_; \
			if (now_ > deadline_ || *stop_ != 0) \
				break; \
		} \
		(l)->last_tick = prev_; \
		(l)->n = (size_t)(at_ - (l)->sample); \
	} while (0)

#ifndef LOOP_STATE
#define LOOP_STATE struct nf_fwq_loop
#define LOOP_TIMED(l, step) FWQ_TIMED(l, step)
#endif

void FWQ_LOOP_NAME(nop)(LOOP_STATE *l)
{
	LOOP_TIMED(l, );
}

/* The multiplier and increment of Knuth's 64-bit linear congruential generator (MMIX): any odd pair
 * would do, the chain never settles. */
void FWQ_LOOP_NAME(chain)(LOOP_STATE *l)
{
	uint64_t v = 1;

	LOOP_TIMED(l, {
		v = v * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		KEEP_INT(v);
	});
}

/* v tends to 1 and stays normal. One fused instruction where the target has it. */
void FWQ_LOOP_NAME(fma)(LOOP_STATE *l)
{
	double a = 0.75;
	double b = 0.25;
	double v = 2.0;

	KEEP_FP(a);
	KEEP_FP(b);
	LOOP_TIMED(l, {
		v = v * a + b;
		KEEP_FP(v);
	});
}

/* One iteration is one element: y[k] += a x[k], k going round the vector. */
void FWQ_LOOP_NAME(daxpy)(LOOP_STATE *l)
{
	const double *const x = l->vector;
	double *const y = l->vector + NF_DAXPY_LEN;
	double a = 0x1p-40;
	uint64_t k = 0;

	KEEP_FP(a);
	LOOP_TIMED(l, {
		double t = y[k] + a * x[k];

		KEEP_FP(t);
		y[k] = t;
		k = (k + 1) & (NF_DAXPY_LEN - 1);
		KEEP_INT(k);
	});
}

#endif
