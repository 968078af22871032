/* SPDX-License-Identifier: MIT */
/* The hwlat probe over a tracer of this test's own: what it hands on, and what it keeps when putting
 * back fails. The linker puts these functions in the place of the module's (meson.build). */
#include <unistd.h>

#include "host_tree.h"
#include "measure/probe_hwlat.h"
#include "nf_live.h"

static struct {
	struct nf_cpuset asked; /* owned */
	bool given; /* the gap was handed out */
	int stop_rc;
	int n_stops;
} tracer;

int __wrap_nf_hwlat_check(const struct nf_rootfs *root, struct nf_err *err);
int __wrap_nf_hwlat_start(const struct nf_rootfs *root, struct nf_journal *journal,
                          const struct nf_hwlat_cfg *cfg, struct nf_hwlat **ret,
                          struct nf_hwlat_settings *ret_got, struct nf_err *err);
int __wrap_nf_hwlat_cpus(struct nf_hwlat *h, struct nf_cpuset *ret, struct nf_err *err);
int __wrap_nf_hwlat_drain(struct nf_hwlat *h, nf_hwlat_fn *fn, void *ctx, uint64_t *ret_missed,
                          struct nf_err *err);
int __wrap_nf_hwlat_stop(struct nf_hwlat *h, bool *ret_left_alone, struct nf_err *err);

int __wrap_nf_hwlat_check(const struct nf_rootfs *root, struct nf_err *err)
{
	(void)root;
	(void)err;
	return 0;
}

int __wrap_nf_hwlat_start(const struct nf_rootfs *root, struct nf_journal *journal,
                          const struct nf_hwlat_cfg *cfg, struct nf_hwlat **ret,
                          struct nf_hwlat_settings *ret_got, struct nf_err *err)
{
	(void)root;
	(void)journal;
	*ret = (struct nf_hwlat *)&tracer;
	*ret_got = (struct nf_hwlat_settings){ 1000000, 500000, 10 };
	tracer.given = false;
	assert_non_null(cfg->cpus);
	nf_cpuset_fini(&tracer.asked);
	return nf_cpuset_copy(&tracer.asked, cfg->cpus, err);
}

int __wrap_nf_hwlat_cpus(struct nf_hwlat *h, struct nf_cpuset *ret, struct nf_err *err)
{
	(void)h;
	return nf_cpuset_copy(ret, &tracer.asked, err);
}

int __wrap_nf_hwlat_drain(struct nf_hwlat *h, nf_hwlat_fn *fn, void *ctx, uint64_t *ret_missed,
                          struct nf_err *err)
{
	const struct nf_hwlat_gap gap = { .t_ns = 5, .inner_ns = 13000, .outer_ns = 12000 };

	(void)h;
	(void)ret_missed;
	(void)err;
	if (tracer.given)
		return 0;
	tracer.given = true;
	return fn(ctx, &gap);
}

int __wrap_nf_hwlat_stop(struct nf_hwlat *h, bool *ret_left_alone, struct nf_err *err)
{
	(void)h;
	tracer.n_stops++;
	if (tracer.stop_rc < 0)
		return nf_fail(err, NF_EOS, "cannot write the window");
	*ret_left_alone = false;
	return 0;
}

static struct nf_probe_run run_ok(struct nf_live *l, const char *cpus)
{
	struct nf_hwlat_probe_cfg c;
	struct nf_probe_run run = { 0 };
	struct nf_err e = { 0 };

	nf_probe_hwlat.defaults(&c);
	c.common.duration_ns = 1000000;
	if (cpus)
		c.common.cpus = cpus;
	/* Never looked into by this tracer. */
	l->env.journal = (struct nf_journal *)&tracer;
	if (nf_probe_hwlat.run(&l->env, &c, &run, &e) != 0)
		fail_msg("%s", e.msg);
	return run;
}

static void gaps_are_kept_when_putting_back_fails(void **state)
{
	struct nf_probe_run run;

	tracer.stop_rc = -NF_EOS;
	tracer.n_stops = 0;
	run = run_ok(*state, NULL);
	const struct nf_hwlat_result *r = run.result;

	assert_int_equal(tracer.n_stops, 1);
	assert_int_equal(r->n_gaps, 1);
	assert_int_equal(r->max_ns, 13000);
	assert_int_equal(run.streams[0].n, 1);
	assert_true(nf_live_noted(&run, "could not all be put back (cannot write the window)"));
	nf_probe_run_fini(&nf_probe_hwlat, &run);

	tracer.stop_rc = 0;
	run = run_ok(*state, NULL);
	assert_false(nf_live_noted(&run, "put back"));
	nf_probe_run_fini(&nf_probe_hwlat, &run);
	nf_cpuset_fini(&tracer.asked);
}

static void the_selection_reaches_the_tracer(void **state)
{
	struct nf_live *l = *state;
	struct nf_hwlat_probe_cfg c;
	struct nf_probe_run run = { .wall_ns = 77 };
	struct nf_err e = { 0 };
	char one[16];

	tracer.stop_rc = 0;
	run = run_ok(l, NULL);
	assert_true(nf_cpuset_equal(&tracer.asked, nf_topology_allowed(l->topo)));
	assert_true(nf_cpuset_equal(&run.cpus_got, nf_topology_allowed(l->topo)));
	nf_probe_run_fini(&nf_probe_hwlat, &run);
	run = run_ok(l, nf_live_one_cpu(l, one));
	assert_int_equal(nf_cpuset_count(&tracer.asked), 1);
	assert_true(nf_cpuset_equal(&tracer.asked, &run.cpus_asked));
	assert_true(nf_cpuset_equal(&tracer.asked, &run.cpus_got));
	nf_probe_run_fini(&nf_probe_hwlat, &run);

	nf_probe_hwlat.defaults(&c);
	c.common.cpus = "16383";
	assert_int_equal(nf_probe_hwlat.check(&l->env, &c, &e), -NF_EARG);
	assert_non_null(strstr(e.msg, "absent"));
	nf_cpuset_fini(&tracer.asked);
}

#define live(test) cmocka_unit_test_setup_teardown(test, nf_live_open, nf_live_close)

static const struct CMUnitTest tests[] = {
	live(gaps_are_kept_when_putting_back_fails),
	live(the_selection_reaches_the_tracer),
};

NF_UNIT_MAIN(tests)
