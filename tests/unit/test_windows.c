/* SPDX-License-Identifier: MIT */
/* The probes that let something else count while they sleep: smi and hwlat. */
#include <unistd.h>

#include "base/clock.h"
#include "host_tree.h"
#include "measure/probe_hwlat.h"
#include "measure/probe_smi.h"
#include "measure/probe_window.h"
#include "nf_live.h"

#define MS INT64_C(1000000)

static int count_tick(void *ctx, struct nf_err *err)
{
	int *n = ctx;

	(void)err;
	return ++*n == 3 ? 42 : 0;
}

static void a_window_is_slept_in_slices_until_its_end(void **state)
{
	struct nf_live *l = *state;
	int n = -1000;

	struct nf_instant start = nf_now_raw();
	assert_int_equal(nf_window_sleep(&l->env, start, 120 * MS, count_tick, &n, NULL), 0);
	assert_true(nf_since_ns(start, nf_now_raw()) >= 120 * MS);
	assert_in_range(n + 1000, 1, 5); /* a slice may oversleep */
	assert_int_equal(l->n_progress, n + 1000);
	assert_true(l->last_progress == 1.0);
}

static void a_slice_or_a_stop_may_end_a_window(void **state)
{
	struct nf_live *l = *state;
	int n = 0;

	assert_int_equal(
	        nf_window_sleep(&l->env, nf_now_raw(), 3600 * 1000 * MS, count_tick, &n, NULL), 42);
	assert_int_equal(n, 3);

	l->stop_at_progress = l->n_progress + 2;
	n = 100;
	assert_int_equal(
	        nf_window_sleep(&l->env, nf_now_raw(), 3600 * 1000 * MS, count_tick, &n, NULL), 0);
	assert_int_equal(n, 102);
	assert_int_equal(l->stop.signo, SIGINT);
}

static void a_counter_that_never_moved_in_a_guest_is_not_trusted(void **state)
{
	const uint64_t before[] = { 0, 0, 5 };
	const uint64_t moved[] = { 0, 1, 5 };

	(void)state;
	assert_false(nf_smi_trusted(true, before, before, 3));
	assert_true(nf_smi_trusted(true, before, moved, 3));
	assert_true(nf_smi_trusted(false, before, before, 3));
	assert_false(nf_smi_trusted(true, before, before, 0));
}

static void windows_and_policies_out_of_range_are_refused(void **state)
{
	const struct nf_live *l = *state;
	const struct nf_probe *probes[] = { &nf_probe_smi, &nf_probe_hwlat };

	for (size_t i = 0; i < 2; i++) {
		union {
			struct nf_probe_common common;
			struct nf_smi_cfg smi;
			struct nf_hwlat_probe_cfg hwlat;
		} c;
		struct nf_probe_run run = { .wall_ns = 77 };
		struct nf_err e = { 0 };

		memset(&c, 0xff, sizeof(c));
		probes[i]->defaults(&c);
		assert_true(probes[i]->estimate_ns(&l->env, &c) == 10000 * MS);
		c.common.duration_ns = -1;
		assert_int_equal(probes[i]->check(&l->env, &c, &e), -NF_EARG);
		assert_int_equal(probes[i]->run(&l->env, &c, &run, &e), -NF_EARG);
		c.common.duration_ns = INT64_MAX;
		assert_int_equal(probes[i]->check(&l->env, &c, &e), -NF_EARG);
		probes[i]->defaults(&c);
		c.common.policy_given = true;
		c.common.policy = NF_POLICY_FIFO;
		assert_int_equal(probes[i]->check(&l->env, &c, &e), -NF_EARG);
		assert_int_equal(probes[i]->run(&l->env, &c, &run, &e), -NF_EARG);
		assert_non_null(strstr(e.msg, "no thread measures"));
		assert_int_equal(run.wall_ns, 77);
		assert_null(run.streams);
	}
}

static void smi_counts_are_differences_over_the_window(void **state)
{
	struct nf_live *l = *state;
	struct nf_smi_cfg c;
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	nf_probe_smi.defaults(&c);
	c.common.duration_ns = 150 * MS;
	int rc = nf_probe_smi.check(&l->env, &c, &e);
	if (rc < 0)
		assert_int_equal(rc, -NF_EUNSUPPORTED);
	skip_unless(rc == 0, "smi-here", e.msg);
	if (nf_probe_smi.run(&l->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	const struct nf_smi_result *r = run.result;
	const struct nf_stream *s = &run.streams[0];
	uint64_t lo = UINT64_MAX, hi = 0;

	assert_int_equal(run.n_streams, 1);
	assert_string_equal(s->name, "smi.count");
	assert_int_equal(s->unit, NF_UNIT_COUNT);
	assert_int_equal(s->n, nf_cpuset_count(nf_topology_allowed(l->topo)));
	for (size_t i = 0; i < s->n; i++) {
		lo = (uint64_t)s->value[i] < lo ? (uint64_t)s->value[i] : lo;
		hi = (uint64_t)s->value[i] > hi ? (uint64_t)s->value[i] : hi;
	}
	assert_int_equal(r->min_count, lo);
	assert_int_equal(r->max_count, hi);
	assert_true(r->window_ns >= 150 * MS);
	assert_int_equal(r->window_ns, run.wall_ns);
	if (nf_smi_hypervisor() && hi == 0) {
		assert_false(r->trusted);
		assert_true(nf_live_noted(&run, "hypervisor"));
	} else {
		assert_true(r->trusted);
	}
	nf_probe_run_fini(&nf_probe_smi, &run);

	c.common.duration_ns = 3600 * 1000 * MS;
	l->stop_at_progress = l->n_progress + 1;
	assert_int_equal(nf_probe_smi.run(&l->env, &c, &run, &e), 0);
	assert_int_equal(run.stopped_by, SIGINT);
	assert_int_equal(run.streams[0].n, nf_cpuset_count(nf_topology_allowed(l->topo)));
	nf_probe_run_fini(&nf_probe_smi, &run);
}

static void hwlat_options_are_whole_microseconds_and_fit_each_other(void **state)
{
	const struct nf_live *l = *state;
	struct nf_hwlat_probe_cfg c;
	struct nf_err e = { 0 };

	nf_probe_hwlat.defaults(&c);
	assert_int_equal(c.window_ns, 0);
	c.threshold_ns = 1500;
	assert_int_equal(nf_probe_hwlat.check(&l->env, &c, &e), -NF_EARG);
	assert_non_null(strstr(e.msg, "threshold 1500 ns"));
	nf_probe_hwlat.defaults(&c);
	c.width_ns = -1000;
	assert_int_equal(nf_probe_hwlat.check(&l->env, &c, &e), -NF_EARG);
	nf_probe_hwlat.defaults(&c);
	c.window_ns = 1000 * MS;
	c.width_ns = 1001 * MS;
	assert_int_equal(nf_probe_hwlat.check(&l->env, &c, &e), -NF_EARG);
	assert_non_null(strstr(e.msg, "longer than the window"));
}

static void hwlat_without_a_journal_changes_nothing(void **state)
{
	const struct nf_live *l = *state;
	struct nf_hwlat_probe_cfg c;
	struct nf_probe_run run = { .wall_ns = 77 };
	struct nf_err e = { 0 };

	nf_probe_hwlat.defaults(&c);
	c.common.duration_ns = 100 * MS;
	/* No tracer, or no journal: either way unsupported, and said. */
	assert_int_equal(nf_probe_hwlat.check(&l->env, &c, &e), -NF_EUNSUPPORTED);
	assert_true(strlen(e.msg) > 20);
	assert_int_equal(nf_probe_hwlat.run(&l->env, &c, &run, &e), -NF_EUNSUPPORTED);
	assert_int_equal(run.wall_ns, 77);
}

static void hwlat_gives_four_equally_long_streams(void **state)
{
	struct nf_live *l = *state;
	char dir[] = "/tmp/nf-windows-XXXXXX";
	struct nf_journal *journal = NULL;
	struct nf_hwlat_probe_cfg c;
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	nf_probe_hwlat.defaults(&c);
	c.common.duration_ns = 300 * MS;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(nf_journal_open(dir, "/proc", &journal, &e), 0);
	l->env.journal = journal;
	int rc = nf_probe_hwlat.check(&l->env, &c, &e);
	if (rc == 0 && nf_probe_hwlat.run(&l->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(nf_journal_close(journal, NULL), 0);
	remove_tree(dir);
	skip_unless(rc == 0, "hwlat-here", e.msg);

	const struct nf_hwlat_result *r = run.result;

	assert_int_equal(run.n_streams, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(run.streams[i].n, r->n_gaps);
	assert_true(r->n_gaps == 0 ? r->max_ns == -1 : r->max_ns > 0);
	assert_true(r->settings.width_us <= r->settings.window_us);
	assert_true(run.wall_ns >= 300 * MS);
	nf_probe_run_fini(&nf_probe_hwlat, &run);
}

#define live(test) cmocka_unit_test_setup_teardown(test, nf_live_open, nf_live_close)

static const struct CMUnitTest tests[] = {
	live(a_window_is_slept_in_slices_until_its_end),
	live(a_slice_or_a_stop_may_end_a_window),
	cmocka_unit_test(a_counter_that_never_moved_in_a_guest_is_not_trusted),
	live(windows_and_policies_out_of_range_are_refused),
	live(smi_counts_are_differences_over_the_window),
	live(hwlat_options_are_whole_microseconds_and_fit_each_other),
	live(hwlat_without_a_journal_changes_nothing),
	live(hwlat_gives_four_equally_long_streams),
};

NF_UNIT_MAIN(tests)
