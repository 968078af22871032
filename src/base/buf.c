/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What data points at while nothing is allocated. Never written: every append grows first, and
 * cap_bytes 0 marks it as not owned. */
static char empty[1];

static int remember(struct nf_buf *b, enum nf_code code)
{
	if (b->failed == NF_OK)
		b->failed = code;
	return -(int)b->failed;
}

/* Room for extra bytes and the NUL behind len_bytes. */
static int grow(struct nf_buf *b, size_t extra)
{
	size_t need, cap;
	char *p;

	if (b->failed != NF_OK)
		return -(int)b->failed;
	if (extra > b->max_bytes - b->len_bytes)
		return remember(b, NF_EDATA);
	if (__builtin_add_overflow(b->len_bytes + extra, 1, &need))
		return remember(b, NF_ENOMEM);
	if (need <= b->cap_bytes)
		return 0;
	if (__builtin_mul_overflow(b->cap_bytes, 2, &cap) || cap < need)
		cap = need;
	if (cap < 64)
		cap = 64;
	if (cap - 1 > b->max_bytes)
		cap = b->max_bytes + 1;
	p = realloc(b->cap_bytes ? b->data : NULL, cap);
	if (!p)
		return remember(b, NF_ENOMEM);
	if (!b->cap_bytes)
		p[0] = '\0';
	b->data = p;
	b->cap_bytes = cap;
	return 0;
}

void nf_buf_init(struct nf_buf *b, size_t max_bytes)
{
	*b = (struct nf_buf){ .data = empty, .max_bytes = max_bytes };
}

void nf_buf_fini(struct nf_buf *b)
{
	if (b->cap_bytes)
		free(b->data);
	nf_buf_init(b, b->max_bytes);
}

void nf_buf_clear(struct nf_buf *b)
{
	b->len_bytes = 0;
	b->failed = NF_OK;
	if (b->cap_bytes)
		b->data[0] = '\0';
}

int nf_buf_add(struct nf_buf *b, const void *data, size_t len_bytes)
{
	int r = grow(b, len_bytes);

	if (r < 0)
		return r;
	if (len_bytes)
		memcpy(b->data + b->len_bytes, data, len_bytes);
	b->len_bytes += len_bytes;
	b->data[b->len_bytes] = '\0';
	return 0;
}

int nf_buf_adds(struct nf_buf *b, const char *s)
{
	return nf_buf_add(b, s, strlen(s));
}

int nf_buf_addc(struct nf_buf *b, char c)
{
	return nf_buf_add(b, &c, 1);
}

int nf_buf_addf(struct nf_buf *b, const char *fmt, ...)
{
	va_list ap;
	int n, r;

	if (b->failed != NF_OK)
		return -(int)b->failed;
	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return remember(b, NF_ENOMEM);
	r = grow(b, (size_t)n);
	if (r < 0)
		return r;
	va_start(ap, fmt);
	vsnprintf(b->data + b->len_bytes, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len_bytes += (size_t)n;
	return 0;
}

/* Makes the decimal sign a dot: the program may have set a locale with another one. */
static void use_dot(char *text)
{
	char *p = strpbrk(text, ".,");

	if (p)
		*p = '.';
}

int nf_buf_add_double(struct nf_buf *b, double v)
{
	char text[48];
	int digits, exponent;
	/* Below DBL_MIN there are fewer bits. */
	const int first = fabs(v) < DBL_MIN ? 1 : DBL_DIG;

	if (b->failed != NF_OK)
		return -(int)b->failed;
	if (!isfinite(v))
		return remember(b, NF_EDATA);
	if (fabs(v) < 1e15 && v == trunc(v) && v != 0) {
		snprintf(text, sizeof(text), "%" PRId64 ".0", (int64_t)v);
		return nf_buf_adds(b, text);
	}
	/* 17 significant digits identify every double. Where DBL_DIG of them do, a shorter text that does is the
	 * same one without its last zeros. */
	for (digits = first; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*e", digits - 1, v);
		if (strtod(text, NULL) == v)
			break;
	}
	if (digits == first) {
		while (digits > 1 && strchr(text, 'e')[-(first - digits) - 1] == '0')
			digits--;
		snprintf(text, sizeof(text), "%.*e", digits - 1, v);
	}
	exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
	if (exponent >= -4 && exponent < 16)
		snprintf(text, sizeof(text), "%.*f",
		         digits - 1 > exponent ? digits - 1 - exponent : 1, v);
	use_dot(text);
	return nf_buf_adds(b, text);
}

int nf_buf_failed(const struct nf_buf *b, const char *what, struct nf_err *err)
{
	if (b->failed == NF_OK)
		return 0;
	if (b->failed == NF_ENOMEM)
		return nf_fail_nomem(err, what, b->len_bytes);
	return nf_fail(err, b->failed, "%s does not fit into %zu bytes", what, b->max_bytes);
}

char *nf_buf_steal(struct nf_buf *b)
{
	char *s;

	if (grow(b, 0) < 0)
		return NULL;
	s = b->data;
	nf_buf_init(b, b->max_bytes);
	return s;
}
