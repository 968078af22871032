/* SPDX-License-Identifier: MIT */
/* clock - the system clocks as 64-bit nanoseconds. The tick counters are in measure/tick.h. */
#ifndef NF_BASE_CLOCK_H
#define NF_BASE_CLOCK_H

#include <stdint.h>

#include "base/buf.h"

/* A point on one clock. Instants of different clocks never mix. */
struct nf_instant {
	int64_t ns;
};

struct nf_instant nf_now_monotonic(void); /* CLOCK_MONOTONIC: what timers use */
struct nf_instant nf_now_raw(void); /* CLOCK_MONOTONIC_RAW: not slewed; for rates and durations */
struct nf_instant nf_now_utc(void); /* CLOCK_REALTIME: for dates only, never for durations */

static inline int64_t nf_since_ns(struct nf_instant from, struct nf_instant to)
{
	return to.ns - from.ns;
}

/* RFC 3339 UTC with milliseconds, "2026-01-02T03:04:05.678Z". */
int nf_utc_print(struct nf_instant utc, struct nf_buf *out);
/* Folder form, "20260102T030405Z". */
int nf_utc_print_compact(struct nf_instant utc, struct nf_buf *out);

#endif
