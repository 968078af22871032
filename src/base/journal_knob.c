/* SPDX-License-Identifier: MIT */
#include "base/journal_knob.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Of "a [b] c" the "b"; else all of it. *len is the length before and after. */
static const char *selected(const char *s, size_t *len)
{
	const char *from = NULL, *to = NULL;

	for (size_t i = 0; i < *len; i++) {
		bool starts = i == 0 || is_space(s[i - 1]);
		bool ends = i + 1 == *len || is_space(s[i + 1]);

		if (s[i] == '[' && starts) {
			if (from)
				return s; /* two: not such a list */
			from = s + i + 1;
		} else if (s[i] == ']' && ends && from && !to) {
			to = s + i;
		} else if (from && !to && is_space(s[i])) {
			return s;
		}
	}
	/* "[x]" alone is a value, not a choice. */
	if (!from || !to || to == from || (from == s + 1 && to + 1 == s + *len))
		return s;
	*len = (size_t)(to - from);
	return from;
}

int nf_journal_value_read(const char *path, struct nf_buf *out, struct nf_err *err)
{
	char text[NF_JOURNAL_VALUE_MAX + 1];
	const char *value;
	size_t len = 0, end;
	ssize_t n = 0;
	int fd, r = 0;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return nf_fail(err, NF_ENODATA, "%s does not exist", path);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot read %s", path);
	do {
		len += (size_t)n;
		if (len == sizeof(text) || memchr(text, '\n', len))
			break;
		do
			n = read(fd, text + len, sizeof(text) - len);
		while (n < 0 && errno == EINTR);
	} while (n > 0);
	if (n < 0) {
		r = nf_fail_os(err, errno, "cannot read %s", path);
		goto out;
	}
	for (end = 0; end < len && text[end] && text[end] != '\n'; end++)
		;
	if (end > NF_JOURNAL_VALUE_MAX) {
		r = nf_fail(err, NF_EDATA, "%s holds more than %d bytes", path,
		            NF_JOURNAL_VALUE_MAX);
		goto out;
	}
	while (end > 0 && is_space(text[end - 1]))
		end--;
	value = selected(text, &end);
	nf_buf_add(out, value, end);
	r = nf_buf_failed(out, path, err);

out:
	close(fd);
	return r;
}

int nf_journal_value_write(const char *path, const char *value, struct nf_err *err)
{
	char text[NF_JOURNAL_VALUE_MAX + 2]; /* a line feed and a 0 */
	size_t len = strlen(value);
	ssize_t n;
	int fd, r = 0;

	if (len > NF_JOURNAL_VALUE_MAX)
		return nf_fail(err, NF_EARG, "a value of %zu bytes for %s", len, path);
	len = (size_t)snprintf(text, sizeof(text), "%s\n", value);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot set %s to '%.100s'", path, value);
	do
		n = write(fd, text, len);
	while (n < 0 && errno == EINTR);
	/* A kernel file takes a value whole: the rest in a second write would be another value. */
	if (n < 0 || (size_t)n < len)
		r = nf_fail_os(err, n < 0 ? errno : EIO, "cannot set %s to '%.100s'", path, value);
	/* Not O_TRUNC, so that a failed write changes nothing. This is for plain files, where a longer
	 * old value would go on behind the newline; kernel files ignore or refuse it. */
	else if (ftruncate(fd, (off_t)len) < 0)
		r = 0;
	if (close(fd) < 0 && r == 0)
		r = nf_fail_os(err, errno, "cannot set %s to '%.100s'", path, value);
	return r;
}

int nf_journal_folder_id(const char *path, struct nf_buf *out, struct nf_err *err)
{
	struct stat st;

	if (lstat(path, &st) < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return nf_fail(err, NF_ENODATA, "%s does not exist", path);
		return nf_fail_os(err, errno, "cannot look at %s", path);
	}
	if (!S_ISDIR(st.st_mode))
		return nf_fail(err, NF_ENODATA, "%s is not a folder", path);
	nf_buf_addf(out, "%" PRIu64 ":%" PRIu64, (uint64_t)st.st_dev, (uint64_t)st.st_ino);
	return nf_buf_failed(out, path, err);
}

static int put_folder_back(const struct nf_journal_record *rec, bool *ret_left_alone,
                           struct nf_err *err)
{
	struct nf_buf now;
	int r;

	nf_buf_init(&now, 64);
	r = nf_journal_folder_id(rec->path, &now, err);
	if (r == -NF_ENODATA) { /* gone already, or never made */
		r = 0;
		*ret_left_alone = false;
		goto out;
	}
	if (r < 0)
		goto out;
	/* Without an id the owner was killed while making it. */
	if (rec->set[0] && strcmp(now.data, rec->set) != 0) {
		*ret_left_alone = true;
		goto out;
	}
	if (rmdir(rec->path) < 0 && errno != ENOENT) {
		r = nf_fail_os(err, errno, "cannot remove %s", rec->path);
		goto out;
	}
	*ret_left_alone = false;

out:
	nf_buf_fini(&now);
	return r;
}

static int put_value_back(const struct nf_journal_record *rec, bool *ret_left_alone,
                          struct nf_err *err)
{
	struct nf_buf now;
	int r;

	nf_buf_init(&now, NF_JOURNAL_VALUE_MAX);
	r = nf_journal_value_read(rec->path, &now, err);
	if (r == -NF_ENODATA) { /* the knob is gone with its device */
		r = 0;
		*ret_left_alone = true;
		goto out;
	}
	if (r < 0)
		goto out;
	if (strcmp(now.data, rec->old) == 0) {
		*ret_left_alone = false;
		goto out;
	}
	if (strcmp(now.data, rec->set) != 0) {
		*ret_left_alone = true;
		goto out;
	}
	r = nf_journal_value_write(rec->path, rec->old, err);
	if (r < 0)
		goto out;
	nf_buf_clear(&now);
	r = nf_journal_value_read(rec->path, &now, err);
	if (r < 0)
		goto out;
	if (strcmp(now.data, rec->old) != 0)
		r = nf_fail(err, NF_EUNSUPPORTED, "%s reads '%.100s' after '%.100s' was put back",
		            rec->path, now.data, rec->old);
	else
		*ret_left_alone = false;

out:
	nf_buf_fini(&now);
	return r;
}

int nf_journal_put_back(const struct nf_journal_record *rec, bool *ret_left_alone,
                        struct nf_err *err)
{
	/* err stays untouched on success, whatever was found out on the way. */
	struct nf_err why = { 0 };
	int r = rec->folder ? put_folder_back(rec, ret_left_alone, &why)
	                    : put_value_back(rec, ret_left_alone, &why);

	if (r < 0 && err)
		*err = why;
	return r;
}
