/* SPDX-License-Identifier: MIT */
/* What a host says to the lines of a profile. */
#include <stdio.h>
#include <string.h>

#include "machine/kconfig.h"
#include "machine/profile.h"

enum { CMDLINE_MAX_BYTES = 1 << 20 };

/* One source of values, read once; why: it cannot be read. */
struct source {
	struct nf_buf text; /* owned */
	const char *why; /* arena; NULL: it was read */
};

struct checking {
	const struct nf_rootfs *root;
	struct nf_arena *a;
	struct source config;
	struct source cmdline;
	int failed; /* lack of memory */
	struct nf_err *err;
};

static void settle(struct checking *c, struct source *s, int r, const struct nf_err *e)
{
	if (r == -NF_ENOMEM && !c->failed) {
		c->failed = r;
		*c->err = *e;
	}
	if (r < 0)
		s->why = nf_arena_printf(c->a, "%s", e->msg);
}

static void load(struct checking *c, const char *release)
{
	char source[NF_KCONFIG_SOURCE_BYTES] = "";
	struct nf_err e = { 0 };

	settle(c, &c->config, nf_kconfig_load(c->root, release, &c->config.text, source, &e), &e);
	if (c->config.why && !*source)
		c->config.why = "no kernel configuration can be read";
	e = (struct nf_err){ 0 };
	settle(c, &c->cmdline, nf_rootfs_read(c->root, "proc/cmdline", &c->cmdline.text, &e), &e);
}

static void judge(struct nf_profile_line *l, bool same)
{
	l->match = same ? NF_PROFILE_MATCHED : NF_PROFILE_MISMATCHED;
}

/* An option that a configuration does not mention is off: its dependencies are. */
static void check_config(struct checking *c, struct nf_profile_line *l)
{
	struct nf_span got;

	if (c->config.why) {
		l->unread = c->config.why;
		return;
	}
	if (nf_kconfig_get(&c->config.text, l->name, &got)) {
		l->found = nf_arena_strndup(c->a, got.p, got.n);
		judge(l, nf_span_is(got, l->value));
	} else if (strcmp(l->value, "n") == 0) {
		l->match = NF_PROFILE_MATCHED;
	}
}

/* Blanks separate words, but not inside double quotes. */
static bool next_parameter(struct nf_span *rest, struct nf_span *ret)
{
	bool quoted = false;
	size_t from = 0, to;

	while (from < rest->n && (rest->p[from] == ' ' || rest->p[from] == '\n' ||
	                          rest->p[from] == '\t' || rest->p[from] == '\0'))
		from++;
	for (to = from; to < rest->n && (quoted || !strchr(" \n\t", rest->p[to])); to++)
		if (rest->p[to] == '"')
			quoted = !quoted;
	*ret = (struct nf_span){ rest->p + from, to - from };
	rest->p += to;
	rest->n -= to;
	return ret->n > 0;
}

static bool same_parameter(struct nf_span name, const char *want)
{
	if (strlen(want) != name.n)
		return false;
	for (size_t i = 0; i < name.n; i++) {
		char a = name.p[i] == '-' ? '_' : name.p[i], b = want[i] == '-' ? '_' : want[i];

		if (a != b)
			return false;
	}
	return true;
}

/* What stands behind "--" belongs to the first process. */
static void check_cmdline(struct checking *c, struct nf_profile_line *l)
{
	struct nf_span rest = nf_span_of(&c->cmdline.text), word, name;

	if (c->cmdline.why) {
		l->unread = c->cmdline.why;
		return;
	}
	while (l->match != NF_PROFILE_MATCHED && next_parameter(&rest, &word) &&
	       !nf_span_is(word, "--")) {
		struct nf_span value = word;
		bool has_value = memchr(word.p, '=', word.n);

		(void)nf_span_cut(&value, '=', &name);
		if (!same_parameter(name, l->name))
			continue;
		l->found = nf_arena_strndup(c->a, word.p, word.n);
		judge(l, has_value == (l->value != NULL) &&
		                 (!has_value || nf_span_is(value, l->value)));
	}
}

static bool same_words(const char *a, const char *b)
{
	struct nf_span x = { a, strlen(a) }, y = { b, strlen(b) }, v, w;
	bool more_x, more_y;

	for (;;) {
		more_x = nf_span_word(&x, &v);
		more_y = nf_span_word(&y, &w);
		if (!more_x || !more_y)
			return more_x == more_y;
		if (v.n != w.n || memcmp(v.p, w.p, v.n) != 0)
			return false;
	}
}

static void check_sysctl(struct checking *c, struct nf_profile_line *l)
{
	struct nf_err e = { 0 };
	char path[256];

	snprintf(path, sizeof(path), "proc/sys/%s", l->name);
	int r = nf_rootfs_read_line(c->root, path, c->a, &l->found, &e);
	if (r == 0) {
		judge(l, same_words(l->found, l->value));
	} else if (r == -NF_ENOMEM) {
		c->failed = r;
		*c->err = e;
	} else if (r != -NF_ENODATA) {
		l->unread = nf_arena_printf(c->a, "%s", e.msg);
	} else if (!nf_rootfs_exists(c->root, "proc/sys")) {
		l->unread = "there is no proc/sys";
	}
}

int nf_profile_check(struct nf_profile *p, const struct nf_rootfs *root, const char *release,
                     struct nf_arena *a, struct nf_err *err)
{
	static void (*const check[])(struct checking *, struct nf_profile_line *) = {
		[NF_PROFILE_CONFIG] = check_config,
		[NF_PROFILE_CMDLINE] = check_cmdline,
		[NF_PROFILE_SYSCTL] = check_sysctl,
	};
	struct checking c = { .root = root, .a = a, .err = err };

	nf_buf_init(&c.config.text, NF_KCONFIG_MAX_BYTES);
	nf_buf_init(&c.cmdline.text, CMDLINE_MAX_BYTES);
	load(&c, release);
	for (size_t i = 0; i < p->n && !c.failed; i++)
		check[p->line[i].kind](&c, &p->line[i]);
	if (!c.failed)
		c.failed = nf_arena_failed(a, "a profile's answers", err);
	nf_buf_fini(&c.config.text);
	nf_buf_fini(&c.cmdline.text);
	return c.failed;
}
