/* SPDX-License-Identifier: MIT */
#include "source/include.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static struct nf_src_word last_of(struct nf_src_word w)
{
	for (size_t i = w.len; i > 0; i--)
		if (w.at[i - 1] == '/')
			return (struct nf_src_word){ w.at + i, w.len - i };
	return w;
}

int nf_src_graph_make(const struct nf_src_index *x, struct nf_src_graph *ret, struct nf_err *err)
{
	size_t n = x->tree->n, size = 64;

	while (size < 2 * n)
		size *= 2;
	*ret = (struct nf_src_graph){ .x = x, .mask = (uint32_t)(size - 1) };
	ret->head = malloc(size * sizeof(*ret->head));
	ret->next = malloc((n + 1) * sizeof(*ret->next));
	ret->edge = calloc(n + 1, sizeof(*ret->edge));
	if (!ret->head || !ret->next || !ret->edge) {
		nf_src_graph_fini(ret);
		return nf_fail_nomem(err, "files", size * sizeof(*ret->head));
	}
	memset(ret->head, 0xff, size * sizeof(*ret->head));
	/* From the end, so that each chain is in the order of the paths. */
	for (size_t i = n; i-- > 0;) {
		const char *name = last_name(x->tree->path[i]);
		uint32_t h = nf_src_hash((struct nf_src_word){ name, strlen(name) }) & ret->mask;

		ret->next[i] = ret->head[h];
		ret->head[h] = (uint32_t)i;
	}
	return 0;
}

void nf_src_graph_fini(struct nf_src_graph *g)
{
	for (size_t i = 0; g->edge && i < g->x->tree->n; i++)
		free(g->edge[i]);
	free(g->edge);
	free(g->head);
	free(g->next);
	*g = (struct nf_src_graph){ 0 };
}

/* dir/name without "." and ".."; 0: it leaves the tree's root or is too long. */
static size_t join(struct nf_src_word dir, struct nf_src_word name, char out[PATH_BYTES])
{
	size_t len = dir.len, i = 0;

	if (dir.len + name.len + 2 > PATH_BYTES)
		return 0;
	memcpy(out, dir.at, dir.len);
	while (i < name.len) {
		size_t j = i;

		while (j < name.len && name.at[j] != '/')
			j++;
		if (j - i == 2 && name.at[i] == '.' && name.at[i + 1] == '.') {
			if (len == 0)
				return 0;
			while (len > 0 && out[len - 1] != '/')
				len--;
			len -= len > 0;
		} else if (j > i && !(j - i == 1 && name.at[i] == '.')) {
			if (len > 0)
				out[len++] = '/';
			memcpy(out + len, name.at + i, j - i);
			len += j - i;
		}
		i = j + 1;
	}
	return len;
}

static uint32_t find_path(const struct nf_src_graph *g, const char *path, size_t len)
{
	struct nf_src_word last = last_of((struct nf_src_word){ path, len });

	for (uint32_t f = g->head[nf_src_hash(last) & g->mask]; f != NF_SRC_NO_FILE;
	     f = g->next[f]) {
		const char *p = g->x->tree->path[f];

		if (strncmp(p, path, len) == 0 && p[len] == '\0')
			return f;
	}
	return NF_SRC_NO_FILE;
}

static bool ends_with(struct nf_src_word w, const char *tail)
{
	size_t len = strlen(tail);

	return w.len >= len && memcmp(w.at + w.len - len, tail, len) == 0 &&
	       (w.len == len || w.at[w.len - len - 1] == '/');
}

/* Without the tail and the slash before it. */
static struct nf_src_word without(struct nf_src_word w, const char *tail)
{
	size_t len = w.len - strlen(tail);

	return (struct nf_src_word){ w.at, len > 0 ? len - 1 : 0 };
}

static bool is_above(struct nf_src_word a, struct nf_src_word dir)
{
	return a.len == 0 || (a.len <= dir.len && memcmp(a.at, dir.at, a.len) == 0 &&
	                      (a.len == dir.len || dir.at[a.len] == '/'));
}

/* How near a search folder is to dir: 0 none, else the more the nearer. */
static size_t nearness(struct nf_src_word prefix, struct nf_src_word dir)
{
	size_t best = 0;

	if (ends_with(prefix, "include")) {
		struct nf_src_word a = without(prefix, "include");
		if (is_above(a, dir))
			best = 4 * a.len + 3;
	}
	if (ends_with(prefix, "include/uapi")) {
		struct nf_src_word a = without(prefix, "include/uapi");
		if (is_above(a, dir) && 4 * a.len + 2 > best)
			best = 4 * a.len + 2;
	}
	if (is_above(prefix, dir) && 4 * prefix.len + 1 > best)
		best = 4 * prefix.len + 1;
	return best;
}

static struct nf_src_word folder_of(const char *path)
{
	return (struct nf_src_word){ path, last_name(path) == path
		                                   ? 0
		                                   : (size_t)(last_name(path) - path - 1) };
}

struct choice {
	uint32_t best, any;
	size_t nearness;
	unsigned n; /* files that have such a name, in whatever folder it could be meant */
};

static void choose(const struct nf_src_graph *g, struct nf_src_word dir, struct nf_src_word name,
                   bool quoted, struct choice *c)
{
	struct nf_src_word last = last_of(name);

	*c = (struct choice){ .best = NF_SRC_NO_FILE, .any = NF_SRC_NO_FILE };
	for (uint32_t f = g->head[nf_src_hash(last) & g->mask]; f != NF_SRC_NO_FILE;
	     f = g->next[f]) {
		const char *path = g->x->tree->path[f];
		size_t len = strlen(path);

		if (len < name.len || memcmp(path + len - name.len, name.at, name.len) != 0 ||
		    (len > name.len && path[len - name.len - 1] != '/'))
			continue;
		struct nf_src_word prefix = { path, len > name.len ? len - name.len - 1 : 0 };
		size_t near = nearness(prefix, dir);
		if (near > c->nearness) {
			c->nearness = near;
			c->best = f;
		}
		if (quoted || ends_with(prefix, "include") || ends_with(prefix, "include/uapi")) {
			c->any = f;
			c->n++;
		}
	}
}

uint32_t nf_src_graph_resolve(const struct nf_src_graph *g, uint32_t from, struct nf_src_word name,
                              bool quoted, bool *ambiguous)
{
	struct nf_src_word dir = folder_of(g->x->tree->path[from]);
	char path[PATH_BYTES];
	struct choice c;

	*ambiguous = false;
	if (quoted) {
		size_t len = join(dir, name, path);
		uint32_t f = len ? find_path(g, path, len) : NF_SRC_NO_FILE;
		if (f != NF_SRC_NO_FILE)
			return f;
	}
	choose(g, dir, name, quoted, &c);
	if (c.best != NF_SRC_NO_FILE)
		return c.best;
	if (c.n == 0 && name.len > 4 && memcmp(name.at, "asm/", 4) == 0 &&
	    name.len + 8 < PATH_BYTES) {
		int n = snprintf(path, sizeof(path), "asm-generic/%.*s", (int)name.len - 4,
		                 name.at + 4);
		choose(g, dir, (struct nf_src_word){ path, (size_t)n }, false, &c);
		return c.best;
	}
	*ambiguous = c.n > 1;
	if (c.n == 1 && (quoted || memchr(name.at, '/', name.len)))
		return c.any;
	return NF_SRC_NO_FILE;
}

int nf_src_graph_edges(struct nf_src_graph *g, uint32_t file, const uint32_t **ret,
                       struct nf_err *err)
{
	const struct nf_src_include *in = nf_src_includes_of(g->x, file);
	uint32_t n = g->x->file[file].n_includes;

	if (!g->edge[file]) {
		g->edge[file] = malloc((n + 1) * sizeof(**g->edge));
		if (!g->edge[file])
			return nf_fail_nomem(err, "#include lines", (n + 1) * sizeof(**g->edge));
		for (uint32_t i = 0; i < n; i++) {
			bool ambiguous;
			uint32_t to = nf_src_graph_resolve(g, file,
			                                   nf_src_include_name(g->x, file, &in[i]),
			                                   in[i].quoted, &ambiguous);

			if (to != NF_SRC_NO_FILE && g->x->file[to].state != NF_SRC_SCANNED)
				to = NF_SRC_NO_FILE;
			g->edge[file][i] = to;
			g->resolved += to != NF_SRC_NO_FILE;
			g->ambiguous += to == NF_SRC_NO_FILE && ambiguous;
			g->outside += to == NF_SRC_NO_FILE && !ambiguous;
		}
	}
	*ret = g->edge[file];
	return 0;
}

int nf_src_walk_init(struct nf_src_walk *w, size_t n_files, struct nf_err *err)
{
	*w = (struct nf_src_walk){ 0 };
	w->seen = calloc(n_files + 1, sizeof(*w->seen));
	w->queue = malloc((n_files + 1) * sizeof(*w->queue));
	if (w->seen && w->queue)
		return 0;
	nf_src_walk_fini(w);
	return nf_fail_nomem(err, "files", 2 * (n_files + 1) * sizeof(*w->seen));
}

void nf_src_walk_fini(struct nf_src_walk *w)
{
	free(w->seen);
	free(w->queue);
	*w = (struct nf_src_walk){ 0 };
}

void nf_src_walk_begin(struct nf_src_walk *w)
{
	w->now++;
	w->n = w->done = 0;
}

static void see(struct nf_src_walk *w, uint32_t file)
{
	if (w->seen[file] == w->now)
		return;
	w->seen[file] = w->now;
	w->queue[w->n++] = file;
}

int nf_src_walk_from(struct nf_src_graph *g, struct nf_src_walk *w, uint32_t file,
                     struct nf_err *err)
{
	see(w, file);
	while (w->done < w->n) {
		uint32_t f = w->queue[w->done++];
		const struct nf_src_include *in = nf_src_includes_of(g->x, f);
		const uint32_t *edge;
		int r = nf_src_graph_edges(g, f, &edge, err);

		if (r < 0)
			return r;
		for (uint32_t i = 0; i < g->x->file[f].n_includes; i++)
			if (edge[i] != NF_SRC_NO_FILE && !in[i].conditional)
				see(w, edge[i]);
	}
	return 0;
}
