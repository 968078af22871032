/* SPDX-License-Identifier: MIT */
#include "record/redact_target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/redact_copy.h"

enum { DEPTH = 4096 };

int nf_redact_target(const char *to, struct nf_redact_target *ret, struct nf_err *err)
{
	struct nf_redact_target t;
	size_t len = strlen(to);

	while (len > 1 && to[len - 1] == '/')
		len--;
	size_t base = len;
	while (base > 0 && to[base - 1] != '/')
		base--;
	if (len - base == 0 || len - base > NAME_MAX - 24 ||
	    (len - base <= 2 && strspn(to + base, ".") == len - base))
		return nf_fail(err, NF_EARG, "%s: no name for a new folder", to);
	memcpy(t.name, to + base, len - base);
	t.name[len - base] = '\0';
	int n = base > 0 ? snprintf(t.parent, sizeof(t.parent), "%.*s", (int)base, to)
	                 : snprintf(t.parent, sizeof(t.parent), "./");
	int m = snprintf(t.path, sizeof(t.path), "%.*s.%s.%ld.tmp", (int)base, to, t.name,
	                 (long)getpid());
	if (n <= 0 || n >= PATH_MAX || m <= 0 || m >= PATH_MAX)
		return nf_fail(err, NF_EARG, "%s: the path is too long", to);
	*ret = t;
	return 0;
}

int nf_redact_target_outside(const struct nf_redact_target *t, int run, const char *from,
                             struct nf_err *err)
{
	struct stat inner, outer, folder;
	int fd, rc = 0;

	if (fstat(run, &folder) < 0)
		return nf_fail_os(err, errno, "cannot look at %s", from);
	fd = open(t->parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return nf_fail_os(err, errno, "cannot make a folder in %s", t->parent);
	/* Upwards, until a folder is its own parent. */
	for (int depth = 0;; depth++) {
		if (fstat(fd, &inner) < 0) {
			rc = nf_fail_os(err, errno, "cannot look at %s", t->parent);
			break;
		}
		if (depth > 0 && inner.st_dev == outer.st_dev && inner.st_ino == outer.st_ino)
			break;
		if (inner.st_dev == folder.st_dev && inner.st_ino == folder.st_ino) {
			rc = nf_fail(err, NF_EARG,
			             "%s%s is inside the run %s; allowed: a folder elsewhere",
			             t->parent, t->name, from);
			break;
		}
		int up = depth < DEPTH ? openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
		if (up < 0) {
			rc = nf_fail_os(err, depth < DEPTH ? errno : ELOOP, "cannot look above %s",
			                t->parent);
			break;
		}
		close(fd);
		fd = up;
		outer = inner;
	}
	close(fd);
	return rc;
}

/* Whether a file's name is ".NAME.PID.tmp" with a process that is gone, or with our own: we have
 * made none yet. */
static bool is_stale(const struct nf_redact_target *t, const char *file)
{
	size_t len = strlen(t->name);
	char *end;

	if (file[0] != '.' || strncmp(file + 1, t->name, len) != 0 || file[len + 1] != '.' ||
	    file[len + 2] < '1' || file[len + 2] > '9')
		return false;
	errno = 0;
	long pid = strtol(file + len + 2, &end, 10);
	return errno == 0 && strcmp(end, ".tmp") == 0 && (pid_t)pid == pid &&
	       (pid == getpid() || (kill((pid_t)pid, 0) < 0 && errno == ESRCH));
}

void nf_redact_target_sweep(const struct nf_redact_target *t)
{
	DIR *d = opendir(t->parent);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char path[PATH_MAX];
		int n = snprintf(path, sizeof(path), "%s%s", t->parent, e->d_name);

		if (!is_stale(t, e->d_name) || n <= 0 || n >= PATH_MAX)
			continue;
		int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		/* The process may live on another host or in a container: it holds a lock then. */
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
			nf_redact_remove(path);
		if (fd >= 0)
			close(fd);
	}
	if (d)
		closedir(d);
}
