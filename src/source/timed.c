/* SPDX-License-Identifier: MIT */
#include "source/timed.h"

#include <stdlib.h>
#include <string.h>

#include "source/body.h"
#include "source/clocks.h"
#include "source/walk.h"

enum { READS_MAX = 256 /* reads of a clock in one function that are looked at */ };

/* A read of a clock. */
struct read {
	size_t at; /* token: the name of what is called, or asm */
	size_t end; /* the token behind its ')' */
	/* What holds the time afterwards: tokens [var, var_end); none: var_end 0. */
	size_t var, var_end;
	bool mark; /* the next one with the same var ends what it begins */
};

struct looker {
	const char *path;
	const struct nf_src_timed_opts *o;
	struct nf_arena *a;
	struct nf_src_timed *out;
	const struct nf_src_body *b;
	const char *data, *data_end;
	struct read read[READS_MAX];
	size_t n_reads;
};

static void variable_of(const struct nf_src_body *b, enum nf_src_clock how, struct read *r)
{
	size_t from, to;

	if (how == NF_SRC_CLOCK_MARK) {
		from = r->at + 2 + (r->at + 2 < b->n && nf_src_is_punct(&b->t[r->at + 2], '&'));
		for (to = from; to < r->end && !nf_src_is_punct(&b->t[to], ',');)
			to++;
		r->mark = true;
	} else if (how == NF_SRC_CLOCK_VALUE) {
		to = nf_src_assigned_at(b, r->at);
		/* t = read() and nothing more; with an operator behind it, it is an expression. */
		if (to == 0 || r->end >= b->n ||
		    !(nf_src_is_punct(&b->t[r->end], ';') || nf_src_is_punct(&b->t[r->end], ',') ||
		      nf_src_is_punct(&b->t[r->end], ')')))
			return;
		from = nf_src_chain_begin(b, to);
	} else {
		to = r->end > 0 ? r->end - 1 : 0; /* its ')' */
		from = nf_src_chain_begin(b, to);
	}
	if (from < to) {
		r->var = from;
		r->var_end = to;
	}
}

/* asm("mrs %0, cntpct_el0" : "=r"(t)): the first name in parentheses behind a text. */
static void variable_of_asm(const struct nf_src_body *b, struct read *r)
{
	for (size_t i = r->at; i + 2 < r->end; i++)
		if (b->t[i].kind == NF_SRC_STRING && nf_src_is_punct(&b->t[i + 1], '(') &&
		    b->t[i + 2].kind == NF_SRC_WORD) {
			r->var = i + 2;
			r->var_end = i + 3;
			return;
		}
}

static bool asm_reads(const struct nf_src_body *b, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (b->t[i].kind == NF_SRC_STRING && nf_src_clock_in_asm(b->t[i].at, b->t[i].len))
			return true;
	return false;
}

static void find_reads(struct looker *l)
{
	static const char *const asms[] = { "asm", "__asm__", "__asm", NULL };
	const struct nf_src_body *b = l->b;

	l->n_reads = 0;
	for (size_t i = 0; i + 1 < b->n && l->n_reads < READS_MAX; i++) {
		struct read *r = &l->read[l->n_reads];
		size_t open = i + 1;

		if (b->t[i].kind != NF_SRC_WORD)
			continue;
		if (nf_src_is_word(&b->t[i], asms)) {
			while (open < b->n && b->t[open].kind == NF_SRC_WORD)
				open++;
			if (open >= b->n || !nf_src_is_punct(&b->t[open], '('))
				continue;
			*r = (struct read){ .at = i, .end = nf_src_after_parens(b, open) };
			if (!asm_reads(b, open, r->end))
				continue;
			variable_of_asm(b, r);
			l->n_reads++;
		} else if (nf_src_is_punct(&b->t[open], '(')) {
			enum nf_src_clock how =
			        nf_src_clock_read((struct nf_src_word){ b->t[i].at, b->t[i].len });

			if (how == NF_SRC_CLOCK_NONE)
				continue;
			*r = (struct read){ .at = i, .end = nf_src_after_parens(b, open) };
			variable_of(b, how, r);
			l->n_reads++;
		}
	}
}

static bool same_chain(const struct nf_src_body *b, size_t at, const struct read *r)
{
	size_t n = r->var_end - r->var;

	if (at + n > b->n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (b->t[at + i].len != b->t[r->var + i].len ||
		    memcmp(b->t[at + i].at, b->t[r->var + i].at, b->t[at + i].len) != 0)
			return false;
	/* The whole name: not the end of another. */
	return at == 0 || !(nf_src_is_punct(&b->t[at - 1], '.') ||
	                    (at > 1 && nf_src_is_punct(&b->t[at - 1], '>') &&
	                     nf_src_is_punct(&b->t[at - 2], '-')));
}

static bool has_part(const struct nf_src_body_token *t, const char *const *parts)
{
	for (; t->kind == NF_SRC_WORD && *parts; parts++)
		if (memmem(t->at, t->len, *parts, strlen(*parts)))
			return true;
	return false;
}

static bool means_difference(const struct nf_src_body_token *t)
{
	static const char *const parts[] = { "sub",  "diff",  "delta",   "elapsed", "since",
		                             "Diff", "Delta", "Elapsed", NULL };

	return has_part(t, parts);
}

static bool is_minus(const struct nf_src_body *b, size_t i)
{
	return nf_src_is_punct(&b->t[i], '-') && i + 1 < b->n &&
	       !nf_src_is_punct(&b->t[i + 1], '>') && !nf_src_is_punct(&b->t[i + 1], '-') &&
	       !nf_src_is_punct(&b->t[i + 1], '=');
}

/* What a statement holds that says how long something took: second - first, or a call that gets both. */
static bool is_difference(const struct nf_src_body *b, size_t from, size_t to,
                          const struct read *first, const struct read *second)
{
	bool minus = false, call = false, one = false, two = second->var_end == 0;

	for (size_t i = from; i < to; i++) {
		call = call || (i + 1 < to && nf_src_is_punct(&b->t[i + 1], '(') &&
		                means_difference(&b->t[i]));
		two = two || same_chain(b, i, second);
		minus = minus || (two && is_minus(b, i));
		one = one || same_chain(b, i, first);
		if (minus && same_chain(b, i, first))
			return true;
	}
	return call && one && two;
}

static size_t statement_begin(const struct nf_src_body *b, size_t i)
{
	while (i > 0 && !nf_src_is_punct(&b->t[i - 1], ';') &&
	       !nf_src_is_punct(&b->t[i - 1], '{') && !nf_src_is_punct(&b->t[i - 1], '}'))
		i--;
	return i;
}

static size_t statement_end(const struct nf_src_body *b, size_t i)
{
	while (i < b->n && !nf_src_is_punct(&b->t[i], ';') && !nf_src_is_punct(&b->t[i], '{') &&
	       !nf_src_is_punct(&b->t[i], '}'))
		i++;
	return i;
}

/* Whether one of the two gets another time in [from, to). */
static bool is_read_again(const struct looker *l, size_t from, size_t to, const struct read *first,
                          const struct read *second)
{
	for (size_t k = 0; k < l->n_reads; k++) {
		const struct read *r = &l->read[k];

		if (r->at >= from && r->at < to && r->var_end &&
		    (same_chain(l->b, r->var, first) || same_chain(l->b, r->var, second)))
			return true;
	}
	return false;
}

/* Whether the time between the two is taken, in the second's statement or behind it. */
static bool are_subtracted(const struct looker *l, const struct read *first,
                           const struct read *second)
{
	const struct nf_src_body *b = l->b;
	size_t from = second->var_end ? second->end : statement_begin(b, second->at);

	while (from < b->n) {
		size_t to = statement_end(b, from);

		if (is_difference(b, from, to, first, second))
			return true;
		if (!second->var_end || is_read_again(l, from, to, first, second))
			return false;
		from = to + 1;
	}
	return false;
}

/* The block that the first stands in is still open at the second. */
static bool block_is_open(const struct nf_src_body *b, size_t first, size_t second)
{
	for (size_t i = first; i < second; i++)
		if (b->t[i].depth < b->t[first].depth)
			return false;
	return true;
}

/* What a block that begins with the '{' at i hangs on, or a statement at i without braces. */
static bool hangs_on_condition(const struct nf_src_body *b, size_t i)
{
	static const char *const words[] = { "if", "switch", "else", NULL };

	if (i == 0)
		return false;
	if (nf_src_is_word(&b->t[i - 1], words))
		return true;
	if (!nf_src_is_punct(&b->t[i - 1], ')'))
		return false;
	size_t open = nf_src_before_parens(b, i - 1);
	return open > 0 && nf_src_is_word(&b->t[open - 1], words);
}

/* A return or goto between the print and the end of the block that hangs on a condition. */
static bool leaves(const struct nf_src_body *b, size_t print, unsigned depth)
{
	static const char *const words[] = { "return", "goto", "exit",  "_exit",    "abort",
		                             "panic",  "BUG",  "break", "continue", NULL };

	for (size_t i = print; i < b->n && b->t[i].depth > depth; i++)
		if (nf_src_is_word(&b->t[i], words))
			return true;
	return false;
}

enum standing { STANDS_ALWAYS, STANDS_CONDITIONALLY, STANDS_OUTSIDE };

/* How a print at `print` stands to a region that begins at `first`. */
static enum standing standing_of(const struct nf_src_body *b, size_t first, size_t print)
{
	static const char *const returns[] = { "return", NULL };
	enum standing how = b->t[print].pp > b->t[first].pp ? STANDS_CONDITIONALLY : STANDS_ALWAYS;
	size_t at = statement_begin(b, print);

	/* A statement may hang on an if without braces: if (x) print(); */
	for (size_t i = at; i < print; i++)
		if (hangs_on_condition(b, i + 1))
			how = STANDS_CONDITIONALLY;
	if (print > 0 &&
	    (nf_src_is_word(&b->t[print - 1], returns) || hangs_on_condition(b, print)))
		how = nf_src_is_word(&b->t[print - 1], returns) ? STANDS_OUTSIDE
		                                                : STANDS_CONDITIONALLY;
	/* The blocks that were opened since and are open. */
	unsigned depth = b->t[print].depth;
	for (size_t i = print; i-- > first && how != STANDS_OUTSIDE;) {
		if (!nf_src_is_punct(&b->t[i], '{') || b->t[i].depth >= depth)
			continue;
		depth = b->t[i].depth;
		if (!hangs_on_condition(b, i))
			continue;
		how = leaves(b, print, depth) ? STANDS_OUTSIDE : STANDS_CONDITIONALLY;
	}
	return how;
}

/* stderr or stdout among a call's arguments. */
static bool on_console(const struct nf_src_body *b, size_t print)
{
	static const char *const streams[] = { "stderr", "stdout", NULL };
	size_t end = nf_src_after_parens(b, print + 1);

	for (size_t i = print + 2; i + 1 < end; i++)
		if (nf_src_is_word(&b->t[i], streams))
			return true;
	return false;
}

/* 1 or 2, or their names, as a call's first argument. */
static bool on_descriptor(const struct nf_src_body *b, size_t print)
{
	static const char *const names[] = { "1", "2", "STDOUT_FILENO", "STDERR_FILENO" };
	const size_t at = print + 2;

	for (size_t i = 0; at + 1 < b->n && i < sizeof(names) / sizeof(names[0]); i++)
		if (b->t[at].len == strlen(names[i]) &&
		    memcmp(b->t[at].at, names[i], b->t[at].len) == 0)
			return nf_src_is_punct(&b->t[at + 1], ',');
	return false;
}

/* std::cout << ... */
static bool is_inserted_into(const struct nf_src_body *b, size_t i)
{
	static const char *const streams[] = { "cout", "cerr", "clog", NULL };

	return i + 2 < b->n && nf_src_is_word(&b->t[i], streams) &&
	       nf_src_is_punct(&b->t[i + 1], '<') && nf_src_is_punct(&b->t[i + 2], '<');
}

static bool is_print(const struct nf_src_body *b, size_t i)
{
	if (is_inserted_into(b, i))
		return true;
	if (i + 1 >= b->n || b->t[i].kind != NF_SRC_WORD || !nf_src_is_punct(&b->t[i + 1], '(') ||
	    (i > 0 && (nf_src_is_punct(&b->t[i - 1], '.') || nf_src_is_punct(&b->t[i - 1], '>'))))
		return false;
	switch (nf_src_print_call((struct nf_src_word){ b->t[i].at, b->t[i].len })) {
	case NF_SRC_PRINT_CONSOLE:
		return true;
	case NF_SRC_PRINT_DESCRIPTOR:
		return on_descriptor(b, i);
	case NF_SRC_PRINT_STREAM:
		return on_console(b, i);
	case NF_SRC_PRINT_NONE:
		break;
	}
	return false;
}

/* Behind its arguments; of an insertion, the end of its statement. */
static size_t end_of_print(const struct nf_src_body *b, size_t i)
{
	if (nf_src_is_punct(&b->t[i + 1], '('))
		return nf_src_after_parens(b, i + 1);
	while (i < b->n && !nf_src_is_punct(&b->t[i], ';'))
		i++;
	return i;
}

static int add_print(struct looker *l, size_t first, size_t second, size_t print, bool conditional,
                     struct nf_err *err)
{
	const struct nf_src_body *b = l->b;
	struct nf_src_timed *t = l->out;

	/* A print in two regions, one inside the other, is one finding. */
	if (t->n > 0 && t->item[t->n - 1].path == l->path &&
	    t->item[t->n - 1].print == b->t[print].line)
		return 0;
	if (t->n >= NF_SRC_PRINTS_MAX)
		return nf_fail(err, NF_EARG, "more than %d prints; give fewer folders",
		               NF_SRC_PRINTS_MAX);
	if (t->n == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 64;
		struct nf_src_timed_print *more = realloc(t->item, cap * sizeof(*more));

		if (!more)
			return nf_fail_nomem(err, "findings", cap * sizeof(*more));
		t->item = more;
		t->cap = cap;
	}
	const char *function = nf_arena_strndup(l->a, b->name.len ? b->name.at : "", b->name.len);
	const char *call = nf_arena_strndup(l->a, b->t[print].at, b->t[print].len);
	if (!function || !call)
		return nf_arena_failed(l->a, "findings", err);
	t->item[t->n++] = (struct nf_src_timed_print){ .path = l->path,
		                                       .function = function,
		                                       .call = call,
		                                       .begin = b->t[first].line,
		                                       .print = b->t[print].line,
		                                       .end = b->t[second].line,
		                                       .conditional = conditional };
	return 0;
}

static int look_between(struct looker *l, size_t first, size_t from, size_t second,
                        struct nf_err *err)
{
	int r = 0;

	l->out->regions++;
	for (size_t i = from; r == 0 && i < second; i++) {
		/* What is printed is read before it is printed: a print around the second read is behind it. */
		if (!is_print(l->b, i) || end_of_print(l->b, i) > second)
			continue;
		enum standing how = standing_of(l->b, first, i);
		if (how != STANDS_OUTSIDE)
			r = add_print(l, first, second, i, how == STANDS_CONDITIONALLY, err);
	}
	return r;
}

/* Where a call like elapsed_since(t) reads the clock itself: t is all it gets. SIZE_MAX: nowhere before t is
 * given another time. */
static size_t elapsed_at(const struct looker *l, const struct read *first)
{
	static const char *const parts[] = { "elapsed", "since", "Elapsed", "Since", NULL };
	const struct nf_src_body *b = l->b;

	for (size_t i = first->end; i + 1 < b->n; i++) {
		for (size_t j = 0; j < l->n_reads; j++)
			if (l->read[j].at == i && l->read[j].var_end &&
			    same_chain(b, l->read[j].var, first))
				return SIZE_MAX;
		if (!has_part(&b->t[i], parts) || !nf_src_is_punct(&b->t[i + 1], '('))
			continue;
		size_t end = nf_src_after_parens(b, i + 1), at = i + 2;
		if (at < end && nf_src_is_punct(&b->t[at], '&'))
			at++;
		if (at < end && same_chain(b, at, first) &&
		    at + (first->var_end - first->var) + 1 == end)
			return i;
	}
	return SIZE_MAX;
}

/* Regions by reads of a clock. */
static int look_at_reads(struct looker *l, struct nf_err *err)
{
	int r = 0;

	find_reads(l);
	for (size_t i = 0; i < l->n_reads && r == 0; i++) {
		const struct read *first = &l->read[i];

		if (!first->var_end)
			continue;
		size_t over = elapsed_at(l, first);
		/* The nearest that takes the difference; read into the same name again, it is lost. */
		for (size_t j = i + 1; j < l->n_reads; j++) {
			const struct read *second = &l->read[j];

			if (first->mark && second->mark && same_chain(l->b, second->var, first)) {
				if (block_is_open(l->b, first->at, second->at))
					r = look_between(l, first->at, first->end, second->at, err);
				break;
			}
			if (second->at > over ||
			    (second->var_end && same_chain(l->b, second->var, first)))
				break;
			if (second->at >= first->end &&
			    block_is_open(l->b, first->at, second->at) &&
			    are_subtracted(l, first, second)) {
				r = look_between(l, first->at, first->end, second->at, err);
				over = SIZE_MAX;
				break;
			}
		}
		if (r == 0 && over != SIZE_MAX && block_is_open(l->b, first->at, over))
			r = look_between(l, first->at, first->end, over, err);
	}
	return r;
}

static bool line_matches(const struct looker *l, const regex_t *re, const char *at)
{
	const char *from = at, *to;
	regmatch_t m;

	while (from > l->data && from[-1] != '\n')
		from--;
	to = memchr(at, '\n', (size_t)(l->data_end - at));
	to = to ? to : l->data_end;
	m = (regmatch_t){ .rm_so = 0, .rm_eo = (regoff_t)(to - from) };
	return regexec(re, from, 1, &m, REG_STARTEND) == 0;
}

/* Regions by the user's expressions, a line at a time. */
static int look_at_lines(struct looker *l, struct nf_err *err)
{
	const struct nf_src_body *b = l->b;
	size_t first = SIZE_MAX;
	uint32_t line = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < b->n; i++) {
		if (b->t[i].line == line)
			continue;
		line = b->t[i].line;
		if (first != SIZE_MAX && line_matches(l, l->o->end, b->t[i].at)) {
			r = look_between(l, first, first, i, err);
			first = SIZE_MAX;
		} else if (first == SIZE_MAX && line_matches(l, l->o->begin, b->t[i].at)) {
			first = i;
		}
	}
	return r;
}

static int look_at_body(void *ctx, const struct nf_src_body *b, struct nf_err *err)
{
	struct looker *l = ctx;

	l->b = b;
	return l->o->begin ? look_at_lines(l, err) : look_at_reads(l, err);
}

static int compare_prints(const void *pa, const void *pb)
{
	const struct nf_src_timed_print *a = pa, *b = pb;
	int r = strcmp(a->path, b->path);

	if (r == 0)
		r = a->print < b->print ? -1 : a->print > b->print;
	return r ? r : a->begin < b->begin ? -1 : a->begin > b->begin;
}

int nf_src_timed_look(const char *path, const char *data, size_t len,
                      const struct nf_src_timed_opts *o, struct nf_arena *a, struct nf_src_timed *t,
                      struct nf_err *err)
{
	struct looker *l = calloc(1, sizeof(*l));
	struct nf_src_bodies bodies = { 0 };

	if (!l)
		return nf_fail_nomem(err, "reads of a clock", sizeof(*l));
	*l = (struct looker){
		.path = path, .o = o, .a = a, .out = t, .data = data, .data_end = data + len
	};
	int r = nf_src_bodies_each(&bodies, data, len, look_at_body, l, err);
	nf_src_bodies_fini(&bodies);
	free(l);
	return r;
}

int nf_src_timed_find(const struct nf_src_index *x, const struct nf_src_timed_opts *o,
                      struct nf_arena *a, struct nf_src_timed *ret, struct nf_err *err)
{
	struct nf_src_bytes bytes = { 0 };
	struct nf_src_timed t = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < x->tree->n && !nf_stop_signo(o->stop); i++) {
		enum nf_src_read how;

		if (!x->file[i].reads_clock || x->file[i].state != NF_SRC_SCANNED)
			continue;
		r = nf_src_read_file(x->tree->path[i], &bytes, &how, err);
		t.lost += r == 0 && how != NF_SRC_READ_OK;
		if (r == 0 && how == NF_SRC_READ_OK)
			r = nf_src_timed_look(x->tree->path[i], bytes.data, bytes.len, o, a, &t,
			                      err);
	}
	free(bytes.data);
	if (r < 0) {
		nf_src_timed_fini(&t);
		return r;
	}
	if (t.n > 1)
		qsort(t.item, t.n, sizeof(*t.item), compare_prints);
	*ret = t;
	return 0;
}

void nf_src_timed_fini(struct nf_src_timed *t)
{
	free(t->item);
	*t = (struct nf_src_timed){ 0 };
}
