/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "fault.h"
#include "nf_unit.h"
#include "samples/samplefile.h"

static char folder[] = "/tmp/nf-fault-samplefile-XXXXXX";
static int dirfd = -1;

static const int64_t values[] = { 5, -6, 7 };

static int open_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dirfd < 0 ? -1 : 0;
}

static int close_folder(void **state)
{
	(void)state;
	close(dirfd);
	return rmdir(folder);
}

static void two_streams(struct nf_stream s[2])
{
	memset(s, 0, 2 * sizeof(*s));
	strcpy(s[0].name, "a");
	strcpy(s[1].name, "b");
	s[0].unit = s[1].unit = NF_UNIT_NS;
	s[1].width = 4;
	s[1].n_missed = 3;
}

static void no_writer(void *ctx)
{
	*(struct nf_samplefile_writer **)ctx = NULL;
}

static int run_create(void *ctx, struct nf_err *err)
{
	struct nf_stream s[2];

	two_streams(s);
	return nf_samplefile_create(dirfd, "f", s, 2, ctx, err);
}

static void finish_create(void *ctx, int r)
{
	struct nf_samplefile_writer **w = ctx;

	assert_true((*w == NULL) == (r < 0));
	/* No file is left by a failure. */
	assert_int_equal(unlinkat(dirfd, "f", 0), r < 0 ? -1 : 0);
	nf_samplefile_abandon(*w);
}

static void a_file_that_cannot_be_made_leaves_nothing(void **state)
{
	struct nf_samplefile_writer *w;
	struct fault_subject s = { .prepare = no_writer,
		                   .run = run_create,
		                   .finish = finish_create };

	(void)state;
	fault_every(&s, &w);
	fault_survives(&s, &w);
}

static void make_writer(void *ctx)
{
	struct nf_stream s[2];

	two_streams(s);
	assert_int_equal(nf_samplefile_create(dirfd, "f", s, 2, ctx, NULL), 0);
}

static int run_append(void *ctx, struct nf_err *err)
{
	struct nf_samplefile_writer **w = ctx;

	return nf_samplefile_append(*w, 1, values, 3, err);
}

static void finish_append(void *ctx, int r)
{
	struct nf_samplefile_writer **w = ctx;
	struct nf_stream s[2];
	struct nf_samplefile f = { 0 };

	/* After a failed write nothing can be added, and the file does not pass as complete. */
	two_streams(s);
	assert_int_equal(nf_samplefile_append(*w, 0, values, 1, NULL), r < 0 ? -NF_EOS : 0);
	assert_int_equal(nf_samplefile_finish(*w, s, NULL), r < 0 ? -NF_EOS : 0);
	assert_int_equal(nf_samplefile_read(dirfd, "f", SIZE_MAX, &f, NULL), 0);
	assert_true((f.state == NF_SAMPLEFILE_COMPLETE) == (r == 0));
	assert_int_equal(f.streams[1].n, r == 0 ? 3 : 0);
	nf_samplefile_fini(&f);
	assert_int_equal(unlinkat(dirfd, "f", 0), 0);
}

static void a_failed_write_ends_the_file(void **state)
{
	struct nf_samplefile_writer *w;
	struct fault_subject s = { .prepare = make_writer,
		                   .run = run_append,
		                   .finish = finish_append };

	(void)state;
	fault_every(&s, &w);
	fault_survives(&s, &w);
}

static void make_and_append(void *ctx)
{
	make_writer(ctx);
	assert_int_equal(run_append(ctx, NULL), 0);
}

static int run_finish(void *ctx, struct nf_err *err)
{
	struct nf_samplefile_writer **w = ctx;
	struct nf_stream s[2];

	two_streams(s);
	return nf_samplefile_finish(*w, s, err);
}

static void finish_finish(void *ctx, int r)
{
	struct nf_samplefile f = { 0 };

	(void)ctx;
	assert_int_equal(nf_samplefile_read(dirfd, "f", SIZE_MAX, &f, NULL), 0);
	assert_int_equal(f.streams[1].n, 3);
	if (r == 0)
		assert_true(f.state == NF_SAMPLEFILE_COMPLETE && f.streams[1].n_missed == 3);
	nf_samplefile_fini(&f);
	assert_int_equal(unlinkat(dirfd, "f", 0), 0);
}

static void a_file_that_cannot_be_finished_is_reported_and_closed(void **state)
{
	struct nf_samplefile_writer *w;
	struct fault_subject s = { .prepare = make_and_append,
		                   .run = run_finish,
		                   .finish = finish_finish };

	(void)state;
	fault_every(&s, &w);
	fault_survives(&s, &w);
}

static void untouched(void *ctx)
{
	*(struct nf_samplefile *)ctx = (struct nf_samplefile){ .n_streams = 99 };
}

static int run_read(void *ctx, struct nf_err *err)
{
	return nf_samplefile_read(dirfd, "f", SIZE_MAX, ctx, err);
}

static void finish_read(void *ctx, int r)
{
	struct nf_samplefile *f = ctx;

	if (r < 0) {
		assert_true(f->n_streams == 99 && !f->streams);
		return;
	}
	assert_int_equal(f->state, NF_SAMPLEFILE_COMPLETE);
	assert_memory_equal(f->streams[1].value, values, sizeof(values));
	nf_samplefile_fini(f);
}

static void a_file_that_cannot_be_read_gives_nothing(void **state)
{
	struct nf_samplefile_writer *w;
	struct nf_samplefile f;
	struct fault_subject s = {
		.prepare = untouched, .run = run_read, .finish = finish_read, .tolerates = "close"
	};

	(void)state;
	make_and_append(&w);
	assert_int_equal(run_finish(&w, NULL), 0);
	fault_every(&s, &f);
	fault_survives(&s, &f);
	assert_int_equal(unlinkat(dirfd, "f", 0), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_file_that_cannot_be_made_leaves_nothing),
	cmocka_unit_test(a_failed_write_ends_the_file),
	cmocka_unit_test(a_file_that_cannot_be_finished_is_reported_and_closed),
	cmocka_unit_test(a_file_that_cannot_be_read_gives_nothing),
};

NF_UNIT_MAIN_WITH(tests, open_folder, close_folder)
