/* SPDX-License-Identifier: MIT */
/* Records read as JSON: how two differ, the forms that others read, copies that can be given away. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "draw_record.h"
#include "laws.h"
#include "record/json_diff.h"
#include "record/json_record.h"
#include "record/redact_record.h"
#include "record/write.h"
#include "report/junit.h"

enum { TEXT = 8 << 20, DEPTH = 8 };

static void fini_buf(void *b)
{
	nf_buf_fini(b);
}

static struct nf_buf *new_buf(struct pt_case *t)
{
	struct nf_buf *b = pt_alloc(t, sizeof(*b));

	nf_buf_init(b, TEXT);
	pt_cleanup(t, fini_buf, b);
	return b;
}

static void fini_json(void *v)
{
	json_decref(v);
}

static const struct nf_type *draw_type(struct pt_case *t)
{
	size_t n = 0;

	while (nf_record_types[n])
		n++;
	return nf_record_types[pt_draw_pick(t, n)];
}

/* A record as it is read from its file. */
static json_t *draw_json(struct pt_case *t, const struct nf_type *type)
{
	struct nf_buf *text = new_buf(t);

	PT_ASSERT(t, nf_record_to_json(type, draw_value(t, type), text, NULL, NULL) == 0);
	json_t *v = json_loadb(text->data, text->len_bytes, JSON_ALLOW_NUL, NULL);
	PT_ASSERT(t, v != NULL);
	pt_cleanup(t, fini_json, v);
	return v;
}

/* --- differences --- */

enum { DIFFERENCES = 4096 };

struct differences {
	struct pt_case *t;
	char *line[DIFFERENCES];
	size_t n;
	bool swapped; /* written as from the other side */
};

static int put_difference(void *ctx, const struct nf_difference *d, struct nf_err *err)
{
	struct differences *all = ctx;
	const json_t *a = all->swapped ? d->b : d->a, *b = all->swapped ? d->a : d->b;
	char *x = a ? json_dumps(a, JSON_ENCODE_ANY) : NULL;
	char *y = b ? json_dumps(b, JSON_ENCODE_ANY) : NULL;
	size_t len = strlen(d->path) + (x ? strlen(x) : 0) + (y ? strlen(y) : 0) + 32;

	(void)err;
	if (all->n < DIFFERENCES) {
		char *line = pt_alloc(all->t, len);

		snprintf(line, len, "%s %s %s %s", d->path, x ? x : "-", y ? y : "-", d->unit);
		all->line[all->n++] = line;
	}
	free(x);
	free(y);
	return 0;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct differences *diff(struct pt_case *t, const struct nf_type *type, const json_t *a,
                                const json_t *b, bool swapped)
{
	struct differences *d = pt_alloc(t, sizeof(*d));
	size_t n = 0;

	d->t = t;
	d->swapped = swapped;
	PT_ASSERT(t, nf_json_diff(type, a, type, b, put_difference, d, &n, NULL) == 0);
	PT_ASSERT(t, n == d->n || d->n == DIFFERENCES);
	qsort(d->line, d->n, sizeof(d->line[0]), by_text);
	return d;
}

static bool a_difference_is_seen_from_both_sides(struct pt_case *t, void *arg)
{
	const struct nf_type *type = draw_type(t);
	json_t *a = draw_json(t, type), *b = draw_json(t, type);
	json_t *copy = json_deep_copy(a);

	(void)arg;
	pt_cleanup(t, fini_json, copy);
	PT_ASSERT(t, diff(t, type, a, copy, false)->n == 0);
	struct differences *ab = diff(t, type, a, b, false), *ba = diff(t, type, b, a, true);
	pt_classify(t, ab->n > 0, "differ");
	PT_ASSERT(t, ab->n > 0 || json_equal(a, b) || type->fields == NULL);
	PT_ASSERT(t, ab->n == ba->n);
	for (size_t i = 0; i < ab->n; i++) {
		if (strcmp(ab->line[i], ba->line[i]) != 0)
			pt_note(t, "%s / %s", ab->line[i], ba->line[i]);
		PT_ASSERT(t, strcmp(ab->line[i], ba->line[i]) == 0);
	}
	return true;
}

/* --- CSV (RFC 4180) --- */

/* The end of the field at p; NULL: it is none. */
static const char *csv_field(const char *p)
{
	if (*p != '"') {
		p += strcspn(p, ",\n\"\r");
		return *p == ',' || *p == '\n' ? p : NULL;
	}
	for (p++; *p; p++) {
		if (*p != '"')
			continue;
		if (p[1] != '"')
			return p[1] == ',' || p[1] == '\n' ? p + 1 : NULL;
		p++;
	}
	return NULL;
}

static bool csv_has_two_fields_a_line(struct pt_case *t, void *arg)
{
	const struct nf_type *type = draw_type(t);
	struct nf_buf *out = new_buf(t);
	size_t lines = 0;

	(void)arg;
	PT_ASSERT(t, nf_json_record_to_csv(type, draw_json(t, type), out, NULL) == 0);
	PT_ASSERT(t, memchr(out->data, '\0', out->len_bytes) == NULL);
	for (const char *p = out->data; *p; lines++) {
		const char *end = csv_field(p);

		PT_ASSERT(t, end && *end == ',');
		end = csv_field(end + 1);
		PT_ASSERT(t, end && *end == '\n');
		p = end + 1;
	}
	return lines > 1;
}

/* --- XML: what of it JUnit's files use --- */

struct xml {
	struct pt_case *t;
	const char *p;
	const char *open[DEPTH];
	size_t len[DEPTH];
	size_t depth;
	size_t cases;
	long said; /* sum of the attributes tests="N" of suites */
};

static size_t xml_name(const char *p)
{
	return strspn(p, "abcdefghijklmnopqrstuvwxyz-");
}

/* Text up to `end`: no markup in it, every & begins an entity that XML has by itself or a number. */
static void xml_text(struct xml *x, const char *end)
{
	static const char *const entities[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#" };

	for (; x->p < end; x->p++) {
		unsigned char c = (unsigned char)*x->p;
		bool known = c != '&';

		PT_ASSERT(x->t, c != '<' && (c >= 0x20 || c == '\n' || c == '\t'));
		for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
			known = known || strncmp(x->p, entities[i], strlen(entities[i])) == 0;
		PT_ASSERT(x->t, known);
	}
}

static void xml_attributes(struct xml *x, bool suite)
{
	while (*x->p == ' ' && x->p[1] != '/' && x->p[1] != '>') {
		const char *name = ++x->p;
		size_t len = xml_name(name);

		PT_ASSERT(x->t, len > 0 && name[len] == '=' && name[len + 1] == '"');
		x->p += len + 2;
		if (suite && len == 5 && memcmp(name, "tests", 5) == 0)
			x->said += strtol(x->p, NULL, 10);
		const char *end = strchr(x->p, '"');
		PT_ASSERT(x->t, end != NULL);
		xml_text(x, end);
		x->p++;
	}
}

static void xml_tag(struct xml *x)
{
	bool closing = x->p[1] == '/';
	const char *name = x->p + 1 + closing;
	size_t len = xml_name(name);

	PT_ASSERT(x->t, len > 0);
	x->p = name + len;
	if (closing) {
		PT_ASSERT(x->t, x->depth > 0 && x->len[x->depth - 1] == len &&
		                        memcmp(x->open[x->depth - 1], name, len) == 0);
		x->depth--;
	} else {
		bool suite = len == 9 && memcmp(name, "testsuite", 9) == 0;

		x->cases += len == 8 && memcmp(name, "testcase", 8) == 0;
		xml_attributes(x, suite);
		if (*x->p == '/') {
			x->p++;
		} else {
			PT_ASSERT(x->t, x->depth < DEPTH);
			x->open[x->depth] = name;
			x->len[x->depth++] = len;
		}
	}
	PT_ASSERT(x->t, *x->p == '>');
	x->p++;
}

static bool junit_is_read_back(struct pt_case *t, void *arg)
{
	const struct nf_type *type = draw_type(t);
	struct nf_buf *out = new_buf(t);
	struct xml x = { .t = t };

	(void)arg;
	nf_junit_begin(out);
	nf_junit_suite(type, draw_json(t, type), "a<b>&\"c\".json", out);
	nf_junit_end(out);
	PT_ASSERT(t, nf_buf_failed(out, "JUnit", NULL) == 0);
	json_t *utf8 = json_stringn(out->data, out->len_bytes);
	PT_ASSERT(t, utf8 != NULL);
	json_decref(utf8);
	PT_ASSERT(t, strncmp(out->data, "<?xml version=\"1.0\"", 19) == 0);
	x.p = strstr(out->data, "?>");
	PT_ASSERT(t, x.p != NULL);
	for (x.p += 2; *x.p;) {
		if (*x.p == '<')
			xml_tag(&x);
		else
			xml_text(&x, x.p + strcspn(x.p, "<"));
	}
	PT_ASSERT(t, x.depth == 0);
	PT_ASSERT_INT_EQ(t, x.said, (int64_t)x.cases);
	return true;
}

/* --- redaction --- */

enum { PRIVATE = 9, LINE = 400 };
static const char *const private[PRIVATE] = {
	"node17.lab.example.org",
	"NODE17",
	"jdoe",
	"198.51.100.23",
	"2001:db8:17::beef",
	"52:54:00:ab:cd:ef",
	"7d9f1c52-33a0-4c5e-9b0a-0e8a5d6c4b21",
	"89abcdef0123456789abcdef01234567",
	"buildbot@farm3.example.net",
};
static const char *const around[] = { " ",  "\n", "/",  "\"",  " = ", ",", "; ",         "(",
	                              ") ", "<",  "> ", " x ", " 7 ", "|", " \xc3\xa4 ", "" };

/* Private texts among others, apart by what is no letter or digit. */
static char *draw_private(struct pt_case *t)
{
	struct pt_loop l = { .max = 5 };
	char *out = pt_alloc(t, LINE);
	size_t len = 0;

	while (pt_more(t, &l)) {
		const char *a = around[pt_draw_pick(t, sizeof(around) / sizeof(around[0]))];

		len += (size_t)snprintf(out + len, LINE - len, "%s %s", a,
		                        private[pt_draw_pick(t, PRIVATE)]);
	}
	return out;
}

static void no_private(struct pt_case *t, const char *text)
{
	for (size_t i = 0; i < PRIVATE; i++) {
		if (strcasestr(text, private[i]))
			pt_note(t, "%s in: %s", private[i], text);
		PT_ASSERT(t, !strcasestr(text, private[i]));
	}
}

/* Every pseudonym's digits as x. */
static void flatten(char *s)
{
	for (char *p = s; (p = strchr(p, '-'));) {
		p++;
		if (strspn(p, "0123456789abcdef") == 10 && !isalnum((unsigned char)p[10]))
			memset(p, 'x', 10);
	}
}

static void fini_redactor(void *r)
{
	nf_redactor_fini(r);
}

static struct nf_redactor *new_redactor(struct pt_case *t, unsigned char first)
{
	const unsigned char key[NF_REDACT_KEY] = { first };
	struct nf_redactor *r = pt_alloc(t, sizeof(*r));

	nf_redactor_init(r, key);
	pt_cleanup(t, fini_redactor, r);
	return r;
}

static bool redacting_twice_keeps_the_shape(struct pt_case *t, void *arg)
{
	struct nf_redactor *one = new_redactor(t, 1), *two = new_redactor(t, 2);
	struct nf_buf *a = new_buf(t), *b = new_buf(t);
	char *text = draw_private(t);
	bool cmdline = pt_draw_bool(t, 0.3);
	const char *kind = pt_draw_bool(t, 0.2) ? "id" : "host"; /* a host may be called so */

	(void)arg;
	PT_ASSERT(t, nf_redactor_add_host(one, private[0], NULL) == 0);
	PT_ASSERT(t, nf_redactor_add_host(one, kind, NULL) == 0);
	PT_ASSERT(t, nf_redactor_add(one, "user", "jdoe", NULL) == 0);
	PT_ASSERT(t, nf_redactor_add_host(two, kind, NULL) == 0);
	if (cmdline) {
		nf_redact_cmdline(one, text, strlen(text), a);
		nf_redact_cmdline(two, a->data, a->len_bytes, b);
	} else {
		nf_redact_text(one, text, strlen(text), a);
		nf_redact_text(two, a->data, a->len_bytes, b);
	}
	PT_ASSERT(t, nf_buf_failed(b, "text", NULL) == 0);
	no_private(t, a->data);
	flatten(a->data);
	flatten(b->data);
	if (strcmp(a->data, b->data) != 0)
		pt_note(t, "%s / %s", a->data, b->data);
	return strcmp(a->data, b->data) == 0;
}

struct spoiling {
	struct pt_case *t;
	size_t n;
};

/* Private texts in the fields that may hold any; alternatives and words of the program stay. */
static int spoil(void *ctx, const struct nf_text_at *at, json_t **ret, struct nf_err *err)
{
	static const char *const free_fields[] = { "reason",  "notes",       "origin",
		                                   "under",   "cgroup_path", "kernel_cmdline",
		                                   "command", "tag",         "path",
		                                   "run_id",  "value",       "dmi_model" };
	struct spoiling *s = ctx;

	(void)err;
	if (strcmp(at->key, "host_name") == 0 || strcmp(at->key, "label") == 0) {
		*ret = json_string(private[0]);
		return 0;
	}
	for (size_t i = 0; i < sizeof(free_fields) / sizeof(free_fields[0]); i++) {
		if (strcmp(at->key, free_fields[i]) != 0)
			continue;
		*ret = json_string(draw_private(s->t));
		s->n++;
	}
	return 0;
}

static bool a_redacted_record_keeps_nothing_private(struct pt_case *t, void *arg)
{
	const struct nf_redact_files files = { .digest = NULL };
	const struct nf_type *type = draw_type(t);
	struct nf_redactor *r = new_redactor(t, 3);
	struct spoiling s = { .t = t };
	struct nf_buf *out = new_buf(t);
	json_t *v = draw_json(t, type);

	(void)arg;
	PT_ASSERT(t, nf_json_record_texts(type, v, spoil, &s, NULL) == 0);
	pt_classify(t, s.n > 0, "private texts");
	PT_ASSERT(t, nf_redactor_add_host(r, private[0], NULL) == 0);
	PT_ASSERT(t, nf_redactor_add(r, "user", "jdoe", NULL) == 0);
	PT_ASSERT(t, nf_redact_learn_record(r, type, v, NULL) == 0);
	PT_ASSERT(t, nf_redact_record(r, &files, type, v, NULL) == 0);
	PT_ASSERT(t, nf_json_record_to_json(type, v, out, NULL) == 0);
	no_private(t, out->data);
	return true;
}

/* clang-format off */
const struct law laws_forms[] = {
	{ "diff sides", "A record does not differ from itself, and two differ alike from either side.", a_difference_is_seen_from_both_sides, NULL },
	{ "record CSV", "Every line of a record's CSV has two fields by RFC 4180.", csv_has_two_fields_a_line, NULL },
	{ "record JUnit", "JUnit's XML of any record is well-formed and has as many cases as it says.", junit_is_read_back, NULL },
	{ "redact twice", "Redacted text holds nothing private, and redacted again has the same shape.", redacting_twice_keeps_the_shape, NULL },
	{ "redact record", "A redacted record of any type holds nothing private in fields that may hold anything.", a_redacted_record_keeps_nothing_private, NULL },
	{ .name = NULL },
};
/* clang-format on */
