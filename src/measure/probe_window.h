/* SPDX-License-Identifier: MIT */
/* probe_window - what probes share that let something else count while they sleep through a window. */
#ifndef NF_MEASURE_PROBE_WINDOW_H
#define NF_MEASURE_PROBE_WINDOW_H

#include "base/clock.h"
#include "measure/probe.h"

enum { NF_WINDOW_SLICE_NS = 100 * 1000 * 1000 };

/* -NF_EARG: a negative duration, or one over 366 days; a scheduling policy asked for, as no
 * thread measures. */
NF_NODISCARD int nf_window_check(const struct nf_probe_env *env, const struct nf_probe_common *c,
                                 struct nf_err *err);

/* Sleeps until window_ns have passed since start (CLOCK_MONOTONIC_RAW) or a stop is asked for, in
 * slices; reports progress and calls tick (may be NULL) after each slice. tick's non-zero value ends the
 * window and is returned; else 0. */
int nf_window_sleep(const struct nf_probe_env *env, struct nf_instant start, int64_t window_ns,
                    int (*tick)(void *ctx, struct nf_err *err), void *ctx, struct nf_err *err);

#endif
