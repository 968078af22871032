/* SPDX-License-Identifier: MIT */
/* value - the text of one option's value: read, stored, and what is allowed said in words. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpuset.h"
#include "base/duration.h"
#include "opt/internal.h"

enum { MESSAGE_BYTES = 400 };

static int bad_value(const struct nf_opt *o, const char *value, const char *why, struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED];
	struct nf_buf allowed;

	nf_opt_quote(value, quoted);
	nf_buf_init(&allowed, MESSAGE_BYTES);
	nf_opt_allowed(o, &allowed);
	int r = nf_fail(err, NF_EARG, "--%s: bad value %s%s%s; allowed: %s", o->name, quoted,
	                why ? ": " : "", why ? why : "", allowed.data);
	nf_buf_fini(&allowed);
	return r;
}

static void add_number(const struct nf_opt *o, int64_t v, struct nf_buf *out)
{
	bool power = v > 0 && (v & (v - 1)) == 0;

	if (o->kind == NF_OPT_DURATION)
		(void)nf_duration_print(v, out);
	else if (o->kind == NF_OPT_COUNT && power && v > 65536)
		(void)nf_buf_addf(out, "2^%d", __builtin_ctzll((unsigned long long)v));
	else
		(void)nf_buf_addf(out, "%" PRId64, v);
}

void nf_opt_value_text(const struct nf_opt *o, const void *params, size_t item, struct nf_buf *out)
{
	const char *field = (const char *)params + o->off;
	struct nf_opt_list list;
	const char *text;
	int64_t number;
	int choice;

	switch (o->kind) {
	case NF_OPT_INT:
	case NF_OPT_COUNT:
	case NF_OPT_DURATION:
		memcpy(&number, field, sizeof(number));
		add_number(o, number, out);
		break;
	case NF_OPT_TEXT:
	case NF_OPT_PATH:
	case NF_OPT_CPUS:
		memcpy(&text, field, sizeof(text));
		(void)nf_buf_adds(out, text ? text : "");
		break;
	case NF_OPT_CHOICE:
		memcpy(&choice, field, sizeof(choice));
		(void)nf_buf_adds(out, o->names[choice]);
		break;
	case NF_OPT_LIST:
		memcpy(&list, field, sizeof(list));
		(void)nf_buf_adds(out, item < list.n ? list.item[item] : "");
		break;
	case NF_OPT_FLAG:
	case NF_OPT_END:
		break;
	}
}

void nf_opt_range(const struct nf_opt *o, struct nf_buf *out)
{
	add_number(o, o->min, out);
	(void)nf_buf_adds(out, " to ");
	add_number(o, o->max, out);
}

static void add_range(const struct nf_opt *o, const char *what, struct nf_buf *out)
{
	(void)nf_buf_addf(out, "%s from ", what);
	nf_opt_range(o, out);
}

static void add_names(const struct nf_opt *o, struct nf_buf *out)
{
	const char *sep = "";

	for (const char *const *n = o->names; *n; n++) {
		if (!**n)
			continue;
		(void)nf_buf_addf(out, "%s%s", sep, *n);
		sep = ", ";
	}
}

void nf_opt_allowed(const struct nf_opt *o, struct nf_buf *out)
{
	switch (o->kind) {
	case NF_OPT_INT:
		add_range(o, "a whole number", out);
		break;
	case NF_OPT_COUNT:
		add_range(o, "a whole number or 2^N", out);
		break;
	case NF_OPT_DURATION:
		add_range(o, "a number and a unit (ns us ms s m h),", out);
		break;
	case NF_OPT_CHOICE:
		add_names(o, out);
		break;
	case NF_OPT_CPUS:
		(void)nf_buf_adds(out, "a list such as 0-3,8, or 'allowed', or 'isolated'");
		break;
	case NF_OPT_TEXT:
	case NF_OPT_LIST:
		(void)nf_buf_adds(out, "a text that is not empty");
		break;
	case NF_OPT_PATH:
		(void)nf_buf_adds(out, "a path");
		break;
	case NF_OPT_FLAG:
	case NF_OPT_END:
		break;
	}
}

void nf_opt_default_text(const struct nf_opt *o, struct nf_buf *out)
{
	if (o->def_text) {
		(void)nf_buf_adds(out, o->def_text);
		return;
	}
	switch (o->kind) {
	case NF_OPT_INT:
	case NF_OPT_COUNT:
	case NF_OPT_DURATION:
		add_number(o, o->def, out);
		break;
	case NF_OPT_CHOICE:
		(void)nf_buf_adds(out, o->names[o->def]);
		break;
	case NF_OPT_TEXT:
	case NF_OPT_PATH:
	case NF_OPT_CPUS:
		(void)nf_buf_adds(out, o->text ? o->text : "");
		break;
	case NF_OPT_FLAG:
	case NF_OPT_LIST:
	case NF_OPT_END:
		break;
	}
}

/* Decimal digits with an optional minus and nothing else; ERANGE when it does not fit. */
static int read_decimal(const char *s, int64_t *ret)
{
	const char *digits = *s == '-' ? s + 1 : s;

	if (!isdigit((unsigned char)*digits))
		return EINVAL;
	char *end = NULL;
	errno = 0;
	intmax_t v = strtoimax(s, &end, 10);
	if (*end)
		return EINVAL;
	if (errno || v < INT64_MIN || v > INT64_MAX)
		return ERANGE;
	*ret = v;
	return 0;
}

static int read_number(const struct nf_opt *o, const char *s, int64_t *ret)
{
	if (o->kind == NF_OPT_COUNT && strncmp(s, "2^", 2) == 0) {
		int64_t bits = 0;
		int r = s[2] == '-' ? EINVAL : read_decimal(s + 2, &bits);

		if (r)
			return r;
		if (bits > 62)
			return ERANGE;
		*ret = INT64_C(1) << bits;
		return 0;
	}
	return read_decimal(s, ret);
}

/* The reason in a message of a parser below, without the value in front (value NULL: keep it) and the
 * form in brackets behind: both are said by bad_value(). */
static const char *reason(struct nf_err *e, const char *value)
{
	size_t skip = value ? strlen(value) + 3 : 0;
	char *bracket = strstr(e->msg, " (");

	if (bracket)
		*bracket = '\0';
	e->msg[160] = '\0';
	for (char *p = e->msg; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	return skip < strlen(e->msg) ? e->msg + skip : e->msg;
}

static int store_number(const struct nf_opt *o, char *field, const char *value, struct nf_err *err)
{
	const char *why = NULL;
	int64_t v = 0;

	if (o->kind == NF_OPT_DURATION) {
		struct nf_err e = { 0 };

		if (nf_duration_parse(value, &v, &e) < 0)
			return bad_value(o, value, reason(&e, value), err);
	} else {
		int r = read_number(o, value, &v);

		if (r)
			return bad_value(o, value, r == ERANGE ? "out of range" : "not a number",
			                 err);
	}
	if (v < o->min)
		why = "too small";
	else if (v > o->max)
		why = "too large";
	if (why)
		return bad_value(o, value, why, err);
	memcpy(field, &v, sizeof(v));
	return 0;
}

static int check_cpus(const struct nf_opt *o, const char *value, struct nf_err *err)
{
	struct nf_err e = { 0 };
	struct nf_cpuset set;

	if (strcmp(value, "allowed") == 0 || strcmp(value, "isolated") == 0)
		return 0;
	nf_cpuset_init(&set);
	int r = nf_cpuset_parse(value, false, &set, &e);
	nf_cpuset_fini(&set);
	if (r == -NF_ENOMEM) {
		if (err)
			*err = e;
		return r;
	}
	return r < 0 ? bad_value(o, value, reason(&e, NULL), err) : 0;
}

static int store_choice(const struct nf_opt *o, char *field, const char *value, struct nf_err *err)
{
	for (int i = 0; *value && o->names[i]; i++) {
		if (strcmp(o->names[i], value) == 0) {
			memcpy(field, &i, sizeof(i));
			return 0;
		}
	}
	return bad_value(o, value, NULL, err);
}

static int store_list(const struct nf_opt *o, char *field, const char *value, struct nf_err *err)
{
	struct nf_opt_list list;

	memcpy(&list, field, sizeof(list));
	if (list.n == NF_OPT_LIST_MAX)
		return nf_fail(err, NF_EARG, "--%s: given more than %d times; allowed: up to %d",
		               o->name, NF_OPT_LIST_MAX, NF_OPT_LIST_MAX);
	list.item[list.n++] = value;
	memcpy(field, &list, sizeof(list));
	return 0;
}

int nf_opt_store(const struct nf_opt *o, void *params, const char *value, struct nf_err *err)
{
	char *field = (char *)params + o->off;
	int r = 0;

	switch (o->kind) {
	case NF_OPT_FLAG: {
		bool yes = true;
		memcpy(field, &yes, sizeof(yes));
		break;
	}
	case NF_OPT_INT:
	case NF_OPT_COUNT:
	case NF_OPT_DURATION:
		r = store_number(o, field, value, err);
		break;
	case NF_OPT_CHOICE:
		r = store_choice(o, field, value, err);
		break;
	case NF_OPT_CPUS:
	case NF_OPT_TEXT:
	case NF_OPT_PATH:
		if (o->kind == NF_OPT_CPUS)
			r = check_cpus(o, value, err);
		else if (!*value)
			r = bad_value(o, value, "empty", err);
		if (r == 0)
			memcpy(field, &value, sizeof(value));
		break;
	case NF_OPT_LIST:
		r = *value ? store_list(o, field, value, err) : bad_value(o, value, "empty", err);
		break;
	case NF_OPT_END:
		break;
	}
	if (r == 0 && o->has_given) {
		bool yes = true;
		memcpy((char *)params + o->given_off, &yes, sizeof(yes));
	}
	return r;
}
