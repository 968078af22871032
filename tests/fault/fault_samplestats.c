/* SPDX-License-Identifier: MIT */
/* Statistics of files: whatever fails on the way, nothing is left behind and nothing half is handed out. */
#include <fcntl.h>
#include <unistd.h>

#include "fault.h"
#include "job/samplestats.h"
#include "nf_scratch.h"
#include "samples/fwq_read.h"
#include "samples/samplefile.h"

static char folder[128], text_path[160], run_path[160];

static void write_run(void)
{
	static const int64_t values[] = { 5, 6, 900000, 7 };
	char dir[192];
	struct nf_stream s[2];
	struct nf_samplefile_writer *w = NULL;

	memset(s, 0, sizeof(s));
	strcpy(s[0].name, "fwq.cpu0");
	strcpy(s[1].name, "wake.cpu0");
	s[0].unit = s[1].unit = NF_UNIT_NS;
	s[1].kind = NF_KIND_INSTANT;
	assert_int_equal(mkdir(run_path, 0700), 0);
	snprintf(dir, sizeof(dir), "%s/samples", run_path);
	assert_int_equal(mkdir(dir, 0700), 0);
	snprintf(dir, sizeof(dir), "%s/samples/a.nfsamples", run_path);
	assert_int_equal(nf_samplefile_create(AT_FDCWD, dir, s, 2, &w, NULL), 0);
	assert_int_equal(nf_samplefile_append(w, 0, values, 4, NULL), 0);
	assert_int_equal(nf_samplefile_append(w, 1, values, 4, NULL), 0);
	assert_int_equal(nf_samplefile_finish(w, s, NULL), 0);
}

static int make_files(void **state)
{
	(void)state;
	nf_scratch_make(folder, sizeof(folder));
	snprintf(text_path, sizeof(text_path), "%s/f.dat", folder);
	snprintf(run_path, sizeof(run_path), "%s/run", folder);
	nf_scratch_write(text_path, "Speed: thread 0, cycles 1, seconds 1.0, GHz 2.0\n"
	                            "Speed: thread 1, cycles 1, seconds 1.0, GHz 2.0\n"
	                            "Thread 0 running on CPUs 0\n10\n20\n99\n"
	                            "Thread 1 running on CPUs 1\n10\n30\n40\n");
	write_run();
	return 0;
}

static int remove_files(void **state)
{
	(void)state;
	nf_scratch_remove(folder);
	return 0;
}

static int run_stats(void *ctx, struct nf_err *err)
{
	static char word[] = "noisefloor";
	static char *argv[] = { word, NULL };
	const struct nf_job_opts o = { .argc = 1, .argv = argv };
	const char *const paths[] = { text_path, run_path };

	return nf_job_sample_stats(&o, paths, 2, ctx, err);
}

static void begin_outcome(void *ctx)
{
	nf_job_outcome_init(ctx);
}

static void end_outcome(void *ctx, int r)
{
	struct nf_job_outcome *o = ctx;

	if (r == 0) {
		assert_non_null(strstr(o->summary.data, "Thread 1 on 1"));
		assert_non_null(strstr(o->summary.data, "fwq.cpu0"));
		assert_int_equal(o->exit_code, 0);
	}
	nf_job_outcome_fini(o);
}

static void statistics_fail_whole(void **state)
{
	struct nf_job_outcome o;
	struct fault_subject s = { .prepare = begin_outcome,
		                   .run = run_stats,
		                   .finish = end_outcome,
		                   .tolerates = "close,fstat,fstat64,stat,stat64" };

	(void)state;
	fault_every(&s, &o);
	fault_survives(&s, &o);
}

static int on_speed(void *ctx, int index, double ghz, struct nf_err *err)
{
	(void)ctx;
	(void)index;
	(void)ghz;
	(void)err;
	return 0;
}

static const struct nf_fwq_reader_ops ops = { .speed = on_speed };

static int run_reader(void *ctx, struct nf_err *err)
{
	return nf_fwq_reader_new("f", &ops, NULL, ctx, err);
}

static void no_reader(void *ctx)
{
	*(struct nf_fwq_reader **)ctx = NULL;
}

static void end_reader(void *ctx, int r)
{
	assert_true((*(struct nf_fwq_reader **)ctx == NULL) == (r < 0));
	nf_fwq_reader_free(*(struct nf_fwq_reader **)ctx);
}

static void a_reader_without_memory_is_not_made(void **state)
{
	struct nf_fwq_reader *r;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = no_reader,
	                                     .run = run_reader,
	                                     .finish = end_reader },
	            &r);
}

static int run_figures(void *ctx, struct nf_err *err)
{
	static const int64_t x[] = { 1, 2, 3, 4, 100000000 };

	return nf_figures_of(x, 5, ctx, NULL, err);
}

static void begin_figures(void *ctx)
{
	((struct nf_figures *)ctx)->n = 99;
}

static void end_figures(void *ctx, int r)
{
	assert_int_equal(((struct nf_figures *)ctx)->n, r < 0 ? 99 : 5);
}

static void figures_without_memory_are_none(void **state)
{
	struct nf_figures f;

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = begin_figures,
	                                     .run = run_figures,
	                                     .finish = end_figures },
	            &f);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(statistics_fail_whole),
	cmocka_unit_test(a_reader_without_memory_is_not_made),
	cmocka_unit_test(figures_without_memory_are_none),
};

NF_UNIT_MAIN_WITH(tests, make_files, remove_files)
