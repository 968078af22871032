/* SPDX-License-Identifier: MIT */
/* describe - what a schema allows, in words: for messages, and as the reference in the documentation. */
#include <inttypes.h>
#include <string.h>

#include "base/duration.h"
#include "conf/schema.h"

static void add_bytes(int64_t v, struct nf_buf *out)
{
	if (v >= 1 << 30 && v % (1 << 30) == 0)
		(void)nf_buf_addf(out, "%" PRId64 "GiB", v >> 30);
	else if (v >= 1 << 20 && v % (1 << 20) == 0)
		(void)nf_buf_addf(out, "%" PRId64 "MiB", v >> 20);
	else
		(void)nf_buf_addf(out, "%" PRId64, v);
}

static void add_number(const struct nf_conf_type *t, int64_t v, struct nf_buf *out)
{
	if (t->kind == NF_CONF_DURATION)
		(void)nf_duration_print(v, out);
	else if (t->kind == NF_CONF_SIZE)
		add_bytes(v, out);
	else
		(void)nf_buf_addf(out, "%" PRId64, v);
}

static void add_range(const struct nf_conf_type *t, const char *what, struct nf_buf *out)
{
	(void)nf_buf_addf(out, "%s from ", t->what ? t->what : what);
	add_number(t, t->min, out);
	if (t->max) {
		(void)nf_buf_adds(out, " to ");
		add_number(t, t->max, out);
	} else {
		(void)nf_buf_adds(out, " on");
	}
}

static void add_keys(const struct nf_conf_type *t, struct nf_buf *out)
{
	(void)nf_buf_adds(out, "a mapping with");
	for (const struct nf_conf_field *f = t->fields; f->key; f++)
		(void)nf_buf_addf(out, "%s %s", f == t->fields ? "" : ",", f->key);
}

static void add_names(const struct nf_conf_type *t, struct nf_buf *out)
{
	for (int i = 0; t->names[i]; i++)
		(void)nf_buf_addf(out, "%s%s",
		                  i == 0            ? ""
		                  : t->names[i + 1] ? ", "
		                                    : " or ",
		                  t->names[i]);
}

static void add_count(const struct nf_conf_type *t, struct nf_buf *out)
{
	if (t->min > 0 && t->max > 0)
		(void)nf_buf_addf(out, ", %" PRId64 " to %" PRId64 " of them", t->min, t->max);
	else if (t->max > 0)
		(void)nf_buf_addf(out, ", at most %" PRId64, t->max);
	else if (t->min > 0)
		(void)nf_buf_addf(out, ", at least %" PRId64, t->min);
}

/* The kind in a few words, without what is inside. */
static const char *in_short(const struct nf_conf_type *t)
{
	static const char *const words[] = {
		[NF_CONF_TEXT] = "a text",         [NF_CONF_INT] = "a whole number",
		[NF_CONF_DURATION] = "a duration", [NF_CONF_SIZE] = "a size",
		[NF_CONF_SHARE] = "a share",       [NF_CONF_BOOL] = "true or false",
		[NF_CONF_ENUM] = "a word",         [NF_CONF_MAP] = "a mapping",
		[NF_CONF_LIST] = "a list",         [NF_CONF_NAMED] = "a mapping",
		[NF_CONF_EITHER] = "a value",
	};

	return t->what ? t->what : words[t->kind];
}

/* "a text" as it stands behind "of". */
static const char *without_article(const char *words)
{
	return strncmp(words, "a ", 2) == 0 ? words + 2 : words;
}

static void add_either(const struct nf_conf_type *t, struct nf_buf *out)
{
	const struct nf_conf_type *of[] = { t->scalar, t->list, t->map };
	size_t at = 0;

	for (size_t i = 0; i < 3; i++)
		if (of[i])
			(void)nf_buf_addf(out, "%s%s", at++ ? " or " : "", in_short(of[i]));
}

void nf_conf_allowed(const struct nf_conf_type *t, struct nf_buf *out)
{
	switch (t->kind) {
	case NF_CONF_TEXT:
		(void)nf_buf_adds(out, in_short(t));
		if (!t->what && t->max)
			(void)nf_buf_addf(out, " of %" PRId64 " to %" PRId64 " bytes", t->min,
			                  t->max);
		break;
	case NF_CONF_INT:
		add_range(t, "a whole number", out);
		break;
	case NF_CONF_DURATION:
		add_range(t, "a duration (ns us ms s m h)", out);
		break;
	case NF_CONF_SIZE:
		add_range(t, "a size (bytes, KiB MiB GiB)", out);
		break;
	case NF_CONF_SHARE:
		(void)nf_buf_addf(out, "%s from %g to %g, or with %%", in_short(t), t->low,
		                  t->high);
		break;
	case NF_CONF_BOOL:
		(void)nf_buf_adds(out, in_short(t));
		break;
	case NF_CONF_ENUM:
		add_names(t, out);
		break;
	case NF_CONF_MAP:
		add_keys(t, out);
		break;
	case NF_CONF_LIST:
		(void)nf_buf_adds(out, t->what ? t->what : "a list of ");
		if (!t->what)
			(void)nf_buf_adds(out, without_article(in_short(t->item)));
		add_count(t, out);
		break;
	case NF_CONF_NAMED:
		(void)nf_buf_addf(out, "%s", t->what ? t->what : "a mapping from names to ");
		if (!t->what)
			(void)nf_buf_adds(out, in_short(t->item));
		add_count(t, out);
		break;
	case NF_CONF_EITHER:
		if (t->what)
			(void)nf_buf_adds(out, t->what);
		else
			add_either(t, out);
		break;
	}
}

/* --- the reference --- */

/* depth: of the list in Markdown. level: how many types are above, as they may hold themselves. */
static void describe_below(const struct nf_conf_type *t, int depth, int level, struct nf_buf *out);

/* required, optional, or which one of several. */
static void add_need(const struct nf_conf_field *all, const struct nf_conf_field *f,
                     struct nf_buf *out)
{
	bool required = false;
	const char *before = "";

	if (!f->group) {
		(void)nf_buf_adds(out, f->required ? " (required" : " (optional");
		return;
	}
	for (const struct nf_conf_field *g = all; g->key; g++)
		required = required || (g->group == f->group && g->required);
	(void)nf_buf_addf(out, " (%s one of ", required ? "exactly" : "at most");
	for (const struct nf_conf_field *g = all; g->key; g++)
		if (g->group == f->group) {
			(void)nf_buf_addf(out, "%s`%s`", before, g->key);
			before = ", ";
		}
}

static void describe_field(const struct nf_conf_field *all, const struct nf_conf_field *f,
                           int depth, int level, struct nf_buf *out)
{
	(void)nf_buf_addf(out, "%*s- `%s`", 2 * depth, "", f->key);
	add_need(all, f, out);
	if (f->when_key)
		(void)nf_buf_addf(out, " with %s: %s", f->when_key, f->when);
	if (f->def && strcmp(f->def, "{}") != 0)
		(void)nf_buf_addf(out, ", default `%s`", f->def);
	(void)nf_buf_addf(out, "): %s. ", f->help);
	if (f->type->kind == NF_CONF_MAP) {
		(void)nf_buf_adds(out, "A mapping:\n");
	} else {
		struct nf_buf allowed;

		nf_buf_init(&allowed, 2000);
		nf_conf_allowed(f->type, &allowed);
		(void)nf_buf_addf(out, "Allowed: %s.\n", allowed.data);
		nf_buf_fini(&allowed);
	}
	describe_below(f->type, depth + 1, level + 1, out);
}

static void describe_below(const struct nf_conf_type *t, int depth, int level, struct nf_buf *out)
{
	if (level > NF_CONF_DEPTH)
		return;
	if (t->kind == NF_CONF_MAP)
		for (const struct nf_conf_field *f = t->fields; f->key; f++)
			describe_field(t->fields, f, depth, level, out);
	if (t->kind == NF_CONF_LIST || t->kind == NF_CONF_NAMED)
		describe_below(t->item, depth, level + 1, out);
	if (t->kind == NF_CONF_EITHER) {
		const struct nf_conf_type *of[] = { t->scalar, t->list, t->map };

		for (size_t i = 0; i < 3; i++)
			if (of[i])
				describe_below(of[i], depth, level + 1, out);
	}
}

void nf_conf_describe(const struct nf_conf_type *map, struct nf_buf *out)
{
	describe_below(map, 0, 0, out);
}
