/* SPDX-License-Identifier: MIT */
/* The writer; samplefile_read.c is the reader. */
#include "samples/samplefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sysio.h"
#include "samples/samplefile_format.h"

struct track {
	unsigned width;
	uint64_t n; /* values written */
};

struct nf_samplefile_writer {
	int fd;
	char *name; /* owned */
	struct track *track; /* owned, one a stream */
	uint64_t *n_values; /* owned, for the closing chunk */
	size_t n_streams;
	bool torn; /* a write failed: where the file ends is unknown */
	struct nf_buf json; /* keeps its memory from the header for the closing chunk */
	unsigned char *chunk; /* owned, one chunk as it is written */
};

static const size_t chunk_bytes = NF_SAMPLEFILE_CHUNK_BYTES + (size_t)NF_SAMPLEFILE_VALUES * 8;

static void writer_free(struct nf_samplefile_writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	nf_buf_fini(&w->json);
	free(w->name);
	free(w->track);
	free(w->n_values);
	free(w->chunk);
	free(w);
}

static int writer_new(const char *name, const struct nf_stream *streams, size_t n,
                      struct nf_samplefile_writer **ret, struct nf_err *err)
{
	struct nf_samplefile_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return nf_fail_nomem(err, name, sizeof(*w));
	w->fd = -1;
	w->n_streams = n;
	nf_buf_init(&w->json, NF_SAMPLEFILE_JSON_MAX_BYTES);
	w->name = strdup(name);
	w->track = calloc(n, sizeof(*w->track));
	w->n_values = calloc(n, sizeof(*w->n_values));
	w->chunk = calloc(1, chunk_bytes);
	if (!w->name || !w->track || !w->n_values || !w->chunk) {
		writer_free(w);
		return nf_fail_nomem(err, name, chunk_bytes + n * sizeof(*w->track));
	}
	for (size_t i = 0; i < n; i++)
		w->track[i].width = nf_stream_width(&streams[i]);
	*ret = w;
	return 0;
}

static int put(struct nf_samplefile_writer *w, const void *data, size_t len_bytes,
               struct nf_err *err)
{
	int r = nf_write_all(w->fd, data, len_bytes, w->name, err);

	w->torn = w->torn || r < 0;
	return r;
}

/* len_bytes of JSON after `before` bytes of something else, padded with zeros to 8. */
static int put_json(struct nf_samplefile_writer *w, const void *before, size_t before_bytes,
                    struct nf_err *err)
{
	static const char zeros[8];
	size_t pad = (size_t)nf_padded(w->json.len_bytes) - w->json.len_bytes;
	int r = put(w, before, before_bytes, err);

	if (r == 0)
		r = put(w, w->json.data, w->json.len_bytes, err);
	if (r == 0 && pad > 0)
		r = put(w, zeros, pad, err);
	return r;
}

static int put_header(struct nf_samplefile_writer *w, struct nf_err *err)
{
	unsigned char prefix[NF_SAMPLEFILE_PREFIX_BYTES];

	memcpy(prefix, NF_SAMPLEFILE_MAGIC, NF_SAMPLEFILE_MAGIC_BYTES);
	nf_le32_put(NF_SAMPLEFILE_VERSION, prefix + 8);
	nf_le32_put((uint32_t)w->json.len_bytes, prefix + 12);
	return put_json(w, prefix, sizeof(prefix), err);
}

int nf_samplefile_create(int dirfd, const char *name, const struct nf_stream *streams,
                         size_t n_streams, struct nf_samplefile_writer **ret, struct nf_err *err)
{
	struct nf_samplefile_writer *w = NULL;
	int r;

	if (n_streams == 0 || n_streams > NF_SAMPLEFILE_STREAMS_MAX)
		return nf_fail(err, NF_EARG, "%s: 1..%d streams, not %zu", name,
		               NF_SAMPLEFILE_STREAMS_MAX, n_streams);
	r = nf_samplefile_check_streams(streams, n_streams, false, err);
	if (r == 0)
		r = writer_new(name, streams, n_streams, &w, err);
	if (r == 0)
		r = nf_samplefile_write_header(streams, n_streams, &w->json, err);
	if (r != 0)
		goto out;
	w->fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (w->fd < 0) {
		r = errno == EEXIST ? nf_fail(err, NF_EEXIST, "%s exists", name)
		                    : nf_fail_os(err, errno, "create %s", name);
		goto out;
	}
	r = put_header(w, err);
	if (r < 0) {
		unlinkat(dirfd, name, 0);
		goto out;
	}
	*ret = w;
	return 0;
out:
	writer_free(w);
	return r;
}

static int put_chunk(struct nf_samplefile_writer *w, size_t stream, const int64_t *value,
                     uint32_t n, struct nf_err *err)
{
	struct track *t = &w->track[stream];
	unsigned char *p = w->chunk + NF_SAMPLEFILE_CHUNK_BYTES;
	size_t bytes = (size_t)n * t->width, padded = (size_t)nf_padded(bytes);

	for (uint32_t i = 0; i < n; i++)
		if (t->width == 4)
			nf_le32_put((uint32_t)(uint64_t)value[i], p + (size_t)i * 4);
		else
			nf_le64_put((uint64_t)value[i], p + (size_t)i * 8);
	memset(p + bytes, 0, padded - bytes);

	struct nf_chunk c = {
		.stream = (uint32_t)stream, .count = n, .first = t->n, .crc = nf_crc32c(0, p, bytes)
	};

	nf_chunk_put(&c, w->chunk);

	int r = put(w, w->chunk, NF_SAMPLEFILE_CHUNK_BYTES + padded, err);

	if (r == 0)
		t->n += n;
	return r;
}

int nf_samplefile_append(struct nf_samplefile_writer *w, size_t stream, const int64_t *value,
                         size_t n, struct nf_err *err)
{
	int r = 0;

	if (stream >= w->n_streams)
		return nf_fail(err, NF_EARG, "%s: stream %zu of %zu", w->name, stream,
		               w->n_streams);
	if (w->torn)
		return nf_fail_os(err, EIO, "%s: an earlier write failed", w->name);
	if (w->track[stream].width == 4)
		for (size_t i = 0; i < n; i++)
			if (value[i] < INT32_MIN || value[i] > INT32_MAX)
				return nf_fail(err, NF_EDATA,
				               "%s: stream %zu: %lld does not fit 4 bytes", w->name,
				               stream, (long long)value[i]);
	while (n > 0 && r == 0) {
		uint32_t part = n < NF_SAMPLEFILE_VALUES ? (uint32_t)n : NF_SAMPLEFILE_VALUES;

		r = put_chunk(w, stream, value, part, err);
		value += part;
		n -= part;
	}
	return r;
}

static int put_closing(struct nf_samplefile_writer *w, const struct nf_stream *streams,
                       struct nf_err *err)
{
	unsigned char head[NF_SAMPLEFILE_CHUNK_BYTES];

	for (size_t i = 0; i < w->n_streams; i++)
		w->n_values[i] = w->track[i].n;
	nf_buf_clear(&w->json);

	int r = nf_samplefile_write_losses(streams, w->n_values, w->n_streams, &w->json, err);

	if (r < 0)
		return r;

	struct nf_chunk c = { .stream = NF_SAMPLEFILE_CLOSING,
		              .count = (uint32_t)w->json.len_bytes,
		              .crc = nf_crc32c(0, w->json.data, w->json.len_bytes) };

	nf_chunk_put(&c, head);
	return put_json(w, head, sizeof(head), err);
}

int nf_samplefile_finish(struct nf_samplefile_writer *w, const struct nf_stream *streams,
                         struct nf_err *err)
{
	int r = w->torn ? nf_fail_os(err, EIO, "%s: an earlier write failed", w->name)
	                : put_closing(w, streams, err);

	if (r == 0 && fsync(w->fd) < 0)
		r = nf_fail_os(err, errno, "fsync %s", w->name);

	int fd = w->fd;

	w->fd = -1;
	if (close(fd) < 0 && r == 0)
		r = nf_fail_os(err, errno, "close %s", w->name);
	writer_free(w);
	return r;
}

void nf_samplefile_abandon(struct nf_samplefile_writer *w)
{
	writer_free(w);
}
