/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "fault.h"
#include "nf_unit.h"
#include "noisefloor/prop.h"
#include "prop/store.h"

/* The library has error codes of its own: as those of the driver. */
static int as_nf(int r, struct nf_err *err)
{
	switch (r) {
	case 0:
		return 0;
	case -PT_ENOMEM:
		return nf_fail_nomem(err, "property", 1);
	case -PT_EOS:
		return nf_fail_os(err, 5, "property");
	default:
		return nf_fail(err, NF_EARG, "%s", pt_strerror(r));
	}
}

struct checked {
	char dir[32];
	struct pt_config config;
	struct pt_result result;
	bool have;
};

static bool below(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);

	(void)arg;
	return pt_draw(t, "list", pt_list(m, pt_int(m, 0, 1000), 0, 9)).n < 3;
}

static int check_run(void *ctx, struct nf_err *err)
{
	struct checked *c = ctx;
	struct pt_property p = { .name = "below", .fn = below };
	int r = pt_check(&p, &c->config, &c->result);

	c->have = r == 0;
	/* the case's own memory: its lack fails the case, not the run */
	if (r == 0 && strstr(c->result.message, "no memory"))
		return as_nf(-PT_ENOMEM, err);
	return as_nf(r, err);
}

static void check_finish(void *ctx, int r)
{
	struct checked *c = ctx;

	if (r == 0)
		assert_int_equal(c->result.outcome, PT_FAILED);
	if (c->have)
		pt_result_fini(&c->result);
	assert_null(c->result.blob); /* untouched, or released */
	c->have = false;
}

static void a_run_in_this_process_reports_a_lack_of_memory(void **state)
{
	struct checked c = { .config = { .seed = 1, .cases = 500, .isolation = PT_INLINE } };

	(void)state;
	fault_every(&(struct fault_subject){ .run = check_run,
	                                     .finish = check_finish,
	                                     .tolerates = "close" },
	            &c);
}

static void a_run_with_a_worker_reports_what_fails(void **state)
{
	struct checked c = { .config = { .seed = 1, .cases = 500 } };

	(void)state;
	/* A wait or read that fails is taken for the end of the worker, which is a result. */
	fault_every(
	        &(struct fault_subject){
	                .run = check_run,
	                .finish = check_finish,
	                .only = "calloc,mmap,mmap64,socketpair,fork,open,open64,strdup" },
	        &c);
}

static void saved_failures_report_what_fails(void **state)
{
	struct checked c = { .dir = "/tmp/fault-prop-XXXXXX" };

	(void)state;
	assert_non_null(mkdtemp(c.dir));
	c.config = (struct pt_config){
		.seed = 1, .cases = 500, .isolation = PT_INLINE, .save_dir = c.dir
	};
	fault_every(&(struct fault_subject){ .run = check_run,
	                                     .finish = check_finish,
	                                     .tolerates = "close,unlink,mkdir" },
	            &c);
	/* the file is there and whole: it fails first */
	assert_int_equal(check_run(&c, NULL), 0);
	assert_true(c.result.from_saved);
	check_finish(&c, 0);
	assert_int_equal(pt_store_save(c.dir, "below", &(struct pt_saved){ .n = 0 }), 0);
	assert_int_equal(rmdir(c.dir), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_run_in_this_process_reports_a_lack_of_memory),
	cmocka_unit_test(a_run_with_a_worker_reports_what_fails),
	cmocka_unit_test(saved_failures_report_what_fails),
};

NF_UNIT_MAIN(tests)
