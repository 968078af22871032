/* SPDX-License-Identifier: MIT */
/* program - the benchmarks that an executable holds: this one's table, or what another answers. */
#ifndef NF_BENCH_PROGRAM_H
#define NF_BENCH_PROGRAM_H

#include "base/stop.h"
#include "bench/protocol.h"

struct nf_bench_list {
	struct nf_bench_row *row; /* owned */
	size_t n;
};

/* program NULL: this one. -NF_EARG: it cannot be executed, or is no benchmark program. */
NF_NODISCARD int nf_bench_list_make(const char *program, const struct nf_stop *stop,
                                    struct nf_bench_list *ret, struct nf_err *err);
void nf_bench_list_fini(struct nf_bench_list *l); /* zeroed is fine */
/* NULL: not there. name NULL: the only one. */
const struct nf_bench_row *nf_bench_list_find(const struct nf_bench_list *l, const char *name);
/* -NF_EARG that says what is there. */
NF_NODISCARD int nf_bench_list_refuse(const struct nf_bench_list *l, const char *name,
                                      const char *program, struct nf_err *err);

/* The table that an answer to ASK_LIST holds; pure. */
NF_NODISCARD int nf_bench_list_read(const void *said, size_t len_bytes, struct nf_bench_list *ret,
                                    struct nf_err *err);

/* "sync.mutex/20T": a name with its number of threads where that is not its default (threads 0). */
void nf_bench_label(const struct nf_bench_row *row, unsigned threads,
                    char ret[NF_BENCH_NAME_MAX + 16]);

#endif
