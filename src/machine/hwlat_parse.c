/* SPDX-License-Identifier: MIT */
#include "machine/hwlat_parse.h"

#include <stdio.h>
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

bool nf_hwlat_find_tracefs(const char *mounts, char *ret, size_t len_bytes)
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

bool nf_hwlat_has_word(const char *list, const char *word)
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

/* -NF_ENODATA: no such field in this kernel's layout. */
static int read_field(struct tep_event *ev, const struct tep_record *rec, const char *name,
                      int64_t *ret, struct nf_err *err)
{
	struct tep_format_field *f = tep_find_any_field(ev, name);
	unsigned long long v;

	if (!f)
		return nf_fail(err, NF_ENODATA, "the kernel's hwlat event has no field %s", name);
	/* The library reads where the layout points without looking at the record's size. */
	if (f->offset < 0 || f->size <= 0 || f->size > rec->size ||
	    f->offset > rec->size - f->size || tep_read_number_field(f, rec->data, &v) != 0 ||
	    v > INT64_MAX)
		return nf_fail(err, NF_EDATA, "hwlat event: field %s is not in its %d bytes", name,
		               rec->size);
	*ret = (int64_t)v;
	return 0;
}

int nf_hwlat_decode(struct tep_event *ev, const struct tep_record *rec, int cpu, int64_t t0_ns,
                    struct nf_hwlat_gap *ret, struct nf_err *err)
{
	struct nf_hwlat_gap gap = { .cpu = cpu };
	struct nf_err no_count;
	int r;

	if ((r = read_field(ev, rec, "duration", &gap.inner_ns, err)) < 0 ||
	    (r = read_field(ev, rec, "outer_duration", &gap.outer_ns, err)) < 0)
		return r == -NF_ENODATA ? nf_fail(err, NF_EDATA, "hwlat event without durations")
		                        : r;
	r = read_field(ev, rec, "count", &gap.n_in_window, &no_count); /* since Linux 5.6 */
	if (r == -NF_ENODATA)
		gap.n_in_window = 1;
	else if (r < 0 || gap.n_in_window < 1)
		return nf_fail(err, NF_EDATA, "hwlat event: not a count of gaps");
	/* The kernel keeps microseconds. */
	if (__builtin_mul_overflow(gap.inner_ns, 1000, &gap.inner_ns) ||
	    __builtin_mul_overflow(gap.outer_ns, 1000, &gap.outer_ns) || rec->ts > INT64_MAX ||
	    __builtin_sub_overflow((int64_t)rec->ts, t0_ns, &gap.t_ns))
		return nf_fail(err, NF_EDATA, "hwlat event: times out of range");
	*ret = gap;
	return 0;
}
