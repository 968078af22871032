/* SPDX-License-Identifier: MIT */
/* read - events and a schema to a value. Recursion is as deep as the file, which is limited (events.c). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "conf/conf.h"
#include "conf/events.h"
#include "conf/scalar.h"

struct reader {
	struct nf_conf_events events;
	struct nf_arena *arena;
	const char *label;
	void *check_ctx;
};

enum { ALLOWED_BYTES = 400 };

static int read_value(struct reader *r, const struct nf_conf_type *t, const char *key,
                      const struct nf_conf_event *ev, void *out, struct nf_err *err);

/* "FILE:1:2: KEY: what; allowed: ..." */
static int refuse(const struct reader *r, const struct nf_conf_type *t, const char *key,
                  struct nf_conf_pos at, const char *what, struct nf_err *err)
{
	struct nf_buf allowed;
	char quoted[NF_QUOTED] = "";
	int rc;

	nf_buf_init(&allowed, ALLOWED_BYTES);
	nf_conf_allowed(t, &allowed);
	if (key)
		nf_quote(key, quoted);
	rc = nf_conf_refuse_at(r->label, at, err, "%s%s%s; allowed: %s", quoted, key ? ": " : "",
	                       what, allowed.len_bytes ? allowed.data : "see the reference");
	nf_buf_fini(&allowed);
	return rc;
}

static const char *kind_words(enum nf_conf_event_kind k)
{
	return k == NF_CONF_BEGIN_LIST  ? "a list"
	       : k == NF_CONF_BEGIN_MAP ? "a mapping"
	                                : "a single value";
}

static int check(struct reader *r, const struct nf_conf_type *t, const char *key,
                 struct nf_conf_pos at, const void *out, struct nf_err *err)
{
	struct nf_err why = { 0 };
	int rc = t->check ? t->check(out, r->check_ctx, &why) : 0;

	if (rc == -NF_ENOMEM || rc == -NF_EOS) {
		if (err)
			*err = why;
		return rc;
	}
	return rc < 0 ? refuse(r, t, key, at, why.msg, err) : 0;
}

static int read_scalar(struct reader *r, const struct nf_conf_type *t, const char *key,
                       const struct nf_conf_event *ev, void *out, struct nf_err *err)
{
	struct nf_err why = { 0 };
	int rc = nf_conf_scalar(t, ev->text, ev->plain, r->arena, out, &why);

	if (rc == -NF_EDATA && !nf_arena_failed(r->arena, "the values of a file", &why))
		return refuse(r, t, key, ev->pos, why.msg, err);
	if (rc < 0 && err)
		*err = why;
	return rc;
}

/* --- mappings with fields --- */

struct map {
	const struct nf_conf_type *type;
	const char *key; /* whose value it is; NULL: the root */
	struct nf_conf_pos at;
	char *out;
	struct nf_conf_pos pos_of[NF_CONF_KEYS]; /* of the fields that are there */
};

static int find_field(const struct nf_conf_type *t, const char *key)
{
	for (int i = 0; i < NF_CONF_KEYS && t->fields[i].key; i++)
		if (strcmp(t->fields[i].key, key) == 0)
			return i;
	return -1;
}

static int read_key(struct reader *r, struct map *m, const struct nf_conf_event *ev, int *ret_field,
                    struct nf_err *err)
{
	char quoted[NF_QUOTED], what[NF_QUOTED + 64];

	if (ev->kind != NF_CONF_SCALAR) {
		snprintf(what, sizeof(what), "%s as a key", kind_words(ev->kind));
		return refuse(r, m->type, m->key, ev->pos, what, err);
	}
	int i = find_field(m->type, ev->text);
	nf_quote(ev->text, quoted);
	if (i < 0) {
		snprintf(what, sizeof(what), "unknown key %s", quoted);
		return refuse(r, m->type, m->key, ev->pos, what, err);
	}
	if (m->pos_of[i].line)
		return nf_conf_refuse_at(r->label, ev->pos, err,
		                         "duplicate key %s; allowed: once (it is in line %u, too)",
		                         quoted, m->pos_of[i].line);
	m->pos_of[i] = ev->pos;
	*ret_field = i;
	return 0;
}

/* --- what stands beside what --- */

static void list_group(const struct nf_conf_type *t, unsigned group, struct nf_buf *out)
{
	for (const struct nf_conf_field *f = t->fields; f->key; f++)
		if (f->group == group)
			(void)nf_buf_addf(out, "%s%s", out->len_bytes ? ", " : "one of ", f->key);
}

static int check_group(const struct reader *r, const struct map *m, int i, struct nf_err *err)
{
	const struct nf_conf_field *f = &m->type->fields[i];
	struct nf_buf names;
	int seen = -1, second = -1, rc = 0;

	for (int j = 0; m->type->fields[j].key; j++) {
		if (m->type->fields[j].group != f->group)
			continue;
		if (j < i)
			return 0; /* told with the first of them */
		if (m->pos_of[j].line && seen < 0)
			seen = j;
		else if (m->pos_of[j].line && second < 0)
			second = j;
	}
	if (second < 0 && (seen >= 0 || !f->required))
		return 0;
	nf_buf_init(&names, ALLOWED_BYTES);
	list_group(m->type, f->group, &names);
	if (second >= 0)
		rc = nf_conf_refuse_at(r->label, m->pos_of[second], err,
		                       "'%s' beside '%s'; allowed: %s", m->type->fields[second].key,
		                       m->type->fields[seen].key, names.data);
	else
		rc = nf_conf_refuse_at(r->label, m->at, err, "a key is missing; allowed: %s",
		                       names.data);
	nf_buf_fini(&names);
	return rc;
}

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = words; (p = strstr(p, word)) != NULL; p += n)
		if ((p == words || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

/* The value of the enum field that this one depends on; NULL: it depends on none. */
static const char *condition(const struct map *m, const struct nf_conf_field *f)
{
	int i = f->when_key ? find_field(m->type, f->when_key) : -1;

	if (i < 0)
		return NULL;
	const struct nf_conf_field *on = &m->type->fields[i];
	const struct nf_conf_int *v = (const void *)(m->out + on->off);
	return on->type->names[v->v];
}

static int check_field(const struct reader *r, const struct map *m, int i, struct nf_err *err)
{
	const struct nf_conf_field *f = &m->type->fields[i];
	const char *value = condition(m, f);
	bool may = !value || has_word(f->when, value);

	if (m->pos_of[i].line && !may)
		return nf_conf_refuse_at(r->label, m->pos_of[i], err,
		                         "'%s' with %s: %s; allowed: with %s: %s", f->key,
		                         f->when_key, value, f->when_key, f->when);
	if (f->group)
		return check_group(r, m, i, err);
	if (f->required && may && !m->pos_of[i].line) {
		char what[128];

		snprintf(what, sizeof(what), "the key '%.60s' is missing", f->key);
		return refuse(r, f->type, m->key, m->at, what, err);
	}
	return 0;
}

static int fill_defaults(struct reader *r, const struct nf_conf_type *t, char *out,
                         const struct nf_conf_pos *pos_of, struct nf_err *err)
{
	for (int i = 0; i < NF_CONF_KEYS && t->fields[i].key; i++) {
		const struct nf_conf_field *f = &t->fields[i];
		int rc = 0;

		if (!f->def || (pos_of && pos_of[i].line))
			continue;
		if (nf_conf_is_scalar(f->type->kind))
			rc = nf_conf_scalar(f->type, f->def, true, r->arena, out + f->off, err);
		else if (f->type->kind == NF_CONF_MAP)
			rc = fill_defaults(r, f->type, out + f->off, NULL, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int read_map(struct reader *r, const struct nf_conf_type *t, const char *key,
                    const struct nf_conf_event *begin, void *out, struct nf_err *err)
{
	struct map m = { .type = t, .key = key, .at = begin->pos, .out = out };
	struct nf_conf_event ev;
	int rc, field = 0;

	while ((rc = nf_conf_events_next(&r->events, &ev, err)) == 0 &&
	       ev.kind != NF_CONF_END_MAP) {
		rc = read_key(r, &m, &ev, &field, err);
		if (rc == 0)
			rc = nf_conf_events_next(&r->events, &ev, err);
		if (rc == 0)
			rc = read_value(r, t->fields[field].type, t->fields[field].key, &ev,
			                m.out + t->fields[field].off, err);
		if (rc < 0)
			return rc;
	}
	if (rc == 0)
		rc = fill_defaults(r, t, m.out, m.pos_of, err);
	for (int i = 0; rc == 0 && t->fields[i].key; i++)
		rc = check_field(r, &m, i, err);
	return rc;
}

/* --- lists and mappings of names --- */

struct items {
	char *item; /* owned */
	size_t n, cap, size;
};

static size_t most(const struct nf_conf_type *t)
{
	return t->max ? (size_t)t->max : NF_CONF_ITEMS_MAX;
}

/* Room for one more, zeroed. */
static int add_item(struct reader *r, const struct nf_conf_type *t, const char *key,
                    struct nf_conf_pos at, struct items *x, void **ret, struct nf_err *err)
{
	if (x->n == most(t))
		return refuse(r, t, key, at, "too many", err);
	if (x->n == x->cap) {
		size_t cap = x->cap ? 2 * x->cap : 8;
		void *p = reallocarray(x->item, cap, x->size);

		if (!p)
			return nf_fail_nomem(err, "a list of a file", cap * x->size);
		x->item = p;
		x->cap = cap;
	}
	*ret = x->item + x->n * x->size;
	memset(*ret, 0, x->size);
	x->n++;
	return 0;
}

static int keep_items(struct reader *r, const struct nf_conf_type *t, const char *key,
                      const struct nf_conf_event *begin, const struct items *x, void *out,
                      struct nf_err *err)
{
	struct nf_conf_list *list = out;
	void *copy;

	if (x->n < (size_t)t->min)
		return refuse(r, t, key, begin->pos, x->n ? "too few" : "empty", err);
	copy = nf_arena_alloc(r->arena, x->n ? x->n : 1, x->size);
	if (!copy)
		return nf_arena_failed(r->arena, "the values of a file", err);
	if (x->n)
		memcpy(copy, x->item, x->n * x->size);
	list->items = copy;
	list->n = x->n;
	return 0;
}

static int read_list(struct reader *r, const struct nf_conf_type *t, const char *key,
                     const struct nf_conf_event *begin, void *out, struct nf_err *err)
{
	struct items x = { .size = t->item->size };
	struct nf_conf_event ev;
	int rc;

	while ((rc = nf_conf_events_next(&r->events, &ev, err)) == 0 &&
	       ev.kind != NF_CONF_END_LIST) {
		void *item = NULL;

		rc = add_item(r, t, key, ev.pos, &x, &item, err);
		if (item)
			rc = read_value(r, t->item, key, &ev, item, err);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = keep_items(r, t, key, begin, &x, out, err);
	free(x.item);
	return rc;
}

static int read_name(struct reader *r, const struct nf_conf_type *t, const char *key,
                     const struct nf_conf_event *ev, const struct items *before,
                     struct nf_conf_text *ret, struct nf_err *err)
{
	const struct nf_conf_type *name_type = t->key ? t->key : &nf_conf_text;
	char quoted[NF_QUOTED], what[64];

	if (ev->kind != NF_CONF_SCALAR) {
		snprintf(what, sizeof(what), "%s as a key", kind_words(ev->kind));
		return refuse(r, t, key, ev->pos, what, err);
	}
	int rc = read_value(r, name_type, key, ev, ret, err);
	for (size_t i = 0; rc == 0 && i < before->n; i++) {
		const struct nf_conf_text *other = (const void *)(before->item + i * before->size);

		if (other == ret || strcmp(other->v, ret->v) != 0)
			continue;
		nf_quote(ret->v, quoted);
		rc = nf_conf_refuse_at(r->label, ev->pos, err,
		                       "duplicate key %s; allowed: once (it is in line %u, too)",
		                       quoted, other->pos.line);
	}
	return rc;
}

/* first: the event of the name. */
static int read_entry(struct reader *r, const struct nf_conf_type *t, const char *key,
                      const struct nf_conf_event *first, struct items *x, struct nf_err *err)
{
	struct nf_conf_event ev;
	void *item = NULL;
	int rc = add_item(r, t, key, first->pos, x, &item, err);

	if (!item)
		return rc;
	const struct nf_conf_text *name = item;
	rc = read_name(r, t, key, first, x, item, err);
	if (rc == 0)
		rc = nf_conf_events_next(&r->events, &ev, err);
	if (rc == 0)
		rc = read_value(r, t->item, name->v, &ev, (char *)item + t->value_off, err);
	return rc;
}

static int read_named(struct reader *r, const struct nf_conf_type *t, const char *key,
                      const struct nf_conf_event *begin, void *out, struct nf_err *err)
{
	struct items x = { .size = t->entry_size };
	struct nf_conf_event ev;
	int rc;

	while ((rc = nf_conf_events_next(&r->events, &ev, err)) == 0 &&
	       ev.kind != NF_CONF_END_MAP) {
		rc = read_entry(r, t, key, &ev, &x, err);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = keep_items(r, t, key, begin, &x, out, err);
	free(x.item);
	return rc;
}

/* --- any value --- */

static int read_either(struct reader *r, const struct nf_conf_type *t, const char *key,
                       const struct nf_conf_event *ev, void *out, struct nf_err *err)
{
	const struct nf_conf_type *found = ev->kind == NF_CONF_SCALAR       ? t->scalar
	                                   : ev->kind == NF_CONF_BEGIN_LIST ? t->list
	                                                                    : t->map;
	size_t off = ev->kind == NF_CONF_SCALAR       ? t->scalar_off
	             : ev->kind == NF_CONF_BEGIN_LIST ? t->list_off
	                                              : t->map_off;

	if (!found)
		return refuse(r, t, key, ev->pos, kind_words(ev->kind), err);
	return read_value(r, found, key, ev, (char *)out + off, err);
}

static bool fits(enum nf_conf_kind k, enum nf_conf_event_kind e)
{
	if (k == NF_CONF_EITHER)
		return true;
	if (nf_conf_is_scalar(k))
		return e == NF_CONF_SCALAR;
	return k == NF_CONF_LIST ? e == NF_CONF_BEGIN_LIST : e == NF_CONF_BEGIN_MAP;
}

/* ev: the value's first event. */
static int read_value(struct reader *r, const struct nf_conf_type *t, const char *key,
                      const struct nf_conf_event *ev, void *out, struct nf_err *err)
{
	const struct nf_conf_event begin = *ev;
	int rc;

	if (!fits(t->kind, ev->kind)) {
		bool nothing = ev->kind == NF_CONF_SCALAR && ev->plain && ev->len_bytes == 0;

		return refuse(r, t, key, ev->pos, nothing ? "no value" : kind_words(ev->kind), err);
	}
	/* Every C type begins with its position. */
	*(struct nf_conf_pos *)out = ev->pos;
	if (nf_conf_is_scalar(t->kind))
		rc = read_scalar(r, t, key, ev, out, err);
	else if (t->kind == NF_CONF_MAP)
		rc = read_map(r, t, key, &begin, out, err);
	else if (t->kind == NF_CONF_LIST)
		rc = read_list(r, t, key, &begin, out, err);
	else if (t->kind == NF_CONF_NAMED)
		rc = read_named(r, t, key, &begin, out, err);
	else
		rc = read_either(r, t, key, &begin, out, err);
	return rc < 0 ? rc : check(r, t, key, begin.pos, out, err);
}

/* --- the file --- */

static int read_root(struct reader *r, const struct nf_conf_type *root, struct nf_conf *c,
                     struct nf_err *err)
{
	struct nf_conf_event ev;
	void *out = nf_arena_alloc(r->arena, 1, root->size);

	if (!out)
		return nf_arena_failed(r->arena, "the values of a file", err);
	int rc = nf_conf_events_next(&r->events, &ev, err);
	if (rc == 0)
		rc = read_value(r, root, NULL, &ev, out, err);
	if (rc < 0)
		return rc;
	c->root = out;
	c->at = *(const struct nf_conf_pos *)out;
	rc = nf_conf_events_next(&r->events, &ev, err); /* nothing may follow */
	return rc;
}

int nf_conf_read(const struct nf_conf_type *root, const char *label, const void *data,
                 size_t len_bytes, void *check_ctx, struct nf_conf *ret, struct nf_err *err)
{
	struct nf_conf c = { 0 };
	struct reader r = { .label = label, .check_ctx = check_ctx };
	int rc;

	if (len_bytes > NF_CONF_BYTES_MAX)
		return nf_fail(err, NF_EDATA, "%.200s: too large; allowed: at most %d bytes", label,
		               (int)NF_CONF_BYTES_MAX);
	nf_arena_init(&c.arena, NF_CONF_ARENA_MAX);
	r.arena = &c.arena;
	c.label = nf_arena_strdup(&c.arena, label);
	rc = nf_arena_failed(&c.arena, "the values of a file", err);
	if (rc == 0)
		rc = nf_conf_events_open(&r.events, label, data, len_bytes, err);
	if (rc == 0)
		rc = read_root(&r, root, &c, err);
	nf_conf_events_fini(&r.events);
	if (rc < 0)
		nf_arena_fini(&c.arena);
	else
		*ret = c;
	return rc;
}

void nf_conf_fini(struct nf_conf *c)
{
	nf_arena_fini(&c->arena);
	*c = (struct nf_conf){ 0 };
}

int nf_conf_refuse(const struct nf_conf *c, struct nf_conf_pos at, struct nf_err *err,
                   const char *fmt, ...)
{
	char what[sizeof(err->msg)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return nf_conf_refuse_at(c->label, at.line ? at : c->at, err, "%s", what);
}
