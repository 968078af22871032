/* SPDX-License-Identifier: MIT */
/* samplefile_format - what the writer and the reader of .nfsamples share (docs/RECORD_FORMAT.md). */
#ifndef NF_SAMPLES_SAMPLEFILE_FORMAT_H
#define NF_SAMPLES_SAMPLEFILE_FORMAT_H

#include <endian.h>
#include <string.h>

#include "base/buf.h"
#include "samples/samplefile.h"

enum {
	NF_SAMPLEFILE_MAGIC_BYTES = 8,
	NF_SAMPLEFILE_VERSION = 1,
	NF_SAMPLEFILE_PREFIX_BYTES = 16, /* magic, version, header length */
	NF_SAMPLEFILE_CHUNK_BYTES = 24, /* what stands before a chunk's values */
	NF_SAMPLEFILE_JSON_MAX_BYTES = 4 << 20, /* header or closing chunk */
	NF_SAMPLEFILE_VALUES = 1 << 16, /* most values in a chunk */
};
#define NF_SAMPLEFILE_MAGIC "nfsmpl\r\n"
#define NF_SAMPLEFILE_CLOSING UINT32_MAX /* stream number of the closing chunk */

struct nf_chunk {
	uint32_t stream;
	uint32_t count; /* values; bytes in the closing chunk */
	uint64_t first; /* index in the stream of the first value */
	uint32_t crc; /* CRC-32C of the values as they stand in the file, without the padding */
	uint32_t zero;
};
void nf_chunk_put(const struct nf_chunk *c, unsigned char ret[NF_SAMPLEFILE_CHUNK_BYTES]);
struct nf_chunk nf_chunk_get(const unsigned char p[NF_SAMPLEFILE_CHUNK_BYTES]);

/* Little-endian, whatever the host. */
static inline void nf_le32_put(uint32_t v, unsigned char ret[4])
{
	v = htole32(v);
	memcpy(ret, &v, sizeof(v));
}

static inline void nf_le64_put(uint64_t v, unsigned char ret[8])
{
	v = htole64(v);
	memcpy(ret, &v, sizeof(v));
}

static inline uint32_t nf_le32_get(const unsigned char p[4])
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t nf_le64_get(const unsigned char p[8])
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static inline uint64_t nf_padded(uint64_t n_bytes)
{
	return (n_bytes + 7) / 8 * 8;
}

static inline unsigned nf_stream_width(const struct nf_stream *s)
{
	return s->width == 4 ? 4 : 8;
}

/* -NF_EARG or, from_file, -NF_EDATA. */
NF_NODISCARD int nf_samplefile_check_streams(const struct nf_stream *streams, size_t n,
                                             bool from_file, struct nf_err *err);

NF_NODISCARD int nf_samplefile_write_header(const struct nf_stream *streams, size_t n,
                                            struct nf_buf *out, struct nf_err *err);
/* *ret_streams: owned by the caller, free(). */
NF_NODISCARD int nf_samplefile_read_header(const char *json, size_t len_bytes,
                                           struct nf_stream **ret_streams, size_t *ret_n,
                                           struct nf_err *err);

/* The closing chunk: per stream the number of its values (n_values[i]) and the losses. */
NF_NODISCARD int nf_samplefile_write_losses(const struct nf_stream *streams,
                                            const uint64_t *n_values, size_t n, struct nf_buf *out,
                                            struct nf_err *err);
/* Sets the losses of streams, all or none. -NF_EDATA also when a stream's n is not the file's. */
NF_NODISCARD int nf_samplefile_read_losses(const char *json, size_t len_bytes,
                                           struct nf_stream *streams, size_t n, struct nf_err *err);

#endif
