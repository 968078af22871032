/* SPDX-License-Identifier: MIT */
/* audit src: whatever fails on the way, it fails whole or says what was not read. */
#include "fault.h"
#include "job/audit_source.h"
#include "nf_scratch.h"

static char folder[128];

static void put(const char *name, const char *text)
{
	char path[192];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	nf_scratch_write(path, text);
}

static int make_files(void **state)
{
	char path[192];

	(void)state;
	nf_scratch_make(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/d", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	put("conf.h", "#define X 0\n");
	put("use.h", "#ifdef X\nint a;\n#endif\n#ifdef Y\n#endif\n");
	put("a.c", "#include \"conf.h\"\n#include \"use.h\"\n#ifdef X\nint f(void)\n{\nt = "
	           "rdtsc();\nputs(s);\n"
	           "d = rdtsc() - t;\n}\n#endif\n#define Y 0\n#include \"d/late.h\"\n");
	put("d/late.h", "#ifdef Y\nint b;\n#endif\n");
	return 0;
}

static int remove_files(void **state)
{
	(void)state;
	nf_scratch_remove(folder);
	return 0;
}

static int run_audit(void *ctx, struct nf_err *err)
{
	static char word[] = "noisefloor";
	static char *argv[] = { word, NULL };
	const struct nf_job_opts o = { .argc = 1, .argv = argv };
	const char *const paths[] = { folder };
	const struct nf_audit_source_opts s = { .paths = paths, .n_paths = 1, .all = true };

	return nf_job_audit_source(&o, &s, ctx, err);
}

static void begin_outcome(void *ctx)
{
	nf_job_outcome_init(ctx);
}

/* Whole, or it says that it is not. */
static void end_outcome(void *ctx, int r)
{
	struct nf_job_outcome *o = ctx;

	if (r == 0 && strstr(o->json.data, "\"complete\": true")) {
		assert_int_equal(o->exit_code, 1);
		assert_non_null(strstr(o->summary.data, "/a.c:3: #ifdef X"));
		assert_non_null(strstr(o->summary.data, "/a.c:7: puts()"));
		assert_non_null(strstr(o->summary.data, "/use.h:1: #ifdef X"));
		assert_non_null(strstr(o->summary.data, "/late.h:1: #ifdef Y"));
	} else if (r == 0) {
		assert_non_null(strstr(o->summary.data, "partial: not everything was read"));
		assert_non_null(strstr(o->summary.data, "not read: "));
	}
	nf_job_outcome_fini(o);
}

static void an_audit_fails_whole_or_says_what_is_missing(void **state)
{
	struct nf_job_outcome o;
	struct fault_subject s = {
		.prepare = begin_outcome,
		.run = run_audit,
		.finish = end_outcome,
		.tolerates = "open,open64,openat,openat64,fstat,fstat64,read,fdopendir,readdir,"
		             "readdir64,"
		             "close,sched_getaffinity,pthread_create",
	};

	(void)state;
	fault_every(&s, &o);
	fault_survives(&s, &o);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_audit_fails_whole_or_says_what_is_missing),
};

NF_UNIT_MAIN_WITH(tests, make_files, remove_files)
