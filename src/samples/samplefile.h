/* SPDX-License-Identifier: MIT */
/*
 * samplefile - the .nfsamples file, version 1 (docs/RECORD_FORMAT.md): raw samples in order, chunked,
 * each chunk with a CRC-32C, losses in a closing chunk.
 *
 * A file that ends early stays readable up to its last whole chunk; the reader says so. A damaged
 * chunk that is not the last one is an error.
 */
#ifndef NF_SAMPLES_SAMPLEFILE_H
#define NF_SAMPLES_SAMPLEFILE_H

#include "samples/stream.h"

struct nf_samplefile_writer;

enum { NF_SAMPLEFILE_STREAMS_MAX = 16384 };

/* Creates name in dirfd exclusively (-NF_EEXIST) and writes the header for these streams' metadata
 * (values and losses are ignored here). 1..16384 streams with names of their own, all texts UTF-8, cpu
 * and node at least -1, a rate with ticks and only with ticks, width 0, 4 or 8: else -NF_EARG. After a
 * failure there is no file of ours. Appending allocates nothing. */
NF_NODISCARD int nf_samplefile_create(int dirfd, const char *name, const struct nf_stream *streams,
                                      size_t n_streams, struct nf_samplefile_writer **ret,
                                      struct nf_err *err);
/* Appends values of streams[stream]; one or more chunks. -NF_EDATA, and nothing is written, when a
 * value does not fit its stream's width. After a failed write the file ends in a torn chunk and every
 * later append fails too. */
NF_NODISCARD int nf_samplefile_append(struct nf_samplefile_writer *w, size_t stream,
                                      const int64_t *value, size_t n, struct nf_err *err);
/* Writes the closing chunk with the losses of the streams given to nf_samplefile_create (only their
 * counts are read), fsyncs, closes. w is taken, also on failure. */
NF_NODISCARD int nf_samplefile_finish(struct nf_samplefile_writer *w,
                                      const struct nf_stream *streams, struct nf_err *err);
/* Gives up: closes and frees; the file stays as far as it was written. NULL is fine. */
void nf_samplefile_abandon(struct nf_samplefile_writer *w);

enum nf_samplefile_state {
	NF_SAMPLEFILE_COMPLETE, /* closing chunk present, every checksum right */
	NF_SAMPLEFILE_PARTIAL, /* no closing chunk, or a torn last chunk */
	NF_SAMPLEFILE_DAMAGED, /* a chunk other than the last is wrong */
};

/* All streams of a file. */
struct nf_samplefile {
	struct nf_stream *streams; /* owned; a stream without values has value NULL and cap 0 */
	size_t n_streams;
	enum nf_samplefile_state state;
	char what[160]; /* for PARTIAL and DAMAGED: what is wrong, at which byte; else "" */
};

/* Reads the values into memory (at most max_bytes of them at 8 bytes each, else -NF_EDATA).
 * Header that does not parse, unknown magic or version: -NF_EDATA with the offset. Damage is not an
 * error here: ret->state tells, the values before it are kept. Losses are known only when the file is
 * complete; in any other state they read 0 and mean nothing. */
NF_NODISCARD int nf_samplefile_read(int dirfd, const char *name, size_t max_bytes,
                                    struct nf_samplefile *ret, struct nf_err *err);
void nf_samplefile_fini(struct nf_samplefile *f); /* zeroed is fine */

/* The same stream by stream: memory for the places of at most 2^24 chunks (16 bytes each), not for the
 * values. Opening reads the file once and checks it as nf_samplefile_read() does; it has to stay
 * as it is until it is closed. */
struct nf_samplefile_reader;
NF_NODISCARD int nf_samplefile_open(int dirfd, const char *name, /* borrowed, for messages */
                                    struct nf_samplefile_reader **ret, struct nf_err *err);
void nf_samplefile_close(struct nf_samplefile_reader *r); /* NULL is fine */
/* State, and the streams with their n and losses but without values (NULL). Borrowed from r. */
const struct nf_samplefile *nf_samplefile_about(const struct nf_samplefile_reader *r);
/* All n values of one stream (below n_streams); ret has room for them. */
NF_NODISCARD int nf_samplefile_values(struct nf_samplefile_reader *r, size_t stream, int64_t *ret,
                                      struct nf_err *err);

#endif
