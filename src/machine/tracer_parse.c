/* SPDX-License-Identifier: MIT */
#include "machine/tracer_parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t word_len(const char *p)
{
	return strcspn(p, " \t\n");
}

static bool is_octal(const char *p)
{
	return p[0] >= '0' && p[0] <= '3' && p[1] >= '0' && p[1] <= '7' && p[2] >= '0' &&
	       p[2] <= '7';
}

/* "\040" and its like, as the kernel writes white space in /proc/mounts. The first pass only looks
 * whether the result is a path and fits, so that ret is untouched when it does not. */
static bool unescape(const char *p, size_t n, char *ret, size_t len_bytes)
{
	if (n == 0 || p[0] != '/')
		return false;
	for (int pass = 0; pass < 2; pass++) {
		size_t out = 0;

		for (size_t i = 0; i < n; i++) {
			char c = p[i];

			if (c == '\\' && n - i > 3 && is_octal(p + i + 1)) {
				c = (char)((p[i + 1] - '0') * 64 + (p[i + 2] - '0') * 8 +
				           (p[i + 3] - '0'));
				i += 3;
			}
			if (c == '\0' || out + 1 >= len_bytes)
				return false;
			if (pass == 1)
				ret[out] = c;
			out++;
		}
		if (pass == 1)
			ret[out] = '\0';
	}
	return true;
}

bool nf_tracer_find_tracefs(const char *mounts, char *ret, size_t len_bytes)
{
	static const char type[] = "tracefs";

	for (const char *line = mounts; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *at = line + word_len(line), *fs;
		size_t n;

		if (*at != ' ')
			continue;
		n = word_len(++at);
		fs = at + n;
		if (*fs != ' ')
			continue;
		fs++;
		if (word_len(fs) == sizeof(type) - 1 && strncmp(fs, type, sizeof(type) - 1) == 0)
			return unescape(at, n, ret, len_bytes);
	}
	return false;
}

bool nf_tracer_has_word(const char *list, const char *word)
{
	size_t want = strlen(word);

	for (const char *p = list; *p;) {
		size_t n = word_len(p);

		if (n == want && n > 0 && strncmp(p, word, n) == 0)
			return true;
		p += n;
		p += strspn(p, " \t\n");
	}
	return false;
}

int nf_tracer_field(struct tep_event *ev, const struct tep_record *rec, const char *name,
                    int64_t *ret, struct nf_err *err)
{
	struct tep_format_field *f = tep_find_any_field(ev, name);
	unsigned long long v;

	if (!f)
		return nf_fail(err, NF_ENODATA, "the kernel's %s event has no field %s", ev->name,
		               name);
	/* The library reads where the layout points without looking at the record's size. */
	if (f->offset < 0 || f->size <= 0 || f->size > rec->size ||
	    f->offset > rec->size - f->size || tep_read_number_field(f, rec->data, &v) != 0 ||
	    v > INT64_MAX)
		return nf_fail(err, NF_EDATA, "%s event: field %s is not in its %d bytes", ev->name,
		               name, rec->size);
	*ret = (int64_t)v;
	return 0;
}

void nf_tracer_text(struct tep_event *ev, const struct tep_record *rec, const char *name, char *ret,
                    size_t len_bytes)
{
	struct tep_format_field *f = tep_find_any_field(ev, name);
	const char *data = rec->data;
	int64_t at, size;

	ret[0] = '\0';
	if (!f)
		return;
	at = f->offset;
	size = f->size;
	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		uint32_t where; /* length in the upper half, offset in the lower */

		if (at < 0 || at > rec->size - (int64_t)sizeof(where))
			return;
		memcpy(&where, data + at, sizeof(where));
		at = where & 0xffff;
		size = where >> 16;
	}
	if (at < 0 || size < 0 || at > rec->size || size > rec->size - at)
		return;
	size_t n = strnlen(data + at, (size_t)size);
	n = n < len_bytes ? n : len_bytes - 1;
	for (size_t i = 0; i < n; i++)
		ret[i] = data[at + (int64_t)i];
	for (size_t i = 0; i < n; i++)
		if (ret[i] < ' ' || ret[i] > '~')
			ret[i] = '?';
	ret[n] = '\0';
}

int nf_tracer_time(const struct tep_record *rec, int64_t t0_ns, int64_t *ret, struct nf_err *err)
{
	if (rec->ts > INT64_MAX || __builtin_sub_overflow((int64_t)rec->ts, t0_ns, ret))
		return nf_fail(err, NF_EDATA, "an event's time is out of range");
	return 0;
}

enum { MASK_WORD_BITS = 32, MASK_WORD_DIGITS = 8 };

void nf_tracer_print_mask(const struct nf_cpuset *s, struct nf_buf *out)
{
	int last = -1;

	for (int cpu = -1; (cpu = nf_cpuset_next(s, cpu)) >= 0;)
		last = cpu;
	for (int word = last < 0 ? 0 : last / MASK_WORD_BITS; word >= 0; word--) {
		uint32_t bits = 0;

		for (int i = 0; i < MASK_WORD_BITS; i++)
			if (nf_cpuset_has(s, word * MASK_WORD_BITS + i))
				bits |= UINT32_C(1) << i;
		(void)nf_buf_addf(out, "%08" PRIx32 "%s", bits, word > 0 ? "," : "");
	}
}

static int add_mask_word(const char *digits, size_t n, size_t word, struct nf_cpuset *set,
                         struct nf_err *err)
{
	char text[MASK_WORD_DIGITS + 1] = "";
	unsigned long bits;

	memcpy(text, digits, n);
	bits = strtoul(text, NULL, 16);
	for (size_t i = 0; i < MASK_WORD_BITS; i++) {
		int r = bits >> i & 1 ? nf_cpuset_add(set, (int)(word * MASK_WORD_BITS + i), err)
		                      : 0;
		if (r < 0)
			return r;
	}
	return 0;
}

int nf_tracer_parse_mask(const char *text, struct nf_cpuset *ret, struct nf_err *err)
{
	static const char hex[] = "0123456789abcdefABCDEF";
	size_t len = strcspn(text, "\n"), n_words = 1;
	struct nf_cpuset set;
	int r = 0;

	for (size_t i = 0; i < len; i++)
		n_words += text[i] == ',';
	if (n_words > NF_CPU_MAX / MASK_WORD_BITS)
		return nf_fail(err, NF_EDATA, "a mask of %zu words of 32 CPUs", n_words);
	nf_cpuset_init(&set);
	for (const char *at = text; r == 0 && n_words > 0; at++) {
		size_t n = strspn(at, hex);

		n_words--;
		if (n == 0 || n > MASK_WORD_DIGITS || at + n > text + len ||
		    at[n] != (n_words > 0 ? ',' : text[len]))
			r = nf_fail(err, NF_EDATA, "'%.60s' is not a mask of CPUs", text);
		else
			r = add_mask_word(at, n, n_words, &set, err);
		at += n;
	}
	if (r < 0) {
		nf_cpuset_fini(&set);
		return r;
	}
	nf_cpuset_fini(ret);
	*ret = set;
	return 0;
}
