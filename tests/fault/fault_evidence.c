/* SPDX-License-Identifier: MIT */
/* Projecting a capture and comparing runs, with every allocation and system call failing in turn. */
#include "capture_text.h"
#include "fault.h"
#include "report/compare_runs.h"
#include "report/compare_text.h"

struct projecting {
	char text[2][CAPTURE_TEXT];
	struct nf_arena a;
	struct nf_rec_projection r;
};

static void prepare(void *ctx)
{
	struct projecting *p = ctx;

	nf_arena_init(&p->a, NF_PROJECT_ARENA_BYTES);
	p->r = (struct nf_rec_projection){ .schema = "untouched" };
}

static int run_project(void *ctx, struct nf_err *err)
{
	static const char *const notes[] = { "n" };
	struct nf_project_opts o = { .lane = "rt", .phase = "p", .notes = { notes, 1 } };
	struct projecting *p = ctx;
	struct nf_project_input in[] = { { "a", p->text[0], strlen(p->text[0]) },
		                         { "b", p->text[1], strlen(p->text[1]) } };

	return nf_project(in, 2, &o, &p->a, &p->r, err);
}

static void finish_project(void *ctx, int r)
{
	struct projecting *p = ctx;

	if (r < 0)
		assert_string_equal(p->r.schema, "untouched");
	else
		assert_true(p->r.trace.n > 10);
	nf_arena_fini(&p->a);
}

static void a_projection_is_whole_or_not_there(void **state)
{
	static const char *const names[][2] = { { "probe.txt", "window.txt" },
		                                { "validator.txt", "smi.txt" } };
	struct projecting *p = calloc(1, sizeof(*p));

	(void)state;
	assert_non_null(p);
	for (size_t i = 0; i < 2; i++) {
		capture_fixture(names[i][0], p->text[0]);
		capture_fixture(names[i][1], p->text[1]);
		fault_every(&(struct fault_subject){ .prepare = prepare,
		                                     .run = run_project,
		                                     .finish = finish_project },
		            p);
	}
	free(p);
}

struct reading {
	char path[4096];
	json_t *v;
};

static int run_read(void *ctx, struct nf_err *err)
{
	struct reading *r = ctx;

	return nf_run_read(r->path, &r->v, err);
}

static void finish_read(void *ctx, int rc)
{
	struct reading *r = ctx;

	if (rc < 0)
		assert_null(r->v);
	else
		assert_non_null(r->v);
	json_decref(r->v);
	r->v = NULL;
}

static void an_operand_is_read_or_not_there(void **state)
{
	struct reading r = { .v = NULL };

	(void)state;
	snprintf(r.path, sizeof(r.path), "%s/tests/fixtures/captures/probe.txt",
	         getenv("NF_SOURCE"));
	fault_every(&(struct fault_subject){ .run = run_read,
	                                     .finish = finish_read,
	                                     .tolerates = "close,stat,stat64" },
	            &r);
}

struct comparing {
	struct nf_run_view view[4];
	struct nf_arena a;
	struct nf_rec_compare_run r;
	struct nf_buf out;
};

static void prepare_compare(void *ctx)
{
	struct comparing *c = ctx;

	nf_arena_init(&c->a, 64 << 20);
	nf_buf_init(&c->out, 1 << 20);
	c->r = (struct nf_rec_compare_run){ .schema = "untouched" };
}

static int run_compare(void *ctx, struct nf_err *err)
{
	struct comparing *c = ctx;
	int rc = nf_compare_runs(c->view, 4, &(struct nf_compare_opts){ .by = NF_BY_LANE }, &c->a,
	                         &c->r, err);

	if (rc == 0)
		rc = nf_compare_text(&c->r, &c->out, err);
	if (rc == 0)
		rc = nf_compare_csv_published(&c->r, &c->out, err);
	return rc;
}

static void finish_compare(void *ctx, int rc)
{
	struct comparing *c = ctx;

	if (rc == 0)
		assert_true(c->r.warnings.n > 0);
	nf_buf_fini(&c->out);
	nf_arena_fini(&c->a);
}

static void a_comparison_is_whole_or_not_there(void **state)
{
	static const char *const names[] = { "probe.txt", "probe-rt.txt", "smi.txt",
		                             "validator.txt" };
	struct comparing *c = calloc(1, sizeof(*c));
	char text[CAPTURE_TEXT];
	json_t *v[4] = { NULL };

	(void)state;
	assert_non_null(c);
	for (size_t i = 0; i < 4; i++) {
		capture_fixture(names[i], text);
		assert_int_equal(nf_run_of_capture(names[i], text, strlen(text), &v[i], NULL), 0);
		assert_int_equal(nf_run_view(names[i], v[i], &c->view[i], NULL), 0);
	}
	fault_every(&(struct fault_subject){ .prepare = prepare_compare,
	                                     .run = run_compare,
	                                     .finish = finish_compare },
	            c);
	for (size_t i = 0; i < 4; i++)
		json_decref(v[i]);
	free(c);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_projection_is_whole_or_not_there),
	cmocka_unit_test(an_operand_is_read_or_not_there),
	cmocka_unit_test(a_comparison_is_whole_or_not_there),
};
NF_UNIT_MAIN(tests)
