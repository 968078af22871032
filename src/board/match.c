/* SPDX-License-Identifier: MIT */
#include "board/match.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

struct nf_match {
	char *pattern; /* owned */
	pcre2_code *code; /* owned */
	pcre2_match_data *data; /* owned */
	pcre2_match_context *context; /* owned */
	size_t resume; /* starts before it were tried in the present line */
	bool found;
	uint32_t n_groups;
	size_t start[NF_MATCH_GROUPS_MAX]; /* SIZE_MAX: took no part */
	size_t end[NF_MATCH_GROUPS_MAX];
};

static bool is_quantifier(char c)
{
	return c == '*' || c == '+' || c == '?' || c == '{';
}

/* Under (?s) PCRE2 10.42 takes .{2} at once and misses that one byte of it is a partial match. */
static bool sets_dotall(const char *p)
{
	size_t n;

	if (p[0] != '(' || p[1] != '?')
		return false;
	n = strspn(p + 2, "^imnxJU");
	return p[2 + n] == 's';
}

/* In a pattern of bytes a character beyond ASCII is several: it can be neither in a class nor repeated. */
static int check_characters(const char *pattern, struct nf_err *err)
{
	bool in_class = false;

	for (const char *p = pattern; *p; p++) {
		bool escaped = *p == '\\' && p[1];

		p += escaped;
		if (escaped && *p == 'G')
			return nf_fail(
			        err, NF_EARG,
			        "pattern '%s': \\G, at byte %zu; allowed: ^, the line's beginning",
			        pattern, (size_t)(p - pattern));
		if (!escaped && !in_class && sets_dotall(p))
			return nf_fail(
			        err, NF_EARG,
			        "pattern '%s': (?s), at byte %zu; allowed: none, '.' takes every "
			        "byte of a line",
			        pattern, (size_t)(p - pattern) + 1);
		if (!escaped && *p == '[' && !in_class) {
			in_class = true;
			p += p[1] == '^'; /* a ] that comes first is a member */
			p += p[1] == ']';
			continue;
		} else if (!escaped && *p == ']') {
			in_class = false;
		}
		if ((unsigned char)*p < 0x80)
			continue;
		if (in_class || ((unsigned char)p[1] < 0x80 && is_quantifier(p[1])))
			return nf_fail(
			        err, NF_EARG,
			        "pattern '%s': a character beyond ASCII %s, at byte %zu; allowed: "
			        "by itself, or in (?:...|...)",
			        pattern, in_class ? "in a class" : "before a quantifier",
			        (size_t)(p - pattern) + 1);
	}
	return 0;
}

static int compile_code(const char *pattern, uint32_t more, pcre2_code **ret, struct nf_err *err)
{
	PCRE2_UCHAR why[256];
	PCRE2_SIZE at = 0;
	int code = 0;

	*ret = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
	                     PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C |
	                             PCRE2_DOLLAR_ENDONLY | more,
	                     &code, &at, NULL);
	if (*ret)
		return 0;
	if (code == PCRE2_ERROR_HEAP_FAILED)
		return nf_fail_nomem(err, "a pattern", strlen(pattern));
	if (pcre2_get_error_message(code, why, sizeof(why)) < 0)
		why[0] = '\0';
	return nf_fail(err, NF_EARG, "pattern '%s': %s, at byte %zu", pattern, (const char *)why,
	               at + 1);
}

static int compile(struct nf_match *m, struct nf_err *err)
{
	int r = compile_code(m->pattern, 0, &m->code, err);

	if (r < 0)
		return r;
	pcre2_pattern_info(m->code, PCRE2_INFO_CAPTURECOUNT, &m->n_groups);
	m->n_groups++;
	if (m->n_groups > NF_MATCH_GROUPS_MAX)
		return nf_fail(err, NF_EARG, "pattern '%s': %u groups; allowed: up to %d",
		               m->pattern, m->n_groups - 1, NF_MATCH_GROUPS_MAX - 1);
	m->data = pcre2_match_data_create(m->n_groups, NULL);
	m->context = pcre2_match_context_create(NULL);
	if (!m->data || !m->context)
		return nf_fail_nomem(err, "a pattern", strlen(m->pattern));
	pcre2_set_match_limit(m->context, NF_MATCH_STEPS_MAX);
	return 0;
}

int nf_match_new(const char *pattern, struct nf_match **ret, struct nf_err *err)
{
	size_t len = strlen(pattern);
	struct nf_match *m;
	int r;

	if (len == 0 || len > NF_MATCH_PATTERN_MAX)
		return nf_fail(err, NF_EARG, "a pattern of %zu bytes; allowed: 1..%d", len,
		               NF_MATCH_PATTERN_MAX);
	r = check_characters(pattern, err);
	if (r < 0)
		return r;
	m = calloc(1, sizeof(*m));
	if (!m)
		return nf_fail_nomem(err, "a pattern", sizeof(*m));
	m->pattern = strdup(pattern);
	r = m->pattern ? compile(m, err) : nf_fail_nomem(err, "a pattern", len);
	if (r < 0) {
		nf_match_free(m);
		return r;
	}
	*ret = m;
	return 0;
}

void nf_match_free(struct nf_match *m)
{
	if (!m)
		return;
	pcre2_match_context_free(m->context);
	pcre2_match_data_free(m->data);
	pcre2_code_free(m->code);
	free(m->pattern);
	free(m);
}

static int fail_match(const struct nf_match *m, int code, size_t len, struct nf_err *err)
{
	PCRE2_UCHAR why[256];

	if (code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_DEPTHLIMIT ||
	    code == PCRE2_ERROR_HEAPLIMIT)
		return nf_fail(
		        err, NF_EARG,
		        "pattern '%s' takes more than %d steps on a line of %zu bytes; allowed: "
		        "one without repeats inside repeats",
		        m->pattern, NF_MATCH_STEPS_MAX, len);
	if (code == PCRE2_ERROR_NOMEMORY)
		return nf_fail_nomem(err, "matching", len);
	if (pcre2_get_error_message(code, why, sizeof(why)) < 0)
		why[0] = '\0';
	return nf_fail(err, NF_EARG, "pattern '%s': %s", m->pattern, (const char *)why);
}

static void keep_groups(struct nf_match *m)
{
	const PCRE2_SIZE *v = pcre2_get_ovector_pointer(m->data);

	for (uint32_t i = 0; i < m->n_groups; i++) {
		bool set = v[2 * i] != PCRE2_UNSET;

		/* \K in a look-ahead can put the start behind the end. */
		m->start[i] = !set ? SIZE_MAX : v[2 * i] < v[2 * i + 1] ? v[2 * i] : v[2 * i + 1];
		m->end[i] = set ? v[2 * i + 1] : SIZE_MAX;
	}
}

static int seek(struct nf_match *m, const char *text, size_t len, size_t from, uint32_t options,
                struct nf_err *err)
{
	/* Below, NULL would be no text at all. */
	int n = pcre2_match(m->code, (PCRE2_SPTR)(len ? text : ""), len, from, options, m->data,
	                    m->context);

	if (n == PCRE2_ERROR_PARTIAL) {
		m->resume = pcre2_get_ovector_pointer(m->data)[0];
		return NF_MATCH_PARTIAL;
	}
	if (n == PCRE2_ERROR_NOMATCH) {
		m->resume = len;
		return NF_MATCH_NO;
	}
	if (n < 0)
		return fail_match(m, n, len, err);
	keep_groups(m);
	return NF_MATCH_YES;
}

int nf_match_line(struct nf_match *m, const char *text, size_t len, struct nf_err *err)
{
	int r;

	m->found = false;
	r = seek(m, text, len, 0, 0, err);
	m->resume = 0; /* the next one is a new line */
	return r;
}

int nf_match_tail(struct nf_match *m, const char *text, size_t len, size_t stable,
                  struct nf_err *err)
{
	int r;

	if (stable == 0) {
		m->found = false;
		m->resume = 0;
	}
	if (m->found)
		return NF_MATCH_YES;
	if (m->resume > stable)
		m->resume = stable;
	r = seek(m, text, len, m->resume, PCRE2_PARTIAL_HARD, err);
	m->found = r == NF_MATCH_YES;
	return r;
}

int nf_match_silence(struct nf_match *m, const char *text, size_t len, struct nf_err *err)
{
	size_t resume = m->resume;
	int r;

	if (m->found)
		return NF_MATCH_YES;
	if (resume > len)
		resume = len;
	r = seek(m, text, len, resume, 0, err);
	m->resume = resume; /* what silence decided was not the end of the line */
	m->found = r == NF_MATCH_YES;
	return r;
}

bool nf_match_group(const struct nf_match *m, uint32_t i, size_t *ret_start, size_t *ret_len)
{
	if (i >= m->n_groups || m->start[i] == SIZE_MAX)
		return false;
	*ret_start = m->start[i];
	*ret_len = m->end[i] - m->start[i];
	return true;
}

uint32_t nf_match_n_groups(const struct nf_match *m)
{
	return m->n_groups;
}

uint32_t nf_match_needs(const struct nf_match *m)
{
	uint32_t bytes = 0;

	pcre2_pattern_info(m->code, PCRE2_INFO_MINLENGTH, &bytes);
	return bytes;
}

struct items {
	nf_match_item_fn *fn;
	void *ctx;
	size_t next; /* those before it were given: what repeats a group repeats its items */
	int r;
};

static int give_item(pcre2_callout_enumerate_block *b, void *ctx)
{
	struct items *x = ctx;

	if (b->next_item_length == 0 || b->pattern_position < x->next)
		return 0;
	x->next = b->pattern_position + b->next_item_length;
	x->r = x->fn(x->ctx, b->pattern_position, b->next_item_length);
	return x->r;
}

int nf_match_items(const char *pattern, nf_match_item_fn *fn, void *ctx, struct nf_err *err)
{
	struct items x = { .fn = fn, .ctx = ctx };
	pcre2_code *code;
	int r = compile_code(pattern, PCRE2_AUTO_CALLOUT, &code, err);

	if (r < 0)
		return r;
	(void)pcre2_callout_enumerate(code, give_item, &x);
	pcre2_code_free(code);
	return x.r;
}

const char *nf_match_pattern(const struct nf_match *m)
{
	return m->pattern;
}

size_t nf_match_resume(const struct nf_match *m)
{
	return m->resume;
}
