/* SPDX-License-Identifier: MIT */
/* ftq_loop - what fwq_loops.h puts around a kernel's step for fixed time quanta. A file defines KERNEL_TICK() and
 * FWQ_LOOP_NAME(kernel), then includes this and fwq_loops.h once. */
#ifndef NF_MEASURE_FTQ_LOOP_H
#define NF_MEASURE_FTQ_LOOP_H

#include "measure/kernels/ftq.h"

#define LOOP_STATE struct nf_ftq_loop
#define LOOP_TIMED(l, step) FTQ_TIMED(l, step)

#define FTQ_TIMED(l, step) \
	do { \
		const uint64_t work_ = (l)->work; \
		const uint64_t quantum_ = (l)->quantum; \
		const volatile sig_atomic_t *const stop_ = (l)->stop; \
		int64_t *units_ = (l)->units; \
		int64_t *overshoot_ = (l)->overshoot; \
		const int64_t *const end_ = units_ + (l)->n; \
		int64_t count_ = 0; \
		uint64_t edge_ = KERNEL_TICK(); \
\
		(l)->first_tick = edge_; \
		edge_ += quantum_; \
		while (units_ != end_) { \
			for (uint64_t i = work_; i != 0; i--) { \
				KEEP_INT(i); \
				step; \
			} \
			uint64_t now_ = KERNEL_TICK(); \
			if (now_ >= edge_) { \
				do { \
					*units_++ = count_; \
					*overshoot_++ = (int64_t)(now_ - edge_); \
					edge_ += quantum_; \
					count_ = 0; \
				} while (now_ >= edge_ && units_ != end_); \
				if (*stop_ != 0) \
					break; \
			} \
			count_++; \
		} \
		(l)->n = (size_t)(units_ - (l)->units); \
	} while (0)

#endif
