/* SPDX-License-Identifier: MIT */
#include "record/redact_learn.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/sysio.h"
#include "record/filelist.h"
#include "record/redact_lines.h"
#include "record/redact_pattern.h"

enum { NAME_BYTES = 256 };

/* Names of users that name nobody: replaced in paths to homes, not in every text. */
static const char *const nobody[] = { "root",   "user",    "users",  "linux",  "ubuntu", "debian",
	                              "fedora", "centos",  "guest",  "nobody", "admin",  "test",
	                              "kernel", "default", "public", "shared", "local",  "system",
	                              "none",   "null",    "true",   "false",  NULL };

static bool is_learnt(const char *name)
{
	for (size_t i = 0; nobody[i]; i++)
		if (strcasecmp(nobody[i], name) == 0)
			return false;
	return strpbrk(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") &&
	       !isdigit((unsigned char)*name) && !nf_redact_own_word(name) &&
	       nf_redact_pseudonym_at(name, strlen(name)) == 0;
}

static int add(struct nf_redactor *r, const char *kind, const char *s, size_t len,
               struct nf_err *err)
{
	char name[NAME_BYTES];

	while (len > 0 && strchr(".-+", s[len - 1]))
		len--;
	if (len == 0 || len >= sizeof(name))
		return 0;
	memcpy(name, s, len);
	name[len] = '\0';
	if (!is_learnt(name))
		return 0;
	return kind[0] == 'h' ? nf_redactor_add_host(r, name, err)
	                      : nf_redactor_add(r, kind, name, err);
}

/* "uid=1000(dave)" at s: where the name begins, or 0. */
static size_t account_at(const char *s, size_t n)
{
	static const char *const names[] = { "uid=", "gid=" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = 4;

		if (n < len || memcmp(s, names[i], len) != 0)
			continue;
		while (len < n && isdigit((unsigned char)s[len]))
			len++;
		return len > 4 && len < n && s[len] == '(' ? len + 1 : 0;
	}
	return 0;
}

/* "USER=frank" at s, also with quotation marks around the value: where the name begins, or 0. */
static size_t value_at(const char *s, size_t n, const char **ret_kind)
{
	static const struct {
		const char *name, *kind;
	} names[] = { { "user=", "user" },     { "username=", "user" }, { "logname=", "user" },
		      { "login=", "user" },    { "ruser=", "user" },    { "owner=", "user" },
		      { "hostname=", "host" }, { "rhost=", "host" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = strlen(names[i].name);

		if (n <= len || strncasecmp(s, names[i].name, len) != 0)
			continue;
		while (len < n && strchr("\"'\\", s[len]) && s[len])
			len++;
		*ret_kind = names[i].kind;
		return len;
	}
	return 0;
}

int nf_redactor_learn_text(struct nf_redactor *r, const char *text, size_t n, struct nf_err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const char *s = text + i, *kind = "user";
		size_t left = n - i, from = 0;
		bool edge = i == 0 || !nf_redact_is_word(s[-1]);

		if (*s == '/' || *s == '\\')
			from = nf_redact_home(s, left);
		else if (edge && strchr("uglorhUGLORH", *s) && *s)
			from = account_at(s, left);
		if (from == 0 && edge)
			from = value_at(s, left, &kind);
		if (from > 0)
			rc = add(r, kind, s + from, nf_redact_name_run(s + from, left - from), err);
	}
	return rc;
}

int nf_redactor_learn(struct nf_redactor *r, const char *text, struct nf_err *err)
{
	return nf_redactor_learn_text(r, text, strlen(text), err);
}

/* The names of captures have underscores in place of what parts a path: home_dave_.bashrc.txt. */
static int learn_path(struct nf_redactor *r, const char *path, struct nf_err *err)
{
	static const char *const homes[] = { "home_", "users_" };
	int rc = nf_redactor_learn_text(r, path, strlen(path), err);

	for (const char *p = path; rc == 0 && *p; p++) {
		if (p > path && nf_redact_is_word(p[-1]))
			continue;
		for (size_t i = 0; rc == 0 && i < sizeof(homes) / sizeof(homes[0]); i++) {
			size_t len = strlen(homes[i]);

			if (strncasecmp(p, homes[i], len) != 0)
				continue;
			size_t name = strcspn(p + len, "_./");
			rc = add(r, "user", p + len, name, err);
		}
	}
	return rc;
}

struct learning {
	struct nf_redactor *r;
	bool host; /* the file holds the name of a host */
};

/* What these bytes at the beginning of a file are, or NULL. */
static const char *packed_or_wide(const char *s, size_t n)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *why;
	} magics[] = { { "\x1f\x8b", 2, "it is packed (gzip)" },
		       { "\x28\xb5\x2f\xfd", 4, "it is packed (zstd)" },
		       { "\xfd"
		         "7zXZ",
		         5, "it is packed (xz)" },
		       { "BZh", 3, "it is packed (bzip2)" },
		       { "\x04\x22\x4d\x18", 4, "it is packed (lz4)" },
		       { "PK\x03\x04", 4, "it is packed (zip)" },
		       { "\xff\xfe", 2, "it is UTF-16, which is not looked through" },
		       { "\xfe\xff", 2, "it is UTF-16, which is not looked through" } };

	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (n >= magics[i].len && memcmp(s, magics[i].bytes, magics[i].len) == 0)
			return magics[i].why;
	return NULL;
}

/* Why a file is no text, or NULL. In blocks: what is no text may have no lines. */
static int look_at(int fd, const char *path, const char **ret, struct nf_err *err)
{
	char block[1 << 14];
	bool begun = false;

	*ret = NULL;
	while (!*ret) {
		ssize_t n = read(fd, block, sizeof(block));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return nf_fail_os(err, errno, "cannot read %s", path);
		if (n == 0)
			break;
		if (!begun)
			*ret = packed_or_wide(block, (size_t)n);
		if (!*ret && memchr(block, '\0', (size_t)n))
			*ret = "it holds zero bytes: no text that can be looked through";
		begun = true;
	}
	return lseek(fd, 0, SEEK_SET) < 0 ? nf_fail_os(err, errno, "cannot read %s", path) : 0;
}

static int learn_lines(void *ctx, const char *text, size_t n, struct nf_err *err)
{
	struct learning *l = ctx;
	int rc = l->host ? add(l->r, "host", text, strcspn(text, "\r\n\t "), err) : 0;

	return rc < 0 ? rc : nf_redactor_learn_text(l->r, text, n, err);
}

int nf_redact_learn_file(struct nf_redactor *r, int folder, const char *path, bool text,
                         const char **ret_no_text, struct nf_err *err)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *host = strstr(base, "hostname");
	struct learning l = { .r = r, .host = host && (!host[8] || host[8] == '.') };
	int rc = learn_path(r, path, err);

	if (rc < 0 || !text)
		return rc;
	int fd = nf_open_below(folder, path, O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot open %s", path);
	const char *why = NULL;
	rc = look_at(fd, path, &why, err);
	if (rc == 0 && !why)
		rc = nf_redact_lines(fd, path, learn_lines, &l, err);
	close(fd);
	if (rc == 0)
		*ret_no_text = why;
	return rc;
}
