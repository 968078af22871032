/* SPDX-License-Identifier: MIT */
/* capture_reader - reads a capture, also one that grows or that a killed process left. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "board/capture.h"
#include "board/capture_format.h"

static int open_part(int dirfd, const char *name, const char *ending, struct nf_err *err)
{
	char file[64];
	struct stat st;
	int r = nf_capture_file_name(name, ending, file, err), fd;

	if (r < 0)
		return r;
	fd = openat(dirfd, file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno == ENOENT || errno == EACCES
		               ? nf_fail(err, NF_EARG, "%s: %s", file, strerror(errno))
		               : nf_fail_os(err, errno, "cannot open %s", file);
	if (fstat(fd, &st) < 0)
		r = nf_fail_os(err, errno, "%s", file);
	else if (!S_ISREG(st.st_mode))
		r = nf_fail(err, NF_EARG, "%s: no regular file", file);
	if (r == 0)
		return fd;
	close(fd);
	return r;
}

/* Reads n bytes at `at`, fewer at the file's end. The number, or a failure. */
static int64_t read_at(int fd, void *data, size_t n, uint64_t at, const char *name,
                       const char *ending, struct nf_err *err)
{
	size_t have = 0;

	while (have < n) {
		ssize_t k = pread(fd, (char *)data + have, n - have, (off_t)(at + have));

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return nf_fail_os(err, errno, "cannot read %s.%s", name, ending);
		if (k == 0)
			break;
		have += (size_t)k;
	}
	return (int64_t)have;
}

/* n bytes at `at`, read ahead of what is asked for. 1, or 0: the file has not got them. */
static int look(struct nf_capture_window *w, int fd, uint64_t at, size_t n, const char *name,
                const char *ending, const unsigned char **ret, struct nf_err *err)
{
	if (at < w->at || at + n > w->at + w->len) {
		int64_t have = read_at(fd, w->data, NF_CAPTURE_READ_MAX, at, name, ending, err);

		w->at = at;
		w->len = have < 0 ? 0 : (size_t)have;
		if (have < (int64_t)n)
			return have < 0 ? (int)have : 0;
	}
	*ret = w->data + (at - w->at);
	return 1;
}

static int read_head(struct nf_capture_reader *r, struct nf_err *err)
{
	const unsigned char *head = NULL;
	char file[sizeof(r->name) + 4];
	int rc = look(&r->idx_seen, r->idx, 0, NF_CAPTURE_HEAD_BYTES, r->name, "idx", &head, err);

	if (rc < 0)
		return rc;
	snprintf(file, sizeof(file), "%s.idx", r->name);
	if (rc == 0)
		return nf_fail(err, NF_EDATA, "%s: not the index of a capture, or its head is cut",
		               file);
	return nf_capture_head_get((const char *)head, file, &r->head, err);
}

static int make_window(struct nf_capture_window *w, struct nf_err *err)
{
	w->data = malloc(NF_CAPTURE_READ_MAX);
	return w->data ? 0 : nf_fail_nomem(err, "a capture", NF_CAPTURE_READ_MAX);
}

int nf_capture_open(struct nf_capture_reader *ret, int dirfd, const char *name, struct nf_err *err)
{
	struct nf_capture_reader r = {
		.raw = -1, .idx = -1, .idx_at = NF_CAPTURE_HEAD_BYTES, .last_ns = INT64_MIN
	};
	int rc;

	r.idx = open_part(dirfd, name, "idx", err);
	if (r.idx < 0)
		return r.idx;
	snprintf(r.name, sizeof(r.name), "%s", name);
	r.raw = open_part(dirfd, name, "raw", err);
	rc = r.raw < 0 ? r.raw : make_window(&r.idx_seen, err);
	if (rc == 0)
		rc = make_window(&r.raw_seen, err);
	if (rc == 0)
		rc = read_head(&r, err);
	if (rc < 0) {
		nf_capture_reader_fini(&r);
		return rc;
	}
	*ret = r;
	return 0;
}

void nf_capture_reader_fini(struct nf_capture_reader *r)
{
	if (r->raw >= 0)
		close(r->raw);
	if (r->idx >= 0)
		close(r->idx);
	free(r->idx_seen.data);
	free(r->raw_seen.data);
	*r = (struct nf_capture_reader){ .raw = -1, .idx = -1 };
}

static int check_entry(const struct nf_capture_reader *r, const struct nf_capture_read *e,
                       struct nf_err *err)
{
	const char *why = NULL;

	if (e->offset != r->raw_at)
		why = "does not begin where the one before ends";
	else if (e->bytes == 0 || e->bytes > NF_CAPTURE_READ_MAX)
		why = "has a size that no read has";
	else if (e->lo_ns > e->t_ns || e->t_ns < r->last_ns)
		why = "has times that go back";
	return why ? nf_fail(err, NF_EDATA, "%s.idx: entry %llu %s", r->name,
	                     (unsigned long long)r->n_reads + 1, why)
	           : 0;
}

int nf_capture_next(struct nf_capture_reader *r, struct nf_capture_read *ret, const void **ret_data,
                    struct nf_err *err)
{
	const unsigned char *entry = NULL, *data = NULL;
	struct nf_capture_read e;
	int rc = look(&r->idx_seen, r->idx, r->idx_at, NF_CAPTURE_ENTRY_BYTES, r->name, "idx",
	              &entry, err);

	if (rc != 1)
		return rc;
	nf_capture_entry_get(entry, &e);
	rc = check_entry(r, &e, err);
	if (rc < 0)
		return rc;
	rc = look(&r->raw_seen, r->raw, e.offset, e.bytes, r->name, "raw", &data, err);
	if (rc != 1)
		return rc;
	r->idx_at += NF_CAPTURE_ENTRY_BYTES;
	r->raw_at += e.bytes;
	r->n_reads++;
	r->last_ns = e.t_ns;
	*ret = e;
	*ret_data = data;
	return 1;
}

bool nf_capture_is_live(const struct nf_capture_reader *r)
{
	if (flock(r->raw, LOCK_SH | LOCK_NB) < 0)
		return errno == EWOULDBLOCK;
	(void)flock(r->raw, LOCK_UN);
	return false;
}

static int size_of(int fd, const char *name, const char *ending, uint64_t *ret, struct nf_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return nf_fail_os(err, errno, "%s.%s", name, ending);
	*ret = (uint64_t)st.st_size;
	return 0;
}

int nf_capture_rest(const struct nf_capture_reader *r, struct nf_capture_rest *ret,
                    struct nf_err *err)
{
	struct nf_capture_rest rest = { 0 };
	uint64_t raw = 0, idx = 0;
	int rc = size_of(r->raw, r->name, "raw", &raw, err);

	if (rc == 0)
		rc = size_of(r->idx, r->name, "idx", &idx, err);
	if (rc < 0)
		return rc;
	rest.untimed_bytes = raw > r->raw_at ? raw - r->raw_at : 0;
	rest.torn_bytes = idx > r->idx_at ? (idx - r->idx_at) % NF_CAPTURE_ENTRY_BYTES : 0;
	/* Whole entries whose bytes are not there: each has one at least; its own size is not known to
	 * be true after a loss of power. */
	for (uint64_t at = r->idx_at; at + NF_CAPTURE_ENTRY_BYTES <= idx;
	     at += NF_CAPTURE_ENTRY_BYTES) {
		unsigned char entry[NF_CAPTURE_ENTRY_BYTES];
		struct nf_capture_read e;
		int64_t n = read_at(r->idx, entry, sizeof(entry), at, r->name, "idx", err);

		if (n < 0)
			return (int)n;
		nf_capture_entry_get(entry, &e);
		if (e.offset + e.bytes > raw)
			rest.missing_bytes += e.offset > raw ? e.bytes : e.offset + e.bytes - raw;
	}
	*ret = rest;
	return 0;
}

int nf_capture_lines(struct nf_capture_reader *r, struct nf_lines *lines, nf_line_fn *fn, void *ctx,
                     struct nf_err *err)
{
	struct nf_capture_read read;
	const void *data;
	int rc;

	while ((rc = nf_capture_next(r, &read, &data, err)) == 1) {
		struct nf_line_time t = nf_capture_time(&r->head, &read);

		rc = nf_line_feed(lines, data, read.bytes, &t, fn, ctx, err);
		if (rc != 0)
			return rc;
	}
	return rc < 0 ? rc : nf_line_finish(lines, fn, ctx, err);
}
