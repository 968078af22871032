/* SPDX-License-Identifier: MIT */
#include "machine/profile.h"

#include <string.h>

#include "machine/span.h"

enum { NAME_BYTES = 200 };

const char *const nf_profile_kinds[] = { [NF_PROFILE_CONFIG] = "config",
	                                 [NF_PROFILE_CMDLINE] = "cmdline",
	                                 [NF_PROFILE_SYSCTL] = "sysctl",
	                                 NULL };

struct reading {
	const char *file;
	size_t number;
	struct nf_span line; /* as it stands in the file */
	struct nf_arena *a;
	struct nf_err *err;
};

/* at: where in the line it goes wrong. */
static int wrong(const struct reading *r, const char *at, const char *allowed)
{
	size_t column = (size_t)(at - r->line.p) + 1;

	return nf_fail(r->err, NF_EDATA, "%s:%zu:%zu: not a line of a profile; allowed: %s",
	               r->file, r->number, column, allowed);
}

static bool all_of(struct nf_span s, const char *extra)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (!letter && !(c >= '0' && c <= '9') && (c == 0 || !strchr(extra, c)))
			return false;
	}
	return s.n > 0 && s.n < NAME_BYTES;
}

static const char *dup(const struct reading *r, struct nf_span s)
{
	return nf_arena_strndup(r->a, s.p, s.n);
}

/* "CONFIG_X=y" or "# CONFIG_X is not set" */
static int config_line(const struct reading *r, struct nf_span rest, struct nf_profile_line *line)
{
	static const char allowed[] = "config CONFIG_NAME=VALUE, config # CONFIG_NAME is not set";
	struct nf_span name, value = rest;

	if (nf_span_starts(rest, "# ")) {
		value.p += 2;
		value.n -= 2;
		if (!nf_span_word(&value, &name) || !nf_span_is(nf_span_trim(value), "is not set"))
			return wrong(r, rest.p, allowed);
		value = (struct nf_span){ "n", 1 };
	} else if (!memchr(rest.p, '=', rest.n) || !nf_span_cut(&value, '=', &name) ||
	           value.n == 0) {
		return wrong(r, rest.p, allowed);
	}
	if (!nf_span_starts(name, "CONFIG_") || !all_of(name, "_") || name.n == strlen("CONFIG_"))
		return wrong(r, rest.p, allowed);
	name.p += strlen("CONFIG_");
	name.n -= strlen("CONFIG_");
	line->name = dup(r, name);
	line->value = dup(r, value);
	return 0;
}

static int cmdline_line(const struct reading *r, struct nf_span rest, struct nf_profile_line *line)
{
	struct nf_span name, value = rest;
	bool has_value = memchr(rest.p, '=', rest.n);

	if (!nf_span_cut(&value, '=', &name) || name.n == 0 ||
	    (memchr(rest.p, ' ', rest.n) && !memchr(rest.p, '"', rest.n)))
		return wrong(r, rest.p, "cmdline WORD, one word of the kernel command line");
	line->name = dup(r, name);
	line->value = has_value ? dup(r, value) : NULL;
	return 0;
}

/* "kernel.a_b", "net/ipv4/conf/eth0.1/x": the first of . and / that appears separates, the other one
 * stands for itself (proc_sys(5), sysctl.d(5)). A path that climbs is refused. */
static int sysctl_line(const struct reading *r, struct nf_span rest, struct nf_profile_line *line)
{
	static const char allowed[] =
	        "sysctl NAME=VALUE, a name such as kernel.sched_rt_runtime_us";
	struct nf_span name, value = rest, part;
	char path[NAME_BYTES];

	if (!memchr(rest.p, '=', rest.n) || !nf_span_cut(&value, '=', &name))
		return wrong(r, rest.p, allowed);
	name = nf_span_trim(name);
	value = nf_span_trim(value);
	if (!all_of(name, "_-./:@") || value.n == 0)
		return wrong(r, rest.p, allowed);
	memcpy(path, name.p, name.n);
	path[name.n] = '\0';
	if (path[strcspn(path, "./")] == '.')
		for (char *c = path; *c; c++)
			*c = *c == '.' ? '/' : *c == '/' ? '.' : *c;
	struct nf_span left = { path, name.n };
	bool last_is_whole = path[name.n - 1] != '/';
	while (nf_span_cut(&left, '/', &part))
		if (part.n == 0 || nf_span_is(part, ".") || nf_span_is(part, ".."))
			return wrong(r, rest.p, allowed);
	if (!last_is_whole)
		return wrong(r, rest.p, allowed);
	line->name = nf_arena_strdup(r->a, path);
	line->value = dup(r, value);
	return 0;
}

static int parse_line(const struct reading *r, struct nf_profile_line *line)
{
	struct nf_span rest = nf_span_trim(r->line), word;

	line->text = dup(r, rest);
	line->number = r->number;
	(void)nf_span_word(&rest, &word);
	rest = nf_span_trim(rest);
	if (nf_span_is(word, "config")) {
		line->kind = NF_PROFILE_CONFIG;
		return config_line(r, rest, line);
	}
	if (nf_span_is(word, "cmdline")) {
		line->kind = NF_PROFILE_CMDLINE;
		return cmdline_line(r, rest, line);
	}
	if (nf_span_is(word, "sysctl")) {
		line->kind = NF_PROFILE_SYSCTL;
		return sysctl_line(r, rest, line);
	}
	return wrong(r, word.p,
	             "config CONFIG_NAME=VALUE, cmdline WORD, sysctl NAME=VALUE, # comment");
}

static bool says_something(struct nf_span line)
{
	struct nf_span s = nf_span_trim(line);

	return s.n > 0 && s.p[0] != '#';
}

static size_t count(struct nf_span text)
{
	struct nf_span line;
	size_t n = 0;

	while (nf_span_line(&text, &line))
		n += says_something(line);
	return n;
}

int nf_profile_parse(const char *text, size_t len_bytes, const char *name, struct nf_arena *a,
                     struct nf_profile *ret, struct nf_err *err)
{
	struct reading r = { .file = name, .a = a, .err = err };
	struct nf_span rest = { text, len_bytes };
	struct nf_profile p = { .n = 0 };

	if (memchr(text, '\0', len_bytes))
		return nf_fail(err, NF_EDATA,
		               "%s: holds a NUL byte; allowed: a profile, a text file", name);
	size_t n = count(rest);
	if (n == 0)
		return nf_fail(err, NF_EDATA,
		               "%s: no line to check; allowed: config CONFIG_NAME=VALUE, cmdline "
		               "WORD, sysctl NAME=VALUE",
		               name);
	p.line = nf_arena_alloc(a, n, sizeof(*p.line));
	while (p.line && nf_span_line(&rest, &r.line)) {
		r.number++;
		if (!says_something(r.line))
			continue;
		int rc = parse_line(&r, &p.line[p.n]);
		if (rc < 0)
			return rc;
		p.n++;
	}
	int rc = nf_arena_failed(a, "a profile", err);
	if (rc == 0)
		*ret = p;
	return rc;
}
