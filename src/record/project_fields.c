/* SPDX-License-Identifier: MIT */
#include "record/project_fields.h"

#include <stdio.h>
#include <string.h>

#include "record/capture_facts.h"

const struct nf_field *nf_project_field(const struct nf_type *t, const char *key)
{
	const struct nf_field *f = t->fields;

	while (f->key && strcmp(f->key, key) != 0)
		f++;
	return f;
}

static const void *fact_at(const struct nf_rec_capture *c, const struct nf_field *f)
{
	return (const char *)&c->facts + f->off;
}

bool nf_project_has(const struct nf_rec_capture *c, const struct nf_field *f)
{
	const void *at = fact_at(c, f);

	switch (f->type->kind) {
	case NF_T_TEXT:
		return *(const char *const *)at != NULL;
	case NF_T_BOOL:
		return ((const struct nf_some_bool *)at)->some;
	case NF_T_REAL:
		return ((const struct nf_some_real *)at)->some;
	case NF_T_NAT:
		return ((const struct nf_some_nat *)at)->some;
	case NF_T_INT:
	case NF_T_ENUM:
	case NF_T_RECORD:
	case NF_T_LIST:
		break;
	}
	return false;
}

static bool alike(const struct nf_rec_capture *x, const struct nf_rec_capture *y,
                  const struct nf_field *f)
{
	const void *a = fact_at(x, f), *b = fact_at(y, f);

	if (f->type->kind == NF_T_TEXT)
		return strcmp(*(const char *const *)a, *(const char *const *)b) == 0;
	if (f->type->kind == NF_T_BOOL)
		return ((const struct nf_some_bool *)a)->v == ((const struct nf_some_bool *)b)->v;
	if (f->type->kind == NF_T_NAT)
		return ((const struct nf_some_nat *)a)->v == ((const struct nf_some_nat *)b)->v;
	double p = ((const struct nf_some_real *)a)->v, q = ((const struct nf_some_real *)b)->v;

	return p <= q && p >= q;
}

/* Fact and field are of one kind; a field of the record may be without its option. */
static void copy(struct nf_project_builder *b, const struct nf_field *to,
                 const struct nf_rec_capture *c, const struct nf_field *from)
{
	char *at = b->record + to->off;
	const void *v = fact_at(c, from);

	size_t whole = to->type->kind == NF_T_TEXT   ? sizeof(const char *)
	               : to->type->kind == NF_T_BOOL ? sizeof(struct nf_some_bool)
	                                             : sizeof(struct nf_some_nat);

	_Static_assert(sizeof(struct nf_some_nat) == sizeof(struct nf_some_real) &&
	                       offsetof(struct nf_some_nat, v) == offsetof(struct nf_some_real, v),
	               "a number's option looks alike, whatever the number is");
	if (to->optional || to->type->kind == NF_T_TEXT)
		memcpy(at, v, whole);
	else if (to->type->kind == NF_T_BOOL)
		memcpy(at, &((const struct nf_some_bool *)v)->v, sizeof(bool));
	else
		memcpy(at, (const char *)v + offsetof(struct nf_some_nat, v), sizeof(uint64_t));
}

/* The provenance of a fact, for a field of the record. */
void nf_project_trace(struct nf_project_builder *b, const struct nf_rec_capture *c,
                      const char *fact, const char *field, const char *value)
{
	const struct nf_rec_trace *t = c->trace.items;

	for (size_t i = 0; i < c->trace.n; i++) {
		if (strcmp(t[i].field, fact) != 0)
			continue;
		struct nf_rec_trace copy_of = t[i];

		copy_of.field = field;
		copy_of.value = value ? value : t[i].value;
		nf_trace_add(&b->trace, copy_of);
	}
}

static void trace_said(struct nf_project_builder *b, const char *field, const char *value,
                       enum nf_trace_origin origin)
{
	nf_trace_add(&b->trace, (struct nf_rec_trace){ .field = field,
	                                               .value = value,
	                                               .origin = (int)origin,
	                                               .capture = origin == NF_ORIGIN_OPTION
	                                                                  ? NULL
	                                                                  : b->main->name });
}

void nf_project_trace_option(struct nf_project_builder *b, const char *field, const char *value)
{
	trace_said(b, field, nf_arena_strdup(b->a, value), NF_ORIGIN_OPTION);
}

bool nf_project_may_say(const struct nf_project_builder *b, size_t i, enum scope scope)
{
	return &b->capture[i] == b->main || (scope == ALL && b->along[i]);
}

/* The capture that says a fact: main before the others. What another says otherwise is a note. */
const struct nf_rec_capture *nf_project_who(struct nf_project_builder *b, const char *fact,
                                            enum scope scope)
{
	const struct nf_field *f = nf_project_field(&nf_rec_capture_facts_type, fact);
	const struct nf_rec_capture *first = nf_project_has(b->main, f) ? b->main : NULL;

	for (size_t i = 0; i < b->n; i++) {
		const struct nf_rec_capture *c = &b->capture[i];

		if (!nf_project_may_say(b, i, scope) || !nf_project_has(c, f))
			continue;
		if (!first)
			first = c;
		else if (!alike(first, c, f))
			nf_note_add(&b->notes, "%s and %s differ in %s: what %s says is kept",
			            first->name, c->name, fact, first->name);
	}
	return first;
}

void nf_project_move(struct nf_project_builder *b, const struct move *m)
{
	const struct nf_field *to = nf_project_field(b->type, m->field);
	const struct nf_rec_capture *c = nf_project_who(b, m->fact, m->scope);

	if (c) {
		copy(b, to, c, nf_project_field(&nf_rec_capture_facts_type, m->fact));
		nf_project_trace(b, c, m->fact, to->key, NULL);
	} else if (!to->optional && strcmp(to->key, "host") != 0 &&
	           strcmp(to->key, "compilerSource") != 0) { /* these two an option may say */
		nf_note_add(&b->missing, "%s", to->key);
	}
}

bool nf_project_is_date(const char *s)
{
	char utc[32];
	double seconds;

	if (strlen(s) != 10)
		return false;
	snprintf(utc, sizeof(utc), "%sT00:00:00Z", s);
	return nf_capture_utc(utc, &seconds);
}

/* A date in a file's name: the last one. */
static const char *date_in_name(struct nf_project_builder *b, const char *name)
{
	const char *slash = strrchr(name, '/'), *found = NULL;

	for (const char *p = slash ? slash + 1 : name; strlen(p) >= 10; p++) {
		char *day = nf_arena_strndup(b->a, p, 10);

		if (day && nf_project_is_date(day))
			found = day;
	}
	return found;
}

const char *nf_project_date(struct nf_project_builder *b)
{
	const struct nf_rec_capture *c = NULL;

	for (size_t i = 0; i < b->n; i++)
		if (nf_project_may_say(b, i, ALL) && b->capture[i].facts.captured_utc &&
		    (!c || &b->capture[i] == b->main))
			c = &b->capture[i];
	if (c) {
		const char *day = nf_arena_strndup(b->a, c->facts.captured_utc, 10);

		nf_project_trace(b, c, "captured_utc", "date", day);
		if (day && b->o->date && strcmp(day, b->o->date) != 0)
			nf_note_add(&b->notes,
			            "an option says date %s, %s says %s: the capture is kept",
			            b->o->date, c->name, day);
		return day;
	}
	if (b->o->date) {
		nf_project_trace_option(b, "date", b->o->date);
		return nf_arena_strdup(b->a, b->o->date);
	}
	const char *day = date_in_name(b, b->main->name);

	if (day) {
		trace_said(b, "date", day, NF_ORIGIN_FILE_NAME);
		nf_note_add(&b->notes, "%s: no line is dated: the date is that of the file's name",
		            b->main->name);
	} else {
		nf_note_add(&b->missing, "date");
	}
	return day;
}

/* A text that a capture holds, or else an option. */
void nf_project_text_or_option(struct nf_project_builder *b, const char *field, const char **value,
                               const char *option)
{
	if (*value && option && strcmp(*value, option) != 0)
		nf_note_add(&b->notes,
		            "an option says %s %.100s, a capture %.100s: the capture is kept",
		            field, option, *value);
	if (*value)
		return;
	if (option) {
		*value = nf_arena_strdup(b->a, option);
		nf_project_trace_option(b, field, option);
	} else {
		nf_note_add(&b->missing, "%s", field);
	}
}

/* What is said by options alone. Not said: NULL, for a text that cannot be absent it is empty. */
const char *nf_project_said(struct nf_project_builder *b, const char *field, const char *option,
                            bool optional)
{
	if (option)
		nf_project_trace_option(b, field, option);
	return option ? nf_arena_strdup(b->a, option) : optional ? NULL : "";
}

struct nf_list nf_project_said_list(struct nf_project_builder *b, const char *field,
                                    const struct nf_list *l)
{
	const char *const *item = l->items;
	const char **own = nf_arena_alloc(b->a, l->n + 1, sizeof(*own));

	for (size_t i = 0; own && i < l->n; i++) {
		own[i] = nf_arena_strdup(b->a, item[i]);
		nf_project_trace_option(b, field, item[i]);
	}
	return (struct nf_list){ own, own ? l->n : 0 };
}

/* What options say, then what the captures contradict. */
struct nf_list nf_project_notes(struct nf_project_builder *b)
{
	struct nf_list said_ones = nf_project_said_list(b, "notes", &b->o->notes);
	const char **all = nf_arena_alloc(b->a, said_ones.n + b->notes.n + 1, sizeof(*all));

	if (!all)
		return (struct nf_list){ NULL, 0 };
	if (said_ones.n)
		memcpy(all, said_ones.items, said_ones.n * sizeof(*all));
	if (b->notes.n)
		memcpy(all + said_ones.n, b->notes.text, b->notes.n * sizeof(*all));
	return (struct nf_list){ all, said_ones.n + b->notes.n };
}

int nf_project_index(const struct nf_type *t, const char *name)
{
	for (int i = 0; t->names[i]; i++)
		if (strcmp(t->names[i], name) == 0)
			return i;
	return -1;
}

int nf_project_result(struct nf_project_builder *b, const struct nf_type *t, int otherwise,
                      const char *because)
{
	if (!b->o->result) {
		if (because)
			nf_project_trace(b, b->main, because, "result", t->names[otherwise]);
		return otherwise;
	}
	int said_one = nf_project_index(t, b->o->result);

	if (said_one != otherwise)
		nf_note_add(&b->notes,
		            "an option says result %s, the capture %s: the option is kept",
		            b->o->result, t->names[otherwise]);
	nf_project_trace_option(b, "result", b->o->result);
	return said_one;
}
