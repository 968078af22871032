/* SPDX-License-Identifier: MIT */
#include "job/audit_source.h"

#include <regex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "build_info.h"
#include "job/head.h"
#include "record/rec_audit_source.h"
#include "record/write.h"
#include "report/text.h"
#include "report/text_audit_source.h"
#include "source/timed.h"

/* Paths, places and texts; a path of a kernel takes some 50 bytes. */
#define ARENA_BYTES ((size_t)1 << 31)
/* More threads than this wait for the page cache, not for work. */
enum { THREADS = 4 };

/* Everything that an audit holds on to while the record is made. */
struct audit {
	struct nf_arena a;
	struct nf_src_tree tree;
	struct nf_src_index index;
	struct nf_src_macros macros;
	struct nf_src_timed timed;
	regex_t begin, end;
	bool has_begin, has_end;
};

static int compile(const char *text, const char *option, regex_t *re, bool *has, struct nf_err *err)
{
	char why[128];

	if (!text)
		return 0;
	int r = regcomp(re, text, REG_EXTENDED);
	if (r != 0) {
		regerror(r, re, why, sizeof(why));
		return nf_fail(err, NF_EARG,
		               "--%s '%s': %s; allowed: a POSIX extended regular expression",
		               option, text, why);
	}
	*has = true;
	return 0;
}

static unsigned threads_here(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

	return n < 1 ? 1 : n > THREADS ? THREADS : (unsigned)n;
}

static int look(struct audit *d, const struct nf_job_opts *o, const struct nf_audit_source_opts *s,
                struct nf_err *err)
{
	const struct nf_src_scan_opts scan = { .threads = threads_here(),
		                               .all_clocks = s->begin != NULL,
		                               .stop = o->stop };
	const struct nf_src_timed_opts timed = { .begin = d->has_begin ? &d->begin : NULL,
		                                 .end = d->has_end ? &d->end : NULL,
		                                 .stop = o->stop };
	int r = 0;

	for (size_t i = 0; r == 0 && i < s->n_paths; i++)
		r = nf_src_tree_add(&d->tree, s->paths[i], err);
	if (r < 0)
		return r;
	nf_src_tree_finish(&d->tree);
	r = nf_src_index_make(&d->tree, &scan, &d->index, err);
	for (size_t i = 0; r == 0 && i < d->tree.n; i++)
		if (d->index.file[i].state == NF_SRC_UNREADABLE)
			r = nf_src_tree_note(&d->tree, d->tree.path[i],
			                     strerror(d->index.file[i].os_errno), err);
	if (r == 0)
		r = nf_src_macros_find(&d->index, &d->a, o->stop, &d->macros, err);
	if (r == 0)
		r = nf_src_timed_find(&d->index, &timed, &d->a, &d->timed, err);
	return r;
}

static struct nf_rec_source_place place(const char *path, uint32_t line)
{
	return (struct nf_rec_source_place){ .path = path, .line = line };
}

static const char *doubt_of_macro(struct nf_arena *a, const struct nf_src_mistake *m)
{
	uint32_t otherwise = 0;

	if (m->reach == NF_SRC_REACH_FOLDER)
		return "no #include connects the two; they are in one folder";
	if (m->constant)
		return "it may be a number: one of libc, or the first of a list of constants";
	if (m->conditional)
		return "it is defined in a condition that the test does not depend on";
	for (uint32_t i = 0; i < m->n_also && i < NF_SRC_ALSO_MAX; i++)
		otherwise += m->also[i].kind != NF_SRC_PLACE_ZERO;
	if (otherwise)
		return "other definitions or #undefs may reach the test too";
	if (m->elsewhere)
		return nf_arena_printf(
		        a, "%u other definition%s or #undef%s of this name elsewhere", m->elsewhere,
		        m->elsewhere == 1 ? "" : "s", m->elsewhere == 1 ? "" : "s");
	return NULL;
}

static int fill_macro(struct nf_arena *a, const struct nf_src_mistake *m,
                      struct nf_rec_source_macro *ret)
{
	uint32_t n = m->n_also < NF_SRC_ALSO_MAX ? m->n_also : NF_SRC_ALSO_MAX;
	struct nf_rec_source_definition *also = nf_arena_alloc(a, (size_t)n + 1, sizeof(*also));
	struct nf_rec_source_place *via = nf_arena_alloc(a, 1, sizeof(*via));

	if (!also || !via)
		return -NF_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		also[i].kind = (int)m->also[i].kind;
		also[i].place = place(m->also[i].path, m->also[i].line);
	}
	if (m->via.line > 0)
		*via = place(m->via.path, m->via.line);
	*ret = (struct nf_rec_source_macro){ .macro = m->name,
		                             .zero = place(m->define.path, m->define.line),
		                             .test = place(m->test.path, m->test.line),
		                             .condition = m->test_text,
		                             .reach = (int)m->reach,
		                             .via = m->via.line > 0 ? via : NULL,
		                             .certain = nf_src_mistake_certain(m),
		                             .doubt = doubt_of_macro(a, m),
		                             .also = { also, n },
		                             .also_count = m->n_also,
		                             .elsewhere = m->elsewhere };
	return 0;
}

static void fill_macros(struct audit *d, bool all, struct nf_rec_audit_source *s)
{
	struct nf_rec_source_macro *to = nf_arena_alloc(&d->a, d->macros.n + 1, sizeof(*to));
	size_t n = 0;

	for (size_t i = 0; to && i < d->macros.n; i++) {
		bool certain = nf_src_mistake_certain(&d->macros.item[i]);

		s->uncertain_macros += !certain;
		if ((certain || all) && fill_macro(&d->a, &d->macros.item[i], &to[n]) == 0)
			n++;
	}
	s->macros = (struct nf_list){ to, n };
}

static void fill_prints(struct audit *d, bool all, struct nf_rec_audit_source *s)
{
	struct nf_rec_source_print *to = nf_arena_alloc(&d->a, d->timed.n + 1, sizeof(*to));
	size_t n = 0;

	for (size_t i = 0; to && i < d->timed.n; i++) {
		const struct nf_src_timed_print *p = &d->timed.item[i];

		s->uncertain_prints += p->conditional;
		if (p->conditional && !all)
			continue;
		to[n++] = (struct nf_rec_source_print){
			.function = p->function,
			.call = p->call,
			.print = place(p->path, p->print),
			.begin = place(p->path, p->begin),
			.end = place(p->path, p->end),
			.certain = !p->conditional,
			.doubt = p->conditional ? "it stands in a condition" : NULL,
		};
	}
	s->prints = (struct nf_list){ to, n };
}

static void fill_files(struct audit *d, struct nf_rec_source_files *f)
{
	struct nf_rec_source_unread *u = nf_arena_alloc(&d->a, d->tree.n_trouble + 1, sizeof(*u));

	for (size_t i = 0; u && i < d->tree.n_trouble; i++)
		u[i] = (struct nf_rec_source_unread){ .path = d->tree.trouble[i].path,
			                              .why = d->tree.trouble[i].why };
	*f = (struct nf_rec_source_files){ .read = d->index.scanned,
		                           .bytes = d->index.bytes,
		                           .binary = d->index.binary,
		                           .large = d->index.large,
		                           .same = d->index.same,
		                           .links = d->tree.links,
		                           .lost = d->macros.lost + d->timed.lost,
		                           .unreadable = d->tree.troubles,
		                           .unread = { u, u ? d->tree.n_trouble : 0 } };
}

static int make_record(struct audit *d, const struct nf_job_opts *o,
                       const struct nf_audit_source_opts *a, struct nf_rec_audit_source *s,
                       struct nf_err *err)
{
	const char **command = nf_arena_alloc(&d->a, (size_t)o->argc + 1, sizeof(*command));

	for (int i = 0; command && i < o->argc; i++)
		command[i] = o->argv[i];
	*s = (struct nf_rec_audit_source){
		.schema = "AuditSource/1",
		.tool_version = NF_VERSION,
		.command = { command, command ? (size_t)o->argc : 0 },
		.read_utc = nf_head_utc(&d->a, nf_now_utc()),
		.paths = { a->paths, a->n_paths },
		.complete = d->tree.troubles == 0 && d->index.large == 0 && d->index.unread == 0 &&
		            d->macros.lost + d->timed.lost == 0 && !nf_stop_signo(o->stop),
		.zeros = d->macros.zeros,
		.tests = d->macros.tests,
		.names = d->macros.names,
		.includes_followed = d->macros.resolved,
		.includes_outside = d->macros.outside,
		.includes_ambiguous = d->macros.ambiguous,
		.timed_regions = d->timed.regions,
		.claim_ceiling =
		        "What the text of the sources says without compiling them: search paths, "
		        "options of the compiler and generated files are not known. Silence is no "
		        "proof.",
	};
	fill_files(d, &s->files);
	fill_macros(d, a->all, s);
	fill_prints(d, a->all, s);
	int r = nf_arena_failed(&d->a, "record", err);
	if (r < 0)
		return r;
	s->replaced_text = nf_record_replaced(&nf_rec_audit_source_type, s);
	return nf_rec_honesty_fill(&s->honesty, &nf_rec_audit_source_type, s, &d->a, err);
}

/* A path without a source would pass for a clean one. */
static int look_for_any(const struct nf_rec_audit_source *s, struct nf_err *err)
{
	return s->files.read
	               ? 0
	               : nf_fail(err, NF_ENODATA,
	                         "no C source was read; allowed: files, or folders with some");
}

static void judge(const struct nf_rec_audit_source *s, const struct nf_stop *stop,
                  struct nf_job_outcome *ret)
{
	bool found = s->macros.n > 0 || s->prints.n > 0;
	int signo = nf_stop_signo(stop);

	ret->result = found ? NF_RESULT_FAIL : s->complete ? NF_RESULT_PASS : NF_RESULT_PARTIAL;
	ret->exit_code = signo == SIGINT ? 130 : signo ? 143 : found ? 1 : s->complete ? 0 : 3;
}

int nf_job_audit_source(const struct nf_job_opts *o, const struct nf_audit_source_opts *s,
                        struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_rec_audit_source record = { 0 };
	struct audit d = { 0 };
	int r;

	nf_arena_init(&d.a, ARENA_BYTES);
	nf_src_tree_init(&d.tree, &d.a);
	r = compile(s->begin, "begin", &d.begin, &d.has_begin, err);
	if (r == 0)
		r = compile(s->end, "end", &d.end, &d.has_end, err);
	if (r == 0)
		r = look(&d, o, s, err);
	if (r == 0)
		r = make_record(&d, o, s, &record, err);
	if (r == 0 && !nf_stop_signo(o->stop))
		r = look_for_any(&record, err);
	if (r == 0)
		r = nf_record_to_json(&nf_rec_audit_source_type, &record, &ret->json, NULL, err);
	if (r < 0)
		goto out;
	(void)nf_text_audit_source(&record, &ret->summary);
	(void)nf_text_printable(&ret->summary);
	r = nf_buf_failed(&ret->summary, "summary", err);
	if (r == 0)
		judge(&record, o->stop, ret);
out:
	if (d.has_begin)
		regfree(&d.begin);
	if (d.has_end)
		regfree(&d.end);
	nf_src_timed_fini(&d.timed);
	nf_src_macros_fini(&d.macros);
	nf_src_index_fini(&d.index);
	nf_src_tree_fini(&d.tree);
	nf_arena_fini(&d.a);
	return r;
}
