/* SPDX-License-Identifier: MIT */
#include "source/names.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 24, EVENTS_MAX = 1 << 24, NAMES_MAX = 1 << 22 };

static bool has_bit(const uint8_t *map, uint32_t hash)
{
	uint32_t b = hash >> (32 - BITS);

	return map[b / 8] & 1u << b % 8;
}

static void set_bit(uint8_t *map, uint32_t hash)
{
	uint32_t b = hash >> (32 - BITS);

	map[b / 8] |= (uint8_t)(1u << b % 8);
}

static int compare_u32(const void *pa, const void *pb)
{
	const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return a < b ? -1 : a > b;
}

static size_t unique(uint32_t *v, size_t n)
{
	size_t m = 0;

	if (n > 1)
		qsort(v, n, sizeof(*v), compare_u32);
	for (size_t i = 0; i < n; i++)
		if (m == 0 || v[m - 1] != v[i])
			v[m++] = v[i];
	return m;
}

/* Hashes of one kind whose bit is in `among` (NULL: all), sorted, none twice. */
static int collect(const struct nf_src_index *x, enum nf_src_hit_kind kind, const uint8_t *among,
                   uint32_t **ret, size_t *ret_n, uint64_t *ret_all, struct nf_err *err)
{
	size_t n = 0, cap = 1024;
	uint32_t *v = calloc(cap, sizeof(*v));

	if (!v)
		return nf_fail_nomem(err, "names", cap * sizeof(*v));
	*ret_all = 0;
	for (unsigned t = 0; t < x->threads; t++)
		for (size_t i = 0; i < x->part[t].n_hits; i++) {
			const struct nf_src_hit *h = &x->part[t].hit[i];

			if (h->kind != (uint32_t)kind || x->file[h->file].state != NF_SRC_SCANNED)
				continue;
			++*ret_all;
			if (among && !has_bit(among, h->hash))
				continue;
			if (n == cap) {
				uint32_t *more = realloc(v, 2 * cap * sizeof(*v));
				if (!more) {
					free(v);
					return nf_fail_nomem(err, "names", 2 * cap * sizeof(*v));
				}
				v = more;
				cap *= 2;
			}
			v[n++] = h->hash;
		}
	*ret_n = unique(v, n);
	*ret = v;
	return 0;
}

/* Hashes that are both defined as 0 and asked for. */
static int find_hashes(struct nf_src_names *n, struct nf_err *err)
{
	uint8_t *map = calloc((size_t)1 << (BITS - 3), 1);
	uint32_t *tests = NULL, *zeros = NULL;
	size_t n_tests = 0, n_zeros = 0;
	int r;

	if (!map)
		return nf_fail_nomem(err, "names", (size_t)1 << (BITS - 3));
	r = collect(n->x, NF_SRC_HIT_TEST, NULL, &tests, &n_tests, &n->tests, err);
	for (size_t i = 0; i < n_tests; i++)
		set_bit(map, tests[i]);
	if (r == 0)
		r = collect(n->x, NF_SRC_HIT_ZERO, map, &zeros, &n_zeros, &n->zeros, err);
	if (r == 0) {
		for (size_t i = 0; i < n_zeros; i++)
			if (bsearch(&zeros[i], tests, n_tests, sizeof(*tests), compare_u32))
				zeros[n->n_hashes++] = zeros[i];
		n->hash = zeros;
		zeros = NULL;
	}
	free(zeros);
	free(tests);
	free(map);
	return r;
}

static bool matters(const struct nf_src_names *n, uint32_t hash)
{
	return bsearch(&hash, n->hash, n->n_hashes, sizeof(*n->hash), compare_u32) != NULL;
}

/* Which files hold what of names that matter. */
static int mark_files(struct nf_src_names *n, struct nf_err *err)
{
	const struct nf_src_index *x = n->x;
	uint8_t *map = calloc((size_t)1 << (BITS - 3), 1);

	n->has = calloc(x->tree->n + 1, 1);
	if (!map || !n->has) {
		free(map);
		return nf_fail_nomem(err, "names", x->tree->n + 1);
	}
	for (size_t i = 0; i < n->n_hashes; i++)
		set_bit(map, n->hash[i]);
	for (unsigned t = 0; t < x->threads; t++)
		for (size_t i = 0; i < x->part[t].n_hits; i++) {
			const struct nf_src_hit *h = &x->part[t].hit[i];

			if (has_bit(map, h->hash) && matters(n, h->hash) &&
			    x->file[h->file].state == NF_SRC_SCANNED)
				n->has[h->file] |= (uint8_t)(1u << h->kind);
		}
	free(map);
	return 0;
}

uint32_t nf_src_names_find(const struct nf_src_names *n, struct nf_src_word w)
{
	size_t mask = n->n_slots - 1;

	if (n->n_slots == 0)
		return NF_SRC_NO_NAME;
	for (size_t i = nf_src_hash(w) & mask; n->slot[i] != NF_SRC_NO_NAME; i = (i + 1) & mask)
		if (nf_src_same(n->name[n->slot[i]], w))
			return n->slot[i];
	return NF_SRC_NO_NAME;
}

static int make_slots(struct nf_src_names *n, size_t size, struct nf_err *err)
{
	uint32_t *slot = malloc(size * sizeof(*slot));

	if (!slot)
		return nf_fail_nomem(err, "names", size * sizeof(*slot));
	memset(slot, 0xff, size * sizeof(*slot));
	for (uint32_t k = 0; k < n->n; k++) {
		size_t i = nf_src_hash(n->name[k]) & (size - 1);

		while (slot[i] != NF_SRC_NO_NAME)
			i = (i + 1) & (size - 1);
		slot[i] = k;
	}
	free(n->slot);
	n->slot = slot;
	n->n_slots = size;
	return 0;
}

/* The name's index; it is added when it is new. */
static int intern(struct nf_src_names *n, struct nf_src_word w, uint32_t *ret, struct nf_err *err)
{
	int r = 0;

	*ret = nf_src_names_find(n, w);
	if (*ret != NF_SRC_NO_NAME)
		return 0;
	if (n->n >= NAMES_MAX)
		return nf_fail(err, NF_EARG, "more than %d names; give fewer folders", NAMES_MAX);
	if (n->n == n->cap) {
		size_t cap = n->cap ? 2 * n->cap : 64;
		struct nf_src_word *more = realloc(n->name, cap * sizeof(*more));

		if (!more)
			return nf_fail_nomem(err, "names", cap * sizeof(*more));
		n->name = more;
		n->cap = cap;
	}
	if (2 * (n->n + 1) > n->n_slots)
		r = make_slots(n, n->n_slots ? 2 * n->n_slots : 256, err);
	char *text = r == 0 ? nf_arena_strndup(n->a, w.at, w.len) : NULL;
	if (r == 0 && !text)
		r = nf_arena_failed(n->a, "names", err);
	if (r < 0)
		return r;
	*ret = (uint32_t)n->n;
	n->name[n->n++] = (struct nf_src_word){ text, w.len };
	size_t i = nf_src_hash(w) & (n->n_slots - 1);
	while (n->slot[i] != NF_SRC_NO_NAME)
		i = (i + 1) & (n->n_slots - 1);
	n->slot[i] = *ret;
	return 0;
}

/* Stands in the branch of #ifndef name, or in one of several that begin so. */
static bool is_fallback(const struct nf_src_unit *u, uint32_t i)
{
	int32_t b = u->branch[i];

	for (; b != NF_SRC_TOP; b = u->b[b].parent) {
		const struct nf_src_directive *d = &u->d[u->b[b].first];
		const char *p = d->rest;
		struct nf_src_word w;
		bool negated;

		if (u->b[b].open)
			continue;
		if (d->kind == NF_SRC_IFNDEF)
			return nf_src_same(d->name, u->d[i].name);
		if (d->kind == NF_SRC_IF && nf_src_next_defined(&p, d->end, &w, &negated))
			return negated && nf_src_same(w, u->d[i].name);
		return false;
	}
	return false;
}

/* Stands in a branch that asks for the name's value: what was 0 is not any more. */
static bool is_on_value(const struct nf_src_unit *u, uint32_t i)
{
	for (int32_t b = u->branch[i]; b != NF_SRC_TOP; b = u->b[b].parent) {
		const struct nf_src_directive *d = &u->d[u->b[b].first];

		if ((d->kind == NF_SRC_IF || d->kind == NF_SRC_ELIF) &&
		    nf_src_uses_value(d->rest, d->end, u->d[i].name))
			return true;
	}
	return false;
}

static bool is_one(const struct nf_src_directive *d)
{
	const char *p = d->rest;
	struct nf_src_token t;

	if (d->kind != NF_SRC_DEFINE || d->value == NF_SRC_VALUE_FUNCTION)
		return false;
	nf_src_token(&p, d->end, &t);
	while (t.kind == NF_SRC_PUNCT && *t.at == '(')
		nf_src_token(&p, d->end, &t);
	if (t.kind != NF_SRC_NUMBER)
		return false;
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] == '1')
			return i == 0 || t.at[0] == '0';
	return false;
}

/* Numbers of C and POSIX, some of which are 0 where a system lacks what they ask for: to ask whether they are
 * there is how they are meant. */
static bool is_of_libc(struct nf_src_word w)
{
	static const char *const begins[] = { "O_",     "MAP_",  "MSG_",  "SIG_",     "SA_",
		                              "F_",     "S_I",   "AF_",   "PF_",      "LC_",
		                              "SEEK_",  "AT_",   "EXIT_", "RTLD_",    "SHUT_",
		                              "CLOCK_", "PROT_", "MADV_", "IPPROTO_", "PTHREAD_",
		                              "SOCK_" };

	if (w.len == 4 && memcmp(w.at, "NULL", 4) == 0)
		return true;
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (w.len > strlen(begins[i]) && memcmp(w.at, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/* A zero that begins a list: #define SHUT_RD 0, #define SHUT_WR 1. */
static bool is_constant(const struct nf_src_unit *u, uint32_t i)
{
	size_t same = 0;

	if (i + 1 >= u->n || !is_one(&u->d[i + 1]) || u->branch[i + 1] != u->branch[i] ||
	    u->d[i + 1].line > u->d[i].line + 3)
		return false;
	const struct nf_src_word a = u->d[i].name, b = u->d[i + 1].name;
	while (same < a.len && same < b.len && a.at[same] == b.at[same])
		same++;
	/* What differs is the last part of the name. */
	return same >= 2 && !memchr(a.at + same, '_', a.len - same);
}

static int add_event(struct nf_src_names *n, const struct nf_src_unit *u, uint32_t file, uint32_t i,
                     struct nf_err *err)
{
	const struct nf_src_directive *d = &u->d[i];
	struct nf_src_event e = { .file = file,
		                  .offset = (uint32_t)(d->at - u->data),
		                  .line = d->line,
		                  .unconditional = nf_src_unconditional(u, u->branch[i]) };

	if (n->n_events == n->cap_events) {
		size_t cap = n->cap_events ? 2 * n->cap_events : 1024;
		struct nf_src_event *more;

		if (cap > EVENTS_MAX)
			return nf_fail(err, NF_EARG, "more than %d definitions; give fewer folders",
			               EVENTS_MAX);
		more = realloc(n->event, cap * sizeof(*more));
		if (!more)
			return nf_fail_nomem(err, "definitions", cap * sizeof(*more));
		n->event = more;
		n->cap_events = cap;
	}
	e.kind = d->kind == NF_SRC_UNDEF         ? NF_SRC_HIT_UNDEF
	         : d->value == NF_SRC_VALUE_ZERO ? NF_SRC_HIT_ZERO
	                                         : NF_SRC_HIT_OTHER;
	e.fallback = d->kind == NF_SRC_DEFINE && is_fallback(u, i);
	e.on_value = e.kind != NF_SRC_HIT_ZERO && is_on_value(u, i);
	e.one = is_one(d);
	e.constant = e.kind == NF_SRC_HIT_ZERO && (is_of_libc(d->name) || is_constant(u, i));
	int r = intern(n, d->name, &e.name, err);
	if (r == 0)
		n->event[n->n_events++] = e;
	return r;
}

static int read_events(struct nf_src_names *n, uint32_t file, struct nf_src_bytes *b,
                       struct nf_src_unit *u, struct nf_err *err)
{
	enum nf_src_read how;
	int r = nf_src_read_file(n->x->tree->path[file], b, &how, err);

	n->lost += r == 0 && how != NF_SRC_READ_OK;
	if (r < 0 || how != NF_SRC_READ_OK)
		return r;
	r = nf_src_unit_read(u, b->data, b->len, err);
	for (uint32_t i = 0; r == 0 && i < u->n; i++)
		if ((u->d[i].kind == NF_SRC_DEFINE || u->d[i].kind == NF_SRC_UNDEF) &&
		    matters(n, nf_src_hash(u->d[i].name)) && !nf_src_never(u, u->branch[i]))
			r = add_event(n, u, file, i, err);
	return r;
}

int nf_src_names_make(const struct nf_src_index *x, struct nf_arena *a, const struct nf_stop *stop,
                      struct nf_src_names *ret, struct nf_err *err)
{
	const unsigned defines =
	        1u << NF_SRC_HIT_ZERO | 1u << NF_SRC_HIT_OTHER | 1u << NF_SRC_HIT_UNDEF;
	struct nf_src_bytes bytes = { 0 };
	struct nf_src_unit unit = { 0 };
	int r;

	*ret = (struct nf_src_names){ .x = x, .a = a };
	ret->first_event = calloc(x->tree->n + 2, sizeof(*ret->first_event));
	if (!ret->first_event)
		return nf_fail_nomem(err, "files", (x->tree->n + 2) * sizeof(uint32_t));
	r = find_hashes(ret, err);
	if (r == 0)
		r = mark_files(ret, err);
	for (uint32_t i = 0; r == 0 && i < x->tree->n; i++) {
		ret->first_event[i] = (uint32_t)ret->n_events;
		if ((ret->has[i] & defines) && !nf_stop_signo(stop))
			r = read_events(ret, i, &bytes, &unit, err);
	}
	if (r == 0)
		ret->first_event[x->tree->n] = (uint32_t)ret->n_events;
	nf_src_unit_fini(&unit);
	free(bytes.data);
	return r;
}

void nf_src_names_fini(struct nf_src_names *n)
{
	free(n->hash);
	free(n->name);
	free(n->slot);
	free(n->event);
	free(n->first_event);
	free(n->has);
	*n = (struct nf_src_names){ 0 };
}
