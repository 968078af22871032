/* SPDX-License-Identifier: MIT */
/* suites - THE table of the benchmarks that are built in; docs/HOWTO_ADD_BENCHMARK.md. */
#ifndef NF_BENCH_SUITES_H
#define NF_BENCH_SUITES_H

#include "noisefloor/bench.h"

extern const struct nf_bench *const nf_suites[]; /* tables, ends with NULL */

#endif
