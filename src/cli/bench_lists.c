/* SPDX-License-Identifier: MIT */
#include "cli/bench_lists.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char allowed[] =
        "allowed: NAME=VALUE[,VALUE...] with a name of letters, digits, - and _";

static int refuse(const char *text, const char *why, struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED];

	nf_opt_quote(text, quoted);
	return nf_fail(err, NF_EARG, "--parameter-list: %s: %s; %s", quoted, why, allowed);
}

/* Cuts at the commas that have no backslash before them, and takes those away. */
static int split(const char *text, struct nf_arena *a, struct nf_bench_list_of *ret)
{
	size_t len = strlen(text), n = 1;
	char *copy = nf_arena_alloc(a, len + 1, 1), *to = copy;

	for (const char *p = text; *p; p++)
		n += *p == ',';
	ret->value = nf_arena_alloc(a, n, sizeof(*ret->value));
	if (!copy || !ret->value)
		return -NF_ENOMEM;
	ret->n = 0;
	ret->value[ret->n++] = to;
	for (const char *p = text; *p; p++) {
		if (p[0] == '\\' && p[1] == ',') {
			*to++ = *++p;
		} else if (*p == ',') {
			*to++ = '\0';
			ret->value[ret->n++] = to;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
	return 0;
}

static int parse_one(const char *text, struct nf_arena *a, struct nf_bench_lists *l,
                     struct nf_err *err)
{
	struct nf_bench_list_of *one = &l->list[l->n];
	size_t len =
	        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

	if (len == 0 || text[len] != '=')
		return refuse(text, "no NAME= in front", err);
	if (!text[len + 1])
		return refuse(text, "no value", err);
	one->name = nf_arena_strndup(a, text, len);
	if (!one->name || split(text + len + 1, a, one) < 0)
		return nf_arena_failed(a, "a parameter list", err);
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->list[i].name, one->name) == 0)
			return refuse(text, "this name has a list already", err);
	l->n++;
	return 0;
}

int nf_bench_lists_parse(const struct nf_opt_list *given, size_t max, struct nf_arena *a,
                         struct nf_bench_lists *ret, struct nf_err *err)
{
	struct nf_bench_lists l = { .points = 1 };

	for (size_t i = 0; i < given->n; i++) {
		int r = parse_one(given->item[i], a, &l, err);

		if (r < 0)
			return r;
		if (__builtin_mul_overflow(l.points, l.list[i].n, &l.points) || l.points > max)
			return nf_fail(
			        err, NF_EARG,
			        "--parameter-list: more than %zu combinations; allowed: up to "
			        "%zu",
			        max, max);
	}
	*ret = l;
	return 0;
}

/* The value of list i at a point. */
static const char *value_at(const struct nf_bench_lists *l, size_t point, size_t i)
{
	for (size_t k = l->n; k-- > i + 1;)
		point /= l->list[k].n;
	return l->list[i].value[point % l->list[i].n];
}

/* The list whose {NAME} begins at p; l->n: none. */
static size_t find(const struct nf_bench_lists *l, const char *p, size_t *ret_len)
{
	for (size_t i = 0; *p == '{' && i < l->n; i++) {
		size_t len = strlen(l->list[i].name);

		if (strncmp(p + 1, l->list[i].name, len) == 0 && p[1 + len] == '}') {
			*ret_len = len + 2;
			return i;
		}
	}
	return l->n;
}

const char *nf_bench_lists_apply(const struct nf_bench_lists *l, size_t point, const char *text,
                                 struct nf_arena *a)
{
	struct nf_buf out;

	if (!text || l->n == 0)
		return text;
	nf_buf_init(&out, 1 << 24);
	for (const char *p = text; *p;) {
		size_t len, i = find(l, p, &len);

		if (i == l->n) {
			nf_buf_addc(&out, *p++);
			continue;
		}
		nf_buf_adds(&out, value_at(l, point, i));
		p += len;
	}
	if (out.failed)
		a->failed = out.failed;
	const char *ret = out.failed ? NULL : nf_arena_strdup(a, out.data ? out.data : "");
	nf_buf_fini(&out);
	return ret;
}

static int by_bytes(const void *a, const void *b)
{
	const char *x, *y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return strcmp(x, y);
}

const char *const *nf_bench_lists_knobs(const struct nf_bench_lists *l, size_t point,
                                        struct nf_arena *a)
{
	const char **knob = l->n ? nf_arena_alloc(a, l->n + 1, sizeof(*knob)) : NULL;

	if (!knob)
		return NULL;
	for (size_t i = 0; i < l->n; i++)
		knob[i] = nf_arena_printf(a, "%s=%s", l->list[i].name, value_at(l, point, i));
	if (a->failed)
		return NULL;
	qsort(knob, l->n, sizeof(*knob), by_bytes);
	return knob;
}

int nf_bench_lists_used(const struct nf_bench_lists *l, const char *const *text, size_t n,
                        struct nf_err *err)
{
	for (size_t i = 0; i < l->n; i++) {
		bool used = false;

		for (size_t t = 0; t < n && !used; t++)
			for (const char *p = text[t]; p && (p = strchr(p, '{')); p++) {
				size_t len;

				used = used || find(l, p, &len) == i;
			}
		if (!used)
			return nf_fail(err, NF_EARG,
			               "--parameter-list: {%.*s} stands nowhere in what is run; "
			               "allowed: lists that are used",
			               NF_UTF8_CUT(l->list[i].name, 60));
	}
	return 0;
}
