/* SPDX-License-Identifier: MIT */
/* numa on captured hosts: nodes that may not be used, and many of them; and how long host takes on a
 * large machine. */
#include "host_tree.h"
#include "measure/numa_bandwidth.h"
#include "measure/numa_layout.h"
#include "measure/numa_plan.h"
#include "measure/probe_clock.h"
#include "measure/probe_fwq.h"
#include "measure/probe_hwlat.h"
#include "measure/probe_smi.h"
#include "measure/probe_wake.h"

#define S INT64_C(1000000000)

static struct nf_rootfs root;
static struct nf_topology *topo;

static void load(const char *host)
{
	struct nf_err e = { 0 };

	open_host(host, &root);
	if (nf_topology_load(&root, &topo, &e) != 0)
		fail_msg("%s: %s", host, e.msg);
}

static void unload(void)
{
	nf_topology_free(topo);
	nf_rootfs_close(&root);
}

static struct nf_numa_cfg config(enum nf_placement placement)
{
	struct nf_numa_cfg c;

	nf_probe_numa.defaults(&c);
	c.placement = placement;
	return c;
}

static void partitions_and_reads_keep_to_the_allowed_nodes(void **state)
{
	struct nf_probe_env e1 = { 0 };
	struct nf_numa_cfg c = config(NF_PLACE_FLAT);
	const size_t thread_node[] = { 0, 1 };
	struct nf_numa_bandwidth b;
	struct nf_numa_layout l;
	struct nf_numa_plan plan;
	struct nf_err e = { 0 };

	(void)state;
	load("container-mems");
	e1.topo = topo;
	assert_int_equal(nf_numa_plan(&e1, &c, &plan, &e), 0);
	assert_int_equal(plan.n_nodes, 2);
	assert_int_equal(plan.n_allowed, 1);
	assert_int_equal(plan.n_partitions, 1);
	nf_numa_plan_fini(&plan);

	assert_int_equal(nf_numa_layout_init(&l, topo, &c, 4, thread_node, 2, &e), 0);
	assert_int_equal(l.n_allowed, 1);
	assert_int_equal(l.allowed[0], 1);
	/* Every partition is node 1's: the thread of node 0 has nothing to do. */
	assert_int_equal(l.n_strayed, 0);
	assert_int_equal(l.parallel.first[1], 0);
	assert_true(l.parallel.first[2] > 0);
	nf_numa_layout_fini(&l);

	c.placement = NF_PLACE_REMOTE;
	assert_int_equal(nf_numa_plan(&e1, &c, &plan, &e), -NF_EUNSUPPORTED);
	assert_non_null(strstr(e.msg, "cpuset.mems"));

	/* A captured host refuses bound memory; the forbidden node is not even asked for. */
	assert_int_equal(nf_numa_bandwidth_init(&b, topo, thread_node, 2, &e), -NF_EUNSUPPORTED);
	unload();
}

static void few_nodes_are_read_in_full(void **state)
{
	(void)state;
	for (size_t n = 1; n <= 8; n++) {
		const struct nf_numa_reads r = nf_numa_reads_for(n);

		assert_int_equal(r.bytes_max, NF_NUMA_READ_BYTES);
		assert_int_equal(r.repeats, NF_NUMA_READS);
		assert_int_equal(r.n_from, n);
	}
}

static void all_pairs_together_are_read_in_some_seconds(void **state)
{
	(void)state;
	for (size_t n = 1; n <= 4096; n++) {
		const struct nf_numa_reads r = nf_numa_reads_for(n);
		double bytes = (double)r.n_from * (double)n * (double)(r.repeats + 1) *
		               (double)r.bytes_max;

		assert_in_range(r.n_from, 1, n);
		assert_in_range(r.repeats, 1, NF_NUMA_READS);
		assert_in_range(r.bytes_max, 1 << 20, NF_NUMA_READ_BYTES);
		assert_int_equal(r.bytes_max % 4096, 0);
		assert_true(bytes * 0.1 <= 3e9);
		assert_in_range(nf_numa_reads_estimate_ns(n), 1, 3 * S);
	}
	assert_int_equal(nf_numa_reads_for(64).n_from, 64);
	assert_int_equal(nf_numa_reads_for(1024).n_from, 4);
}

static void busy_cpus_cannot_stretch_the_comparison_of_clocks(void **state)
{
	int64_t elapsed = 0;

	(void)state;
	for (int i = 0; i < 1200; i++) {
		int64_t patience = nf_tick_skew_patience_ns(elapsed);

		assert_true(patience >= 0);
		elapsed += patience;
	}
	assert_true(elapsed == NF_TICK_SKEW_MAX_NS);
	assert_true(nf_tick_skew_patience_ns(NF_TICK_SKEW_MAX_NS + 1) == 0);
	for (size_t n = 0; n <= NF_CPU_MAX; n++)
		assert_in_range(nf_tick_skew_estimate_ns(n), 0, NF_TICK_SKEW_MAX_NS);
}

/* The steps of `host` with the quick profile: one window each, three runs of numa. */
static void a_quick_window_is_bounded_on_any_machine(void **state)
{
	static const char *const hosts[] = { "cpus-1200", "server-2node" };
	static const struct {
		const struct nf_probe *probe;
		int64_t duration_ns, times;
	} steps[] = {
		{ &nf_probe_clock, 0, 1 },      { &nf_probe_smi, 10 * S, 1 },
		{ &nf_probe_hwlat, 10 * S, 1 }, { &nf_probe_fwq, 10 * S, 1 },
		{ &nf_probe_wake, 10 * S, 1 },  { &nf_probe_numa, 0, 3 },
	};
	const struct nf_tick_clock clock = { .source = NF_TICK_TSC, .hz = 2e9 };

	(void)state;
	for (size_t h = 0; h < 2; h++) {
		struct nf_probe_env env = { .clock = &clock };
		int64_t sum = 0;

		load(hosts[h]);
		env.topo = topo;
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
			_Alignas(max_align_t) unsigned char cfg[1024] = { 0 };
			struct nf_probe_common *common = (struct nf_probe_common *)(void *)cfg;
			int64_t ns;

			assert_true(steps[i].probe->cfg_size <= sizeof(cfg));
			steps[i].probe->defaults(cfg);
			if (steps[i].duration_ns)
				common->duration_ns = steps[i].duration_ns;
			ns = steps[i].probe->estimate_ns(&env, cfg);
			assert_true(ns >= steps[i].duration_ns);
			sum += ns * steps[i].times;
		}
		printf("# %s: %.1f s\n", hosts[h], (double)sum / 1e9);
		assert_in_range(sum, 40 * S, 60 * S);
		unload();
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(partitions_and_reads_keep_to_the_allowed_nodes),
	cmocka_unit_test(few_nodes_are_read_in_full),
	cmocka_unit_test(all_pairs_together_are_read_in_some_seconds),
	cmocka_unit_test(busy_cpus_cannot_stretch_the_comparison_of_clocks),
	cmocka_unit_test(a_quick_window_is_bounded_on_any_machine),
};

NF_UNIT_MAIN(tests)
