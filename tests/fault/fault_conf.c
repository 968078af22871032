/* SPDX-License-Identifier: MIT */
#include "conf_sample.h"
#include "fault.h"
#include "nf_scratch.h"
#include "nf_unit.h"

static const char text[] =
        "name: x\n"
        "words: [a, b, c]\n"
        "knobs: { A: [1, 2], B: [3], C: [4], D: [5], E: [6], F: [7], G: [8], H: [9], "
        "I: [10] }\n"
        "steps: [ { match: m }, { match: n, unit: us } ]\n"
        "console: { device: /dev/x }\n"
        "tree: [ a, [ b ] ]\n";

struct file {
	char path[300]; /* "": from bytes */
	struct nf_conf c;
};

static void prepare(void *ctx)
{
	((struct file *)ctx)->c = (struct nf_conf){ .label = "untouched" };
}

static int run(void *ctx, struct nf_err *err)
{
	struct file *f = ctx;

	if (f->path[0])
		return nf_conf_read_file(&sample_type, f->path, NULL, &f->c, err);
	return nf_conf_read(&sample_type, "f.yaml", text, sizeof(text) - 1, NULL, &f->c, err);
}

static void finish(void *ctx, int r)
{
	struct file *f = ctx;

	if (r < 0) {
		assert_string_equal(f->c.label, "untouched");
		return;
	}
	assert_int_equal(((const struct sample *)f->c.root)->knobs.n, 9);
	nf_conf_fini(&f->c);
}

static void reading_reports_what_fails(void **state)
{
	struct file f = { 0 };

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare, .run = run, .finish = finish },
	            &f);
}

static void a_file_reports_what_fails(void **state)
{
	char dir[200];
	struct file f;

	(void)state;
	nf_scratch_make(dir, sizeof(dir));
	snprintf(f.path, sizeof(f.path), "%s/f.yaml", dir);
	nf_scratch_write(f.path, text);
	fault_every(
	        &(struct fault_subject){
	                .prepare = prepare, .run = run, .finish = finish, .tolerates = "close" },
	        &f);
	fault_survives(&(struct fault_subject){ .prepare = prepare,
	                                        .run = run,
	                                        .finish = finish,
	                                        .only = "read,__read_chk" },
	               &f);
	nf_scratch_remove(dir);
}

static int bad_run(void *ctx, struct nf_err *err)
{
	static const char bad[] = "name: x\nsteps: [ { match: m }, { match: '*' } ]\n";
	struct nf_conf c;
	int r = nf_conf_read(&sample_type, "f.yaml", bad, sizeof(bad) - 1, NULL, &c, err);

	/* The refusal is the success of this subject; a message may lose what is allowed, never the place. */
	*(int *)ctx = r;
	return r == -NF_EDATA && strncmp(err->msg, "f.yaml:2:33: 'match': nothing", 29) == 0 ? 0
	                                                                                     : r;
}

static void a_refusal_has_its_place_or_is_a_lack_of_memory(void **state)
{
	unsigned long hits = 0;
	int r = 0;

	(void)state;
	for (unsigned long n = 1;; n++) {
		struct nf_err err = { 0 };

		fault_arm(n);
		int rc = bad_run(&r, &err);
		unsigned long fired = fault_hits();
		fault_disarm();
		assert_true(rc == 0 || rc == -NF_ENOMEM);
		if (!fired)
			break;
		hits++;
	}
	assert_int_equal(r, -NF_EDATA);
	assert_true(hits > 0);
	assert_int_equal(fault_live(), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(reading_reports_what_fails),
	cmocka_unit_test(a_file_reports_what_fails),
	cmocka_unit_test(a_refusal_has_its_place_or_is_a_lack_of_memory),
};

NF_UNIT_MAIN(tests)
