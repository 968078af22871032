/* SPDX-License-Identifier: MIT */
#include "base/cpuset.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64 };

#define FORM "want a list such as 0-3,8"

void nf_cpuset_init(struct nf_cpuset *s)
{
	*s = (struct nf_cpuset){ 0 };
}

void nf_cpuset_fini(struct nf_cpuset *s)
{
	free(s->words);
	nf_cpuset_init(s);
}

/* To more words than there are. */
static int grow(struct nf_cpuset *s, size_t n_words, struct nf_err *err)
{
	uint64_t *w;

	w = realloc(s->words, n_words * sizeof(*w));
	if (!w)
		return nf_fail_nomem(err, "a CPU set", n_words * sizeof(*w));
	memset(w + s->n_words, 0, (n_words - s->n_words) * sizeof(*w));
	s->words = w;
	s->n_words = n_words;
	return 0;
}

int nf_cpuset_add(struct nf_cpuset *s, int cpu, struct nf_err *err)
{
	size_t i = (size_t)cpu / WORD_BITS;
	int r = 0;

	if (cpu < 0 || cpu >= NF_CPU_MAX)
		return nf_fail(err, NF_EARG, "%d is not a CPU number (0 to %d)", cpu,
		               NF_CPU_MAX - 1);
	if (i >= s->n_words)
		r = grow(s, i + 1, err);
	if (r == 0)
		s->words[i] |= (uint64_t)1 << (cpu % WORD_BITS);
	return r;
}

void nf_cpuset_remove(struct nf_cpuset *s, int cpu)
{
	if (nf_cpuset_has(s, cpu))
		s->words[cpu / WORD_BITS] &= ~((uint64_t)1 << (cpu % WORD_BITS));
}

bool nf_cpuset_has(const struct nf_cpuset *s, int cpu)
{
	if (cpu < 0 || (size_t)cpu / WORD_BITS >= s->n_words)
		return false;
	return s->words[cpu / WORD_BITS] >> (cpu % WORD_BITS) & 1;
}

size_t nf_cpuset_count(const struct nf_cpuset *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_words; i++)
		n += (size_t)__builtin_popcountll(s->words[i]);
	return n;
}

static uint64_t word(const struct nf_cpuset *s, size_t i)
{
	return i < s->n_words ? s->words[i] : 0;
}

bool nf_cpuset_equal(const struct nf_cpuset *a, const struct nf_cpuset *b)
{
	for (size_t i = 0; i < a->n_words || i < b->n_words; i++)
		if (word(a, i) != word(b, i))
			return false;
	return true;
}

int nf_cpuset_next(const struct nf_cpuset *s, int after)
{
	size_t from = after < 0 ? 0 : (size_t)after + 1;

	for (size_t i = from / WORD_BITS; i < s->n_words; i++) {
		uint64_t w = s->words[i];

		if (i == from / WORD_BITS)
			w &= ~(uint64_t)0 << (from % WORD_BITS);
		if (w)
			return (int)(i * WORD_BITS) + __builtin_ctzll(w);
	}
	return -1;
}

int nf_cpuset_copy(struct nf_cpuset *dst, const struct nf_cpuset *src, struct nf_err *err)
{
	int r = 0;

	if (dst == src)
		return 0;
	if (src->n_words > dst->n_words)
		r = grow(dst, src->n_words, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < dst->n_words; i++)
		dst->words[i] = word(src, i);
	return 0;
}

void nf_cpuset_and(struct nf_cpuset *dst, const struct nf_cpuset *src)
{
	for (size_t i = 0; i < dst->n_words; i++)
		dst->words[i] &= word(src, i);
}

void nf_cpuset_andnot(struct nf_cpuset *dst, const struct nf_cpuset *src)
{
	for (size_t i = 0; i < dst->n_words; i++)
		dst->words[i] &= ~word(src, i);
}

/* Reads a number at **p, up to end, and moves *p behind it. -1: no digit; NF_CPU_MAX: too large. */
static int number(const char **p, const char *end)
{
	int v = 0;

	if (*p == end || **p < '0' || **p > '9')
		return -1;
	for (; *p < end && **p >= '0' && **p <= '9'; ++*p)
		if (v < NF_CPU_MAX)
			v = v * 10 + (**p - '0');
	return v < NF_CPU_MAX ? v : NF_CPU_MAX;
}

/* One comma-separated part: N, LOW-HIGH, or LOW-HIGH:USED/GROUP. */
static int parse_part(struct nf_cpuset *s, const char *p, const char *end, struct nf_err *err)
{
	const char *start = p;
	int len = end - p < 100 ? (int)(end - p) : 100; /* for messages */
	int low, high, used = 1, group = 1;
	int r;

	if (p == end)
		return nf_fail(err, NF_EARG, "a number is missing beside a comma (" FORM ")");
	low = high = number(&p, end);
	if (low < 0)
		goto malformed;
	if (p < end && *p == '-') {
		p++;
		if (p == end)
			return nf_fail(err, NF_EARG,
			               "'%.*s' has no upper end (want LOW-HIGH, e.g. 0-3,8)", len,
			               start);
		high = number(&p, end);
		if (high < 0)
			goto malformed;
		if (p < end && *p == ':') {
			p++;
			used = number(&p, end);
			if (used < 0 || p == end || *p != '/')
				goto malformed;
			p++;
			group = number(&p, end);
			if (group < 0)
				goto malformed;
		}
	}
	if (p != end)
		goto malformed;
	if (low >= NF_CPU_MAX || high >= NF_CPU_MAX)
		return nf_fail(err, NF_EARG, "'%.*s' is too large (numbers are 0 to %d)", len,
		               start, NF_CPU_MAX - 1);
	if (low > high)
		return nf_fail(err, NF_EARG, "'%.*s' is reversed (want LOW-HIGH, e.g. 0-3,8)", len,
		               start);
	if (group < 1 || used < 1 || used > group || group >= NF_CPU_MAX)
		return nf_fail(err, NF_EARG,
		               "'%.*s' has a bad stride (want LOW-HIGH:USED/GROUP, e.g. 0-31:2/4)",
		               len, start);
	for (int i = low; i <= high; i++) {
		if ((i - low) % group >= used)
			continue;
		r = nf_cpuset_add(s, i, err);
		if (r < 0)
			return r;
	}
	return 0;

malformed:
	return nf_fail(err, NF_EARG, "'%.*s' is not a number or a range (" FORM ")", len, start);
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

int nf_cpuset_parse(const char *text, bool may_be_empty, struct nf_cpuset *ret, struct nf_err *err)
{
	struct nf_cpuset s;
	const char *end = text + strlen(text), *p = text, *comma;
	int r = 0;

	nf_cpuset_init(&s);
	while (p < end && is_space(*p))
		p++;
	while (end > p && is_space(end[-1]))
		end--;
	if (p == end) {
		if (!may_be_empty)
			return nf_fail(err, NF_EARG, "the list is empty (" FORM ")");
	} else {
		do {
			comma = memchr(p, ',', (size_t)(end - p));
			r = parse_part(&s, p, comma ? comma : end, err);
			if (r < 0)
				goto out;
			p = comma ? comma + 1 : end;
		} while (comma);
	}
	free(ret->words);
	*ret = s;
	nf_cpuset_init(&s);

out:
	nf_cpuset_fini(&s);
	return r;
}

int nf_cpuset_print(const struct nf_cpuset *s, struct nf_buf *out)
{
	const char *comma = "";
	int r = 0;

	for (int low = nf_cpuset_next(s, -1); low >= 0 && r == 0;) {
		int high = low;

		while (nf_cpuset_has(s, high + 1))
			high++;
		if (low == high)
			r = nf_buf_addf(out, "%s%d", comma, low);
		else
			r = nf_buf_addf(out, "%s%d-%d", comma, low, high);
		comma = ",";
		low = nf_cpuset_next(s, high);
	}
	return r;
}

/* A list for a message: what fits, and "..." behind it when something did not. */
static const char *shown(const struct nf_cpuset *s, struct nf_buf *out, const char **ret_more)
{
	int r = nf_cpuset_print(s, out);

	*ret_more = r < 0 ? "..." : "";
	return r == 0 && out->len_bytes == 0 ? "none" : out->data;
}

int nf_cpuset_check_subset(const struct nf_cpuset *want, const struct nf_cpuset *allowed,
                           const char *what, struct nf_err *err)
{
	struct nf_cpuset missing;
	struct nf_buf bad_text, allowed_text;
	const char *bad, *bad_more, *ok, *ok_more;
	bool several;
	int r;

	nf_cpuset_init(&missing);
	nf_buf_init(&bad_text, 160);
	nf_buf_init(&allowed_text, 160);
	r = nf_cpuset_copy(&missing, want, err);
	if (r < 0)
		goto out;
	nf_cpuset_andnot(&missing, allowed);
	if (nf_cpuset_count(&missing) == 0)
		goto out;
	several = nf_cpuset_count(&missing) > 1;
	bad = shown(&missing, &bad_text, &bad_more);
	ok = shown(allowed, &allowed_text, &ok_more);
	r = nf_fail(err, NF_EARG, "%s%s %s%s %s not allowed here (allowed: %s%s)", what,
	            several ? "s" : "", bad, bad_more, several ? "are" : "is", ok, ok_more);

out:
	nf_buf_fini(&allowed_text);
	nf_buf_fini(&bad_text);
	nf_cpuset_fini(&missing);
	return r;
}
