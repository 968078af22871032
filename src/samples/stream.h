/* SPDX-License-Identifier: MIT */
/*
 * stream - raw samples of one source, in order, with what is needed to read them later and a count of
 * everything that was lost on the way.
 *
 * The buffer is fixed at creation: recording never allocates and never faults (nf_stream_prefault
 * touches every page and locks it). A full buffer drops and counts.
 * Threads: one writer per stream; read after the writer has finished.
 */
#ifndef NF_SAMPLES_STREAM_H
#define NF_SAMPLES_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum nf_sample_unit {
	NF_UNIT_TICK, /* of the clock named by `clock` at tick_hz */
	NF_UNIT_NS,
	NF_UNIT_COUNT,
};

enum nf_sample_kind {
	NF_KIND_DURATION, /* lengths: may be negative only where the probe says so (lateness) */
	NF_KIND_INSTANT, /* points relative to `origin`, the run's start */
	NF_KIND_COUNT,
};

struct nf_stream {
	char name[48]; /* unique in its file: "fwq.cpu3", "wake.cpu1.lateness" */
	char clock[24]; /* "tsc", "cntvct", "monotonic_raw", "monotonic"; "" for counts */
	char origin[64]; /* for instants: what 0 is, e.g. "first deadline"; else "" */
	int cpu; /* -1: none in particular */
	int node; /* -1: unknown or none */
	enum nf_sample_unit unit;
	enum nf_sample_kind kind;
	double tick_hz; /* > 0 for NF_UNIT_TICK, else 0 */
	/* The clock's own reading where the first duration begins or that instants count from, so that
	 * samples can be laid beside what others have stamped with the same clock (a trace); 0: not
	 * known. Not kept in files. */
	uint64_t origin_tick;
	uint8_t width; /* bytes a value takes in a file: 4 only where every value fits int32; 0 is 8 */

	int64_t *value; /* owned; n of cap are valid */
	size_t n;
	size_t cap;
	bool locked; /* mlock succeeded */

	/* Losses: data, not errors. */
	uint64_t n_dropped; /* buffer full */
	uint64_t n_saturated; /* clipped to the representable range */
	uint64_t n_missed; /* events that were due and never happened (activations) */
	uint64_t n_truncated; /* events cut short */
};

/* name: 1..47 bytes. cap: values, 1..2^37 (2^40 bytes). Zeroes *ret (cpu and node become -1), allocates
 * with mmap. -NF_ENOMEM, -NF_EARG. */
NF_NODISCARD int nf_stream_init(struct nf_stream *ret, const char *name, size_t cap,
                                struct nf_err *err);
void nf_stream_fini(struct nf_stream *s); /* zeroed is fine */
/* Writes every page and tries to lock it; failing to lock only leaves locked false. */
void nf_stream_prefault(struct nf_stream *s);

static inline void nf_stream_put(struct nf_stream *s, int64_t v)
{
	if (s->n < s->cap)
		s->value[s->n++] = v;
	else
		s->n_dropped++;
}

/* Anything lost at all: then a limit may fail but never pass. */
bool nf_stream_incomplete(const struct nf_stream *s);
/* A value of this stream in nanoseconds (ticks divided by the rate); counts are returned as they are.
 * NaN for ticks without a rate. */
double nf_stream_ns(const struct nf_stream *s, int64_t value);

#endif
