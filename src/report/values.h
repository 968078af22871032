/* SPDX-License-Identifier: MIT */
/*
 * values - raw samples as text: plain values, CSV, JSON, and the files of the FWQ benchmarks.
 *
 * Pure: streams in, text handed to a sink in pieces, so that a large file needs no large text. Losses
 * are the caller's to tell.
 */
#ifndef NF_REPORT_VALUES_H
#define NF_REPORT_VALUES_H

#include "base/sink.h"
#include "samples/stream.h"

struct nf_values_opts {
	const char *only; /* the stream of this name; NULL: all of them */
	bool ns; /* ticks as nanoseconds with three decimals */
	bool no_heading; /* CSV without its first line: more streams follow others */
};

/* "tick", "ns" or "count": what a value written under these options is. */
const char *nf_values_unit(const struct nf_stream *s, const struct nf_values_opts *o);

/* A value a line, stream after stream. */
NF_NODISCARD int nf_values_plain(const struct nf_stream *s, size_t n,
                                 const struct nf_values_opts *o, const struct nf_sink *sink,
                                 struct nf_err *err);
/* Lines stream,index,value,unit under a header. */
NF_NODISCARD int nf_values_csv(const struct nf_stream *s, size_t n, const struct nf_values_opts *o,
                               const struct nf_sink *sink, struct nf_err *err);
/* One document: {"file", "streams": [{"name", "kind", "unit", "tick_hz", losses, "values"}]}. */
NF_NODISCARD int nf_values_json(const char *file, const struct nf_stream *s, size_t n,
                                const struct nf_values_opts *o, const struct nf_sink *sink,
                                struct nf_err *err);
/* The file of the threaded FWQ benchmark: per stream "Speed: thread I, cycles C, seconds S, GHz G", then
 * per stream "Thread I running on CPUs P" and its values, in ticks. Streams that are no
 * durations in ticks or nanoseconds: -NF_EDATA. Nanoseconds are ticks of 1 GHz there. */
NF_NODISCARD int nf_values_fwq(const struct nf_stream *s, size_t n, const struct nf_sink *sink,
                               struct nf_err *err);

#endif
