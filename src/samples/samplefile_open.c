/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "samples/samplefile_format.h"

enum { PLACES_MAX = 1 << 24 };

static const size_t buf_bytes = (size_t)NF_SAMPLEFILE_VALUES * 8;
static const uint64_t zeros_max = 16 << 20; /* a longer run of zeros is no tail of a lost write */

/* Where the values of a chunk are. */
struct place {
	uint64_t at; /* its first value's byte */
	uint32_t stream;
	uint32_t count;
};

struct nf_samplefile_reader {
	int fd;
	const char *name; /* borrowed */
	uint64_t size;
	uint64_t at; /* next byte to look at */
	unsigned char *buf; /* owned, buf_bytes */
	struct place *place; /* owned; in the order of the file */
	size_t n_places, cap_places;
	struct nf_samplefile file; /* streams without values */
};

/* Bytes that exist, as far as the file's size said. */
static int read_at(const struct nf_samplefile_reader *r, uint64_t at, void *ret, size_t len_bytes,
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
static int read_bytes(const struct nf_samplefile_reader *r, uint64_t at, size_t len_bytes,
                      char **ret, struct nf_err *err)
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

static int bad_header(const struct nf_samplefile_reader *r, uint64_t at, const char *what,
                      struct nf_err *err)
{
	return nf_fail(err, NF_EDATA, "%s: byte %llu: %s", r->name, (unsigned long long)at, what);
}

static int read_header(struct nf_samplefile_reader *r, struct nf_err *err)
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
	rc = nf_samplefile_read_header(json, len, &r->file.streams, &r->file.n_streams, &why);
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

static enum step stop(struct nf_samplefile_reader *r, enum nf_samplefile_state state,
                      const char *what)
{
	r->file.state = state;
	snprintf(r->file.what, sizeof(r->file.what), "byte %llu: %.*s", (unsigned long long)r->at,
	         NF_UTF8_CUT(what, 120));
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
static int zeros_to_the_end(const struct nf_samplefile_reader *r, bool *ret, struct nf_err *err)
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

static bool plausible(const struct nf_samplefile_reader *r, const struct nf_chunk *c)
{
	if (c->zero != 0 || c->count == 0)
		return false;
	if (c->stream == NF_SAMPLEFILE_CLOSING)
		return c->first == 0 && c->count <= NF_SAMPLEFILE_JSON_MAX_BYTES;
	return c->stream < r->file.n_streams && c->count <= NF_SAMPLEFILE_VALUES &&
	       c->first == r->file.streams[c->stream].n;
}

static uint64_t bytes_of(const struct nf_samplefile_reader *r, const struct nf_chunk *c)
{
	if (c->stream == NF_SAMPLEFILE_CLOSING)
		return c->count;
	return (uint64_t)c->count * nf_stream_width(&r->file.streams[c->stream]);
}

/* Looks at the chunk at r->at, which then is all there. */
static int look(struct nf_samplefile_reader *r, struct nf_chunk *ret, enum step *ret_step,
                struct nf_err *err)
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

static uint64_t chunk_end(const struct nf_samplefile_reader *r, const struct nf_chunk *c)
{
	return r->at + NF_SAMPLEFILE_CHUNK_BYTES + nf_padded(bytes_of(r, c));
}

/* A chunk that is all there but wrong: torn if it is the last, else damage. */
static enum step wrong(struct nf_samplefile_reader *r, const struct nf_chunk *c, const char *what)
{
	return stop(r, chunk_end(r, c) == r->size ? NF_SAMPLEFILE_PARTIAL : NF_SAMPLEFILE_DAMAGED,
	            what);
}

static int keep_place(struct nf_samplefile_reader *r, const struct nf_chunk *c, struct nf_err *err)
{
	if (r->n_places == r->cap_places) {
		size_t cap = r->cap_places ? 2 * r->cap_places : 64;
		struct place *more;

		if (r->n_places >= PLACES_MAX)
			return nf_fail(err, NF_EDATA, "%s: byte %llu: more than %d chunks", r->name,
			               (unsigned long long)r->at, PLACES_MAX);
		more = realloc(r->place, cap * sizeof(*more));
		if (!more)
			return nf_fail_nomem(err, r->name, cap * sizeof(*more));
		r->place = more;
		r->cap_places = cap;
	}
	r->place[r->n_places++] =
	        (struct place){ r->at + NF_SAMPLEFILE_CHUNK_BYTES, c->stream, c->count };
	return 0;
}

static int check_values(struct nf_samplefile_reader *r, const struct nf_chunk *c,
                        enum step *ret_step, struct nf_err *err)
{
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
	rc = keep_place(r, c, err);
	if (rc == 0)
		r->file.streams[c->stream].n += c->count;
	return rc;
}

static int load_closing(struct nf_samplefile_reader *r, const struct nf_chunk *c,
                        struct nf_err *err)
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
		rc = nf_samplefile_read_losses(json, c->count, r->file.streams, r->file.n_streams,
		                               &why);
		if (rc == -NF_EDATA) {
			/* The checksum is right: this is no torn write. */
			stop(r, NF_SAMPLEFILE_DAMAGED, why.msg);
			rc = 0;
		} else if (rc < 0) {
			if (err)
				*err = why;
		} else {
			r->file.state = NF_SAMPLEFILE_COMPLETE;
			r->file.what[0] = '\0';
		}
	}
	free(json);
	return rc;
}

/* Looks at every chunk. */
static int scan(struct nf_samplefile_reader *r, struct nf_err *err)
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
		rc = check_values(r, &c, &step, err);
		if (rc < 0 || step == STEP_STOP)
			return rc;
		r->at = chunk_end(r, &c);
	}
}

static int open_file(struct nf_samplefile_reader *r, int dirfd, struct nf_err *err)
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

int nf_samplefile_open(int dirfd, const char *name, struct nf_samplefile_reader **ret,
                       struct nf_err *err)
{
	struct nf_samplefile_reader *r = calloc(1, sizeof(*r));

	if (!r)
		return nf_fail_nomem(err, name, sizeof(*r));
	r->fd = -1;
	r->name = name;
	int rc = open_file(r, dirfd, err);
	if (rc == 0)
		rc = read_header(r, err);
	if (rc == 0)
		rc = scan(r, err);
	if (rc == 0)
		*ret = r;
	else
		nf_samplefile_close(r);
	return rc;
}

void nf_samplefile_close(struct nf_samplefile_reader *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(r->buf);
	free(r->place);
	free(r->file.streams);
	free(r);
}

const struct nf_samplefile *nf_samplefile_about(const struct nf_samplefile_reader *r)
{
	return &r->file;
}

int nf_samplefile_values(struct nf_samplefile_reader *r, size_t stream, int64_t *ret,
                         struct nf_err *err)
{
	unsigned width = nf_stream_width(&r->file.streams[stream]);

	for (size_t k = 0; k < r->n_places; k++) {
		const struct place *p = &r->place[k];

		if (p->stream != stream)
			continue;
		int rc = read_at(r, p->at, r->buf, (size_t)p->count * width, err);
		if (rc < 0)
			return rc;
		for (size_t i = 0; i < p->count; i++)
			ret[i] = width == 4 ? (int32_t)nf_le32_get(r->buf + i * 4)
			                    : (int64_t)nf_le64_get(r->buf + i * 8);
		ret += p->count;
	}
	return 0;
}
