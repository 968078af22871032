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

/* Creates name in dirfd exclusively (-NF_EEXIST) and writes the header for these streams' metadata
 * (values are ignored here). width is 4 where every value of a stream is known to fit int32, else 8. */
NF_NODISCARD int nf_samplefile_create(int dirfd, const char *name, const struct nf_stream *streams,
				      size_t n_streams, struct nf_samplefile_writer **ret,
				      struct nf_err *err);
/* Appends values of streams[stream]; one or more chunks. */
NF_NODISCARD int nf_samplefile_append(struct nf_samplefile_writer *w, size_t stream,
				      const int64_t *value, size_t n, struct nf_err *err);
/* Writes the closing chunk with the streams' losses, fsyncs, closes, frees. */
NF_NODISCARD int nf_samplefile_finish(struct nf_samplefile_writer *w,
				      const struct nf_stream *streams, struct nf_err *err);
/* Gives up: closes and frees; the file stays as far as it was written. NULL is fine. */
void nf_samplefile_abandon(struct nf_samplefile_writer *w);

enum nf_samplefile_state {
	NF_SAMPLEFILE_COMPLETE, /* closing chunk present, every checksum right */
	NF_SAMPLEFILE_PARTIAL, /* no closing chunk, or a torn last chunk */
	NF_SAMPLEFILE_DAMAGED, /* a chunk other than the last is wrong; `what` says where */
};

/* All streams of a file; values read into memory (at most max_bytes of them, else -NF_EDATA).
 * Header that does not parse, unknown magic or version: -NF_EDATA with the offset. Damage is not an
 * error here: *ret_state tells, the values before it are kept. */
struct nf_samplefile {
	struct nf_stream *streams; /* owned */
	size_t n_streams;
	enum nf_samplefile_state state;
	char what[160]; /* for PARTIAL and DAMAGED: what is wrong, at which byte */
};
NF_NODISCARD int nf_samplefile_read(int dirfd, const char *name, size_t max_bytes,
				    struct nf_samplefile *ret, struct nf_err *err);
void nf_samplefile_fini(struct nf_samplefile *f);

#endif
