/* SPDX-License-Identifier: MIT */
/* tick_calibrate - the arithmetic behind a calibrated clock; pure. */
#ifndef NF_MEASURE_TICK_CALIBRATE_H
#define NF_MEASURE_TICK_CALIBRATE_H

#include <stddef.h>
#include <stdint.h>

#include <stdbool.h>

#include "base/fail.h"

/* One short window: the counter read before and after a read of CLOCK_MONOTONIC_RAW. */
struct nf_tick_window {
	uint64_t before_ticks;
	uint64_t after_ticks;
	int64_t raw_ns;
};

struct nf_tick_fit {
	double hz;
	double hz_error_ppm; /* standard error of the slope */
	size_t n_kept;
	size_t n_rejected;
};

/* Least squares of the windows' middles over raw_ns. Rejected: windows wider than twice the median width
 * (interrupted), then those whose residual exceeds 5 scaled MADs (and one tick) of the residuals. Fewer
 * than 3 kept windows, or no span: -NF_ENODATA. w is reordered. */
NF_NODISCARD int nf_tick_fit_windows(struct nf_tick_window *w, size_t n, struct nf_tick_fit *ret,
                                     struct nf_err *err);

/* Of n reads in order: the greatest common divisor of the differences (0: they are all 0), and the
 * smallest and the median difference. scratch has n - 1 entries; n >= 2. */
struct nf_tick_steps {
	int64_t step_ticks;
	double min_ticks;
	double median_ticks;
};
struct nf_tick_steps nf_tick_steps_of(const uint64_t *t, size_t n, int64_t *scratch);

#endif
