/* SPDX-License-Identifier: MIT */
/* capture - the writer. */
#include "board/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/sysio.h"
#include "board/capture_format.h"

enum { NUDGE_NS = 1000000000 };

struct nf_line_time nf_capture_time(const struct nf_capture_head *head,
                                    const struct nf_capture_read *read)
{
	int64_t delay = head->delay_ns > 0 ? head->delay_ns : 0;

	return (struct nf_line_time){
		.lo_ns = read->lo_ns < INT64_MIN + delay ? INT64_MIN : read->lo_ns - delay,
		.first_hi_ns = read->t_ns,
		.hi_ns = read->done_ns,
		.waiting = read->waiting,
	};
}

int nf_capture_file_name(const char *name, const char *ending, char ret[64], struct nf_err *err)
{
	size_t len = strlen(name);

	if (len == 0 || len > NF_CAPTURE_NAME_MAX || strchr(name, '/'))
		return nf_fail(err, NF_EARG, "capture '%s': a name of 1..%d bytes without '/'",
		               name, NF_CAPTURE_NAME_MAX);
	snprintf(ret, 64, "%s.%s", name, ending);
	return 0;
}

static int create(int dirfd, const char *name, const char *ending, struct nf_err *err)
{
	char file[64];
	int r = nf_capture_file_name(name, ending, file, err), fd;

	if (r < 0)
		return r;
	fd = openat(dirfd, file, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
	            0644);
	if (fd < 0 && errno == EEXIST)
		return nf_fail(err, NF_EEXIST, "%s exists already", file);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot create %s", file);
	return fd;
}

static int write_head(int fd, const struct nf_capture_head *head, const char *name,
                      struct nf_err *err)
{
	char text[NF_CAPTURE_HEAD_BYTES];
	int r = nf_capture_head_put(head, text, err);

	return r < 0 ? r : nf_write_all(fd, text, sizeof(text), name, err);
}

static void take_back(int dirfd, const char *name, const char *ending, int fd)
{
	char file[64];

	close(fd);
	if (nf_capture_file_name(name, ending, file, NULL) == 0)
		unlinkat(dirfd, file, 0);
}

int nf_capture_create(struct nf_capture *ret, int dirfd, const char *name,
                      const struct nf_capture_head *head, struct nf_err *err)
{
	struct nf_capture c = { .idx_bytes = NF_CAPTURE_HEAD_BYTES };
	int r;

	c.idx = create(dirfd, name, "idx", err);
	if (c.idx < 0)
		return c.idx;
	c.raw = create(dirfd, name, "raw", err);
	r = c.raw >= 0 ? write_head(c.idx, head, name, err) : c.raw;
	if (r < 0) { /* what this call made goes, and nothing else */
		if (c.raw >= 0)
			take_back(dirfd, name, "raw", c.raw);
		take_back(dirfd, name, "idx", c.idx);
		return r;
	}
	snprintf(c.name, sizeof(c.name), "%s", name);
	/* Tells those who read along that more may come; where it cannot be had they stop too soon. */
	(void)flock(c.raw, LOCK_EX | LOCK_NB);
	*ret = c;
	return 0;
}

/* Writes what there is room for. The number of bytes written; *ret_errno: why not all, 0: all. */
static size_t write_some(int fd, const void *data, size_t n, int *ret_errno)
{
	size_t at = 0;

	*ret_errno = 0;
	while (at < n) {
		ssize_t k = write(fd, (const char *)data + at, n - at);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			*ret_errno = k < 0 ? errno : EIO;
			break;
		}
		at += (size_t)k;
	}
	return at;
}

/* An entry that does not fit as a whole is taken back: the next one must begin where entries do. */
static int write_entry(struct nf_capture *c, const struct nf_capture_read *read)
{
	unsigned char entry[NF_CAPTURE_ENTRY_BYTES];
	int failed;

	nf_capture_entry_put(read, entry);
	size_t n = write_some(c->idx, entry, sizeof(entry), &failed);
	if (!failed)
		c->idx_bytes += n;
	else if (n && ftruncate(c->idx, (off_t)c->idx_bytes) < 0)
		failed = errno;
	c->n_reads += !failed;
	return failed;
}

/* Writing back begins now and not all at once at the end; its failure is told by fsync() at the end. */
static void nudge(struct nf_capture *c, int64_t now_ns)
{
	if (now_ns - c->nudged_ns < NUDGE_NS)
		return;
	(void)sync_file_range(c->raw, (off_t)c->nudged_bytes, 0, SYNC_FILE_RANGE_WRITE);
	(void)sync_file_range(c->idx, 0, 0, SYNC_FILE_RANGE_WRITE);
	c->nudged_ns = now_ns;
	c->nudged_bytes = c->raw_bytes;
}

int nf_capture_append(struct nf_capture *c, const void *data, const struct nf_capture_read *read,
                      struct nf_err *err)
{
	struct nf_capture_read entry = *read;
	int failed, failed_entry = 0;

	if (read->bytes == 0 || read->bytes > NF_CAPTURE_READ_MAX)
		return nf_fail(err, NF_EARG, "a read of %u bytes; allowed: 1..%d", read->bytes,
		               NF_CAPTURE_READ_MAX);
	entry.offset = c->raw_bytes;
	entry.bytes = (uint32_t)write_some(c->raw, data, read->bytes, &failed);
	if (entry.bytes) {
		c->raw_bytes += entry.bytes;
		failed_entry = write_entry(c, &entry);
	}
	if (failed || failed_entry)
		return nf_fail_os(err, failed ? failed : failed_entry,
		                  "cannot write %s.%s; %llu bytes are kept", c->name,
		                  failed ? "raw" : "idx", (unsigned long long)c->raw_bytes);
	nudge(c, read->done_ns);
	return 0;
}

static int store(int fd, const char *name, const char *ending, struct nf_err *err)
{
	int failed = 0;

	if (fd < 0)
		return 0;
	if (fsync(fd) < 0 && errno != EINVAL) /* a pipe or /dev/full cannot */
		failed = errno;
	if (close(fd) < 0 && !failed)
		failed = errno;
	return failed ? nf_fail_os(err, failed, "cannot store %s.%s", name, ending) : 0;
}

int nf_capture_close(struct nf_capture *c, struct nf_err *err)
{
	int raw = store(c->raw, c->name, "raw", err);
	int idx = store(c->idx, c->name, "idx", raw < 0 ? NULL : err);

	c->raw = -1;
	c->idx = -1;
	return raw < 0 ? raw : idx;
}
