/* SPDX-License-Identifier: MIT */
#include "bench/json_in.h"

#include <stdbool.h>
#include <string.h>

/* Brackets and commas outside texts bound what a parser has to build. What is no JSON is for the
 * parser to say. */
static const char *over_bounds(const char *text, size_t len_bytes, size_t *ret_at)
{
	size_t depth = 0, items = 1;
	bool quoted = false;

	for (size_t i = 0; i < len_bytes; i++) {
		char c = text[i];

		*ret_at = i;
		if (quoted) {
			if (c == '\\')
				i++;
			else if (c == '"')
				quoted = false;
			continue;
		}
		quoted = c == '"';
		if (c == '[' || c == '{')
			depth++;
		else if ((c == ']' || c == '}') && depth > 0)
			depth--;
		items += c == ',' || c == '[' || c == '{';
		if (depth > NF_JSON_IN_DEPTH)
			return "nested too deeply";
		if (items > NF_JSON_IN_ITEMS)
			return "too many values";
	}
	return NULL;
}

static size_t line_of(const char *text, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < at; i++)
		n += text[i] == '\n';
	return n;
}

/* What people see of a text that is no JSON. */
static void excerpt(const char *text, size_t len_bytes, char ret[48])
{
	size_t n = 0;

	while (n < len_bytes && n < 40 && text[n] != '\n') {
		ret[n] = text[n];
		n++;
	}
	/* Not in the middle of a character. */
	while (n == 40 && n > 0 && ((unsigned char)ret[n - 1] & 0x80))
		n--;
	ret[n] = '\0';
}

int nf_json_in(const char *text, size_t len_bytes, const char *name, size_t line, json_t **ret,
               struct nf_err *err)
{
	json_error_t where;
	char begin[48];
	size_t at = 0;
	const char *what = over_bounds(text, len_bytes, &at);

	if (what)
		return nf_fail(err, NF_EDATA,
		               "%s:%zu: JSON %s; allowed: %d levels, %d values in one document",
		               name, line + line_of(text, at), what, (int)NF_JSON_IN_DEPTH,
		               (int)NF_JSON_IN_ITEMS);
	json_t *root = json_loadb(text, len_bytes, 0, &where);
	if (root) {
		*ret = root;
		return 0;
	}
	if (json_error_code(&where) == json_error_out_of_memory)
		return nf_fail_nomem(err, "JSON", len_bytes);
	size_t bad = line + (where.line > 0 ? (size_t)where.line - 1 : 0);
	size_t blank = 0;
	while (blank < len_bytes && text[blank] && strchr(" \t\r\n", text[blank]))
		blank++;
	if (blank < len_bytes && text[blank] != '{' && text[blank] != '[') {
		excerpt(text + blank, len_bytes - blank, begin);
		return nf_fail(err, NF_EDATA, "%s:%zu: not JSON: '%s'", name, bad, begin);
	}
	return nf_fail(err, NF_EDATA, "%s:%zu: not JSON: %s", name, bad, where.text);
}

static int refuse(const char *name, const char *where, const char *key, const char *kind,
                  struct nf_err *err)
{
	return nf_fail(err, NF_EDATA, "%s: %s%s'%s' is missing or no %s", name, where,
	               where[0] ? ": " : "", key, kind);
}

int nf_json_in_text(const json_t *object, const char *key, const char *name, const char *where,
                    const char **ret, struct nf_err *err)
{
	const char *s = json_string_value(json_object_get(object, key));

	if (!s)
		return refuse(name, where, key, "text", err);
	*ret = s;
	return 0;
}

int nf_json_in_number(const json_t *object, const char *key, const char *name, const char *where,
                      double *ret, struct nf_err *err)
{
	const json_t *v = json_object_get(object, key);

	if (!json_is_number(v))
		return refuse(name, where, key, "number", err);
	*ret = json_number_value(v);
	return 0;
}

int nf_json_in_array(const json_t *object, const char *key, const char *name, const char *where,
                     const json_t **ret, struct nf_err *err)
{
	const json_t *v = json_object_get(object, key);

	if (!json_is_array(v))
		return refuse(name, where, key, "array", err);
	*ret = v;
	return 0;
}
