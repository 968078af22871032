/* SPDX-License-Identifier: MIT */
/* backend_builtin - sets of the benchmarks of this program's table, or of another benchmark program's. */
#ifndef NF_BENCH_BACKEND_BUILTIN_H
#define NF_BENCH_BACKEND_BUILTIN_H

#include "bench/backend.h"
#include "bench/process.h"

extern const struct nf_backend nf_backend_builtin;

/* What a process's answer and end make of a set of n_values; pure. -NF_ENOMEM. */
NF_NODISCARD int nf_builtin_judge(const void *said, size_t len_bytes,
                                  const struct nf_process_end *end, size_t n_values,
                                  struct nf_set *ret, struct nf_err *err);

#endif
