/* SPDX-License-Identifier: MIT */
/* text_bench - benchmarks for people, in 80 columns: a block each, a table, what it amounts to. Everything
 * shown stands in the record. 0 or the buffer's failure. */
#ifndef NF_REPORT_TEXT_BENCH_H
#define NF_REPORT_TEXT_BENCH_H

#include "base/buf.h"
#include "record/rec_bench.h"

int nf_text_bench_run(const struct nf_rec_bench_run *r, struct nf_buf *out);
int nf_text_bench_compare(const struct nf_rec_bench_compare *r, struct nf_buf *out);

/* A line of the memory of all processes of a command. */
void nf_text_bench_memory(const struct nf_rec_bench_variant *v, struct nf_buf *out);
/* A line of what a shell alone takes; nothing of a variant without one. */
void nf_text_bench_shell(const struct nf_rec_bench_variant *v, struct nf_buf *out);
/* The same as a sentence, of all variants of a run. */
void nf_text_bench_shells(const struct nf_list *variants, struct nf_buf *out);
/* What this machine cannot have, a line each; nothing where there is none. */
void nf_text_bench_left_out(const struct nf_list *variants, struct nf_buf *out);
/* A value in its unit: nanoseconds as nf_text_ns() writes them, bytes with a prefix, else digits and the unit. */
void nf_text_bench_value(struct nf_buf *out, const char *unit, bool some, double value);
/* The same as a cell of a table, narrower than `width` and right-aligned in it: with fewer digits, or without a unit
 * that finds no room. */
void nf_text_bench_cell(struct nf_buf *out, const char *unit, bool some, double value,
                        size_t width);
/* Change and interval of a ratio as cells: in per cent, as a factor where that is too wide. */
void nf_text_bench_change(struct nf_buf *out, struct nf_some_real ratio, size_t width);
void nf_text_bench_interval(struct nf_buf *out, struct nf_some_real lo, struct nf_some_real hi,
                            size_t width);

#endif
