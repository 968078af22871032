/* SPDX-License-Identifier: MIT */
/*
 * protocol - what a benchmark program and the process that started it tell each other: frames with a
 * length and a checksum, over a socket that the child finds as its file NF_BENCH_FD. Pure: bytes in and
 * out. Both ends run on one machine, so numbers are in its own order; one of another order is no magic.
 *
 * The parent sends one REQUEST. The child answers LIST with a ROW for each benchmark and END, SET with
 * one VALUES and a FACT each, either with FAIL instead; SET also with UNSUPPORTED: this machine cannot have it.
 */
#ifndef NF_BENCH_PROTOCOL_H
#define NF_BENCH_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "noisefloor/bench.h"

#define NF_BENCH_CHILD_ARG "--noisefloor-bench-child"

enum {
	NF_BENCH_PROTOCOL = 1,
	NF_BENCH_FD = 3,
	NF_BENCH_DOC_MAX = 400,
	NF_BENCH_ROWS_MAX = 4096,
	NF_FRAME_HEAD_BYTES = 16,
	NF_FRAME_PAYLOAD_MAX = (1 << 23) + 64, /* a set of the most values */
};

enum nf_frame_type {
	NF_FRAME_REQUEST = 1,
	NF_FRAME_ROW,
	NF_FRAME_END,
	NF_FRAME_VALUES,
	NF_FRAME_FAIL,
	NF_FRAME_FACT,
	NF_FRAME_UNSUPPORTED,
};

enum nf_bench_ask { NF_BENCH_ASK_LIST = 1, NF_BENCH_ASK_SET };

struct nf_bench_request {
	uint32_t protocol;
	uint32_t ask; /* enum nf_bench_ask */
	uint32_t threads; /* 0: its default */
	uint32_t warm_up; /* 0 or 1 */
	uint64_t seed;
	uint64_t n_values;
	int64_t min_iteration_ns;
	char name[NF_BENCH_NAME_MAX + 4]; /* of the benchmark, with its NUL */
};

struct nf_bench_values {
	uint64_t operations;
	double warm_up_ns; /* NaN: none */
	int64_t context_switches; /* of the process until then; -1: unknown */
	int64_t migrations;
	uint64_t n; /* so many doubles follow, ns an operation */
};

/* A benchmark as another program has it. */
struct nf_bench_row {
	char name[NF_BENCH_NAME_MAX + 4];
	char doc[NF_BENCH_DOC_MAX + 4];
	uint32_t min_threads, max_threads, default_threads;
	uint32_t zero[2]; /* no byte of it is left to chance */
	uint64_t bytes;
};

struct nf_bench_fact {
	double value;
	char name[32]; /* a-z 0-9 _ */
	char text[32]; /* printable ASCII; "": the number counts, which is finite */
};

struct nf_frame {
	enum nf_frame_type type;
	const uint8_t *payload; /* borrowed from the bytes; any alignment */
	size_t len_bytes;
};

/* Head of a frame with this payload. */
void nf_frame_head(enum nf_frame_type type, const void *payload, size_t len_bytes,
                   uint8_t ret[NF_FRAME_HEAD_BYTES]);
/* Length of the payload that a head announces. -NF_EDATA: no head of ours, or too long. */
NF_NODISCARD int nf_frame_length(const uint8_t head[NF_FRAME_HEAD_BYTES], size_t *ret_len_bytes,
                                 struct nf_err *err);
/* The frame at *at, which moves behind it. -NF_EDATA: cut short, damaged, of an unknown type. */
NF_NODISCARD int nf_frame_next(const void *data, size_t len_bytes, size_t *at, struct nf_frame *ret,
                               struct nf_err *err);

/* Payloads. -NF_EDATA: not what such a frame holds (a text without an end, a time that is no time). */
NF_NODISCARD int nf_frame_request(const struct nf_frame *f, struct nf_bench_request *ret,
                                  struct nf_err *err);
NF_NODISCARD int nf_frame_row(const struct nf_frame *f, struct nf_bench_row *ret,
                              struct nf_err *err);
/* *ret_ns points at ret->n doubles in f, of any alignment. Every value is finite and positive. */
NF_NODISCARD int nf_frame_values(const struct nf_frame *f, struct nf_bench_values *ret,
                                 const uint8_t **ret_ns, struct nf_err *err);
NF_NODISCARD int nf_frame_fact(const struct nf_frame *f, struct nf_bench_fact *ret,
                               struct nf_err *err);
/* A FAIL or UNSUPPORTED frame is its text. */

bool nf_bench_name_ok(const char *name);

#endif
