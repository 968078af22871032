/* SPDX-License-Identifier: MIT */
#include "machine/cgroup.h"

#include <string.h>

#include "machine/span.h"

enum { FILE_MAX_BYTES = 8 << 20 };

/* A path's components are not "..": it stays below where it starts. */
static bool stays_below(const char *path)
{
	struct nf_span rest = { path, strlen(path) }, part;

	while (nf_span_cut(&rest, '/', &part))
		if (nf_span_is(part, ".."))
			return false;
	return path[0] == '/';
}

/* The process's path in the hierarchy that has the CPU controller: the v1 line that lists cpu, else
 * the v2 line "0::/path". */
static int own_path(const struct nf_rootfs *root, struct nf_arena *a, struct nf_cgroup *c,
                    struct nf_err *err)
{
	struct nf_span rest, line, id, controllers;
	struct nf_buf b;
	int r;

	nf_buf_init(&b, FILE_MAX_BYTES);
	r = nf_rootfs_read(root, "proc/self/cgroup", &b, err);
	if (r < 0)
		goto out;
	rest = nf_span_of(&b);
	while (nf_span_line(&rest, &line)) {
		int version;

		if (!nf_span_cut(&line, ':', &id) || !nf_span_cut(&line, ':', &controllers))
			continue;
		if (nf_span_has_member(controllers, ',', "cpu"))
			version = 1;
		else if (nf_span_is(id, "0") && controllers.n == 0 && c->version == 0)
			version = 2;
		else
			continue;
		c->version = version;
		c->path = nf_arena_strndup(a, line.p, line.n);
		if (version == 1)
			break;
	}
	r = nf_arena_failed(a, "the cgroup's path", err);
	if (r == 0 && !c->path)
		r = nf_fail(err, NF_ENODATA, "/proc/self/cgroup names no cgroup for CPUs");
	else if (r == 0 && !stays_below(c->path))
		r = nf_fail(err, NF_EDATA, "the cgroup '%.200s' is outside what can be seen here",
		            c->path);

out:
	nf_buf_fini(&b);
	return r;
}

/* Mount points are written with \ooo for space, tab, newline and backslash (proc(5)). */
static char *unescape(struct nf_arena *a, struct nf_span s)
{
	char *text = nf_arena_strndup(a, s.p, s.n);
	char *to = text;

	for (const char *p = text; p && *p; to++) {
		if (p[0] == '\\' && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' &&
		    p[3] >= '0' && p[3] <= '7') {
			*to = (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0'));
			p += 4;
		} else {
			*to = *p++;
		}
	}
	if (to)
		*to = '\0';
	return text;
}

struct mount {
	struct nf_span top; /* the folder of the hierarchy that is mounted */
	struct nf_span point;
};

/* One line of mountinfo: id parent major:minor top point options optional... - type source options */
static bool is_mount(struct nf_span line, int version, struct mount *ret)
{
	struct nf_span w, type, options;
	struct mount m = { { NULL, 0 }, { NULL, 0 } };

	for (int i = 0; i < 6; i++) {
		if (!nf_span_word(&line, &w))
			return false;
		if (i == 3)
			m.top = w;
		if (i == 4)
			m.point = w;
	}
	do {
		if (!nf_span_word(&line, &w))
			return false;
	} while (!nf_span_is(w, "-"));
	if (!nf_span_word(&line, &type) || !nf_span_word(&line, &w) ||
	    !nf_span_word(&line, &options))
		return false;
	if (version == 2 ? !nf_span_is(type, "cgroup2")
	                 : !nf_span_is(type, "cgroup") || !nf_span_has_member(options, ',', "cpu"))
		return false;
	*ret = m;
	return true;
}

/* Folder of the mount and the path below it: what is left of c->path without the mounted top. */
static int locate(struct nf_arena *a, const struct nf_cgroup *c, const struct mount *m,
                  const char **ret_point, const char **ret_below, struct nf_err *err)
{
	const char *top = unescape(a, m->top), *point = unescape(a, m->point);
	const char *below = c->path;
	size_t n;
	int r = nf_arena_failed(a, "the cgroup's mount", err);

	if (r < 0)
		return r;
	n = strcmp(top, "/") == 0 ? 0 : strlen(top);
	if (strncmp(below, top, n) != 0 || (below[n] != '/' && below[n] != '\0') ||
	    !stays_below(point))
		return nf_fail(err, NF_EDATA,
		               "the cgroup '%.100s' is not below the mount of '%.100s'", c->path,
		               top);
	*ret_point = point + strspn(point, "/");
	*ret_below = below + n;
	return 0;
}

static int find_mount(const struct nf_rootfs *root, struct nf_arena *a, const struct nf_cgroup *c,
                      const char **ret_point, const char **ret_below, struct nf_err *err)
{
	struct nf_span rest, line;
	struct mount m;
	struct nf_buf b;
	int r;

	nf_buf_init(&b, FILE_MAX_BYTES);
	r = nf_rootfs_read(root, "proc/self/mountinfo", &b, err);
	if (r < 0)
		goto out;
	rest = nf_span_of(&b);
	r = -NF_ENODATA;
	while (r == -NF_ENODATA && nf_span_line(&rest, &line))
		if (is_mount(line, c->version, &m))
			r = locate(a, c, &m, ret_point, ret_below, err);
	if (r == -NF_ENODATA)
		r = nf_fail(err, NF_ENODATA, "the CPU controller of cgroup v%d is not mounted",
		            c->version);

out:
	nf_buf_fini(&b);
	return r;
}

int nf_cgroup_find(const struct nf_rootfs *root, struct nf_arena *a, struct nf_cgroup *ret,
                   struct nf_err *err)
{
	const char *point = NULL, *below = NULL;
	struct nf_cgroup c = { 0 };
	size_t n;
	int r = own_path(root, a, &c, err);

	if (r == 0)
		r = find_mount(root, a, &c, &point, &below, err);
	if (r != 0)
		return r;
	n = strlen(below);
	while (n > 0 && below[n - 1] == '/')
		n--;
	for (;;) {
		if (c.n_dirs == NF_CGROUP_LEVELS_MAX)
			return nf_fail(err, NF_EDATA, "the cgroup is more than %d levels deep",
			               NF_CGROUP_LEVELS_MAX);
		c.dir[c.n_dirs++] = nf_arena_printf(a, "%s%.*s", point, (int)n, below);
		if (n == 0)
			break;
		while (n > 0 && below[n - 1] != '/')
			n--;
		while (n > 0 && below[n - 1] == '/')
			n--;
	}
	r = nf_arena_failed(a, "the cgroup's folders", err);
	if (r < 0)
		return r;
	*ret = c;
	return 0;
}
