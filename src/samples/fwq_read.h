/* SPDX-License-Identifier: MIT */
/*
 * fwq_read - reads the text files of the FWQ benchmarks (samples/fwq_write.h says what they hold) from
 * chunks of any size, in bounded memory.
 *
 * Read are the files of threads and of processes, the older header "Speed Process %d cycles %lld seconds
 * %f GHz %f", values without any header (serial), and before the first value the lines that those
 * programs print about themselves. A carriage return before a line feed is left out: files come from
 * elsewhere. A negative value is none of a clock that never goes back. Anything else is -NF_EDATA with "name:line". A last line without its line feed is not
 * delivered, as a number may be cut short there; nf_fwq_reader_finish() tells.
 * Pure: no I/O; the callbacks' failures are passed on.
 */
#ifndef NF_SAMPLES_FWQ_READ_H
#define NF_SAMPLES_FWQ_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "samples/fwq_write.h"

/* Longest line; a list of CPUs can take some. */
enum { NF_FWQ_LINE_BYTES = 1 << 16, NF_FWQ_BATCH = 4096 };

struct nf_fwq_reader_ops {
	/* A line that begins with Speed. ghz 0: it is there but no rate (inf, nan, 0). */
	int (*speed)(void *ctx, int index, double ghz, struct nf_err *err);
	/* A worker begins; cpus is borrowed for the call. Serial values: index 0, cpus "". */
	int (*worker)(void *ctx, enum nf_fwq_form form, int index, const char *cpus,
	              struct nf_err *err);
	/* Its next 1..NF_FWQ_BATCH values. */
	int (*values)(void *ctx, const int64_t *v, size_t n, struct nf_err *err);
};

struct nf_fwq_reader;

/* name: borrowed, for messages. ops and ctx: borrowed. -NF_ENOMEM. */
NF_NODISCARD int nf_fwq_reader_new(const char *name, const struct nf_fwq_reader_ops *ops, void *ctx,
                                   struct nf_fwq_reader **ret, struct nf_err *err);
void nf_fwq_reader_free(struct nf_fwq_reader *r); /* NULL is fine */
/* The next bytes. After a failure only nf_fwq_reader_free() may be called. */
NF_NODISCARD int nf_fwq_reader_feed(struct nf_fwq_reader *r, const void *data, size_t len_bytes,
                                    struct nf_err *err);
/* The end of the file: delivers what is gathered. *ret_torn: the last line had no line feed and was left
 * out. */
NF_NODISCARD int nf_fwq_reader_finish(struct nf_fwq_reader *r, bool *ret_torn, struct nf_err *err);

#endif
