/* SPDX-License-Identifier: MIT */
#include "report/text_audit_source.h"

#include <inttypes.h>
#include <string.h>

static void add_place(struct nf_buf *out, const struct nf_rec_source_place *p)
{
	(void)nf_buf_addf(out, "%s:%" PRIu64, p->path, p->line);
}

static void add_also(struct nf_buf *out, const struct nf_rec_source_macro *m)
{
	static const char *const what[] = { "0", "otherwise", "undefined" };
	const struct nf_rec_source_definition *d = m->also.items;

	if (m->also.n == 0)
		return;
	(void)nf_buf_adds(out, "  also seen there:");
	for (size_t i = 0; i < m->also.n; i++) {
		(void)nf_buf_addf(out, "%s %s at ", i ? "," : "", what[d[i].kind]);
		add_place(out, &d[i].place);
	}
	if (m->also_count > m->also.n)
		(void)nf_buf_addf(out, " and %" PRIu64 " more", m->also_count - m->also.n);
	(void)nf_buf_addc(out, '\n');
}

static void add_macro(struct nf_buf *out, const struct nf_rec_source_macro *m)
{
	add_place(out, &m->test);
	(void)nf_buf_addf(out, ": %s: %s is defined, as 0, at ", m->condition, m->macro);
	add_place(out, &m->zero);
	if (m->via) {
		(void)nf_buf_adds(out, " (#include at ");
		add_place(out, m->via);
		(void)nf_buf_addc(out, ')');
	}
	(void)nf_buf_addc(out, '\n');
	if (m->doubt)
		(void)nf_buf_addf(out, "  %s: %s\n", m->certain ? "but" : "uncertain", m->doubt);
	add_also(out, m);
}

static void add_print(struct nf_buf *out, const struct nf_rec_source_print *p)
{
	add_place(out, &p->print);
	(void)nf_buf_addf(out,
	                  ": %s() prints between the reads of the clock in lines %" PRIu64
	                  " and %" PRIu64,
	                  p->call, p->begin.line, p->end.line);
	if (*p->function)
		(void)nf_buf_addf(out, " of %s()", p->function);
	(void)nf_buf_addc(out, '\n');
	if (p->doubt)
		(void)nf_buf_addf(out, "  uncertain: %s\n", p->doubt);
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void add_files(struct nf_buf *out, const struct nf_rec_source_files *f)
{
	const struct nf_rec_source_unread *u = f->unread.items;

	(void)nf_buf_addf(out, "%" PRIu64 " file%s read, %.1f MB", f->read, plural(f->read),
	                  (double)f->bytes / 1e6);
	if (f->binary)
		(void)nf_buf_addf(out, "; %" PRIu64 " binary", f->binary);
	if (f->large)
		(void)nf_buf_addf(out, "; %" PRIu64 " too large", f->large);
	if (f->same)
		(void)nf_buf_addf(out, "; %" PRIu64 " read under another name", f->same);
	if (f->links)
		(void)nf_buf_addf(out, "; %" PRIu64 " symbolic link%s not followed", f->links,
		                  plural(f->links));
	(void)nf_buf_addc(out, '\n');
	for (size_t i = 0; i < f->unread.n; i++)
		(void)nf_buf_addf(out, "not read: %s: %s\n", u[i].path, u[i].why);
	if (f->lost)
		(void)nf_buf_addf(out, "not read: %" PRIu64 " file%s, a second time\n", f->lost,
		                  plural(f->lost));
	if (f->unreadable > f->unread.n)
		(void)nf_buf_addf(out, "not read: %" PRIu64 " more\n", f->unreadable - f->unread.n);
}

int nf_text_audit_source(const struct nf_rec_audit_source *s, struct nf_buf *out)
{
	const struct nf_rec_source_macro *m = s->macros.items;
	const struct nf_rec_source_print *p = s->prints.items;
	uint64_t listed = 0, listed_prints = 0;

	for (size_t i = 0; i < s->macros.n; i++) {
		add_macro(out, &m[i]);
		listed += !m[i].certain;
	}
	for (size_t i = 0; i < s->prints.n; i++) {
		add_print(out, &p[i]);
		listed_prints += !p[i].certain;
	}
	if (s->macros.n + s->prints.n > 0)
		(void)nf_buf_addc(out, '\n');
	add_files(out, &s->files);
	(void)nf_buf_addf(out,
	                  "macros: %zu test%s of definedness whose macro is 0; %" PRIu64
	                  " name%s both defined as 0 and asked for\n",
	                  s->macros.n, plural(s->macros.n), s->names, plural(s->names));
	(void)nf_buf_addf(out, "prints: %zu in %" PRIu64 " timed region%s\n", s->prints.n,
	                  s->timed_regions, plural(s->timed_regions));
	if (s->uncertain_macros + s->uncertain_prints > listed + listed_prints)
		(void)nf_buf_addf(out,
		                  "uncertain ones, shown with --all: %" PRIu64
		                  " of macros, %" PRIu64 " of prints\n",
		                  s->uncertain_macros - listed,
		                  s->uncertain_prints - listed_prints);
	if (!s->complete)
		(void)nf_buf_adds(out, "partial: not everything was read\n");
	return -(int)out->failed;
}
