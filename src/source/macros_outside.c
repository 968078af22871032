/* SPDX-License-Identifier: MIT */
/* Tests that nothing in their own file decides, beside what other files define before they include it. */
#include <string.h>

#include "source/macros_impl.h"

/* The test's file is included by a source file that defines the name before. */
static int add_includer(struct nf_src_finder *f, const struct nf_src_event *e,
                        const struct nf_src_open_test *t, uint32_t includer, uint32_t offset,
                        struct nf_err *err)
{
	const char *path = f->x->tree->path[includer];
	struct nf_src_mistake m = { .name = f->names.name[e->name].at,
		                    .define = nf_src_place_of(f, e),
		                    .test = { f->x->tree->path[t->file], t->line,
		                              NF_SRC_PLACE_OTHER },
		                    .test_text = t->text,
		                    .reach = NF_SRC_REACH_INCLUDER,
		                    .via = { path, offset, NF_SRC_PLACE_OTHER } /* find_lines() */,
		                    .constant = e->constant,
		                    .conditional = !e->unconditional && !e->fallback,
		                    .elsewhere = f->otherwise[e->name] };

	return nf_src_add_mistake(f, &m, err);
}

static bool undefined_between(const struct nf_src_finder *f, const struct nf_src_event *e,
                              uint32_t to)
{
	size_t n;
	const struct nf_src_event *o = nf_src_events_of(&f->names, e->file, &n);

	for (size_t i = 0; i < n; i++)
		if (o[i].name == e->name && o[i].offset > e->offset && o[i].offset < to &&
		    (o[i].kind == NF_SRC_HIT_UNDEF || o[i].unconditional))
			return true;
	return false;
}

/* The open tests of e's name in `file`, which the #include line at `offset` of `includer` brings. */
static int add_open_tests(struct nf_src_finder *f, const struct nf_src_event *e, uint32_t file,
                          uint32_t includer, uint32_t offset, struct nf_err *err)
{
	int r = 0;

	for (uint32_t k = f->first_open[file]; r == 0 && k < f->first_open[file + 1]; k++)
		if (f->open[k].name == e->name && file != e->file)
			r = add_includer(f, e, &f->open[k], includer, offset, err);
	return r;
}

/* What a source file includes behind one of its definitions, and not before it. */
static int look_ahead(struct nf_src_finder *f, const struct nf_src_event *e, struct nf_err *err)
{
	const struct nf_src_include *in = nf_src_includes_of(f->x, e->file);
	uint32_t n = f->x->file[e->file].n_includes, i = 0;
	const uint32_t *edge;
	int r = nf_src_graph_edges(&f->graph, e->file, &edge, err);

	nf_src_walk_begin(&f->walk);
	for (; r == 0 && i < n && in[i].offset < e->offset; i++)
		if (edge[i] != NF_SRC_NO_FILE)
			r = nf_src_walk_from(&f->graph, &f->walk, edge[i], err);
	for (; r == 0 && i < n; i++) {
		size_t before = f->walk.n;

		if (edge[i] == NF_SRC_NO_FILE || in[i].conditional ||
		    undefined_between(f, e, in[i].offset))
			continue;
		r = nf_src_walk_from(&f->graph, &f->walk, edge[i], err);
		for (size_t j = before; r == 0 && j < f->walk.n; j++)
			r = add_open_tests(f, e, f->walk.queue[j], e->file, in[i].offset, err);
	}
	return r;
}

/* Headers that define a name as 0 for good, of which another header has an open test. */
static bool concerns_headers(const struct nf_src_finder *f, const struct nf_src_event *e)
{
	if (e->kind != NF_SRC_HIT_ZERO || !(e->unconditional || e->fallback) ||
	    nf_src_is_source(f->x->tree->path[e->file]) || undefined_between(f, e, UINT32_MAX))
		return false;
	for (size_t i = 0; i < f->n_open; i++)
		if (f->open[i].name == e->name && f->open[i].file != e->file &&
		    !nf_src_is_source(f->x->tree->path[f->open[i].file]))
			return true;
	return false;
}

/* A source file includes the definition's file by line `at`, and the test's file behind it and not before. */
static int look_behind(struct nf_src_finder *f, const struct nf_src_event *e, uint32_t file,
                       uint32_t at, struct nf_err *err)
{
	const struct nf_src_include *in = nf_src_includes_of(f->x, file);
	const uint32_t *edge;
	int r = nf_src_graph_edges(&f->graph, file, &edge, err);

	nf_src_walk_begin(&f->walk);
	for (uint32_t i = 0; r == 0 && i < f->x->file[file].n_includes; i++) {
		size_t before = f->walk.n;

		if (edge[i] == NF_SRC_NO_FILE || (i > at && in[i].conditional))
			continue;
		r = nf_src_walk_from(&f->graph, &f->walk, edge[i], err);
		for (size_t j = before; r == 0 && i > at && j < f->walk.n; j++)
			r = add_open_tests(f, e, f->walk.queue[j], file, in[i].offset, err);
	}
	return r;
}

/* Source files that include such a header by its name. */
static int look_beside(struct nf_src_finder *f, const struct nf_stop *stop, struct nf_err *err)
{
	int r = 0;

	for (size_t k = 0; r == 0 && k < f->names.n_events && !nf_stop_signo(stop); k++) {
		const struct nf_src_event *e = &f->names.event[k];

		if (!concerns_headers(f, e))
			continue;
		const char *path = f->x->tree->path[e->file], *slash = strrchr(path, '/');
		const char *last = slash ? slash + 1 : path;
		size_t len = strlen(last);
		for (uint32_t q = 0; r == 0 && q < f->x->tree->n; q++) {
			const struct nf_src_include *in = nf_src_includes_of(f->x, q);

			if (f->x->file[q].state != NF_SRC_SCANNED || q == e->file ||
			    !nf_src_is_source(f->x->tree->path[q]))
				continue;
			for (uint32_t i = 0; r == 0 && i < f->x->file[q].n_includes; i++) {
				struct nf_src_word w = nf_src_include_name(f->x, q, &in[i]);
				const uint32_t *edge;

				if (in[i].conditional || w.len < len ||
				    memcmp(w.at + w.len - len, last, len) != 0)
					continue;
				r = nf_src_graph_edges(&f->graph, q, &edge, err);
				if (r == 0 && edge[i] == e->file) {
					r = look_behind(f, e, q, i, err);
					break;
				}
			}
		}
	}
	return r;
}

static struct nf_src_word folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (struct nf_src_word){ path, slash ? (size_t)(slash - path) : 0 };
}

/* Tests that nothing reaches beside definitions in the same folder. */
static int look_aside(struct nf_src_finder *f, struct nf_err *err)
{
	int r = 0;

	for (size_t k = 0; r == 0 && k < f->names.n_events; k++) {
		const struct nf_src_event *e = &f->names.event[k];
		const char *path = f->x->tree->path[e->file];
		struct nf_src_word dir = folder_of(path);

		if (e->kind != NF_SRC_HIT_ZERO || nf_src_is_source(path))
			continue;
		/* The paths are sorted: the folder's files are around it. */
		uint32_t from = e->file, to = e->file + 1;
		while (from > 0 && strncmp(f->x->tree->path[from - 1], path, dir.len) == 0)
			from--;
		while (to < f->x->tree->n && strncmp(f->x->tree->path[to], path, dir.len) == 0)
			to++;
		if (dir.len == 0)
			continue;
		for (uint32_t q = f->first_open[from]; r == 0 && q < f->first_open[to]; q++) {
			const struct nf_src_open_test *t = &f->open[q];

			if (t->name != e->name || t->file == e->file ||
			    !nf_src_same(folder_of(f->x->tree->path[t->file]), dir))
				continue;
			struct nf_src_mistake m = { .name = f->names.name[e->name].at,
				                    .define = nf_src_place_of(f, e),
				                    .test = { f->x->tree->path[t->file], t->line,
				                              NF_SRC_PLACE_OTHER },
				                    .test_text = t->text,
				                    .reach = NF_SRC_REACH_FOLDER,
				                    .constant = e->constant,
				                    .conditional = !e->unconditional,
				                    .elsewhere = f->otherwise[e->name] };
			r = nf_src_add_mistake(f, &m, err);
		}
	}
	return r;
}

/* The lines of the #include lines that look_ahead() noted by their offsets. */
static int find_lines(struct nf_src_finder *f, struct nf_err *err)
{
	const char *read = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < f->out->n; i++) {
		struct nf_src_mistake *m = &f->out->item[i];
		enum nf_src_read how = NF_SRC_READ_OK;
		uint32_t d = 0;

		if (m->reach != NF_SRC_REACH_INCLUDER)
			continue;
		if (read != m->via.path) {
			read = NULL;
			r = nf_src_read_file(m->via.path, &f->bytes, &how, err);
			f->out->lost += r == 0 && how != NF_SRC_READ_OK;
			if (r == 0 && how == NF_SRC_READ_OK) {
				r = nf_src_unit_read(&f->unit, f->bytes.data, f->bytes.len, err);
				read = m->via.path;
			}
		}
		if (r == 0 && read)
			(void)nf_src_branch_at(&f->unit, m->via.line, &d);
		m->via.line = r == 0 && read && d < f->unit.n ? f->unit.d[d].line : 0;
	}
	return r;
}

int nf_src_look_outside(struct nf_src_finder *f, const struct nf_stop *stop, struct nf_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < f->names.n_events && !nf_stop_signo(stop); i++) {
		const struct nf_src_event *e = &f->names.event[i];

		if (e->kind == NF_SRC_HIT_ZERO && nf_src_is_source(f->x->tree->path[e->file]))
			r = look_ahead(f, e, err);
	}
	if (r == 0)
		r = look_beside(f, stop, err);
	if (r == 0)
		r = find_lines(f, err);
	if (r == 0)
		r = look_aside(f, err);
	return r;
}
