/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"
#include "nf_unit.h"
#include "record/rec_window.h"
#include "record/runfolder.h"
#include "record/write.h"
#include "record_samples.h"

struct writing {
	const struct nf_type *type;
	const void *value;
	struct nf_buf out;
	uint64_t replaced;
	int (*write)(struct writing *w, struct nf_err *err);
};

static int to_json(struct writing *w, struct nf_err *err)
{
	return nf_record_to_json(w->type, w->value, &w->out, &w->replaced, err);
}
static int to_dhall(struct writing *w, struct nf_err *err)
{
	return nf_record_to_dhall(w->type, w->value, &w->out, &w->replaced, err);
}
static int to_csv(struct writing *w, struct nf_err *err)
{
	return nf_record_to_csv(w->type, w->value, &w->out, err);
}
static int to_schema(struct writing *w, struct nf_err *err)
{
	return nf_type_to_json_schema(w->type, &w->out, err);
}
static int to_type(struct writing *w, struct nf_err *err)
{
	return nf_type_to_dhall(w->type, &w->out, err);
}
static int to_types(struct writing *w, struct nf_err *err)
{
	return nf_types_to_dhall(nf_record_types, &w->out, err);
}

static int run_write(void *ctx, struct nf_err *err)
{
	struct writing *w = ctx;

	w->replaced = 0;
	return w->write(w, err);
}

static void finish_write(void *ctx, int r)
{
	struct writing *w = ctx;

	if (r < 0) {
		assert_int_equal(w->out.len_bytes, 0);
		assert_int_equal(w->replaced, 0);
	} else {
		assert_true(w->out.len_bytes > 100);
	}
	nf_buf_fini(&w->out);
}

static void every_writer_gives_up_cleanly_without_memory(void **state)
{
	static int (*const writers[])(struct writing *, struct nf_err *) = { to_json, to_dhall,
		                                                             to_csv,  to_schema,
		                                                             to_type, to_types };
	struct nf_arena a;

	(void)state;
	nf_arena_init(&a, 1 << 24);
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		struct writing w = { .type = &nf_rec_window_run_type, .write = writers[i] };

		w.value = record_sample(w.type, &a, NF_SAMPLE_FULL);
		assert_non_null(w.value);
		nf_buf_init(&w.out, 1 << 24);
		fault_every(&(struct fault_subject){ .run = run_write, .finish = finish_write },
		            &w);
	}
	nf_arena_fini(&a);
}

struct honest {
	struct nf_arena a;
	struct nf_rec_window_run *run;
};

static void prepare_honest(void *ctx)
{
	struct honest *h = ctx;

	nf_arena_init(&h->a, 1 << 24);
}

static int run_honest(void *ctx, struct nf_err *err)
{
	struct honest *h = ctx;

	return nf_rec_head_finish(&h->run->head, &nf_rec_window_run_type, h->run, &h->a, err);
}

static void finish_honest(void *ctx, int r)
{
	struct honest *h = ctx;

	if (r < 0)
		assert_int_equal(h->run->head.honesty.measured.n, 0);
	else
		assert_true(h->run->head.honesty.measured.n > 5);
	h->run->head.honesty = (struct nf_rec_honesty){ .measured = { NULL, 0 } };
	nf_arena_fini(&h->a);
}

static void a_head_is_finished_or_untouched(void **state)
{
	struct nf_arena a;
	struct honest h;

	(void)state;
	nf_arena_init(&a, 1 << 24);
	h.run = record_sample(&nf_rec_window_run_type, &a, NF_SAMPLE_EMPTY);
	assert_non_null(h.run);
	fault_every(&(struct fault_subject){ .prepare = prepare_honest,
	                                     .run = run_honest,
	                                     .finish = finish_honest },
	            &h);
	nf_arena_fini(&a);
}

/* --- run folders ------------------------------------------------------------------------------ */

static char top[64];

static void shell(const char *command)
{
	char line[256];

	snprintf(line, sizeof(line), "cd '%s' && %s", top, command);
	assert_int_equal(system(line), 0);
}

static int make_top(void **state)
{
	(void)state;
	strcpy(top, "/tmp/nf-fault-record-XXXXXX");
	return mkdtemp(top) ? 0 : -1;
}

static int remove_top(void **state)
{
	(void)state;
	shell("cd / && rm -rf \"$OLDPWD\"");
	return 0;
}

struct folder {
	struct nf_runfolder *r;
	char runs[128];
	char hex[65];
	int uid;
};

static int make_folder(struct folder *f, struct nf_err *err)
{
	return nf_runfolder_create(f->runs, (struct nf_instant){ 1 }, "h", "t", f->uid,
	                           (int)getgid(), 4096, &f->r, err);
}

static int run_create(void *ctx, struct nf_err *err)
{
	return make_folder(ctx, err);
}

/* Nothing is left of a folder that could not be made, not even runs/. */
static void finish_create(void *ctx, int r)
{
	struct folder *f = ctx;

	if (r < 0) {
		assert_null(f->r);
		assert_int_equal(access(f->runs, F_OK), -1);
	}
	nf_runfolder_free(f->r);
	f->r = NULL;
	shell("rm -rf runs");
}

static void a_run_folder_is_made_whole_or_not_at_all(void **state)
{
	struct folder f = { .uid = (int)getuid() };

	(void)state;
	snprintf(f.runs, sizeof(f.runs), "%s/runs", top);
	/* The removals are what puts things back: they are not made to fail here. */
	fault_every(
	        &(struct fault_subject){ .run = run_create,
	                                 .finish = finish_create,
	                                 .tolerates = "close",
	                                 .only = "calloc,malloc,realloc,strdup,open,open64,openat,"
	                                         "openat64,mkdir,mkdirat,fchown,write,fallocate,"
	                                         "fallocate64,fsync" },
	        &f);
}

/* Kernels and file systems without fallocate: the free space is asked for instead. */
static void without_fallocate_a_run_folder_is_made_all_the_same(void **state)
{
	static const int errnos[] = { ENOSYS, EOPNOTSUPP };
	struct folder f = { .uid = (int)getuid() };

	(void)state;
	snprintf(f.runs, sizeof(f.runs), "%s/runs", top);
	for (size_t i = 0; i < sizeof(errnos) / sizeof(errnos[0]); i++)
		fault_every(&(struct fault_subject){ .run = run_create,
		                                     .finish = finish_create,
		                                     .tolerates = "fallocate,fallocate64",
		                                     .only = "fallocate,fallocate64",
		                                     .os_errno = errnos[i] },
		            &f);
}

static void prepare_put(void *ctx)
{
	assert_int_equal(make_folder(ctx, NULL), 0);
}

static int run_put(void *ctx, struct nf_err *err)
{
	struct folder *f = ctx;

	return nf_runfolder_put(f->r, "captures/a.txt", "text", 4, err);
}

static void finish_put(void *ctx, int r)
{
	struct folder *f = ctx;

	shell(r < 0 ? "test -z \"$(find runs -type f)\""
	            : "test \"$(cat runs/*/captures/a.txt)\" = text && test $(find runs -type f | "
	              "wc -l) = 1");
	nf_runfolder_free(f->r);
	f->r = NULL;
	shell("rm -rf runs");
}

static void a_file_appears_whole_or_not_at_all(void **state)
{
	struct folder f = { .uid = (int)getuid() };
	struct fault_subject s = { .prepare = prepare_put,
		                   .run = run_put,
		                   .finish = finish_put,
		                   .tolerates = "close,unlinkat" };

	(void)state;
	snprintf(f.runs, sizeof(f.runs), "%s/runs", top);
	fault_every(&s, &f);
	fault_survives(&s, &f);
}

static void prepare_commit(void *ctx)
{
	struct folder *f = ctx;

	prepare_put(ctx);
	assert_int_equal(nf_runfolder_put(f->r, "captures/a.txt", "text", 4, NULL), 0);
	assert_int_equal(nf_runfolder_put(f->r, "record.json", "{}", 2, NULL), 0);
}

static int run_commit(void *ctx, struct nf_err *err)
{
	struct folder *f = ctx;

	return nf_runfolder_commit(f->r, err);
}

static void finish_commit(void *ctx, int r)
{
	struct folder *f = ctx;

	shell(r < 0 ? "test ! -e runs/*/MANIFEST && test $(find runs -type f | wc -l) = 2"
	            : "cd runs/* && sha256sum --strict --quiet -c MANIFEST");
	nf_runfolder_free(f->r);
	f->r = NULL;
	shell("rm -rf runs");
}

static void a_manifest_is_there_only_after_success(void **state)
{
	struct folder f = { .uid = (int)getuid() };
	struct fault_subject s = { .prepare = prepare_commit,
		                   .run = run_commit,
		                   .finish = finish_commit,
		                   .any_code = true,
		                   .tolerates = "close" };

	(void)state;
	snprintf(f.runs, sizeof(f.runs), "%s/runs", top);
	fault_every(&s, &f);
	fault_survives(&s, &f);
}

static int run_give(void *ctx, struct nf_err *err)
{
	struct folder *f = ctx;

	return nf_runfolder_give(f->r, "captures/a.txt", err);
}

static void a_file_that_cannot_be_given_away_is_told(void **state)
{
	struct folder f = { .uid = (int)getuid() };

	(void)state;
	snprintf(f.runs, sizeof(f.runs), "%s/runs", top);
	prepare_commit(&f);
	fault_every(&(struct fault_subject){ .run = run_give, .tolerates = "close" }, &f);
	assert_int_equal(nf_runfolder_give(f.r, "../a", NULL), -NF_EARG);
	nf_runfolder_free(f.r);
}

static int run_digest(void *ctx, struct nf_err *err)
{
	struct folder *f = ctx;

	strcpy(f->hex, "untouched");
	return nf_runfolder_digest(f->r, "captures/a.txt", f->hex, err);
}

static void finish_digest(void *ctx, int r)
{
	struct folder *f = ctx;

	assert_int_equal(strcmp(f->hex, "untouched") == 0, r < 0);
}

static void ignore(void *ctx, const char *item, enum nf_check_state state, const char *why)
{
	(void)item;
	(void)why;
	*(enum nf_check_state *)ctx = state;
}

static int run_check(void *ctx, struct nf_err *err)
{
	struct folder *f = ctx;
	enum nf_check_state last, state = NF_CHECK_DAMAGED;
	int rc = nf_runfolder_check(nf_runfolder_path(f->r), ignore, &last, &state, err);

	/* A system call that fails is no finding about the folder. */
	assert_int_equal(state, rc < 0 ? NF_CHECK_DAMAGED : NF_CHECK_PARTIAL);
	return rc;
}

static void a_digest_and_a_check_fail_without_a_finding(void **state)
{
	struct folder f = { .uid = (int)getuid() };

	(void)state;
	snprintf(f.runs, sizeof(f.runs), "%s/runs", top);
	prepare_commit(&f);
	fault_every(&(struct fault_subject){ .run = run_digest,
	                                     .finish = finish_digest,
	                                     .tolerates = "close" },
	            &f);
	shell("rm runs/*/record.json");
	fault_every(&(struct fault_subject){ .run = run_check, .tolerates = "close" }, &f);
	nf_runfolder_free(f.r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_writer_gives_up_cleanly_without_memory),
	cmocka_unit_test(a_head_is_finished_or_untouched),
	cmocka_unit_test_setup_teardown(a_run_folder_is_made_whole_or_not_at_all, make_top,
	                                remove_top),
	cmocka_unit_test_setup_teardown(without_fallocate_a_run_folder_is_made_all_the_same,
	                                make_top, remove_top),
	cmocka_unit_test_setup_teardown(a_file_that_cannot_be_given_away_is_told, make_top,
	                                remove_top),
	cmocka_unit_test_setup_teardown(a_file_appears_whole_or_not_at_all, make_top, remove_top),
	cmocka_unit_test_setup_teardown(a_manifest_is_there_only_after_success, make_top,
	                                remove_top),
	cmocka_unit_test_setup_teardown(a_digest_and_a_check_fail_without_a_finding, make_top,
	                                remove_top),
};
NF_UNIT_MAIN(tests)
