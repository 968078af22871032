/* SPDX-License-Identifier: MIT */
/* Jobs with every allocation, and every call that keeps evidence, failing: nothing is called done that
 * is not on the disk. A stop request is pending, so that no run lasts. */
#include <ftw.h>
#include <unistd.h>

#include "fault.h"
#include "job/inject.h"
#include "job/job.h"
#include "measure/probe_numa.h"
#include "measure/probe_wake.h"
#include "nf_unit.h"

#define ALLOCATIONS "malloc,calloc,realloc,reallocarray,aligned_alloc,mmap,mmap64"
#define KEEPING "write,fsync,mkdir,mkdirat,linkat,renameat2"

struct subject {
	struct nf_job_opts opts;
	struct nf_job_outcome outcome;
	struct nf_stop stop;
	const struct nf_probe *probe;
	union {
		struct nf_probe_common common;
		struct nf_numa_cfg numa;
		struct nf_wake_cfg wake;
	} cfg;
	struct nf_window_opts window;
	struct nf_inject_opts inject;
	char dir[64];
	char profile[80];
	char *argv[2];
};

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void write_profile(struct subject *s)
{
	static const char text[] = "config CONFIG_X=y\ncmdline quiet\nsysctl kernel.ostype=Linux\n";
	FILE *f;

	snprintf(s->profile, sizeof(s->profile), "%s/profile", s->dir);
	f = fopen(s->profile, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void prepare(void *ctx)
{
	struct subject *s = ctx;

	strcpy(s->dir, "/dev/shm/nf-fault-job-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	nf_job_outcome_init(&s->outcome);
	s->outcome.exit_code = 77;
}

static void prepare_posture(void *ctx)
{
	prepare(ctx);
	write_profile(ctx);
}

static void finish(void *ctx, int r)
{
	struct subject *s = ctx;

	if (r < 0) {
		assert_int_equal(s->outcome.exit_code, 77);
	} else {
		char manifest[512];

		assert_true(s->outcome.json.len_bytes > 0);
		snprintf(manifest, sizeof(manifest), "%s/MANIFEST", s->outcome.folder.data);
		if (s->outcome.folder.len_bytes > 0)
			assert_int_equal(access(manifest, R_OK), 0);
	}
	nf_job_outcome_fini(&s->outcome);
	assert_int_equal(nftw(s->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static int run_probe(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_job_probe(&s->opts, s->probe, &s->cfg, &s->outcome, err);
}

static int run_window(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_job_window(&s->opts, &s->window, &s->outcome, err);
}

/* A probe that fails does not fail the job: the record says that it was blocked, and why. */
static int run_inject(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;
	int r = nf_job_inject(&s->opts, &s->inject, &s->outcome, err);

	if (r < 0 || !strstr(s->outcome.json.data, "\"result\": \"blocked\""))
		return r;
	assert_true(s->outcome.exit_code == 4 || s->outcome.exit_code == 130);
	s->outcome.exit_code = 77;
	return nf_fail(err, NF_EOS, "blocked");
}

static int run_posture(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	const struct nf_posture_opts opts = { .profile = s->profile, .advise = true };

	return nf_job_posture(&s->opts, &opts, &s->outcome, err);
}

static struct subject *subject(void)
{
	static char name[] = "test";
	static struct subject s;

	s = (struct subject){
		.opts = { .runs_dir = s.dir,
		          .budget = nf_job_budget_default(),
		          .clock = NF_TICK_WANT_MONOTONIC,
		          .argc = 1,
		          .argv = s.argv,
		          .owner_uid = -1,
		          .owner_gid = -1,
		          .stop = &s.stop },
		.stop = { .signo = SIGINT },
		.argv = { name, NULL },
	};
	return &s;
}

static void a_probe_job_fails_or_leaves_a_committed_folder(void **state)
{
	struct subject *s = subject();

	(void)state;
	s->probe = &nf_probe_numa;
	nf_probe_numa.defaults(&s->cfg);
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = run_probe,
	                                     .finish = finish,
	                                     .only = ALLOCATIONS "," KEEPING,
	                                     .any_code = true,
	                                     .stride = 7 },
	            s);
}

static void a_window_fails_or_leaves_a_committed_folder(void **state)
{
	struct subject *s = subject();

	(void)state;
	s->window = (struct nf_window_opts){ .profile = NF_PROFILE_QUICK };
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = run_window,
	                                     .finish = finish,
	                                     .only = ALLOCATIONS "," KEEPING,
	                                     .any_code = true,
	                                     .stride = 7 },
	            s);
}

static void a_selftest_fails_or_leaves_a_committed_folder(void **state)
{
	struct subject *s = subject();

	(void)state;
	s->inject = (struct nf_inject_opts){ .duration_ns = 100000000,
		                             .period_ns = 1000000,
		                             .length_ns = 20000,
		                             .min_recall = 0.9 };
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = run_inject,
	                                     .finish = finish,
	                                     .only = ALLOCATIONS,
	                                     .any_code = true },
	            s);
}

static void a_posture_fails_without_memory(void **state)
{
	struct subject *s = subject();

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare_posture,
	                                     .run = run_posture,
	                                     .finish = finish,
	                                     .only = ALLOCATIONS,
	                                     .any_code = true },
	            s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_posture_fails_without_memory),
	cmocka_unit_test(a_probe_job_fails_or_leaves_a_committed_folder),
	cmocka_unit_test(a_selftest_fails_or_leaves_a_committed_folder),
	cmocka_unit_test(a_window_fails_or_leaves_a_committed_folder),
};

NF_UNIT_MAIN(tests)
