/* SPDX-License-Identifier: MIT */
/*
 * kernels - the fixed work and the timed loops around it: compiled as their own library with pinned
 * flags and without hardening, so that what is measured is what is written.
 *
 * Every work function is a dependent chain of `work` iterations that no compiler can shorten. A timed
 * loop holds no call and keeps everything in registers (a test disassembles it).
 */
#ifndef NF_MEASURE_KERNELS_H
#define NF_MEASURE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/stop.h"

enum nf_kernel_id {
	NF_KERNEL_NOP, /* an empty counted loop */
	NF_KERNEL_CHAIN, /* dependent integer multiply-add */
	NF_KERNEL_FMA, /* dependent floating-point multiply-add */
	NF_KERNEL_DAXPY, /* y += a x over vectors in the first-level cache, one element an iteration */
	NF_N_KERNELS,
};

/* Elements of each of the two vectors of daxpy, a power of two: 8 KiB together. */
enum { NF_DAXPY_LEN = 512 };

/* One worker's loop state; everything is allocated by the caller and prefaulted. */
struct nf_fwq_loop {
	uint64_t work; /* iterations a quantum; 0: the loop's own cost */
	double *vector; /* daxpy: 2 * NF_DAXPY_LEN elements, x then y; else unused */
	int64_t *sample; /* ticks */
	size_t n; /* in: room; out: samples written */
	uint64_t deadline_tick; /* stop after a quantum that ends past it; UINT64_MAX: none */
	const volatile sig_atomic_t *stop; /* non-zero: stop after this quantum; never NULL */
	uint64_t first_tick; /* out: first and last clock read */
	uint64_t last_tick;
};

typedef void nf_fwq_loop_fn(struct nf_fwq_loop *l);

struct nf_kernel {
	const char *name; /* "chain" */
	const char *doc;
	nf_fwq_loop_fn *loop_counter; /* on the architecture's counter; NULL where there is none */
	nf_fwq_loop_fn *loop_monotonic; /* on CLOCK_MONOTONIC_RAW in ns (a call per quantum) */
};
extern const struct nf_kernel nf_kernels[NF_N_KERNELS];

/* Compiler and flags that this library was built with, for the record. */
extern const char nf_kernels_compiler[];
extern const char nf_kernels_flags[];

#endif
