/* SPDX-License-Identifier: MIT */
/* The index of runs, with every call of ours failing in turn; those inside SQLite are its own. */
#include "store/store.h"

#include "fault.h"
#include "nf_scratch.h"

struct index {
	char dir[256];
	char path[512];
	bool damaged; /* before it is opened */
	struct nf_store *s;
	size_t n_points;
};

static void prepare(void *ctx)
{
	struct index *x = ctx;

	nf_scratch_make(x->dir, sizeof(x->dir));
	snprintf(x->path, sizeof(x->path), "%s/" NF_STORE_NAME, x->dir);
	if (x->damaged)
		nf_scratch_write(x->path, "this is no index, whatever it may be called");
	x->s = NULL;
	x->n_points = 0;
}

static int count(void *ctx, const struct nf_store_run *run)
{
	(void)run;
	++*(size_t *)ctx;
	return 0;
}

static int run(void *ctx, struct nf_err *err)
{
	static const struct nf_store_value v = { "a.first", 1.5 };
	static const struct nf_store_run one = {
		.folder = "f", .digest = "d", .schema = "WindowRun/1", .value = &v, .n_values = 1
	};
	static const struct nf_store_filter all = { .host = NULL };
	char note[NF_STORE_NOTE_BYTES] = "";
	struct index *x = ctx;
	int rc = nf_store_open(x->dir, &x->s, note, err);

	if (rc == 0)
		rc = nf_store_add(x->s, &one, err);
	if (rc == 0)
		rc = nf_store_series(x->s, "a.first", &all, count, &x->n_points, err);
	if (rc == 0 && x->damaged)
		assert_true(note[0] != '\0');
	return rc;
}

static void finish(void *ctx, int rc)
{
	struct index *x = ctx;

	if (rc == 0)
		assert_int_equal(x->n_points, 1);
	nf_store_close(x->s);
	nf_scratch_remove(x->dir);
}

static void an_index_is_usable_or_not_there(void **state)
{
	struct index x = { .damaged = false };

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = run,
	                                     .finish = finish,
	                                     .tolerates = "close,access,lstat,lstat64" },
	            &x);
	x.damaged = true;
	fault_every(&(struct fault_subject){ .prepare = prepare,
	                                     .run = run,
	                                     .finish = finish,
	                                     .tolerates = "close,access,lstat,lstat64" },
	            &x);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_index_is_usable_or_not_there),
};
NF_UNIT_MAIN(tests)
