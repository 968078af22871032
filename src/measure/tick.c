/* SPDX-License-Identifier: MIT */
#include "measure/tick.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "measure/tick_arch.h"
#include "measure/tick_calibrate.h"

enum {
	WINDOWS = 100,
	WINDOW_GAP_NS = 2 * 1000 * 1000, /* times WINDOWS: the calibration's length */
	WINDOW_TRIES = 5, /* the tightest of so many readings makes a window */
	STEP_READS = 8192, /* back-to-back, for the step and the cost of a read */
};

const char *nf_tick_name(enum nf_tick_source s)
{
	static const char *const names[] = {
		[NF_TICK_TSC] = "tsc",
		[NF_TICK_CNTVCT] = "cntvct",
		[NF_TICK_MONOTONIC_RAW] = "monotonic_raw",
	};

	return names[s];
}

uint64_t nf_tick_start(const struct nf_tick_clock *c)
{
	return c->source == NF_TICK_MONOTONIC_RAW ? (uint64_t)nf_now_raw().ns
	                                          : nf_tick_arch_start();
}

uint64_t nf_tick_end(const struct nf_tick_clock *c)
{
	return c->source == NF_TICK_MONOTONIC_RAW ? (uint64_t)nf_now_raw().ns : nf_tick_arch_end();
}

static void series_raw(uint64_t *t, size_t n)
{
	for (uint64_t *end = t + n; t != end;)
		*t++ = (uint64_t)nf_now_raw().ns;
}

struct nf_tick_window nf_tick_read_window(void)
{
	struct nf_tick_window best = { .after_ticks = UINT64_MAX };

	for (int i = 0; i < WINDOW_TRIES; i++) {
		struct nf_tick_window w;

		w.before_ticks = nf_tick_arch_end();
		w.raw_ns = nf_now_raw().ns;
		w.after_ticks = nf_tick_arch_end();
		if (w.after_ticks - w.before_ticks < best.after_ticks - best.before_ticks)
			best = w;
	}
	return best;
}

static int calibrate_rate(struct nf_tick_clock *c, struct nf_err *err)
{
	struct nf_tick_window *w = calloc(WINDOWS, sizeof(*w));
	struct nf_tick_fit fit;
	int rc;

	if (!w)
		return nf_fail_nomem(err, "the clock's calibration", WINDOWS * sizeof(*w));
	for (size_t i = 0; i < WINDOWS; i++) {
		struct timespec gap = { .tv_nsec = WINDOW_GAP_NS };

		/* A shorter gap after a signal only shortens the span a little. */
		clock_nanosleep(CLOCK_MONOTONIC, 0, &gap, NULL);
		w[i] = nf_tick_read_window();
	}
	rc = nf_tick_fit_windows(w, WINDOWS, &fit, err);
	free(w);
	if (rc != 0)
		return rc;
	c->hz = fit.hz;
	c->hz_error_ppm = fit.hz_error_ppm;
	c->n_windows = fit.n_kept;
	c->n_rejected = fit.n_rejected;
	c->hz_nominal = nf_tick_arch_nominal_hz();
	return 0;
}

static int measure_read(struct nf_tick_clock *c, struct nf_err *err)
{
	uint64_t *t = calloc(STEP_READS, sizeof(*t));
	int64_t *scratch = calloc(STEP_READS, sizeof(*scratch));
	struct nf_tick_steps s;

	if (!t || !scratch) {
		free(t);
		free(scratch);
		return nf_fail_nomem(err, "the clock's reads", STEP_READS * sizeof(*t));
	}
	/* Twice: the first pass faults the pages in. */
	for (int pass = 0; pass < 2; pass++) {
		if (c->source == NF_TICK_MONOTONIC_RAW)
			series_raw(t, STEP_READS);
		else
			nf_tick_arch_reads[0].series(t, STEP_READS);
	}
	s = nf_tick_steps_of(t, STEP_READS, scratch);
	free(t);
	free(scratch);
	c->step_ticks = s.step_ticks;
	c->read_min_ticks = s.min_ticks;
	c->read_median_ticks = s.median_ticks;
	return 0;
}

int nf_tick_open(const struct nf_rootfs *root, enum nf_tick_want want, struct nf_tick_clock *ret,
                 struct nf_err *err)
{
	struct nf_tick_clock c = { .hz = 1e9, .hz_nominal = 1e9 };
	struct nf_tick_choice choice;
	struct nf_tick_facts facts;
	int rc;

	rc = nf_tick_arch_facts(root, &facts, err);
	if (rc != 0)
		return rc;
	rc = nf_tick_decide(&facts, want, &choice, err);
	if (rc != 0)
		return rc;
	c.source = choice.source;
	snprintf(c.fallback_reason, sizeof(c.fallback_reason), "%s", choice.reason);
	if (c.source != NF_TICK_MONOTONIC_RAW) {
		rc = calibrate_rate(&c, err);
		if (rc != 0)
			return rc;
	}
	rc = measure_read(&c, err);
	if (rc != 0)
		return rc;
	*ret = c;
	return 0;
}
