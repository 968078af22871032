/* SPDX-License-Identifier: MIT */
#include "record/capture_take.h"

#include <string.h>

#include "record/capture_facts.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct nf_slice slice_of(const char *text)
{
	return (struct nf_slice){ text, strlen(text) };
}

static struct nf_slice after(struct nf_slice s, const char *p)
{
	return (struct nf_slice){ p, (size_t)(s.p + s.n - p) };
}

static enum nf_taken taken(struct nf_slice v, struct nf_slice *ret)
{
	v = nf_slice_trim(v);
	if (v.n == 0)
		return NF_TAKEN_NOTHING;
	*ret = v;
	return NF_TAKEN;
}

/* Words that scripts print where they know nothing. */
static bool is_unknown(struct nf_slice v)
{
	static const char *const words[] = { "unknown", "absent", "unavailable", "(none)",
		                             "none",    "n/a",    "not set" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (nf_slice_is(v, words[i]))
			return true;
	return v.n == 0;
}

enum nf_taken nf_take_value(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                            struct nf_slice *ret)
{
	(void)arg;
	(void)a;
	return is_unknown(l->value) ? NF_TAKEN_NOTHING : taken(l->value, ret);
}

static size_t number_length(struct nf_slice s)
{
	size_t n = 0;

	if (s.n > 0 && (s.p[0] == '-' || s.p[0] == '+'))
		n = 1;
	while (n < s.n && (is_digit(s.p[n]) || s.p[n] == '.'))
		n++;
	if (n + 1 < s.n && (s.p[n] == 'e' || s.p[n] == 'E') &&
	    (is_digit(s.p[n + 1]) ||
	     (n + 2 < s.n && strchr("+-", s.p[n + 1]) && is_digit(s.p[n + 2])))) {
		n += 2;
		while (n < s.n && is_digit(s.p[n]))
			n++;
	}
	return n;
}

/* Whether what stands behind a number and its unit is a remark, or the unit after a blank. */
static bool may_follow(struct nf_slice rest, const char *unit)
{
	struct nf_slice word;

	rest = nf_slice_trim(rest);
	word = nf_slice_word(rest);
	if (*unit && nf_slice_is(word, unit))
		rest = nf_slice_trim(after(rest, word.p + word.n));
	return rest.n == 0 || strchr("(,;", rest.p[0]) ||
	       (rest.n > 1 && rest.p[0] == '-' && rest.p[1] == '-');
}

enum nf_taken nf_take_number(const struct nf_capture_line *l, const char *unit, struct nf_arena *a,
                             struct nf_slice *ret)
{
	struct nf_slice word = nf_slice_word(l->value), tail;
	size_t n = number_length(word);
	bool remark = false;

	(void)a;
	if (is_unknown(l->value))
		return NF_TAKEN_NOTHING;
	tail = (struct nf_slice){ word.p + n, word.n - n };
	if (tail.n > 0 && strchr(",;", tail.p[tail.n - 1])) {
		tail.n--;
		remark = true;
	}
	if (n > 0 && unit && !remark && !may_follow(after(l->value, word.p + word.n), unit))
		return NF_TAKEN_ODD;
	if (n == 0 ||
	    (tail.n > 0 && !(unit && tail.n == strlen(unit) && memcmp(tail.p, unit, tail.n) == 0)))
		return NF_TAKEN_ODD;
	*ret = (struct nf_slice){ word.p, n };
	return NF_TAKEN;
}

/* Where arg stands as the beginning of a word: "matched=" is no part of "mismatched=". */
static const char *find_word(struct nf_slice s, const char *arg)
{
	for (const char *p = nf_slice_find(s, arg); p; p = nf_slice_find(after(s, p + 1), arg))
		if (p == s.p || strchr(" \t([,;", p[-1]))
			return p;
	return NULL;
}

enum nf_taken nf_take_part(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                           struct nf_slice *ret)
{
	const char *p = find_word(l->text, arg);
	struct nf_slice v;

	(void)a;
	if (!p)
		return NF_TAKEN_NOTHING;
	v = after(l->text, p + strlen(arg));
	for (size_t i = 0; i < v.n; i++)
		if (strchr(" \t()", v.p[i]) ||
		    (v.n - i >= 3 && memcmp(v.p + i, "\xef\xbf\xbd", 3) == 0))
			v.n = i;
	while (v.n > 0 && strchr(",;", v.p[v.n - 1]))
		v.n--;
	return taken(v, ret);
}

enum nf_taken nf_take_host(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                           struct nf_slice *ret)
{
	struct nf_slice v = nf_slice_word(l->value);
	const char *at = v.n ? memrchr(v.p, '@', v.n) : NULL;

	(void)arg;
	(void)a;
	if (is_unknown(v))
		return NF_TAKEN_NOTHING;
	return taken(at ? after(v, at + 1) : v, ret);
}

enum nf_taken nf_take_of(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                         struct nf_slice *ret)
{
	struct nf_slice v = l->value;
	const char *slash = nf_slice_find(v, "/");

	(void)a;
	if (!slash)
		return arg[0] == '1' ? taken(v, ret) : NF_TAKEN_NOTHING;
	return taken(arg[0] == '1' ? (struct nf_slice){ v.p, (size_t)(slash - v.p) }
	                           : after(v, slash + 1),
	             ret);
}

enum nf_taken nf_take_hz(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                         struct nf_slice *ret)
{
	const char *end = nf_slice_find(l->value, " Hz");
	const char *p = end;

	(void)arg;
	(void)a;
	while (p && p > l->value.p && (is_digit(p[-1]) || p[-1] == '.'))
		p--;
	return end ? taken((struct nf_slice){ p, (size_t)(end - p) }, ret) : NF_TAKEN_NOTHING;
}

/* Linux HOST RELEASE #VARIANT... MACHINE OS */
enum nf_taken nf_take_uname(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                            struct nf_slice *ret)
{
	struct nf_slice rest = nf_slice_trim(l->text), word[3];

	(void)a;
	for (size_t i = 0; i < 3; i++) {
		word[i] = nf_slice_word(rest);
		rest = nf_slice_trim((struct nf_slice){ rest.p + word[i].n, rest.n - word[i].n });
	}
	if (!nf_slice_is(word[0], "Linux") || word[2].n == 0)
		return NF_TAKEN_ODD;
	if (arg[0] == 'h')
		return taken(word[1], ret);
	if (arg[0] == 'r')
		return taken(word[2], ret);
	for (size_t cut = 0; cut < 2; cut++) { /* the machine and the system stand behind it */
		const char *blank = rest.n ? memrchr(rest.p, ' ', rest.n) : NULL;

		if (!blank)
			return NF_TAKEN_NOTHING;
		rest = nf_slice_trim((struct nf_slice){ rest.p, (size_t)(blank - rest.p) });
	}
	return rest.n > 0 && rest.p[0] == '#' ? taken(rest, ret) : NF_TAKEN_NOTHING;
}

enum nf_taken nf_take_rt_variant(const struct nf_capture_line *l, const char *arg,
                                 struct nf_arena *a, struct nf_slice *ret)
{
	struct nf_slice v = nf_slice_trim(l->text);

	(void)arg;
	(void)a;
	if (v.n == 0 || v.p[0] != '#')
		return NF_TAKEN_NOTHING;
	*ret = slice_of(nf_slice_find(v, "PREEMPT_RT") ? "1" : "0");
	return NF_TAKEN;
}

enum nf_taken nf_take_rt_value(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                               struct nf_slice *ret)
{
	(void)arg;
	(void)a;
	if (is_unknown(l->value))
		return NF_TAKEN_NOTHING;
	if (!nf_slice_is(l->value, "1") && !nf_slice_is(l->value, "0"))
		return NF_TAKEN_ODD;
	return taken(l->value, ret);
}

enum nf_taken nf_take_rt_word(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                              struct nf_slice *ret)
{
	struct nf_slice v = l->value;

	(void)arg;
	(void)a;
	if (nf_slice_is(nf_slice_word(v), "enabled"))
		*ret = slice_of("1");
	else if (v.n >= 11 && nf_slice_is((struct nf_slice){ v.p, 11 }, "not enabled"))
		*ret = slice_of("0");
	else
		return is_unknown(v) ? NF_TAKEN_NOTHING : NF_TAKEN_ODD;
	return NF_TAKEN;
}

enum nf_taken nf_take_bool(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                           struct nf_slice *ret)
{
	static const char *const yes[] = { "true", "yes", "1", "pass", "passed" };
	static const char *const no[] = { "false", "no", "0", "fail", "failed" };
	struct nf_slice word = nf_slice_word(l->value);

	(void)arg;
	(void)a;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (!nf_slice_is(word, yes[i]) && !nf_slice_is(word, no[i]))
			continue;
		*ret = slice_of(nf_slice_is(word, yes[i]) ? "1" : "0");
		return NF_TAKEN;
	}
	return is_unknown(l->value) ? NF_TAKEN_NOTHING : NF_TAKEN_ODD;
}

/* Digits at *p, which moves behind them; false: none, or more than six. */
static bool digits(const char **p, const char *end, unsigned *ret)
{
	const char *start = *p;

	*ret = 0;
	while (*p < end && is_digit(**p) && *p - start < 7)
		*ret = *ret * 10 + (unsigned)(*(*p)++ - '0');
	return *p > start && *p - start < 7;
}

/* " 01:16:19 up  6:29,  2 users, ...", "up 2 min,", "up 3 days, 1:02,", "up 1 day, 5 min," */
enum nf_taken nf_take_uptime(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                             struct nf_slice *ret)
{
	const char *p = find_word(l->text, "up "), *end = l->text.p + l->text.n;
	unsigned long long seconds = 0;
	unsigned n, m;
	bool any = false;
	char *text;

	(void)arg;
	if (!p)
		return NF_TAKEN_ODD;
	for (p += 3; p < end;) {
		struct nf_slice word;

		while (p < end && strchr(" ,\t", *p))
			p++;
		if (!digits(&p, end, &n))
			break;
		if (p < end && *p == ':') {
			p++;
			if (!digits(&p, end, &m))
				return NF_TAKEN_ODD;
			seconds += n * 3600ULL + m * 60ULL;
			any = true;
			break;
		}
		word = nf_slice_word(nf_slice_trim(after(l->text, p)));
		p = word.p + word.n;
		if (word.n >= 3 && memcmp(word.p, "day", 3) == 0)
			seconds += n * 86400ULL;
		else if (word.n >= 3 && memcmp(word.p, "min", 3) == 0)
			seconds += n * 60ULL;
		else if (word.n >= 3 && memcmp(word.p, "sec", 3) == 0)
			seconds += n;
		else
			break; /* "2 users" */
		any = true;
	}
	if (!any)
		return NF_TAKEN_ODD;
	text = nf_arena_printf(a, "%llu", seconds);
	if (!text)
		return NF_TAKEN_NOTHING;
	*ret = slice_of(text);
	return NF_TAKEN;
}

enum nf_taken nf_take_load(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                           struct nf_slice *ret)
{
	static const char words[] = "load average: ";
	const char *p = nf_slice_find(l->text, words);

	(void)arg;
	(void)a;
	if (!p)
		return NF_TAKEN_NOTHING;
	p += sizeof(words) - 1;
	return taken((struct nf_slice){ p, number_length(after(l->text, p)) }, ret);
}

/* The number of n digits at p. */
static unsigned fixed(const char *p, size_t n)
{
	unsigned v = 0;

	for (size_t i = 0; i < n; i++)
		v = v * 10 + (unsigned)(p[i] - '0');
	return v;
}

bool nf_capture_utc(const char *text, double *ret_s)
{
	static const unsigned days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	static const char form[] = "dddd-dd-ddTdd:dd:dd";
	const char *rest = text + sizeof(form) - 1;
	unsigned y, mo, d, h, mi, s;

	for (size_t i = 0; form[i]; i++)
		if (form[i] == 'd' ? !is_digit(text[i]) : text[i] != form[i])
			return false;
	y = fixed(text, 4);
	mo = fixed(text + 5, 2);
	d = fixed(text + 8, 2);
	h = fixed(text + 11, 2);
	mi = fixed(text + 14, 2);
	s = fixed(text + 17, 2);
	if (*rest == '.')
		for (rest++; is_digit(*rest); rest++)
			;
	if ((strcmp(rest, "Z") != 0 && strcmp(rest, "+00:00") != 0) || y < 1970 || mo < 1 ||
	    mo > 12 || d < 1 || d > days[mo - 1] || h > 23 || mi > 59 || s > 60)
		return false;
	if (mo == 2 && d == 29 && (y % 4 != 0 || (y % 100 == 0 && y % 400 != 0)))
		return false;
	/* Days of the Gregorian calendar, years from March on: the leap day is the last of a year. */
	unsigned long long yy = y - (mo < 3), era_days = yy * 365 + yy / 4 - yy / 100 + yy / 400;
	unsigned long long day_of_year = (153ULL * (mo < 3 ? mo + 9 : mo - 3) + 2) / 5 + d - 1;

	*ret_s = ((double)(era_days + day_of_year) - 719468.0) * 86400.0 + h * 3600.0 + mi * 60.0 +
	         s;
	return true;
}

enum nf_taken nf_take_utc(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                          struct nf_slice *ret)
{
	double s;
	char *text;

	(void)arg;
	if (is_unknown(l->value))
		return NF_TAKEN_NOTHING;
	text = nf_arena_strndup(a, l->value.p, l->value.n);
	if (!text)
		return NF_TAKEN_NOTHING;
	return nf_capture_utc(text, &s) ? taken(l->value, ret) : NF_TAKEN_ODD;
}

/* "chpl.real version 2.8.0"; "built with LLVM version 18" is another program's. */
enum nf_taken nf_take_chpl(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                           struct nf_slice *ret)
{
	struct nf_slice word = nf_slice_word(nf_slice_trim(l->text));

	(void)arg;
	if (word.n < 4 || memcmp(word.p, "chpl", 4) != 0)
		return NF_TAKEN_NOTHING;
	return nf_take_part(l, "version ", a, ret);
}

enum nf_taken nf_take_chapel(const struct nf_capture_line *l, const char *arg, struct nf_arena *a,
                             struct nf_slice *ret)
{
	static const char name[] = "chapel-";
	struct nf_slice v = l->value;

	(void)arg;
	(void)a;
	for (const char *p = nf_slice_find(v, name); p; p = nf_slice_find(after(v, p + 1), name)) {
		struct nf_slice rest = after(v, p + sizeof(name) - 1);
		size_t n = 0;

		while (n < rest.n && (is_digit(rest.p[n]) || rest.p[n] == '.'))
			n++;
		if (n > 0 && is_digit(rest.p[0]))
			return taken((struct nf_slice){ rest.p, n }, ret);
	}
	return NF_TAKEN_NOTHING;
}
