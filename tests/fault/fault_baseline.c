/* SPDX-License-Identifier: MIT */
/* A file of stored sessions with every call failing in turn: it holds what it held, or one more. */
#include "record/baseline_file.h"

#include "fault.h"
#include "nf_scratch.h"

static const struct nf_rec_bench_stored stored = {
	.bench = "one", .unit = "ns", .sets = 20, .iterations = 1, .median = 100
};
static const struct nf_rec_bench_session session = {
	.finished_utc = "2026-01-01T00:00:00.000Z",
	.finished_unix_s = 1000,
	.tool_version = "0",
	.medians = { &stored, 1 },
};

struct subject {
	char dir[256];
	char path[300];
	struct nf_arena arena;
	struct nf_rec_bench_baseline read;
};

static void no_file(void *ctx)
{
	struct subject *s = ctx;

	nf_scratch_make(s->dir, sizeof(s->dir));
	snprintf(s->path, sizeof(s->path), "%s/base.json", s->dir);
	s->read = (struct nf_rec_bench_baseline){ 0 };
	nf_arena_init(&s->arena, 1 << 24);
}

static void one_session(void *ctx)
{
	struct subject *s = ctx;
	struct nf_err err;

	no_file(ctx);
	assert_int_equal(nf_baseline_file_make(s->path, -1, -1, &err), 0);
	assert_int_equal(nf_baseline_file_append(s->path, &session, &err), 0);
}

static size_t sessions(struct subject *s)
{
	struct nf_rec_bench_baseline b;
	struct nf_err err;

	if (nf_baseline_file_read(s->path, &s->arena, &b, &err) < 0)
		fail_msg("%s", err.msg);
	return b.sessions.n;
}

static size_t files(const char *dir)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void clean_up(struct subject *s)
{
	nf_arena_fini(&s->arena);
	nf_scratch_remove(s->dir);
}

static int make(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_baseline_file_make(s->path, -1, -1, err);
}

static void made_or_not(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_int_equal(files(s->dir), r == 0);
	if (r == 0)
		assert_int_equal(sessions(s), 0);
	clean_up(s);
}

static int append(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_baseline_file_append(s->path, &session, err);
}

static void one_or_two(void *ctx, int r)
{
	struct subject *s = ctx;
	size_t n = sessions(s);

	/* That the folder could not be synced after the rename is a failure; the new file stays. */
	assert_true(r == 0 ? n == 2 : n == 1 || n == 2);
	assert_int_equal(files(s->dir), 1);
	clean_up(s);
}

static int read_it(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_baseline_file_read(s->path, &s->arena, &s->read, err);
}

static void read_or_untouched(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_int_equal(s->read.sessions.n, r == 0);
	clean_up(s);
}

static void a_file_is_made_or_not_there(void **state)
{
	struct subject s;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = no_file,
	                                     .run = make,
	                                     .finish = made_or_not,
	                                     .any_code = true,
	                                     .tolerates = "close,access" },
	            &s);
}

static void an_addition_is_whole_or_not_there(void **state)
{
	const struct fault_subject subject = { .prepare = one_session,
		                               .run = append,
		                               .finish = one_or_two,
		                               .any_code = true,
		                               .tolerates = "close" };
	struct subject s;

	(void)state;
	fault_every(&subject, &s);
	fault_survives(&subject, &s);
}

static void a_file_is_read_or_nothing_is(void **state)
{
	struct subject s;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = one_session,
	                                     .run = read_it,
	                                     .finish = read_or_untouched,
	                                     .any_code = true,
	                                     .tolerates = "close" },
	            &s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_file_is_made_or_not_there),
	cmocka_unit_test(an_addition_is_whole_or_not_there),
	cmocka_unit_test(a_file_is_read_or_nothing_is),
};
NF_UNIT_MAIN(tests)
