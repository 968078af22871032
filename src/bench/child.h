/* SPDX-License-Identifier: MIT */
/* child - the side of a benchmark program that answers the process that started it (protocol.h). */
#ifndef NF_BENCH_CHILD_H
#define NF_BENCH_CHILD_H

#include <stdbool.h>

#include "noisefloor/bench.h"

/* Whether this process was started as one. */
bool nf_bench_child_asked(int argc, char *const *argv);
/* Answers the one request on NF_BENCH_FD from these tables (ends with NULL) and returns the exit code: 0
 * once an answer was given, also that the benchmark failed. SIGTERM ends a set early: after the iteration at
 * hand, a second one at once, either with the values so far. */
int nf_bench_child(const struct nf_bench *const *tables);

/* Thread numbers with the zeros of a row replaced. */
unsigned nf_bench_min_threads(const struct nf_bench *b);
unsigned nf_bench_max_threads(const struct nf_bench *b);
unsigned nf_bench_default_threads(const struct nf_bench *b);
/* NULL: no such benchmark. */
const struct nf_bench *nf_bench_find(const struct nf_bench *const *tables, const char *name);

#endif
