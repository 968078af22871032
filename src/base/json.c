/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

static void misuse(struct nf_json *j)
{
	if (j->failed == NF_OK)
		j->failed = NF_EARG;
}

static void line(struct nf_json *j, int depth)
{
	if (!j->indent)
		return;
	nf_buf_addc(j->out, '\n');
	for (int i = 0; i < depth; i++)
		nf_buf_adds(j->out, "  ");
}

/* Everything that stands before a value. false: no value may stand here. */
static bool before_value(struct nf_json *j)
{
	if (j->failed != NF_OK)
		return false;
	/* level[0] is the document: it takes one value. */
	if ((j->depth == 0 && j->level[0].any) || (j->level[j->depth].object && !j->key_pending)) {
		misuse(j);
		return false;
	}
	if (j->depth > 0 && !j->key_pending) {
		if (j->level[j->depth].any)
			nf_buf_adds(j->out, j->indent ? "," : ", ");
		line(j, j->depth);
	}
	j->level[j->depth].any = true;
	j->key_pending = false;
	return true;
}

static void open_level(struct nf_json *j, bool object)
{
	if (j->failed == NF_OK && j->depth >= NF_JSON_DEPTH)
		misuse(j);
	if (!before_value(j))
		return;
	nf_buf_addc(j->out, object ? '{' : '[');
	j->depth++;
	j->level[j->depth].object = object;
	j->level[j->depth].any = false;
}

static void put_text(struct nf_json *j, const char *s, size_t n)
{
	nf_buf_addc(j->out, '"');
	for (size_t i = 0; i < n;) {
		unsigned char c = (unsigned char)s[i];
		size_t run = i;

		while (run < n && (unsigned char)s[run] >= 0x20 && s[run] != '"' &&
		       s[run] != '\\' && s[run] != 0x7f)
			run++;
		if (run > i) {
			nf_utf8_clean(j->out, s + i, run - i, &j->n_replaced);
			i = run;
			continue;
		}
		switch (c) {
		case '"':
			nf_buf_adds(j->out, "\\\"");
			break;
		case '\\':
			nf_buf_adds(j->out, "\\\\");
			break;
		case '\n':
			nf_buf_adds(j->out, "\\n");
			break;
		case '\t':
			nf_buf_adds(j->out, "\\t");
			break;
		default:
			nf_buf_addf(j->out, "\\u%04x", c);
			break;
		}
		i++;
	}
	nf_buf_addc(j->out, '"');
}

void nf_json_init(struct nf_json *j, struct nf_buf *out, bool indent)
{
	*j = (struct nf_json){ .out = out, .indent = indent };
}

void nf_json_object(struct nf_json *j)
{
	open_level(j, true);
}

void nf_json_array(struct nf_json *j)
{
	open_level(j, false);
}

void nf_json_end(struct nf_json *j)
{
	bool object, any;

	if (j->failed != NF_OK)
		return;
	if (j->depth == 0 || j->key_pending) {
		misuse(j);
		return;
	}
	object = j->level[j->depth].object;
	any = j->level[j->depth].any;
	j->depth--;
	if (any)
		line(j, j->depth);
	nf_buf_addc(j->out, object ? '}' : ']');
}

void nf_json_key(struct nf_json *j, const char *key)
{
	nf_json_keyn(j, key, strlen(key));
}

void nf_json_keyn(struct nf_json *j, const char *key, size_t len_bytes)
{
	if (j->failed != NF_OK)
		return;
	if (!j->level[j->depth].object || j->key_pending) {
		misuse(j);
		return;
	}
	if (j->level[j->depth].any)
		nf_buf_adds(j->out, j->indent ? "," : ", ");
	line(j, j->depth);
	put_text(j, key, len_bytes);
	nf_buf_adds(j->out, ": ");
	j->key_pending = true;
}

void nf_json_text(struct nf_json *j, const char *s)
{
	if (s)
		nf_json_textn(j, s, strlen(s));
	else
		nf_json_null(j);
}

void nf_json_textn(struct nf_json *j, const char *s, size_t len_bytes)
{
	if (before_value(j))
		put_text(j, s, len_bytes);
}

void nf_json_i64(struct nf_json *j, int64_t v)
{
	if (before_value(j))
		nf_buf_addf(j->out, "%" PRId64, v);
}

void nf_json_u64(struct nf_json *j, uint64_t v)
{
	if (before_value(j))
		nf_buf_addf(j->out, "%" PRIu64, v);
}

void nf_json_digits(struct nf_json *j, bool negative, const char *digits, size_t n)
{
	if (!before_value(j))
		return;
	if (negative)
		nf_buf_addc(j->out, '-');
	nf_buf_add(j->out, digits, n);
}

void nf_json_double(struct nf_json *j, double v)
{
	if (before_value(j))
		nf_buf_add_double(j->out, v);
}

void nf_json_bool(struct nf_json *j, bool v)
{
	if (before_value(j))
		nf_buf_adds(j->out, v ? "true" : "false");
}

void nf_json_null(struct nf_json *j)
{
	if (before_value(j))
		nf_buf_adds(j->out, "null");
}

int nf_json_done(struct nf_json *j, struct nf_err *err)
{
	if (j->failed == NF_OK && (j->depth != 0 || j->key_pending || !j->level[0].any))
		misuse(j);
	if (j->failed != NF_OK)
		return nf_fail(err, j->failed, "the JSON writer was called out of order");
	nf_buf_addc(j->out, '\n');
	return nf_buf_failed(j->out, "the JSON text", err);
}
