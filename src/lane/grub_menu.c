/* SPDX-License-Identifier: MIT */
#include "lane/grub_menu.h"

#include <stdio.h>
#include <string.h>

#include "lane/grub_words.h"

struct block {
	int node; /* -1: a block that is no menu: a function's body, a group */
};

struct reading {
	struct nf_arena *a;
	struct nf_grub_menu m;
	int cap;
	struct block open[NF_GRUB_MENU_DEPTH_MAX];
	int depth;
	int ifs; /* open `if`, `while`, `until` and `for` */
	bool next_is_default, next_is_cleared;
	const char *path;
	struct nf_err *err;
};

static bool in_a_function(const struct reading *r)
{
	for (int i = 0; i < r->depth; i++)
		if (r->open[i].node < 0)
			return true;
	return false;
}

static int enclosing_menu(const struct reading *r)
{
	return r->depth > 0 ? r->open[r->depth - 1].node : -1;
}

static int siblings(const struct nf_grub_menu *m, int parent)
{
	int n = 0;

	for (int i = 0; i < m->n; i++)
		n += m->node[i].parent == parent;
	return n;
}

/* "--id NAME", "--id=NAME", "$menuentry_id_option NAME". */
static const char *id_of(const struct nf_grub_words *w)
{
	for (int i = 2; i < w->n; i++) {
		if (strncmp(w->word[i], "--id=", 5) == 0)
			return w->word[i] + 5;
		if (i + 1 < w->n && (strcmp(w->word[i], "--id") == 0 ||
		                     strcmp(w->word[i], "$menuentry_id_option") == 0 ||
		                     strcmp(w->word[i], "${menuentry_id_option}") == 0))
			return w->word[i + 1];
	}
	return NULL;
}

static int add_node(struct reading *r, const struct nf_grub_words *w, bool submenu, int *ret)
{
	int parent = enclosing_menu(r);

	if (r->m.n == NF_GRUB_MENU_ENTRIES_MAX)
		return nf_fail(r->err, NF_EDATA, "%s:%zu:1: more than %d menu entries", r->path,
		               w->line, NF_GRUB_MENU_ENTRIES_MAX);
	if (r->m.n == r->cap) {
		int cap = r->cap ? 2 * r->cap : 32;
		struct nf_grub_node *more = nf_arena_alloc(r->a, (size_t)cap, sizeof(*more));

		if (!more)
			return nf_arena_failed(r->a, "a boot menu", r->err);
		if (r->m.n > 0)
			memcpy(more, r->m.node, (size_t)r->m.n * sizeof(*more));
		r->m.node = more;
		r->cap = cap;
	}
	r->m.node[r->m.n] = (struct nf_grub_node){
		.parent = parent,
		.index = siblings(&r->m, parent),
		.submenu = submenu,
		.conditional = r->ifs > 0,
		.title = nf_arena_strdup(r->a, w->n > 1 ? w->word[1] : ""),
		.id = nf_arena_strdup(r->a, id_of(w)),
	};
	*ret = r->m.n++;
	return nf_arena_failed(r->a, "a boot menu", r->err);
}

static int open_block(struct reading *r, const struct nf_grub_words *w)
{
	bool submenu = w->n > 0 && strcmp(w->word[0], "submenu") == 0;
	bool entry = w->n > 0 && strcmp(w->word[0], "menuentry") == 0;
	int node = -1, rc = 0;

	if (r->depth == NF_GRUB_MENU_DEPTH_MAX)
		return nf_fail(r->err, NF_EDATA, "%s:%zu:1: more than %d blocks inside each other",
		               r->path, w->line, NF_GRUB_MENU_DEPTH_MAX);
	int around = enclosing_menu(r);
	bool in_menu = around < 0 || r->m.node[around].submenu;
	if ((submenu || entry) && in_menu && !in_a_function(r))
		rc = add_node(r, w, submenu, &node);
	r->open[r->depth++].node = node;
	return rc;
}

static const char *joined(struct reading *r, const struct nf_grub_words *w, int from)
{
	size_t len = 0;

	for (int i = from; i < w->n; i++)
		len += strlen(w->word[i]) + 1;
	char *text = nf_arena_alloc(r->a, len + 1, 1), *to = text;
	for (int i = from; text && i < w->n; i++) {
		to = stpcpy(to, w->word[i]);
		if (i + 1 < w->n)
			*to++ = ' ';
	}
	return text;
}

static bool is_linux(const char *word)
{
	return strcmp(word, "linux") == 0 || strcmp(word, "linux16") == 0 ||
	       strcmp(word, "linuxefi") == 0;
}

static bool is_initrd(const char *word)
{
	return strcmp(word, "initrd") == 0 || strcmp(word, "initrd16") == 0 ||
	       strcmp(word, "initrdefi") == 0;
}

static void in_entry(struct reading *r, const struct nf_grub_words *w, struct nf_grub_node *node)
{
	if (w->n > 1 && is_linux(w->word[0]) && !node->image) {
		node->image = nf_arena_strdup(r->a, w->word[1]);
		node->args = joined(r, w, 2);
	} else if (w->n > 1 && is_initrd(w->word[0]) && !node->initrd) {
		node->initrd = joined(r, w, 1);
	}
}

static void at_top(struct reading *r, const struct nf_grub_words *w)
{
	const char *first = w->word[0];

	if (strcmp(first, "blscfg") == 0)
		r->m.snippets = true;
	if (strcmp(first, "save_env") == 0)
		for (int i = 1; i < w->n; i++)
			r->next_is_cleared |= strcmp(w->word[i], "next_entry") == 0;
	if (strcmp(first, "set") != 0 || w->n < 2 || strncmp(w->word[1], "default=", 8) != 0)
		return;
	if (strstr(w->word[1], "next_entry"))
		r->next_is_default = true;
	else
		r->m.default_spec = nf_arena_strdup(r->a, w->word[1] + 8);
}

/* A keyword opens or closes a condition; what stands behind it on the line is a command of its own. */
static int behind_keywords(struct reading *r, const struct nf_grub_words *w)
{
	int from = 0;

	for (; from < w->n; from++) {
		const char *word = w->word[from];

		if (strcmp(word, "if") == 0 || strcmp(word, "while") == 0 ||
		    strcmp(word, "until") == 0 || strcmp(word, "for") == 0)
			r->ifs++;
		else if ((strcmp(word, "fi") == 0 || strcmp(word, "done") == 0) && r->ifs > 0)
			r->ifs--;
		else if (strcmp(word, "then") != 0 && strcmp(word, "else") != 0 &&
		         strcmp(word, "elif") != 0 && strcmp(word, "do") != 0)
			break;
	}
	return from;
}

static int command(struct reading *r, struct nf_grub_words *w)
{
	int from = behind_keywords(r, w), node = enclosing_menu(r);

	w->n -= from;
	memmove(w->word, w->word + from, (size_t)w->n * sizeof(w->word[0]));
	if (w->end == NF_GRUB_OPENS)
		return open_block(r, w);
	if (w->n > 0 && !in_a_function(r)) {
		if (node >= 0 && !r->m.node[node].submenu)
			in_entry(r, w, &r->m.node[node]);
		else if (node < 0)
			at_top(r, w);
	}
	if (w->end == NF_GRUB_CLOSES && r->depth > 0)
		r->depth--;
	return 0;
}

int nf_grub_menu_parse(const char *text, size_t len_bytes, const char *path, struct nf_arena *a,
                       struct nf_grub_menu *ret, struct nf_err *err)
{
	struct reading r = { .a = a, .path = path, .err = err };
	struct nf_grub_lexer lexer;
	struct nf_grub_words w;
	int rc;

	if (len_bytes > NF_GRUB_MENU_MAX_BYTES)
		return nf_fail(err, NF_EDATA, "%s: %zu bytes are no boot menu", path, len_bytes);
	nf_grub_lexer_init(&lexer, text, len_bytes, path);
	while ((rc = nf_grub_lexer_next(&lexer, a, &w, err)) > 0) {
		rc = command(&r, &w);
		if (rc < 0)
			break;
	}
	nf_grub_lexer_fini(&lexer);
	if (rc == 0)
		rc = nf_arena_failed(a, "a boot menu", err);
	if (rc < 0)
		return rc;
	r.m.boots_next = r.next_is_default && r.next_is_cleared;
	*ret = r.m;
	return 0;
}

/* --- which entry is meant --- */

/* Cuts a component off spec: up to a single '>'; ">>" is one of the title. */
static bool component(const char **spec, char *ret, size_t cap)
{
	size_t len = 0;
	const char *p = *spec;

	for (; *p && (*p != '>' || p[1] == '>'); p++) {
		if (*p == '>')
			p++;
		if (len + 1 < cap)
			ret[len++] = *p;
	}
	ret[len] = '\0';
	*spec = *p == '>' ? p + 1 : p;
	return *p == '>';
}

/* Numbers count what is there: behind an entry that may be absent they mean one or another. */
static int by_number(const struct nf_grub_menu *m, int parent, const char *digits)
{
	int want = 0;

	for (const char *p = digits; *p; p++) {
		if (want > NF_GRUB_MENU_ENTRIES_MAX)
			return -1;
		want = want * 10 + (*p - '0');
	}
	for (int i = 0; i < m->n; i++) {
		if (m->node[i].parent != parent)
			continue;
		if (m->node[i].conditional)
			return -1;
		if (m->node[i].index == want)
			return i;
	}
	return -1;
}

static int by_name(const struct nf_grub_menu *m, int parent, const char *name)
{
	for (int i = 0; i < m->n; i++)
		if (m->node[i].parent == parent &&
		    (strcmp(m->node[i].title, name) == 0 ||
		     (m->node[i].id && strcmp(m->node[i].id, name) == 0)))
			return i;
	return -1;
}

int nf_grub_menu_find(const struct nf_grub_menu *m, const char *spec)
{
	int parent = -1, found;
	char part[1024];
	bool more;

	do {
		more = component(&spec, part, sizeof(part));
		found = part[strspn(part, "0123456789")] == '\0' ? by_number(m, parent, part)
		                                                 : by_name(m, parent, part);
		if (found < 0 || m->node[found].submenu != more)
			return -1;
		parent = found;
	} while (more);
	return found;
}

const char *nf_grub_menu_spec(const struct nf_grub_menu *m, int i, struct nf_arena *a)
{
	const struct nf_grub_node *n = &m->node[i];
	const char *name = n->id ? n->id : n->title, *before;
	char *own = nf_arena_alloc(a, 2 * strlen(name) + 1, 1), *to = own;

	for (const char *p = name; own && *p; p++) {
		*to++ = *p;
		if (*p == '>')
			*to++ = '>';
	}
	if (!own || n->parent < 0)
		return own;
	before = nf_grub_menu_spec(m, n->parent, a); /* as deep as the parser let it be */
	return before ? nf_arena_printf(a, "%s>%s", before, own) : NULL;
}
