/* SPDX-License-Identifier: MIT */
#include "record_samples.h"

#include <float.h>
#include <string.h>

#include "base/rng.h"
#include "record/walk.h"

/* clang-format off */
const char *const record_hostile_texts[] = {
	"plain", "", " ", "${env:HOME as Text}", "''${x}''", "$", "$$", "\\", "\"", "\\\"", "\\u0041", "\\(x)",
	"a\nb", "a\rb", "a\r\nb\n", "\t", "\x1b[31mred\x1b[0m", "\x01\x02\x1f\x7f", "-- no comment", "{- no comment -}",
	"=1+1", "a,b", "a\"b,c\"", "`tick`", "</script>", "%s%n", "/* */",
	"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", /* 2, 3 and 4 byte characters */
	"\xef\xbb\xbf" "bom", "e\xcc\x81", "\xe2\x80\xa8line\xe2\x80\xa9", "\xe2\x80\xae" "rtl",
	"\xff", "a\xc3", "\xc0\xaf", "\xed\xa0\x80" /* surrogate */, "\xf4\x90\x80\x80", "\xe2\x82", "\x80\x80",
	"\xef\xb7\x90" /* U+FDD0 */, "\xef\xbf\xbe" /* U+FFFE */, "\xf4\x8f\xbf\xbf" /* U+10FFFF */,
	"\xef\xbf\xbd", NULL,
};
/* clang-format on */

static const double reals[] = {
	0.0,       -0.0,
	1.0,       -1.5,
	0.1,       1.0 / 3.0,
	1e300,     -1e300,
	5e-324,    DBL_MIN,
	DBL_MAX,   DBL_EPSILON,
	1e15,      1e16,
	1e17,      1e21,
	1e22,      123456789012345680.0,
	4000000.0, 9007199254740993.0,
};
static const uint64_t nats[] = { 0, 1, 42, 4294967296, (uint64_t)NF_RECORD_INT_MAX };
static const int64_t ints[] = { 0, 1, -1, NF_RECORD_INT_MAX, -NF_RECORD_INT_MAX };

struct maker {
	struct nf_arena *a;
	struct nf_rng rng;
	uint64_t variant;
	size_t turn; /* of NF_SAMPLE_FULL: every value takes the next of its pool */
	bool failed;
};

#define COUNT(x) (sizeof(x) / sizeof((x)[0]))

static size_t pick(struct maker *m, size_t n)
{
	if (m->variant == NF_SAMPLE_EMPTY)
		return 0;
	if (m->variant == NF_SAMPLE_FULL)
		return m->turn++ % n;
	return (size_t)nf_rng_below(&m->rng, n);
}

static bool present(struct maker *m)
{
	return m->variant == NF_SAMPLE_FULL ||
	       (m->variant != NF_SAMPLE_EMPTY && nf_rng_below(&m->rng, 3) > 0);
}

/* Up to 40 random bytes other than NUL, often near ASCII so that escapes and UTF-8 mix. */
static const char *random_text(struct maker *m)
{
	char raw[40];
	size_t n = (size_t)nf_rng_below(&m->rng, sizeof(raw));

	for (size_t i = 0; i < n; i++) {
		uint64_t r = nf_rng_next(&m->rng);
		raw[i] = (char)(r % 3 ? 1 + (r >> 8) % 127 : 1 + (r >> 8) % 255);
	}
	return nf_arena_strndup(m->a, raw, n);
}

static double random_real(struct maker *m)
{
	double v;

	do {
		uint64_t bits = nf_rng_next(&m->rng);
		memcpy(&v, &bits, sizeof(v));
	} while (!__builtin_isfinite(v));
	return v;
}

static void make(struct maker *m, const struct nf_type *t, void *at);

static void make_list(struct maker *m, const struct nf_type *t, struct nf_list *at)
{
	size_t n = m->variant == NF_SAMPLE_EMPTY  ? 0
	           : m->variant == NF_SAMPLE_FULL ? 2
	                                          : (size_t)nf_rng_below(&m->rng, 3);
	if (n == 0)
		return;
	char *items = nf_arena_alloc(m->a, n, t->elem->size);
	if (!items) {
		m->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		make(m, t->elem, items + i * t->elem->size);
	*at = (struct nf_list){ items, n };
}

static const char *make_text(struct maker *m)
{
	const char *s;

	if (m->variant == NF_SAMPLE_EMPTY)
		return "";
	if (m->variant > NF_SAMPLE_FULL && nf_rng_below(&m->rng, 2))
		s = random_text(m);
	else
		s = record_hostile_texts[pick(m, COUNT(record_hostile_texts) - 1)];
	m->failed = m->failed || !s;
	return s;
}

/* Makes a present value at `at`. */
static void make(struct maker *m, const struct nf_type *t, void *at)
{
	size_t n = 0;

	switch (t->kind) {
	case NF_T_BOOL:
		*(bool *)at = pick(m, 2) == 1;
		break;
	case NF_T_NAT:
		*(uint64_t *)at = nats[pick(m, COUNT(nats))];
		break;
	case NF_T_INT:
		*(int64_t *)at = ints[pick(m, COUNT(ints))];
		break;
	case NF_T_REAL:
		*(double *)at = m->variant > NF_SAMPLE_FULL && nf_rng_below(&m->rng, 2)
		                        ? random_real(m)
		                        : reals[pick(m, COUNT(reals))];
		break;
	case NF_T_TEXT:
		*(const char **)at = make_text(m);
		break;
	case NF_T_ENUM:
		while (t->names[n])
			n++;
		*(int *)at = (int)pick(m, n);
		break;
	case NF_T_RECORD:
		for (const struct nf_field *f = t->fields; f->key; f++) {
			char *p = (char *)at + f->off;

			if (nf_field_is_schema(f)) {
				*(const char **)(void *)p = f->doc;
				continue;
			}
			if (f->optional && !present(m))
				continue;
			if (f->optional && f->type->kind == NF_T_RECORD) {
				void *inner = nf_arena_alloc(m->a, 1, f->type->size);
				m->failed = m->failed || !inner;
				if (!inner)
					return;
				make(m, f->type, inner);
				*(const void **)(void *)p = inner;
				continue;
			}
			if (f->optional && f->type->kind != NF_T_TEXT) {
				/* nf_some_*: the flag comes first; then its value can be found. */
				*(bool *)p = true;
				const char *v = nf_field_value(f, at);
				p += v - p;
			}
			make(m, f->type, p);
		}
		break;
	case NF_T_LIST:
		make_list(m, t, at);
		break;
	}
}

void *record_sample(const struct nf_type *t, struct nf_arena *a, uint64_t variant)
{
	struct maker m = { .a = a, .variant = variant };
	void *value = nf_arena_alloc(a, 1, t->size);

	if (!value)
		return NULL;
	nf_rng_seed(&m.rng, variant);
	make(&m, t, value);
	return m.failed ? NULL : value;
}
