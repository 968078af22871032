/* SPDX-License-Identifier: MIT */
/* The hwlat tracer with every allocation and system call failing in turn: whatever fails, nothing is
 * left changed on the machine. Runs in a guest, never on the host of the tests. */
#include <dirent.h>
#include <unistd.h>

#include "../../fault/fault.h"
#include "base/journal.h"
#include "machine/hwlat.h"
#include "nf_unit.h"

static const char tracing[] = "sys/kernel/tracing";
static const char journal_dir[] = "/run/noisefloor-fault";

struct machine {
	int64_t window_us, width_us, threshold_us;
	int n_instances;
};

struct subject {
	struct nf_rootfs root;
	struct nf_journal *journal;
	struct machine before;
	struct nf_hwlat_settings got;
	uint64_t missed;
};

static int count_entry(void *ctx, const char *name)
{
	(void)name;
	++*(int *)ctx;
	return 0;
}

static int64_t read_one(const struct nf_rootfs *root, const char *name)
{
	char path[128];
	int64_t v = -1;

	snprintf(path, sizeof(path), "%s/%s", tracing, name);
	assert_int_equal(nf_rootfs_read_i64(root, path, &v, NULL), 0);
	return v;
}

static struct machine look(const struct nf_rootfs *root)
{
	struct machine m = {
		.window_us = read_one(root, "hwlat_detector/window"),
		.width_us = read_one(root, "hwlat_detector/width"),
		.threshold_us = read_one(root, "tracing_thresh"),
	};
	char path[128];

	snprintf(path, sizeof(path), "%s/instances", tracing);
	assert_int_equal(nf_rootfs_list(root, path, count_entry, &m.n_instances, NULL), 0);
	return m;
}

static void prepare(void *ctx)
{
	struct subject *s = ctx;

	assert_int_equal(nf_rootfs_open(&s->root, NULL, NULL), 0);
	assert_int_equal(nf_journal_open(journal_dir, "/proc", &s->journal, NULL), 0);
	s->before = look(&s->root);
	assert_int_equal(s->before.n_instances, 0);
	s->got.window_us = -1;
}

static int see(void *ctx, const struct nf_hwlat_gap *gap)
{
	(void)ctx;
	(void)gap;
	return 0;
}

static int run(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;
	const struct nf_hwlat_cfg cfg = { .window_us = 2000, .width_us = 1000, .threshold_us = 7 };
	struct nf_hwlat *h = NULL;
	int r = nf_hwlat_start(&s->root, s->journal, &cfg, &h, &s->got, err), stopped;
	struct nf_err *stop_err = err, ignored;

	if (r < 0) {
		assert_null(h);
		assert_int_equal(s->got.window_us, -1);
		return r;
	}
	r = nf_hwlat_drain(h, see, NULL, &s->missed, err);
	if (r < 0)
		stop_err = &ignored;
	stopped = nf_hwlat_stop(h, NULL, stop_err);
	return r ? r : stopped;
}

static void finish(void *ctx, int r)
{
	struct subject *s = ctx;
	struct nf_err err = { 0 };
	struct machine now;

	(void)r;
	/* What could not be put back because a call failed is put back now. */
	if (nf_journal_close(s->journal, &err) != 0)
		fail_msg("close: %s", err.msg);
	now = look(&s->root);
	assert_int_equal(now.window_us, s->before.window_us);
	assert_int_equal(now.width_us, s->before.width_us);
	assert_int_equal(now.threshold_us, s->before.threshold_us);
	assert_int_equal(now.n_instances, 0);
	nf_rootfs_close(&s->root);
}

static void whatever_fails_the_tracer_leaves_nothing_changed(void **state)
{
	struct subject s = { 0 };
	const struct fault_subject f = {
		.prepare = prepare,
		.run = run,
		.finish = finish,
		.tolerates = "close,fsync,fdatasync,ftruncate,ftruncate64,unlink,unlinkat",
		.any_code = true,
	};

	(void)state;
	fault_every(&f, &s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(whatever_fails_the_tracer_leaves_nothing_changed),
};
NF_UNIT_MAIN(tests)
