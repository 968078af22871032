/* SPDX-License-Identifier: MIT */
#include "record/project.h"

#include <string.h>

#include "build_info.h"
#include "record/capture_facts.h"
#include "record/project_fields.h"

const struct nf_type *nf_project_type(enum nf_capture_kind kind)
{
	if (kind == NF_CAPTURE_PROBE)
		return &nf_rec_host_probe_run_type;
	return kind == NF_CAPTURE_VALIDATOR ? &nf_rec_kernel_validation_run_type : NULL;
}

/* Whether a capture belongs to the run of main: of its series and its kernel, as far as both say. */
static bool goes_along(struct nf_project_builder *b, const struct nf_rec_capture *c)
{
	const struct nf_rec_capture_facts *m = &b->main->facts, *f = &c->facts;

	if (m->tag && f->tag && strcmp(m->tag, f->tag) != 0) {
		nf_note_add(&b->notes, "%s is not used: its tag is %.100s, that of %s %.100s",
		            c->name, f->tag, b->main->name, m->tag);
		return false;
	}
	if (m->kernel_version && f->kernel_version &&
	    strcmp(m->kernel_version, f->kernel_version) != 0) {
		nf_note_add(&b->notes, "%s is not used: its kernel is %.100s, that of %s %.100s",
		            c->name, f->kernel_version, b->main->name, m->kernel_version);
		return false;
	}
	return true;
}

static void find_notes(struct nf_project_builder *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const char *const *note = b->capture[i].notes.items;

		for (size_t k = 0; k < b->capture[i].notes.n; k++)
			nf_note_add(&b->notes, "%s", note[k]);
	}
}

static int check_options(const struct nf_project_builder *b)
{
	const struct nf_type *result = b->type == &nf_rec_host_probe_run_type
	                                       ? &nf_rec_probe_result_type
	                                       : &nf_rec_validation_result_type;

	if (b->o->date && !nf_project_is_date(b->o->date))
		return nf_fail(b->err, NF_EARG, "--date: %.50s; allowed: a day such as 2026-01-02",
		               b->o->date);
	if (b->o->lane && strcmp(b->o->lane, "generic") != 0 && strcmp(b->o->lane, "rt") != 0)
		return nf_fail(b->err, NF_EARG, "--lane: %.50s; allowed: generic, rt", b->o->lane);
	if (b->o->result && b->type && nf_project_index(result, b->o->result) < 0)
		return nf_fail(b->err, NF_EARG,
		               "--result: %.50s is no alternative of a %s's result", b->o->result,
		               b->type->name);
	return 0;
}

static int choose_main(struct nf_project_builder *b)
{
	for (size_t i = 0; i < b->n; i++) {
		enum nf_capture_kind kind = (enum nf_capture_kind)b->capture[i].kind;

		if (kind == NF_CAPTURE_UNKNOWN)
			return nf_fail(b->err, NF_EDATA,
			               "%s: none of the known captures; allowed: a host probe's, a "
			               "kernel validator's, SMI, window and lane captures",
			               b->capture[i].name);
		if (!nf_project_type(kind))
			continue;
		if (b->main)
			return nf_fail(b->err, NF_EARG,
			               "%s and %s make a record each; project them one by one",
			               b->main->name, b->capture[i].name);
		b->main = &b->capture[i];
		b->type = nf_project_type(kind);
	}
	return check_options(b);
}

static int build(struct nf_project_builder *b)
{
	b->record = nf_arena_alloc(b->a, 1, b->type->size);
	if (!b->record)
		return nf_arena_failed(b->a, "a record", b->err);
	for (size_t i = 0; i < b->n; i++)
		b->along[i] = &b->capture[i] != b->main && goes_along(b, &b->capture[i]);
	if (b->type == &nf_rec_host_probe_run_type)
		nf_project_probe(b);
	else
		nf_project_validation(b);
	return nf_arena_failed(b->a, "a record", b->err);
}

int nf_project(const struct nf_project_input *in, size_t n, const struct nf_project_opts *opts,
               struct nf_arena *a, struct nf_rec_projection *ret, struct nf_err *err)
{
	struct nf_project_builder b = {
		.o = opts, .a = a, .n = n, .err = err, .trace.a = a, .notes.a = a, .missing.a = a
	};
	struct nf_rec_projection p = { .schema = "Projection/1", .tool_version = NF_VERSION };
	struct nf_rec_capture *c;
	int rc = 0;

	if (n < 1 || n > NF_PROJECT_CAPTURES)
		return nf_fail(err, NF_EARG, "%zu captures; allowed: 1 to %d", n,
		               NF_PROJECT_CAPTURES);
	c = nf_arena_alloc(a, n, sizeof(*c));
	if (!c)
		return nf_arena_failed(a, "the captures", err);
	for (size_t i = 0; i < n && rc == 0; i++) {
		struct nf_err why = { .code = NF_OK };

		rc = nf_capture_facts(in[i].name, in[i].data, in[i].len_bytes, a, &c[i], &why);
		if (rc == -NF_EDATA)
			rc = nf_fail(err, NF_EDATA, "%s: %.300s", in[i].name, why.msg);
		else if (rc < 0 && err)
			*err = why;
	}
	b.capture = c;
	if (rc == 0)
		rc = choose_main(&b);
	if (rc < 0)
		return rc;
	find_notes(&b);
	if (b.main)
		rc = build(&b);
	if (rc < 0)
		return rc;
	p.captures = (struct nf_list){ c, n };
	p.trace = (struct nf_list){ b.trace.item, b.trace.n };
	p.missing = nf_note_done(&b.missing);
	p.notes = nf_note_done(&b.notes);
	p.claim_ceiling =
	        "What the captures say: not that it was so, and nothing about what was not "
	        "captured.";
	if (b.record && p.missing.n == 0 && b.type == &nf_rec_host_probe_run_type)
		p.host_probe = (const void *)b.record;
	else if (b.record && p.missing.n == 0)
		p.kernel_validation = (const void *)b.record;
	p.replaced_text = nf_record_replaced(&nf_rec_projection_type, &p);
	rc = nf_rec_honesty_fill(&p.honesty, &nf_rec_projection_type, &p, a, err);
	if (rc == 0)
		rc = nf_arena_failed(a, "a projection", err);
	if (rc == 0)
		*ret = p;
	return rc;
}
