/* SPDX-License-Identifier: MIT */
#include "source/scan.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "source/clocks.h"

enum { NEST_MAX = 256, CHUNK = 16, PAIRS = 1 << 16 };

/* What the threads share: the tree and whose turn it is. */
struct work {
	const struct nf_src_scan_opts *o;
	struct nf_src_index *x;
	size_t next; /* atomic */
	bool failed; /* atomic */
	uint8_t likely[PAIRS / 8]; /* last two letters of names that read a clock */
};

struct worker {
	struct work *w;
	struct nf_src_part *part;
	unsigned number;
	struct nf_src_bytes bytes;
	bool reads_clock; /* the file at hand */
	int r;
	struct nf_err err;
};

static int grow(void **items, size_t *cap, size_t n, size_t max, size_t size, const char *what,
                struct nf_err *err)
{
	size_t more = *cap ? 2 * *cap : 1024;
	void *p;

	while (more < n)
		more *= 2;
	if (n > max)
		return nf_fail(err, NF_EARG, "more than %zu %s; give fewer folders", max, what);
	p = realloc(*items, more * size);
	if (!p)
		return nf_fail_nomem(err, what, more * size);
	*items = p;
	*cap = more;
	return 0;
}

static int add_hit(struct worker *k, uint32_t file, enum nf_src_hit_kind kind, const char *at,
                   struct nf_src_word name)
{
	struct nf_src_part *p = k->part;

	if (p->n_hits == p->cap_hits) {
		void *items = p->hit;
		int r = grow(&items, &p->cap_hits, p->n_hits + 1, NF_SRC_HITS_MAX, sizeof(*p->hit),
		             "directives about macros", &k->err);
		if (r < 0)
			return r;
		p->hit = items;
	}
	p->hit[p->n_hits++] = (struct nf_src_hit){ .hash = nf_src_hash(name),
		                                   .file = file,
		                                   .offset = (uint32_t)(at - k->bytes.data) &
		                                             NF_SRC_FILE_BYTES_MAX,
		                                   .kind = (uint32_t)kind & 15u };
	return 0;
}

static int add_include(struct worker *k, const struct nf_src_directive *d, bool conditional)
{
	struct nf_src_part *p = k->part;
	int r;

	if (p->n_includes == p->cap_includes) {
		void *items = p->include;
		r = grow(&items, &p->cap_includes, p->n_includes + 1, NF_SRC_INCLUDES_MAX,
		         sizeof(*p->include), "#include lines", &k->err);
		if (r < 0)
			return r;
		p->include = items;
	}
	if (p->cap_text - p->len_text < d->name.len) {
		void *text = p->text;
		r = grow(&text, &p->cap_text, p->len_text + d->name.len, (size_t)1 << 31, 1,
		         "bytes of #include lines", &k->err);
		if (r < 0)
			return r;
		p->text = text;
	}
	memcpy(p->text + p->len_text, d->name.at, d->name.len);
	p->include[p->n_includes++] =
	        (struct nf_src_include){ .name = p->len_text,
		                         .len = (uint32_t)d->name.len,
		                         .offset = (uint32_t)(d->at - k->bytes.data) &
		                                   NF_SRC_FILE_BYTES_MAX,
		                         .quoted = d->quoted,
		                         .conditional = conditional };
	p->len_text += d->name.len;
	return 0;
}

/* The conditions around a line: those that hold for C code at all do not count. */
struct nest {
	unsigned depth;
	unsigned strict; /* conditions that count */
	unsigned beyond; /* deeper than NEST_MAX: all of them count */
	bool counts[NEST_MAX];
};

static void nest_open(struct nest *n, bool counts)
{
	if (n->depth == NEST_MAX) {
		n->beyond++;
		return;
	}
	n->counts[n->depth++] = counts;
	n->strict += counts;
}

static void nest_set(struct nest *n, bool counts)
{
	if (n->beyond || n->depth == 0)
		return;
	n->strict -= n->counts[n->depth - 1];
	n->counts[n->depth - 1] = counts;
	n->strict += counts;
}

static void nest_close(struct nest *n)
{
	if (n->beyond)
		n->beyond--;
	else if (n->depth)
		n->strict -= n->counts[--n->depth];
}

static bool word_is(struct nf_src_word w, const char *text)
{
	return w.len == strlen(text) && memcmp(w.at, text, w.len) == 0;
}

/* Holds whenever C of this project is compiled: not assembler, the kernel itself. */
static bool holds_for_c(const struct nf_src_directive *d)
{
	bool assembler = word_is(d->name, "__ASSEMBLY__") || word_is(d->name, "__ASSEMBLER__");

	if (d->kind == NF_SRC_IFNDEF)
		return assembler;
	return d->kind == NF_SRC_IFDEF && word_is(d->name, "__KERNEL__");
}

/* The name that a file's first #ifndef X or #if !defined(X) asks for. */
static struct nf_src_word guard_name(const struct nf_src_directive *d)
{
	const char *p = d->rest;
	struct nf_src_word w = { NULL, 0 };
	bool negated = false;

	if (d->kind == NF_SRC_IFNDEF)
		return d->name;
	if (d->kind == NF_SRC_IF && nf_src_next_defined(&p, d->end, &w, &negated) && negated)
		return w;
	return (struct nf_src_word){ NULL, 0 };
}

static int add_tests(struct worker *k, uint32_t file, const struct nf_src_directive *d)
{
	const char *p = d->rest;
	struct nf_src_word w;
	bool negated;
	int r = 0;

	if (!memmem(p, (size_t)(d->end - p), "defined", 7))
		return 0;
	while (r == 0 && nf_src_next_defined(&p, d->end, &w, &negated))
		r = add_hit(k, file, NF_SRC_HIT_TEST, d->at, w);
	return r;
}

static int add_directive(struct worker *k, uint32_t file, const struct nf_src_directive *d,
                         struct nest *n)
{
	switch (d->kind) {
	case NF_SRC_DEFINE:
		return add_hit(k, file,
		               d->value == NF_SRC_VALUE_ZERO ? NF_SRC_HIT_ZERO : NF_SRC_HIT_OTHER,
		               d->at, d->name);
	case NF_SRC_UNDEF:
		return add_hit(k, file, NF_SRC_HIT_UNDEF, d->at, d->name);
	case NF_SRC_IFDEF:
	case NF_SRC_IFNDEF:
		nest_open(n, !holds_for_c(d));
		return add_hit(k, file, NF_SRC_HIT_TEST, d->at, d->name);
	case NF_SRC_IF:
		nest_open(n, true);
		return add_tests(k, file, d);
	case NF_SRC_ELIFDEF:
	case NF_SRC_ELIFNDEF:
		nest_set(n, true);
		return add_hit(k, file, NF_SRC_HIT_TEST, d->at, d->name);
	case NF_SRC_ELIF:
		nest_set(n, true);
		return add_tests(k, file, d);
	case NF_SRC_ELSE:
		nest_set(n, true);
		return 0;
	case NF_SRC_ENDIF:
		nest_close(n);
		return 0;
	case NF_SRC_INCLUDE:
		return add_include(k, d, n->strict + n->beyond > 0);
	case NF_SRC_OTHER:
	case NF_SRC_ERROR:
		return 0;
	}
	return 0;
}

/* A call: is it one that reads a clock? */
static void look_at_call(void *ctx, const char *line, const char *paren)
{
	struct worker *k = ctx;
	const char *e = paren;

	if (k->reads_clock)
		return;
	while (e > line && e[-1] == ' ')
		e--;
	if (e - line < 2)
		return;
	unsigned pair = (unsigned)(unsigned char)e[-2] << 8 | (unsigned char)e[-1];
	if (!(k->w->likely[pair / 8] & 1u << pair % 8))
		return;
	const char *b = e;
	while (b > line && nf_src_word_char(b[-1]))
		b--;
	struct nf_src_word w = { b, (size_t)(e - b) };
	if (nf_src_clock_read(w) != NF_SRC_CLOCK_NONE)
		k->reads_clock = true;
	else if (word_is(w, "asm") || word_is(w, "__asm__") || word_is(w, "volatile") ||
	         word_is(w, "__volatile__") || word_is(w, "__asm") || word_is(w, "__volatile"))
		/* What the text says may stand on the lines below. */
		k->reads_clock = nf_src_clock_in_asm(
		        paren, (size_t)(k->bytes.data + k->bytes.len - paren) < 256
		                       ? (size_t)(k->bytes.data + k->bytes.len - paren)
		                       : 256);
}

static int scan_bytes(struct worker *k, uint32_t file)
{
	struct nf_src_reader reader;
	struct nf_src_directive d;
	struct nest n = { 0 };
	struct nf_src_word guard = { NULL, 0 };
	unsigned seen = 0; /* directives */
	int r = 0;

	k->reads_clock = k->w->o->all_clocks;
	nf_src_begin(&reader, k->bytes.data, k->bytes.len);
	reader.call = look_at_call;
	reader.ctx = k;
	while (r == 0 && nf_src_next(&reader, &d)) {
		if (seen == 0)
			guard = guard_name(&d);
		r = add_directive(k, file, &d, &n);
		if (seen == 1 && guard.len && d.kind == NF_SRC_DEFINE && n.depth == 1 &&
		    nf_src_same(guard, d.name))
			nest_set(&n, false);
		seen++;
	}
	return r;
}

static int scan_file(struct worker *k, uint32_t i)
{
	struct nf_src_index *x = k->w->x;
	struct nf_src_file *f = &x->file[i];
	enum nf_src_read how;
	int r = nf_src_read_file(x->tree->path[i], &k->bytes, &how, &k->err);

	if (r < 0)
		return r;
	f->thread = (uint8_t)k->number;
	f->dev = k->bytes.dev;
	f->ino = k->bytes.ino;
	f->os_errno = k->bytes.os_errno;
	f->bytes = k->bytes.len;
	f->first_include = (uint32_t)k->part->n_includes;
	switch (how) {
	case NF_SRC_READ_OK:
		f->state = NF_SRC_SCANNED;
		r = scan_bytes(k, i);
		f->reads_clock = k->reads_clock;
		f->n_includes = (uint32_t)k->part->n_includes - f->first_include;
		return r;
	case NF_SRC_READ_BINARY:
		f->state = NF_SRC_BINARY;
		break;
	case NF_SRC_READ_LARGE:
		f->state = NF_SRC_LARGE;
		break;
	case NF_SRC_READ_FAILED:
		f->state = NF_SRC_UNREADABLE;
		break;
	}
	return 0;
}

static void *scan_files(void *arg)
{
	struct worker *k = arg;
	struct work *w = k->w;

	while (k->r == 0 && !__atomic_load_n(&w->failed, __ATOMIC_RELAXED) &&
	       !nf_stop_signo(w->o->stop)) {
		size_t i = __atomic_fetch_add(&w->next, CHUNK, __ATOMIC_RELAXED);

		if (i >= w->x->tree->n)
			break;
		for (size_t j = i; k->r == 0 && j < i + CHUNK && j < w->x->tree->n; j++)
			k->r = scan_file(k, (uint32_t)j);
	}
	if (k->r < 0)
		__atomic_store_n(&w->failed, true, __ATOMIC_RELAXED);
	free(k->bytes.data);
	k->bytes.data = NULL;
	return NULL;
}

static void learn_likely(struct work *w)
{
	static const char *const asms[] = { "asm", "__asm__", "volatile" };

	for (unsigned a = '0'; a < 128; a++)
		for (unsigned b = '0'; b < 128; b++) {
			const char pair[2] = { (char)a, (char)b };
			bool likely = nf_src_clock_likely(pair + 2);

			for (size_t i = 0; i < sizeof(asms) / sizeof(asms[0]); i++)
				likely = likely || memcmp(strchr(asms[i], '\0') - 2, pair, 2) == 0;
			if (likely)
				w->likely[(a << 8 | b) / 8] |= (uint8_t)(1u << (a << 8 | b) % 8);
		}
}

static int by_identity(const void *pa, const void *pb)
{
	const struct nf_src_file *const *a = pa, *const *b = pb;

	if ((*a)->dev != (*b)->dev)
		return (*a)->dev < (*b)->dev ? -1 : 1;
	if ((*a)->ino != (*b)->ino)
		return (*a)->ino < (*b)->ino ? -1 : 1;
	return *a < *b ? -1 : *a > *b;
}

/* A file that is there under several names counts once, under the first. */
static int drop_same(struct nf_src_index *x, struct nf_err *err)
{
	size_t n = x->tree->n, m = 0;
	struct nf_src_file **order = calloc(n + 1, sizeof(*order));

	if (!order)
		return nf_fail_nomem(err, "files", (n + 1) * sizeof(*order));
	for (size_t i = 0; i < n; i++)
		if (x->file[i].state == NF_SRC_SCANNED)
			order[m++] = &x->file[i];
	if (m > 1)
		qsort(order, m, sizeof(struct nf_src_file *), by_identity);
	for (size_t i = 1; i < m; i++)
		if (order[i]->dev == order[i - 1]->dev && order[i]->ino == order[i - 1]->ino)
			order[i]->state = NF_SRC_SAME;
	free(order);
	return 0;
}

static void count(struct nf_src_index *x)
{
	for (size_t i = 0; i < x->tree->n; i++) {
		const struct nf_src_file *f = &x->file[i];

		x->scanned += f->state == NF_SRC_SCANNED;
		x->bytes += f->state == NF_SRC_SCANNED ? f->bytes : 0;
		x->binary += f->state == NF_SRC_BINARY;
		x->large += f->state == NF_SRC_LARGE;
		x->unreadable += f->state == NF_SRC_UNREADABLE;
		x->same += f->state == NF_SRC_SAME;
		x->unread += f->state == NF_SRC_UNREAD;
	}
}

int nf_src_index_make(const struct nf_src_tree *t, const struct nf_src_scan_opts *o,
                      struct nf_src_index *ret, struct nf_err *err)
{
	struct worker worker[NF_SRC_THREADS_MAX] = { 0 };
	pthread_t thread[NF_SRC_THREADS_MAX];
	struct work w = { .o = o, .x = ret };
	unsigned n = o->threads < 1 ? 1 : o->threads, started = 1;
	int r = 0;

	n = n < NF_SRC_THREADS_MAX ? n : NF_SRC_THREADS_MAX;
	*ret = (struct nf_src_index){ .tree = t, .threads = n };
	ret->file = calloc(t->n + 1, sizeof(*ret->file));
	if (!ret->file)
		return nf_fail_nomem(err, "files", (t->n + 1) * sizeof(*ret->file));
	learn_likely(&w);
	for (unsigned i = 0; i < n; i++)
		worker[i] = (struct worker){ .w = &w, .part = &ret->part[i], .number = i };
	/* One that cannot be started is one less. */
	while (started < n &&
	       pthread_create(&thread[started], NULL, scan_files, &worker[started]) == 0)
		started++;
	(void)scan_files(&worker[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(thread[i], NULL);
	for (unsigned i = 0; i < n && r == 0; i++) {
		r = worker[i].r;
		if (r < 0 && err)
			*err = worker[i].err;
	}
	if (r == 0)
		r = drop_same(ret, err);
	if (r == 0)
		count(ret);
	return r;
}

void nf_src_index_fini(struct nf_src_index *x)
{
	for (unsigned i = 0; i < NF_SRC_THREADS_MAX; i++) {
		free(x->part[i].hit);
		free(x->part[i].include);
		free(x->part[i].text);
	}
	free(x->file);
	*x = (struct nf_src_index){ 0 };
}
