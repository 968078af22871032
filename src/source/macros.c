/* SPDX-License-Identifier: MIT */
#include "source/macros_impl.h"

#include <stdlib.h>
#include <string.h>

enum { LIVE_MAX = 64, TEXT_MAX = 120 };

static int make_room(void **items, size_t *cap, size_t n, size_t max, size_t size, const char *what,
                     struct nf_err *err)
{
	size_t more = *cap ? 2 * *cap : 64;
	void *p;

	if (n < *cap)
		return 0;
	if (n >= max)
		return nf_fail(err, NF_EARG, "more than %zu %s; give fewer folders", max, what);
	p = realloc(*items, more * size);
	if (!p)
		return nf_fail_nomem(err, what, more * size);
	*items = p;
	*cap = more;
	return 0;
}

/* A directive on one line, comments and runs of blanks left out, cut. */
static const char *one_line(struct nf_arena *a, const struct nf_src_directive *d)
{
	char text[TEXT_MAX + 8];
	size_t n = 0;
	const char *p = d->at;

	while (p < d->end && n < TEXT_MAX) {
		const char *q = nf_src_skip(p, d->end);

		if (q > p) {
			if (n > 1 && q < d->end)
				text[n++] = ' ';
			p = q;
		} else {
			text[n++] = *p++;
		}
	}
	if (p < d->end) {
		for (int i = 0; i < 3; i++)
			text[n++] = '.';
	}
	return nf_arena_strndup(a, text, n);
}

bool nf_src_is_source(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (dot[1] == 'c' || dot[1] == 'C' || dot[1] == 'S' || dot[1] == 's');
}

struct nf_src_place nf_src_place_of(const struct nf_src_finder *f, const struct nf_src_event *e)
{
	return (struct nf_src_place){ f->x->tree->path[e->file], e->line,
		                      e->kind == NF_SRC_HIT_ZERO    ? NF_SRC_PLACE_ZERO
		                      : e->kind == NF_SRC_HIT_UNDEF ? NF_SRC_PLACE_UNDEF
		                                                    : NF_SRC_PLACE_OTHER };
}

/* The definitions that a test may see. */
struct live {
	const struct nf_src_event *e[LIVE_MAX];
	uint32_t include[LIVE_MAX]; /* the #include line that brings it; UINT32_MAX: same file */
	int32_t branch[LIVE_MAX]; /* of the same file */
	size_t n;
	bool decided; /* something unconditional was met, definition or not */
	bool lost; /* more than LIVE_MAX */
};

static void drop_zeros(struct live *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->e[i]->kind != NF_SRC_HIT_ZERO) {
			l->e[n] = l->e[i];
			l->include[n] = l->include[i];
			l->branch[n++] = l->branch[i];
		}
	l->n = n;
}

static void meet(struct live *l, const struct nf_src_event *e, bool always, uint32_t include,
                 int32_t branch)
{
	if (always) {
		l->n = 0;
		l->decided = true;
	}
	if (e->on_value)
		drop_zeros(l);
	if (l->n == LIVE_MAX) {
		l->lost = true;
		return;
	}
	l->e[l->n] = e;
	l->branch[l->n] = branch;
	l->include[l->n++] = include;
}

/* All files that the file at hand brings, by the #include line that does it first. */
static int walk_includes(struct nf_src_finder *f, uint32_t file, struct nf_err *err)
{
	const struct nf_src_include *in = nf_src_includes_of(f->x, file);
	const unsigned defines =
	        1u << NF_SRC_HIT_ZERO | 1u << NF_SRC_HIT_OTHER | 1u << NF_SRC_HIT_UNDEF;
	const uint32_t *edge;
	int r = nf_src_graph_edges(&f->graph, file, &edge, err);

	f->n_brought = 0;
	f->walked = r == 0;
	nf_src_walk_begin(&f->walk);
	for (uint32_t i = 0; r == 0 && i < f->x->file[file].n_includes; i++) {
		size_t before = f->walk.n;

		if (edge[i] == NF_SRC_NO_FILE || in[i].conditional)
			continue;
		r = nf_src_walk_from(&f->graph, &f->walk, edge[i], err);
		/* What is included is read from its end, the innermost first. */
		for (size_t j = f->walk.n; r == 0 && j-- > before;) {
			uint32_t q = f->walk.queue[j];
			void *items = f->brought;

			if (q == file || !(f->names.has[q] & defines))
				continue;
			r = make_room(&items, &f->cap_brought, f->n_brought, NF_SRC_FILES_MAX,
			              sizeof(*f->brought), "files", err);
			f->brought = items;
			if (r == 0)
				f->brought[f->n_brought++] = (struct nf_src_brought){ q, i };
		}
	}
	return r;
}

static void meet_brought(const struct nf_src_finder *f, const struct nf_src_brought *b,
                         uint32_t name, struct live *l)
{
	size_t n;
	const struct nf_src_event *e = nf_src_events_of(&f->names, b->file, &n);

	for (size_t i = 0; i < n; i++)
		if (e[i].name == name)
			meet(l, &e[i], e[i].unconditional, b->include, NF_SRC_TOP);
}

/* The branch in which an offset of the file at hand stands: that of the directive there. */
int32_t nf_src_branch_at(const struct nf_src_unit *u, uint32_t offset, uint32_t *ret_directive)
{
	uint32_t lo = 0, hi = u->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if ((uint32_t)(u->d[mid].at - u->data) < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (ret_directive)
		*ret_directive = lo;
	return lo < u->n ? u->branch[lo] : NF_SRC_TOP;
}

/* Everything before directive i of the file at hand, in order. */
static void look_back(const struct nf_src_finder *f, uint32_t file, uint32_t i, uint32_t name,
                      struct live *l)
{
	const struct nf_src_unit *u = &f->unit;
	const struct nf_src_include *in = nf_src_includes_of(f->x, file);
	const uint32_t here = (uint32_t)(u->d[i].at - u->data);
	const int32_t branch = u->branch[i];
	size_t n, b = 0;
	const struct nf_src_event *e = nf_src_events_of(&f->names, file, &n);

	for (size_t k = 0; k <= n; k++) {
		uint32_t to = k < n && e[k].offset < here ? e[k].offset : here;

		for (; f->walked && b < f->n_brought && in[f->brought[b].include].offset < to; b++)
			if (!nf_src_exclusive(
			            u, nf_src_branch_at(u, in[f->brought[b].include].offset, NULL),
			            branch))
				meet_brought(f, &f->brought[b], name, l);
		if (k == n || e[k].offset >= here)
			break;
		int32_t at = nf_src_branch_at(u, e[k].offset, NULL);
		if (e[k].name == name && !nf_src_exclusive(u, at, branch))
			meet(l, &e[k], nf_src_encloses(u, at, branch), UINT32_MAX, at);
	}
}

/* Another definition in another branch of the same #if, or one without any condition. */
static bool has_alternative(const struct nf_src_finder *f, const struct live *l, size_t z)
{
	const struct nf_src_event *e = l->e[z];

	if (e->fallback || (l->include[z] != UINT32_MAX && e->unconditional))
		return true;
	for (size_t i = 0; i < l->n; i++)
		if (i != z && l->e[i]->file == e->file && l->e[i]->kind != NF_SRC_HIT_UNDEF &&
		    l->include[z] == UINT32_MAX &&
		    nf_src_exclusive(&f->unit, l->branch[z], l->branch[i]))
			return true;
	return false;
}

int nf_src_add_mistake(struct nf_src_finder *f, const struct nf_src_mistake *m, struct nf_err *err)
{
	void *items = f->out->item;
	int r = make_room(&items, &f->out->cap, f->out->n, NF_SRC_MISTAKES_MAX,
	                  sizeof(*f->out->item), "findings", err);

	f->out->item = items;
	if (r == 0)
		f->out->item[f->out->n++] = *m;
	return r;
}

static void add_also(struct nf_src_mistake *m, struct nf_src_place p)
{
	if (m->n_also < NF_SRC_ALSO_MAX)
		m->also[m->n_also] = p;
	m->n_also++;
}

/* Some conditions define it as 0 and others as 1, and none undefines it: its value says on or off. A test that asks
 * whether it is not defined may tell the macro from a variable of that name, though. */
static bool is_switch(const struct live *l)
{
	bool one = false;

	for (size_t i = 0; i < l->n; i++) {
		if (l->e[i]->kind != NF_SRC_HIT_ZERO && !l->e[i]->one)
			return false;
		one = one || l->e[i]->one;
	}
	return one;
}

/* A mistake from what the test sees; false: no definition as 0 is among it. */
static bool from_live(const struct nf_src_finder *f, uint32_t file, uint32_t i, uint32_t name,
                      bool negated, const struct live *l, struct nf_src_mistake *m)
{
	const struct nf_src_include *in = nf_src_includes_of(f->x, file);
	size_t z = l->n;
	uint32_t seen = 0;

	/* The last that may hold, unless one before it does so without conditions. */
	for (size_t k = l->n; k-- > 0 && z == l->n;)
		if (l->e[k]->kind == NF_SRC_HIT_ZERO)
			z = k;
	if (z == l->n)
		return false;
	*m = (struct nf_src_mistake){
		.name = f->names.name[name].at,
		.define = nf_src_place_of(f, l->e[z]),
		.test = { f->x->tree->path[file], f->unit.d[i].line, NF_SRC_PLACE_OTHER },
		.reach = l->include[z] == UINT32_MAX ? NF_SRC_REACH_FILE : NF_SRC_REACH_INCLUDE,
		.constant = l->e[z]->constant
	};
	m->conditional = !has_alternative(f, l, z) && !(is_switch(l) && !negated) &&
	                 !(l->include[z] == UINT32_MAX &&
	                   nf_src_encloses(&f->unit, l->branch[z], f->unit.branch[i]));
	if (l->include[z] != UINT32_MAX) {
		uint32_t d;

		(void)nf_src_branch_at(&f->unit, in[l->include[z]].offset, &d);
		if (d < f->unit.n)
			m->via = (struct nf_src_place){ m->test.path, f->unit.d[d].line,
				                        NF_SRC_PLACE_OTHER };
	}
	for (size_t k = 0; k < l->n; k++) {
		if (k != z)
			add_also(m, nf_src_place_of(f, l->e[k]));
		seen += l->e[k]->kind != NF_SRC_HIT_ZERO;
	}
	m->elsewhere = f->otherwise[name] - (seen < f->otherwise[name] ? seen : f->otherwise[name]);
	return true;
}

static int add_open(struct nf_src_finder *f, uint32_t file, uint32_t i, uint32_t name,
                    const char *text, struct nf_err *err)
{
	void *items = f->open;
	int r = make_room(&items, &f->cap_open, f->n_open, NF_SRC_HITS_MAX, sizeof(*f->open),
	                  "tests", err);

	f->open = items;
	if (r == 0)
		f->open[f->n_open++] =
		        (struct nf_src_open_test){ name, file, f->unit.d[i].line, text };
	return r;
}

static int look_at_test(struct nf_src_finder *f, uint32_t file, uint32_t i, struct nf_src_word w,
                        bool negated, struct nf_err *err)
{
	struct live l = { 0 };
	struct nf_src_mistake m;
	uint32_t name = nf_src_names_find(&f->names, w);
	int r = 0;

	if (name == NF_SRC_NO_NAME || nf_src_never(&f->unit, f->unit.branch[i]) ||
	    nf_src_purpose_of(&f->unit, i, w, negated) != NF_SRC_MISTAKE)
		return 0;
	if (!f->walked && f->outside_file[name])
		r = walk_includes(f, file, err);
	if (r < 0)
		return r;
	look_back(f, file, i, name, &l);
	const char *text = one_line(f->a, &f->unit.d[i]);
	if (!text)
		return nf_arena_failed(f->a, "a test", err);
	if (from_live(f, file, i, name, negated, &l, &m)) {
		m.test_text = text;
		return nf_src_add_mistake(f, &m, err);
	}
	return l.n == 0 && !l.decided ? add_open(f, file, i, name, text, err) : 0;
}

static int look_at_file(struct nf_src_finder *f, uint32_t file, struct nf_err *err)
{
	enum nf_src_read how;
	int r = nf_src_read_file(f->x->tree->path[file], &f->bytes, &how, err);

	f->out->lost += r == 0 && how != NF_SRC_READ_OK;
	if (r < 0 || how != NF_SRC_READ_OK)
		return r;
	f->walked = false;
	r = nf_src_unit_read(&f->unit, f->bytes.data, f->bytes.len, err);
	for (uint32_t i = 0; r == 0 && i < f->unit.n; i++) {
		const struct nf_src_directive *d = &f->unit.d[i];
		const char *p = d->rest;
		struct nf_src_word w;
		bool negated;

		if (d->kind == NF_SRC_IFDEF || d->kind == NF_SRC_ELIFDEF)
			r = look_at_test(f, file, i, d->name, false, err);
		else if (d->kind == NF_SRC_IFNDEF || d->kind == NF_SRC_ELIFNDEF)
			r = look_at_test(f, file, i, d->name, true, err);
		else if (d->kind == NF_SRC_IF || d->kind == NF_SRC_ELIF)
			while (r == 0 && nf_src_next_defined(&p, d->end, &w, &negated))
				r = look_at_test(f, file, i, w, negated, err);
	}
	return r;
}

static int compare_places(const struct nf_src_place *a, const struct nf_src_place *b)
{
	int r = strcmp(a->path, b->path);

	return r ? r : a->line < b->line ? -1 : a->line > b->line;
}

/* By the two places and the name. */
static int compare_pairs(const struct nf_src_mistake *a, const struct nf_src_mistake *b)
{
	int r = compare_places(&a->test, &b->test);

	if (r == 0)
		r = strcmp(a->name, b->name);
	return r ? r : compare_places(&a->define, &b->define);
}

static int compare_mistakes(const void *pa, const void *pb)
{
	const struct nf_src_mistake *a = pa, *b = pb;
	int r = compare_pairs(a, b);

	return r || !a->via.path || !b->via.path ? r : compare_places(&a->via, &b->via);
}

/* The same two places, over another way: once, by the first. */
static void drop_repeated(struct nf_src_macros *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		if (n == 0 || compare_pairs(&m->item[n - 1], &m->item[i]) != 0)
			m->item[n++] = m->item[i];
	m->n = n;
}

/* Of each name: how often it is defined otherwise, and whether a header defines it as 0. */
static int count_names(struct nf_src_finder *f, struct nf_err *err)
{
	size_t n = f->names.n + 1;

	f->otherwise = calloc(n, sizeof(*f->otherwise));
	f->outside_file = calloc(n, sizeof(*f->outside_file));
	f->first_open = calloc(f->x->tree->n + 2, sizeof(*f->first_open));
	if (!f->otherwise || !f->outside_file || !f->first_open)
		return nf_fail_nomem(err, "names", (f->x->tree->n + 2) * sizeof(uint32_t));
	for (size_t i = 0; i < f->names.n_events; i++) {
		const struct nf_src_event *e = &f->names.event[i];

		if (e->kind != NF_SRC_HIT_ZERO)
			f->otherwise[e->name]++;
		else if (!nf_src_is_source(f->x->tree->path[e->file]))
			f->outside_file[e->name] = true;
	}
	return 0;
}

static int find(struct nf_src_finder *f, const struct nf_stop *stop, struct nf_err *err)
{
	int r = 0;
	uint32_t n = (uint32_t)f->x->tree->n;

	for (uint32_t i = 0; r == 0 && i < n; i++) {
		f->first_open[i] = (uint32_t)f->n_open;
		if ((f->names.has[i] & 1u << NF_SRC_HIT_TEST) && !nf_stop_signo(stop))
			r = look_at_file(f, i, err);
	}
	f->first_open[n] = (uint32_t)f->n_open;
	if (r == 0)
		r = nf_src_look_outside(f, stop, err);
	return r;
}

int nf_src_macros_find(const struct nf_src_index *x, struct nf_arena *a, const struct nf_stop *stop,
                       struct nf_src_macros *ret, struct nf_err *err)
{
	struct nf_src_macros out = { 0 };
	struct nf_src_finder f = { .x = x, .a = a, .out = &out };
	int r = nf_src_names_make(x, a, stop, &f.names, err);

	if (r == 0)
		r = count_names(&f, err);
	if (r == 0)
		r = nf_src_graph_make(x, &f.graph, err);
	if (r == 0)
		r = nf_src_walk_init(&f.walk, x->tree->n, err);
	if (r == 0)
		r = find(&f, stop, err);
	if (r == 0) {
		if (out.n > 1)
			qsort(out.item, out.n, sizeof(*out.item), compare_mistakes);
		drop_repeated(&out);
		out.lost += f.names.lost;
		out.zeros = f.names.zeros;
		out.tests = f.names.tests;
		out.names = f.names.n;
		out.resolved = f.graph.resolved;
		out.outside = f.graph.outside;
		out.ambiguous = f.graph.ambiguous;
		*ret = out;
	} else {
		nf_src_macros_fini(&out);
	}
	nf_src_walk_fini(&f.walk);
	if (f.graph.x)
		nf_src_graph_fini(&f.graph);
	nf_src_names_fini(&f.names);
	nf_src_unit_fini(&f.unit);
	free(f.bytes.data);
	free(f.brought);
	free(f.open);
	free(f.first_open);
	free(f.otherwise);
	free(f.outside_file);
	return r;
}

void nf_src_macros_fini(struct nf_src_macros *m)
{
	free(m->item);
	*m = (struct nf_src_macros){ 0 };
}

bool nf_src_mistake_certain(const struct nf_src_mistake *m)
{
	return m->reach != NF_SRC_REACH_FOLDER && !m->constant && !m->conditional;
}
