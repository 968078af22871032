/* SPDX-License-Identifier: MIT */
#include "bench/tree_cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096, REMOVE_TRIES = 200, REMOVE_WAIT_MS = 10 };

/* The begin of dir/file; false: it cannot be read. */
static bool read_text(const char *dir, const char *file, char text[TEXT_BYTES])
{
	char path[NF_TREE_CGROUP_BYTES];
	int len = snprintf(path, sizeof(path), "%s/%s", dir, file);
	ssize_t n;

	if (len < 0 || len >= (int)sizeof(path))
		return false;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	do
		n = read(fd, text, TEXT_BYTES - 1);
	while (n < 0 && errno == EINTR);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n >= 0;
}

static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	while (*text) {
		text += strspn(text, " \n");
		size_t n = strcspn(text, " \n");
		if (n == len && memcmp(text, word, len) == 0)
			return true;
		text += n;
	}
	return false;
}

/* Below the mounted hierarchy: of the line "0::/PATH", the one of version 2. */
static bool own_path(const char *root, char ret[NF_TREE_CGROUP_BYTES])
{
	char text[TEXT_BYTES], proc[NF_TREE_CGROUP_BYTES];
	const char *line = text;

	if (snprintf(proc, sizeof(proc), "%s/proc/self", root) >= (int)sizeof(proc) ||
	    !read_text(proc, "cgroup", text))
		return false;
	while (strncmp(line, "0::/", 4) != 0) {
		line = strchr(line, '\n');
		if (!line++)
			return false;
	}
	line += 3;
	int len = (int)strcspn(line, "\n");
	int n = snprintf(ret, NF_TREE_CGROUP_BYTES, "%s/sys/fs/cgroup%.*s", root,
	                 len == 1 ? 0 : len, line);
	return n > 0 && n < NF_TREE_CGROUP_BYTES;
}

static bool make_in(const char *dir, struct nf_tree_cgroup *ret)
{
	struct nf_tree_cgroup g;
	char text[TEXT_BYTES];

	if (!read_text(dir, "cgroup.subtree_control", text) || !has_word(text, "memory"))
		return false;
	if (snprintf(g.path, sizeof(g.path), "%s/noisefloor-%d", dir, (int)getpid()) >=
	            (int)sizeof(g.path) - 16 ||
	    mkdir(g.path, 0755) < 0)
		return false;
	snprintf(g.procs, sizeof(g.procs), "%.*s/cgroup.procs", (int)sizeof(g.procs) - 16, g.path);
	if (!read_text(g.path, "memory.peak", text)) {
		(void)rmdir(g.path);
		return false;
	}
	*ret = g;
	return true;
}

bool nf_tree_cgroup_make(const char *root, struct nf_tree_cgroup *ret)
{
	char dir[NF_TREE_CGROUP_BYTES];
	size_t top = strlen(root) + strlen("/sys/fs/cgroup");

	*ret = (struct nf_tree_cgroup){ 0 };
	if (!own_path(root, dir))
		return false;
	for (;;) {
		char *last = strrchr(dir, '/');

		if (make_in(dir, ret))
			return true;
		if (!last || strlen(dir) <= top)
			return false;
		*last = '\0';
	}
}

bool nf_tree_cgroup_peak(const struct nf_tree_cgroup *g, double *ret_bytes)
{
	char text[TEXT_BYTES], *end;

	if (!g->path[0] || !read_text(g->path, "memory.peak", text))
		return false;
	unsigned long long bytes = strtoull(text, &end, 10);
	if (end == text || bytes == 0)
		return false;
	*ret_bytes = (double)bytes;
	return true;
}

int nf_tree_cgroup_remove(struct nf_tree_cgroup *g, struct nf_err *err)
{
	const struct timespec wait = { .tv_nsec = REMOVE_WAIT_MS * 1000000L };
	char path[NF_TREE_CGROUP_BYTES];
	int e = 0;

	if (!g->path[0])
		return 0;
	snprintf(path, sizeof(path), "%.*s/cgroup.kill", (int)sizeof(path) - 16, g->path);
	for (int i = 0; i < REMOVE_TRIES; i++) {
		int fd;

		if (rmdir(g->path) == 0 || errno == ENOENT) {
			g->path[0] = '\0';
			return 0;
		}
		e = errno;
		if (e != EBUSY && e != EINTR)
			break;
		/* What it left running, in whatever process group. */
		fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd >= 0) {
			if (write(fd, "1", 1) < 0)
				e = errno;
			close(fd);
		}
		(void)nanosleep(&wait, NULL);
	}
	return nf_fail_os(err, e, "cannot remove the control group '%.200s'", g->path);
}
