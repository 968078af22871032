/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "samples/samplefile_format.h"

static const size_t buf_bytes = (size_t)NF_SAMPLEFILE_VALUES * 8;
static const uint64_t zeros_max = 16 << 20; /* a longer run of zeros is no tail of a lost write */

struct reader {
	int fd;
	const char *name; /* borrowed */
	uint64_t size;
	uint64_t at; /* next byte to look at */
	unsigned char *buf; /* owned, buf_bytes */
	struct nf_samplefile *file; /* borrowed, the one being made */
};

/* Bytes that exist, as far as the file's size said. */
static int read_at(const struct reader *r, uint64_t at, void *ret, size_t len_bytes,
                   struct nf_err *err)
{
	unsigned char *p = ret;

	while (len_bytes > 0) {
		ssize_t n = pread(r->fd, p, len_bytes, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return nf_fail_os(err, errno, "read %s", r->name);
		if (n == 0)
			return nf_fail(err, NF_EDATA, "%s shrank to %llu bytes while it was read",
			               r->name, (unsigned long long)at);
		p += n;
		at += (uint64_t)n;
		len_bytes -= (size_t)n;
	}
	return 0;
}

/* *ret: owned by the caller, free(). */
static int read_bytes(const struct reader *r, uint64_t at, size_t len_bytes, char **ret,
                      struct nf_err *err)
{
	char *p = malloc(len_bytes);
	int rc;

	if (!p)
		return nf_fail_nomem(err, r->name, len_bytes);
	rc = read_at(r, at, p, len_bytes, err);
	if (rc < 0) {
		free(p);
		return rc;
	}
	*ret = p;
	return 0;
}

static int bad_header(const struct reader *r, uint64_t at, const char *what, struct nf_err *err)
{
	return nf_fail(err, NF_EDATA, "%s: byte %llu: %s", r->name, (unsigned long long)at, what);
}

static int read_header(struct reader *r, struct nf_err *err)
{
	unsigned char prefix[NF_SAMPLEFILE_PREFIX_BYTES];
	struct nf_err why;
	char *json = NULL;
	int rc;

	if (r->size < sizeof(prefix))
		return bad_header(r, r->size, "ends before its header", err);
	rc = read_at(r, 0, prefix, sizeof(prefix), err);
	if (rc < 0)
		return rc;
	if (memcmp(prefix, NF_SAMPLEFILE_MAGIC, NF_SAMPLEFILE_MAGIC_BYTES) != 0)
		return bad_header(r, 0, "not an .nfsamples file", err);
	if (nf_le32_get(prefix + 8) != NF_SAMPLEFILE_VERSION)
		return nf_fail(err, NF_EDATA, "%s: byte 8: version %u, this program reads %d",
		               r->name, nf_le32_get(prefix + 8), NF_SAMPLEFILE_VERSION);

	uint32_t len = nf_le32_get(prefix + 12);

	if (len == 0)
		return bad_header(r, 12, "the header is empty", err);
	if (len > NF_SAMPLEFILE_JSON_MAX_BYTES)
		return bad_header(r, 12, "header longer than 4 MiB", err);
	if (nf_padded(len) > r->size - sizeof(prefix))
		return bad_header(r, r->size, "ends within its header", err);
	rc = read_bytes(r, sizeof(prefix), len, &json, err);
	if (rc < 0)
		return rc;
	rc = nf_samplefile_read_header(json, len, &r->file->streams, &r->file->n_streams, &why);
	free(json);
	if (rc == -NF_EDATA)
		return nf_fail(err, NF_EDATA, "%s: header at byte %zu: %s", r->name, sizeof(prefix),
		               why.msg);
	if (rc < 0) {
		if (err)
			*err = why;
		return rc;
	}
	r->at = sizeof(prefix) + nf_padded(len);
	return 0;
}

/* --- chunks ---------------------------------------------------------------------------------- */

enum step {
	STEP_VALUES,
	STEP_CLOSING,
	STEP_STOP, /* file->state and what say why */
};

static enum step stop(struct reader *r, enum nf_samplefile_state state, const char *what)
{
	r->file->state = state;
	snprintf(r->file->what, sizeof(r->file->what), "byte %llu: %.120s",
	         (unsigned long long)r->at, what);
	return STEP_STOP;
}

static bool is_zero(const void *data, size_t len_bytes)
{
	const char *p = data;

	for (size_t i = 0; i < len_bytes; i++)
		if (p[i] != 0)
			return false;
	return true;
}

/* What a lost write can leave: nothing but zeros from here to the end. */
static int zeros_to_the_end(const struct reader *r, bool *ret, struct nf_err *err)
{
	*ret = r->size - r->at <= zeros_max;
	for (uint64_t at = r->at; *ret && at < r->size;) {
		size_t len = r->size - at < buf_bytes ? (size_t)(r->size - at) : buf_bytes;
		int rc = read_at(r, at, r->buf, len, err);

		if (rc < 0)
			return rc;
		*ret = is_zero(r->buf, len);
		at += len;
	}
	return 0;
}

static bool plausible(const struct reader *r, const struct nf_chunk *c)
{
	if (c->zero != 0 || c->count == 0)
		return false;
	if (c->stream == NF_SAMPLEFILE_CLOSING)
		return c->first == 0 && c->count <= NF_SAMPLEFILE_JSON_MAX_BYTES;
	return c->stream < r->file->n_streams && c->count <= NF_SAMPLEFILE_VALUES &&
	       c->first == r->file->streams[c->stream].n;
}

static uint64_t bytes_of(const struct reader *r, const struct nf_chunk *c)
{
	if (c->stream == NF_SAMPLEFILE_CLOSING)
		return c->count;
	return (uint64_t)c->count * nf_stream_width(&r->file->streams[c->stream]);
}

/* Looks at the chunk at r->at, which then is all there. */
static int look(struct reader *r, struct nf_chunk *ret, enum step *ret_step, struct nf_err *err)
{
	unsigned char head[NF_SAMPLEFILE_CHUNK_BYTES];
	bool zeros;
	int rc;

	if (r->at == r->size) {
		*ret_step = stop(r, NF_SAMPLEFILE_PARTIAL, "ends without its closing chunk");
		return 0;
	}
	if (r->size - r->at < sizeof(head)) {
		*ret_step = stop(r, NF_SAMPLEFILE_PARTIAL, "the last chunk is torn");
		return 0;
	}
	rc = read_at(r, r->at, head, sizeof(head), err);
	if (rc < 0)
		return rc;
	*ret = nf_chunk_get(head);
	if (!plausible(r, ret)) {
		rc = zeros_to_the_end(r, &zeros, err);
		if (rc < 0)
			return rc;
		*ret_step = zeros ? stop(r, NF_SAMPLEFILE_PARTIAL, "the rest is zeros")
		                  : stop(r, NF_SAMPLEFILE_DAMAGED, "not a chunk that belongs here");
	} else if (nf_padded(bytes_of(r, ret)) > r->size - r->at - sizeof(head)) {
		*ret_step = stop(r, NF_SAMPLEFILE_PARTIAL, "the last chunk is torn");
	} else {
		*ret_step = ret->stream == NF_SAMPLEFILE_CLOSING ? STEP_CLOSING : STEP_VALUES;
	}
	return 0;
}

static uint64_t chunk_end(const struct reader *r, const struct nf_chunk *c)
{
	return r->at + NF_SAMPLEFILE_CHUNK_BYTES + nf_padded(bytes_of(r, c));
}

/* A chunk that is all there but wrong: torn if it is the last, else damage. */
static enum step wrong(struct reader *r, const struct nf_chunk *c, const char *what)
{
	return stop(r, chunk_end(r, c) == r->size ? NF_SAMPLEFILE_PARTIAL : NF_SAMPLEFILE_DAMAGED,
	            what);
}

/* First pass: how many values there are, from the chunks' headers alone. */
static int plan(struct reader *r, size_t max_bytes, struct nf_err *err)
{
	uint64_t at = r->at, total = 0;
	struct nf_chunk c;
	enum step step;
	int rc;

	while ((rc = look(r, &c, &step, err)) == 0 && step == STEP_VALUES) {
		total += c.count;
		if (total > max_bytes / sizeof(int64_t))
			return nf_fail(err, NF_EDATA,
			               "%s: byte %llu: more than %zu bytes of values", r->name,
			               (unsigned long long)r->at, max_bytes);
		r->file->streams[c.stream].n += c.count;
		r->at = chunk_end(r, &c);
	}
	r->at = at;
	return rc;
}

/* Gives every stream the memory that its n says, and sets n to 0. */
static int make_room(struct reader *r, struct nf_err *err)
{
	for (size_t i = 0; i < r->file->n_streams; i++) {
		struct nf_stream *s = &r->file->streams[i], with = { 0 };
		size_t n = s->n;
		int rc = n > 0 ? nf_stream_init(&with, s->name, n, err) : 0;

		s->n = 0;
		if (rc < 0)
			return rc;
		s->value = with.value;
		s->cap = with.cap;
	}
	return 0;
}

static int load_values(struct reader *r, const struct nf_chunk *c, enum step *ret_step,
                       struct nf_err *err)
{
	struct nf_stream *s = &r->file->streams[c->stream];
	size_t bytes = (size_t)bytes_of(r, c), padded = (size_t)nf_padded(bytes);
	int rc = read_at(r, r->at + NF_SAMPLEFILE_CHUNK_BYTES, r->buf, padded, err);

	if (rc < 0)
		return rc;
	if (!is_zero(r->buf + bytes, padded - bytes)) {
		*ret_step = wrong(r, c, "padding is not zero");
		return 0;
	}
	if (nf_crc32c(0, r->buf, bytes) != c->crc) {
		*ret_step = wrong(r, c, "checksum differs");
		return 0;
	}
	/* A file that somebody still writes to may have more than the first pass saw. */
	if (c->count > s->cap - s->n) {
		*ret_step = stop(r, NF_SAMPLEFILE_PARTIAL, "written to while it was read");
		return 0;
	}
	for (size_t i = 0; i < c->count; i++)
		s->value[s->n + i] = s->width == 4 ? (int32_t)nf_le32_get(r->buf + i * 4)
		                                   : (int64_t)nf_le64_get(r->buf + i * 8);
	s->n += c->count;
	return 0;
}

static int load_closing(struct reader *r, const struct nf_chunk *c, struct nf_err *err)
{
	char *json = NULL;
	struct nf_err why;
	size_t padded = (size_t)nf_padded(c->count);
	int rc = read_bytes(r, r->at + NF_SAMPLEFILE_CHUNK_BYTES, padded, &json, err);

	if (rc < 0)
		return rc;
	if (!is_zero(json + c->count, padded - c->count)) {
		wrong(r, c, "padding is not zero");
	} else if (nf_crc32c(0, json, c->count) != c->crc) {
		wrong(r, c, "checksum of the closing chunk differs");
	} else if (chunk_end(r, c) != r->size) {
		stop(r, NF_SAMPLEFILE_DAMAGED, "something follows the closing chunk");
	} else {
		rc = nf_samplefile_read_losses(json, c->count, r->file->streams, r->file->n_streams,
		                               &why);
		if (rc == -NF_EDATA) {
			/* The checksum is right: this is no torn write. */
			stop(r, NF_SAMPLEFILE_DAMAGED, why.msg);
			rc = 0;
		} else if (rc < 0) {
			if (err)
				*err = why;
		} else {
			r->file->state = NF_SAMPLEFILE_COMPLETE;
			r->file->what[0] = '\0';
		}
	}
	free(json);
	return rc;
}

/* Second pass. */
static int load(struct reader *r, struct nf_err *err)
{
	struct nf_chunk c;
	enum step step;
	int rc;

	for (;;) {
		rc = look(r, &c, &step, err);
		if (rc < 0 || step == STEP_STOP)
			return rc;
		if (step == STEP_CLOSING)
			return load_closing(r, &c, err);
		rc = load_values(r, &c, &step, err);
		if (rc < 0 || step == STEP_STOP)
			return rc;
		r->at = chunk_end(r, &c);
	}
}

static int open_file(struct reader *r, int dirfd, struct nf_err *err)
{
	struct stat st;

	/* Without O_NONBLOCK a FIFO in the file's place would hang us. */
	r->fd = openat(dirfd, r->name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (r->fd < 0)
		return nf_fail_os(err, errno, "open %s", r->name);
	if (fstat(r->fd, &st) < 0)
		return nf_fail_os(err, errno, "stat %s", r->name);
	if (!S_ISREG(st.st_mode))
		return nf_fail(err, NF_EDATA, "%s: byte 0: not a regular file", r->name);
	r->size = (uint64_t)st.st_size;
	r->buf = malloc(buf_bytes);
	return r->buf ? 0 : nf_fail_nomem(err, r->name, buf_bytes);
}

int nf_samplefile_read(int dirfd, const char *name, size_t max_bytes, struct nf_samplefile *ret,
                       struct nf_err *err)
{
	struct nf_samplefile file = { 0 };
	struct reader r = { .fd = -1, .name = name, .file = &file };
	int rc = open_file(&r, dirfd, err);

	if (rc == 0)
		rc = read_header(&r, err);
	if (rc == 0)
		rc = plan(&r, max_bytes, err);
	if (rc == 0)
		rc = make_room(&r, err);
	if (rc == 0)
		rc = load(&r, err);
	if (rc == 0)
		*ret = file;
	else
		nf_samplefile_fini(&file);
	free(r.buf);
	if (r.fd >= 0)
		close(r.fd);
	return rc;
}

void nf_samplefile_fini(struct nf_samplefile *f)
{
	for (size_t i = 0; i < f->n_streams; i++)
		nf_stream_fini(&f->streams[i]);
	free(f->streams);
	*f = (struct nf_samplefile){ 0 };
}
