/* SPDX-License-Identifier: MIT */
/* Texts: lists of characters, in UTF-8. */
#include <string.h>

#include "prop/gen.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char digits[] = "0123456789";
static const char letters_digits[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
static const char printable[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

static size_t put(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 63));
		to[2] = (char)(0x80 | (c & 63));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 63));
	to[2] = (char)(0x80 | (c >> 6 & 63));
	to[3] = (char)(0x80 | (c & 63));
	return 4;
}

/* The next code point of a charset; 0 at its end or where it is not UTF-8. */
static uint32_t get(const char **s)
{
	const unsigned char *p = (const unsigned char *)*s;
	unsigned more = *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : *p >= 0xc0 ? 1 : 0;
	uint32_t c = more == 0 ? *p : *p & (63U >> more);

	if (more == 0 && *p >= 0x80)
		return 0;
	for (unsigned i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 63);
	}
	*s += more + 1;
	return c;
}

static uint32_t character(const struct pt_gen *g, uint64_t i)
{
	uint32_t c;

	if (g->code)
		return g->code[i];
	c = (uint32_t)((uint64_t)g->lo + i);
	if (c >= 0xd800 && g->lo < 0xd800)
		c += 0x800;
	return c;
}

static struct pt_value draw_text(struct pt_case *t, const struct pt_gen *g)
{
	struct pt_loop l = { .min = g->min, .max = g->max };
	struct pt_choice like = { .max = g->n_kids - 1, .kind = PT_CHOICE_INT };
	char *at = NULL;
	size_t n = 0, cap = 0;
	struct pt_value v = { .kind = PT_TEXT };

	while (pt_more(t, &l)) {
		uint64_t i = pt_take(t, &like, pt_is_random(t) ? pt_wish_int(t, &like) : 0);

		if (n + 5 > cap) {
			cap = cap ? cap * 2 : 32;
			char *more = pt_alloc(t, cap);

			if (n > 0)
				memcpy(more, at, n);
			at = more;
		}
		if (g->lo >= 0)
			n += put(at + n, character(g, i));
		else
			at[n++] = (char)i;
	}
	v.n = n;
	v.text = at ? at : "";
	return v;
}

/* n_kids: how many characters. */
static struct pt_gen *text_new(struct pt_mem *m, const char *kind, size_t min, size_t max,
                               uint64_t n_characters)
{
	struct pt_gen *g =
	        min <= max && n_characters > 0 ? pt_gen_new(m, kind, draw_text, NULL, 0) : NULL;

	if (g) {
		g->min = min;
		g->max = max;
		g->n_kids = n_characters;
	}
	return g;
}

const struct pt_gen *pt_text(struct pt_mem *m, size_t min, size_t max, const char *charset)
{
	const char *s = charset ? charset : printable;
	size_t room = strlen(s), n = 0;
	uint32_t *code = room > 0 ? pt_mem_alloc(m, room * sizeof(*code)) : NULL;
	struct pt_gen *g;

	if (!code)
		return NULL;
	while (*s) {
		uint32_t c = get(&s);

		if (c == 0)
			return NULL;
		code[n++] = c;
	}
	g = text_new(m, "text", min, max, n);
	if (g)
		g->code = code;
	return g;
}

const struct pt_gen *pt_alpha(struct pt_mem *m, size_t min, size_t max)
{
	return pt_text(m, min, max, letters);
}

const struct pt_gen *pt_alnum(struct pt_mem *m, size_t min, size_t max)
{
	return pt_text(m, min, max, letters_digits);
}

const struct pt_gen *pt_digits(struct pt_mem *m, size_t min, size_t max)
{
	return pt_text(m, min, max, digits);
}

const struct pt_gen *pt_unicode(struct pt_mem *m, size_t min, size_t max, uint32_t lo, uint32_t hi)
{
	struct pt_gen *g;
	uint64_t n;

	if (hi > 0x10ffff || lo > hi)
		return NULL;
	if (lo >= 0xd800 && lo < 0xe000)
		lo = 0xe000;
	if (hi >= 0xd800 && hi < 0xe000)
		hi = 0xd7ff;
	if (lo > hi)
		return NULL;
	n = (uint64_t)hi - lo + 1 - (lo < 0xd800 && hi >= 0xe000 ? 0x800 : 0);
	g = text_new(m, "unicode", min, max, n);
	if (g)
		g->lo = lo;
	return g;
}

const struct pt_gen *pt_bytes(struct pt_mem *m, size_t min, size_t max)
{
	struct pt_gen *g = text_new(m, "bytes", min, max, 256);

	if (g)
		g->lo = -1;
	return g;
}
