/* SPDX-License-Identifier: MIT */
#include "conf/scalar.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/quote.h"

const struct nf_conf_type nf_conf_text = {
	.kind = NF_CONF_TEXT,
	.size = sizeof(struct nf_conf_text),
	.min = 1,
};
const struct nf_conf_type nf_conf_bool = {
	.kind = NF_CONF_BOOL,
	.size = sizeof(struct nf_conf_bool),
};
const struct nf_conf_type nf_conf_duration = {
	.kind = NF_CONF_DURATION,
	.size = sizeof(struct nf_conf_int),
};
const struct nf_conf_type nf_conf_text_list = {
	.kind = NF_CONF_LIST,
	.size = sizeof(struct nf_conf_list),
	.item = &nf_conf_text,
};

bool nf_conf_is_scalar(enum nf_conf_kind k)
{
	return k <= NF_CONF_ENUM;
}

static int bad(const char *text, const char *why, struct nf_err *err)
{
	char quoted[NF_QUOTED];

	nf_quote(text, quoted);
	return nf_fail(err, NF_EDATA, "bad value %s%s%s", quoted, *why ? ": " : "", why);
}

static int in_range(const struct nf_conf_type *t, const char *text, int64_t v, void *out,
                    struct nf_err *err)
{
	if (v < t->min || v > (t->max ? t->max : INT64_MAX))
		return bad(text, "", err);
	((struct nf_conf_int *)out)->v = v;
	return 0;
}

static int take_text(const struct nf_conf_type *t, const char *text, struct nf_arena *arena,
                     void *out, struct nf_err *err)
{
	size_t len = strlen(text), max = t->max ? (size_t)t->max : NF_CONF_TEXT_MAX;
	const char *copy;

	if (len < (size_t)t->min || len > max)
		return bad(text, len < (size_t)t->min ? "too short" : "too long", err);
	copy = nf_arena_strndup(arena, text, len);
	if (!copy)
		return nf_arena_failed(arena, "the values of a file", err);
	((struct nf_conf_text *)out)->v = copy;
	return 0;
}

/* Digits with a sign, or 0x and digits; 010 is neither eight nor ten here. */
static bool whole_number(const char *text, int64_t *ret)
{
	const char *digits = text + (*text == '-');
	bool hex = digits[0] == '0' && digits[1] == 'x';
	const char *set = hex ? "0123456789abcdefABCDEF" : "0123456789";
	long long v;

	digits += hex ? 2 : 0;
	if (!*digits || digits[strspn(digits, set)] || (!hex && digits[0] == '0' && digits[1]))
		return false;
	errno = 0;
	v = strtoll(text, NULL, hex ? 16 : 10);
	*ret = v;
	return errno == 0;
}

static int take_int(const struct nf_conf_type *t, const char *text, bool plain, void *out,
                    struct nf_err *err)
{
	int64_t v;

	if (!plain)
		return bad(text, "a text in quotes", err);
	if (!whole_number(text, &v))
		return bad(text, "", err);
	return in_range(t, text, v, out, err);
}

static int take_duration(const struct nf_conf_type *t, const char *text, void *out,
                         struct nf_err *err)
{
	struct nf_err why = { 0 };
	int64_t v;

	if (nf_duration_parse(text, &v, &why) < 0)
		return bad(text, "", err);
	return in_range(t, text, v, out, err);
}

static int take_size(const struct nf_conf_type *t, const char *text, void *out, struct nf_err *err)
{
	static const struct {
		const char *name;
		int64_t bytes;
	} unit[] = {
		{ "", 1 }, { "B", 1 }, { "KiB", 1 << 10 }, { "MiB", 1 << 20 }, { "GiB", 1 << 30 }
	};
	size_t n = strspn(text, "0123456789");
	char digits[24];
	int64_t v;

	if (n == 0 || n >= sizeof(digits))
		return bad(text, "", err);
	memcpy(digits, text, n);
	digits[n] = '\0';
	if (!whole_number(digits, &v))
		return bad(text, "", err);
	for (size_t i = 0; i < sizeof(unit) / sizeof(*unit); i++)
		if (strcmp(text + n, unit[i].name) == 0 &&
		    !__builtin_mul_overflow(v, unit[i].bytes, &v))
			return in_range(t, text, v, out, err);
	return bad(text, "", err);
}

static int take_share(const struct nf_conf_type *t, const char *text, void *out, struct nf_err *err)
{
	char *end = NULL;
	double v;

	if (text[strspn(text, "0123456789.%")])
		return bad(text, "", err);
	errno = 0;
	v = isdigit((unsigned char)text[0]) ? strtod(text, &end) : (double)NAN;
	if (!end || errno)
		return bad(text, "", err);
	if (*end == '%') {
		v /= 100;
		end++;
	}
	if (*end || !(v >= t->low && v <= t->high))
		return bad(text, "", err);
	((struct nf_conf_real *)out)->v = v;
	return 0;
}

static int take_bool(const char *text, bool plain, void *out, struct nf_err *err)
{
	bool v = strcmp(text, "true") == 0;

	if (!plain)
		return bad(text, "a text in quotes", err);
	if (!v && strcmp(text, "false") != 0)
		return bad(text, "", err);
	((struct nf_conf_bool *)out)->v = v;
	return 0;
}

static int take_enum(const struct nf_conf_type *t, const char *text, void *out, struct nf_err *err)
{
	for (int i = 0; t->names[i]; i++)
		if (strcmp(t->names[i], text) == 0) {
			((struct nf_conf_int *)out)->v = i;
			return 0;
		}
	return bad(text, "", err);
}

/* What YAML takes for null, whatever the type: a key whose value was forgotten. */
static bool is_null(const char *text)
{
	static const char *const null[] = { "", "~", "null", "Null", "NULL" };

	for (size_t i = 0; i < sizeof(null) / sizeof(*null); i++)
		if (strcmp(text, null[i]) == 0)
			return true;
	return false;
}

int nf_conf_scalar(const struct nf_conf_type *t, const char *text, bool plain,
                   struct nf_arena *arena, void *out, struct nf_err *err)
{
	if (plain && is_null(text))
		return nf_fail(err, NF_EDATA, "no value");
	switch (t->kind) {
	case NF_CONF_TEXT:
		return take_text(t, text, arena, out, err);
	case NF_CONF_INT:
		return take_int(t, text, plain, out, err);
	case NF_CONF_DURATION:
		return take_duration(t, text, out, err);
	case NF_CONF_SIZE:
		return take_size(t, text, out, err);
	case NF_CONF_SHARE:
		return take_share(t, text, out, err);
	case NF_CONF_BOOL:
		return take_bool(text, plain, out, err);
	case NF_CONF_ENUM:
		return take_enum(t, text, out, err);
	case NF_CONF_MAP:
	case NF_CONF_LIST:
	case NF_CONF_NAMED:
	case NF_CONF_EITHER:
		break;
	}
	return bad(text, "", err);
}
