/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noisefloor/prop.h"

enum { DEPTH = 256 }; /* deeper values compare as equal and print as "..." */

struct pt_value pt_value_bool(bool b)
{
	return (struct pt_value){ .kind = PT_BOOL, .b = b };
}

struct pt_value pt_value_int(int64_t i)
{
	return (struct pt_value){ .kind = PT_INT, .i = i };
}

struct pt_value pt_value_real(double r)
{
	return (struct pt_value){ .kind = PT_REAL, .r = r };
}

struct pt_value pt_value_text(const char *text)
{
	return (struct pt_value){ .kind = PT_TEXT, .n = strlen(text), .text = text };
}

struct pt_value pt_value_pointer(void *p)
{
	return (struct pt_value){ .kind = PT_POINTER, .pointer = p };
}

struct pt_value pt_value_list(enum pt_kind kind, struct pt_value *at, size_t n)
{
	return (struct pt_value){ .kind = kind, .n = n, .at = at };
}

static int order_real(double a, double b)
{
	if (a != a || b != b)
		return (a != a) - (b != b);
	return (a > b) - (a < b);
}

static int order_bytes(struct pt_value a, struct pt_value b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.text, b.text, n) : 0;

	return c ? (c > 0) - (c < 0) : (a.n > b.n) - (a.n < b.n);
}

static int order(struct pt_value a, struct pt_value b, int depth)
{
	if (a.kind != b.kind)
		return a.kind < b.kind ? -1 : 1;
	switch (a.kind) {
	case PT_BOOL:
		return a.b - b.b;
	case PT_INT:
		return (a.i > b.i) - (a.i < b.i);
	case PT_REAL:
		return order_real(a.r, b.r);
	case PT_TEXT:
		return order_bytes(a, b);
	case PT_LIST:
	case PT_TUPLE:
		for (size_t i = 0; depth > 0 && i < a.n && i < b.n; i++) {
			int c = order(a.at[i], b.at[i], depth - 1);

			if (c)
				return c;
		}
		return (a.n > b.n) - (a.n < b.n);
	case PT_POINTER:
		return ((uintptr_t)a.pointer > (uintptr_t)b.pointer) -
		       ((uintptr_t)a.pointer < (uintptr_t)b.pointer);
	case PT_NOTHING:
	default:
		return 0;
	}
}

int pt_compare(struct pt_value a, struct pt_value b)
{
	return order(a, b, DEPTH);
}

bool pt_equal(struct pt_value a, struct pt_value b)
{
	return order(a, b, DEPTH) == 0;
}

static bool near_real(double a, double b, double absolute, double relative)
{
	double d = a > b ? a - b : b - a, ma = a < 0 ? -a : a, mb = b < 0 ? -b : b;
	double m = relative * (ma > mb ? ma : mb);

	if (order_real(a, b) == 0)
		return true;
	return d - d == 0.0 && d <= (m > absolute ? m : absolute);
}

static bool near_value(struct pt_value a, struct pt_value b, double absolute, double relative,
                       int depth)
{
	if (a.kind != b.kind)
		return false;
	if (a.kind == PT_REAL)
		return near_real(a.r, b.r, absolute, relative);
	if (a.kind != PT_LIST && a.kind != PT_TUPLE)
		return pt_equal(a, b);
	if (a.n != b.n)
		return false;
	for (size_t i = 0; depth > 0 && i < a.n; i++)
		if (!near_value(a.at[i], b.at[i], absolute, relative, depth - 1))
			return false;
	return true;
}

bool pt_near(struct pt_value a, struct pt_value b, double absolute, double relative)
{
	return near_value(a, b, absolute, relative, DEPTH);
}

/* ---- printing ---- */
struct sink {
	char *buf;
	size_t size, n;
};

static void put(struct sink *s, const char *text)
{
	for (; *text; text++, s->n++)
		if (s->n + 1 < s->size)
			s->buf[s->n] = *text;
}

static void put_text(struct sink *s, const char *text, size_t n)
{
	char one[8];

	put(s, "\"");
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '"' || c == '\\')
			snprintf(one, sizeof(one), "\\%c", c);
		else if (c == '\n')
			snprintf(one, sizeof(one), "\\n");
		else if (c < 0x20 || c == 0x7f || c >= 0x80)
			snprintf(one, sizeof(one), "\\x%02x", c);
		else
			snprintf(one, sizeof(one), "%c", c);
		put(s, one);
	}
	put(s, "\"");
}

static void put_real(struct sink *s, double r)
{
	char text[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, r);
		if (order_real(strtod(text, NULL), r) == 0)
			break;
	}
	put(s, text);
	if (!strpbrk(text, ".eni"))
		put(s, ".0");
}

static void put_value(struct sink *s, struct pt_value v, int depth)
{
	char text[32];

	switch (v.kind) {
	case PT_BOOL:
		put(s, v.b ? "true" : "false");
		break;
	case PT_INT:
		snprintf(text, sizeof(text), "%lld", (long long)v.i);
		put(s, text);
		break;
	case PT_REAL:
		put_real(s, v.r);
		break;
	case PT_TEXT:
		put_text(s, v.text, v.n);
		break;
	case PT_LIST:
	case PT_TUPLE:
		put(s, v.kind == PT_LIST ? "[" : "(");
		for (size_t i = 0; i < v.n; i++) {
			put(s, i ? ", " : "");
			if (depth > 0)
				put_value(s, v.at[i], depth - 1);
			else
				put(s, "...");
		}
		put(s, v.kind == PT_LIST ? "]" : ")");
		break;
	case PT_POINTER:
		put(s, v.pointer ? "<object>" : "<null>");
		break;
	case PT_NOTHING:
	default:
		put(s, "nothing");
		break;
	}
}

size_t pt_format(char *buf, size_t size, struct pt_value v)
{
	struct sink s = { buf, size, 0 };

	put_value(&s, v, DEPTH);
	if (size > 0)
		buf[s.n < size ? s.n : size - 1] = '\0';
	return s.n;
}
