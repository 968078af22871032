/* SPDX-License-Identifier: MIT */
/* inject_kinds - THE table of the probes that are scored against injected bursts. */
#include "job/inject_kinds.h"

#include <stdlib.h>

#include "measure/probe_detour.h"
#include "measure/probe_fwq.h"

enum {
	QUANTUM_MIN_NS = 2000,
	QUANTUM_MAX_NS = 1000000,
	/* Instants of the grid become ticks by two readings of both clocks: what that may be off. */
	CLOCKS_NS = 2000,
};

static double ticks(double ns, double hz)
{
	return ns * hz * 1e-9;
}

static int no_samples(struct nf_err *err)
{
	return nf_fail(err, NF_ENODATA, "it was stopped before its first sample");
}

/* --- detour: every gap it reports --- */

static void configure_detour(void *cfg, const struct nf_inject_opts *in)
{
	(void)cfg;
	(void)in;
}

static int look_detour(const struct nf_probe_run *run, const struct nf_inject_opts *in,
                       struct nf_inject_seen *ret, struct nf_err *err)
{
	const struct nf_detour_result *result = run->result;
	const struct nf_stream *start = &run->streams[0], *length = &run->streams[1];
	const struct nf_detour_worker *w = &result->worker[0];

	(void)in;
	if (!w->looked || start->origin_tick == 0)
		return no_samples(err);
	struct nf_inject_hit *hit = calloc(start->n + 1, sizeof(*hit));
	if (!hit)
		return nf_fail_nomem(err, "hits", start->n * sizeof(*hit));
	for (size_t i = 0; i < start->n; i++)
		hit[i] = (struct nf_inject_hit){ start->value[i], length->value[i],
			                         length->value[i] };
	int64_t span = (int64_t)ticks(w->span_ns, start->tick_hz);
	/* What came after a full buffer is not known hit by hit. */
	if (start->n_dropped > 0)
		span = start->n > 0 ? hit[start->n - 1].begin + hit[start->n - 1].length : 0;
	*ret = (struct nf_inject_seen){
		.hit = hit,
		.n_hits = start->n,
		.origin_tick = start->origin_tick,
		.tick_hz = start->tick_hz,
		.span_ticks = span,
		.threshold_ticks = w->threshold_ticks,
		.lead_ticks = ticks(CLOCKS_NS, start->tick_hz),
	};
	return 0;
}

/* --- fwq: quanta that are half a burst longer than the shortest --- */

/* As long as a burst, so that one stands out whatever a quantum's own spread is. */
static void configure_fwq(void *cfg, const struct nf_inject_opts *in)
{
	struct nf_fwq_cfg *c = cfg;

	c->quantum_ns = in->length_ns < QUANTUM_MIN_NS   ? QUANTUM_MIN_NS
	                : in->length_ns > QUANTUM_MAX_NS ? QUANTUM_MAX_NS
	                                                 : in->length_ns;
	c->n_samples = 0; /* ends by time alone */
}

static size_t long_quanta(const struct nf_stream *s, int64_t min, int64_t threshold,
                          struct nf_inject_hit *hit, int64_t *ret_span)
{
	int64_t at = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		int64_t v = s->value[i];

		if (v - min > threshold) {
			if (hit)
				hit[n] = (struct nf_inject_hit){ at, v, v - min };
			n++;
		}
		at += v;
	}
	*ret_span = at;
	return n;
}

static int look_fwq(const struct nf_probe_run *run, const struct nf_inject_opts *in,
                    struct nf_inject_seen *ret, struct nf_err *err)
{
	const struct nf_stream *s = &run->streams[0];
	int64_t min = INT64_MAX;
	int64_t span;

	if (s->n == 0 || s->origin_tick == 0)
		return no_samples(err);
	for (size_t i = 0; i < s->n; i++)
		min = s->value[i] < min ? s->value[i] : min;
	int64_t threshold = (int64_t)ticks((double)in->length_ns / 2, s->tick_hz);
	size_t n = long_quanta(s, min, threshold, NULL, &span);
	struct nf_inject_hit *hit = calloc(n + 1, sizeof(*hit));
	if (!hit)
		return nf_fail_nomem(err, "hits", n * sizeof(*hit));
	*ret = (struct nf_inject_seen){
		.hit = hit,
		.n_hits = long_quanta(s, min, threshold, hit, &span),
		.origin_tick = s->origin_tick,
		.tick_hz = s->tick_hz,
		.span_ticks = span,
		.threshold_ticks = threshold,
		.lead_ticks = (double)min + ticks(CLOCKS_NS, s->tick_hz),
	};
	return 0;
}

/* clang-format off */
const struct nf_inject_kind nf_inject_kinds[] = {
	{ &nf_probe_detour, "a gap above the loop's threshold", configure_detour, look_detour },
	{ &nf_probe_fwq, "a quantum longer than the shortest by more than half a burst", configure_fwq, look_fwq },
	{ .probe = NULL },
};
/* clang-format on */
