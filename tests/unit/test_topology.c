/* SPDX-License-Identifier: MIT */
/* The topology of this host: what can be asserted on any machine. Captured hosts are in
 * test_topology_hosts.c. */
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/topology.h"
#include "nf_unit.h"

static struct nf_rootfs root;
static struct nf_topology *topo;

static int load(void **state)
{
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_rootfs_open(&root, NULL, &e), 0);
	if (nf_topology_load(&root, &topo, &e) != 0)
		fail_msg("load: %s", e.msg);
	return 0;
}

static int unload(void **state)
{
	(void)state;
	nf_topology_free(topo);
	topo = NULL;
	nf_rootfs_close(&root);
	return 0;
}

static void this_process_runs_on_an_allowed_cpu(void **state)
{
	const struct nf_cpu_info *c = nf_topology_cpu(topo, sched_getcpu());

	(void)state;
	assert_non_null(c);
	assert_true(c->online);
	assert_true(c->allowed);
	assert_true(nf_cpuset_has(nf_topology_allowed(topo), c->cpu));
}

static void cpus_rise_and_are_found_by_number(void **state)
{
	int last = -1;

	(void)state;
	assert_true(nf_topology_n_cpus(topo) >= 1);
	for (size_t i = 0; i < nf_topology_n_cpus(topo); i++) {
		const struct nf_cpu_info *c = nf_topology_cpu_at(topo, i);

		assert_true(c->cpu > last);
		last = c->cpu;
		assert_ptr_equal(nf_topology_cpu(topo, c->cpu), c);
		assert_true(c->online || !c->allowed);
		assert_int_equal(nf_cpuset_has(nf_topology_online(topo), c->cpu), c->online);
	}
	assert_null(nf_topology_cpu(topo, last + 1));
	assert_null(nf_topology_cpu(topo, -1));
	assert_null(nf_topology_cpu_at(topo, nf_topology_n_cpus(topo)));
}

static void allowed_agrees_with_the_affinity_mask(void **state)
{
	cpu_set_t mask;
	size_t n = 0;

	(void)state;
	if (sched_getaffinity(0, sizeof(mask), &mask) != 0)
		skip_unless(false, "small-mask", "more than 1,024 CPUs");
	for (int c = nf_cpuset_next(nf_topology_allowed(topo), -1); c >= 0;
	     c = nf_cpuset_next(nf_topology_allowed(topo), c), n++)
		assert_true(CPU_ISSET((size_t)c, &mask));
	assert_int_equal(n, CPU_COUNT(&mask));
}

static void every_node_is_local_to_itself_and_has_memory(void **state)
{
	size_t n = nf_topology_n_nodes(topo), with_memory = 0;

	(void)state;
	assert_true(n >= 1);
	for (size_t i = 0; i < n; i++) {
		int node = nf_topology_node_os_index(topo, i);
		int d = nf_topology_distance(topo, node, node);

		assert_true(d == 10 || d == -1);
		with_memory += nf_topology_node_mem_bytes(topo, node) > 0;
	}
	assert_true(with_memory >= 1);
	assert_int_equal(nf_topology_node_os_index(topo, n), -1);
	assert_int_equal(nf_topology_distance(topo, 0, 4000), -1);
	assert_int_equal(nf_topology_node_mem_bytes(topo, 4000), -1);
}

static void a_thread_bound_to_one_cpu_is_there_and_reads_it_back(void **state)
{
	const struct nf_cpuset *allowed = nf_topology_allowed(topo);
	struct nf_cpuset one, got, back;
	struct nf_err e = { 0 };

	(void)state;
	nf_cpuset_init(&one);
	nf_cpuset_init(&got);
	nf_cpuset_init(&back);
	for (int c = nf_cpuset_next(allowed, -1); c >= 0; c = nf_cpuset_next(allowed, c)) {
		nf_cpuset_fini(&one);
		assert_int_equal(nf_cpuset_add(&one, c, &e), 0);
		if (nf_topology_bind_self(topo, &one, &got, &e) != 0)
			fail_msg("bind: %s", e.msg);
		assert_true(nf_cpuset_equal(&one, &got));
		assert_int_equal(sched_getcpu(), c);
	}
	assert_int_equal(nf_topology_bind_self(topo, allowed, &back, &e), 0);
	assert_true(nf_cpuset_equal(&back, allowed));
	nf_cpuset_fini(&back);
	nf_cpuset_fini(&got);
	nf_cpuset_fini(&one);
}

static void binding_to_an_impossible_mask_fails_and_leaves_the_thread_where_it_was(void **state)
{
	struct nf_cpuset want, got;
	struct nf_err e = { 0 };
	cpu_set_t before, after;
	int absent = nf_topology_cpu_at(topo, nf_topology_n_cpus(topo) - 1)->cpu + 1;
	int here = nf_cpuset_next(nf_topology_allowed(topo), -1);

	(void)state;
	if (sched_getaffinity(0, sizeof(before), &before) != 0)
		skip_unless(false, "small-mask", "more than 1,024 CPUs");
	nf_cpuset_init(&want);
	nf_cpuset_init(&got);
	assert_int_equal(nf_topology_bind_self(topo, &want, &got, &e), -NF_EARG);
	assert_int_equal(nf_cpuset_add(&want, absent, &e), 0);
	assert_true(nf_topology_bind_self(topo, &want, &got, &e) < 0);
	assert_true(strlen(e.msg) > 0);
	/* With one CPU that exists the kernel accepts the mask and drops the rest of it. */
	assert_int_equal(nf_cpuset_add(&want, here, &e), 0);
	assert_true(nf_topology_bind_self(topo, &want, &got, &e) < 0);
	assert_int_equal(nf_cpuset_count(&got), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	nf_cpuset_fini(&got);
	nf_cpuset_fini(&want);
}

static void a_list_with_an_absent_cpu_names_it_and_the_range(void **state)
{
	const struct nf_cpu_info *last = nf_topology_cpu_at(topo, nf_topology_n_cpus(topo) - 1);
	struct nf_cpuset set;
	struct nf_err e = { 0 };
	char spec[32], begin[64];

	(void)state;
	nf_cpuset_init(&set);
	snprintf(spec, sizeof(spec), "%d", last->cpu + 7);
	snprintf(begin, sizeof(begin), "CPU %s is absent (this host has ", spec);
	assert_int_equal(nf_topology_select(topo, spec, &set, &e), -NF_EARG);
	assert_memory_equal(e.msg, begin, strlen(begin));
	assert_int_equal(nf_cpuset_count(&set), 0);
	assert_int_equal(nf_topology_select(topo, "3-1", &set, &e), -NF_EARG);
	assert_int_equal(nf_topology_select(topo, "", &set, &e), -NF_EARG);
	assert_int_equal(nf_topology_select(topo, "alowed", &set, &e), -NF_EARG);
	assert_int_equal(nf_topology_select(topo, "allowed", &set, &e), 0);
	assert_true(nf_cpuset_equal(&set, nf_topology_allowed(topo)));
	nf_cpuset_fini(&set);
}

static void memory_lies_on_the_node_it_was_bound_to(void **state)
{
	size_t n = nf_topology_n_nodes(topo), len = 64 * (size_t)sysconf(_SC_PAGESIZE);
	size_t *pages = calloc(n, sizeof(*pages)), unknown = 0;
	struct nf_err e = { 0 };

	(void)state;
	assert_non_null(pages);
	for (size_t i = 0; i < n; i++) {
		int node = nf_topology_node_os_index(topo, i);
		void *p = NULL;
		int r;

		if (nf_topology_node_mem_bytes(topo, node) <= 0)
			continue;
		r = nf_topology_mem_alloc(topo, len, node, &p, &e);
		if (r == -NF_EUNSUPPORTED) {
			free(pages);
			skip_unless(false, "membind", e.msg);
		}
		assert_int_equal(r, 0);
		memset(p, 1, len);
		r = nf_topology_page_nodes(topo, p, len, pages, &unknown, &e);
		if (r == -NF_EUNSUPPORTED) {
			nf_topology_mem_free(topo, p, len);
			free(pages);
			skip_unless(false, "move-pages", e.msg);
		}
		assert_int_equal(r, 0);
		assert_int_equal(unknown, 0);
		assert_int_equal(pages[i], 64);
		nf_topology_mem_free(topo, p, len);
	}
	free(pages);
}

static void untouched_pages_are_on_no_known_node(void **state)
{
	size_t n = nf_topology_n_nodes(topo), len = 600 * (size_t)sysconf(_SC_PAGESIZE);
	size_t *pages = calloc(n, sizeof(*pages)), unknown = 0, known = 0;
	struct nf_err e = { 0 };
	void *p = NULL;
	int r;

	(void)state;
	assert_non_null(pages);
	assert_int_equal(nf_topology_mem_alloc(topo, len, -2, &p, &e), 0);
	r = nf_topology_page_nodes(topo, p, len, pages, &unknown, &e);
	if (r == -NF_EUNSUPPORTED) {
		nf_topology_mem_free(topo, p, len);
		free(pages);
		skip_unless(false, "move-pages", e.msg);
	}
	assert_int_equal(r, 0);
	assert_int_equal(unknown, 600);
	memset(p, 1, len);
	assert_int_equal(nf_topology_page_nodes(topo, p, len, pages, &unknown, &e), 0);
	for (size_t i = 0; i < n; i++)
		known += pages[i];
	assert_int_equal(known + unknown, 600);
	assert_true(known > 0);
	nf_topology_mem_free(topo, p, len);
	free(pages);
}

static void interleaved_memory_is_usable_and_bad_requests_are_refused(void **state)
{
	struct nf_err e = { 0 };
	void *p = NULL;
	int r;

	(void)state;
	assert_int_equal(nf_topology_mem_alloc(topo, 0, -2, &p, &e), -NF_EARG);
	assert_int_equal(nf_topology_mem_alloc(topo, 4096, 4000, &p, &e), -NF_EARG);
	assert_null(p);
	nf_topology_mem_free(topo, NULL, 4096);
	r = nf_topology_mem_alloc(topo, 1 << 20, -1, &p, &e);
	skip_unless(r != -NF_EUNSUPPORTED, "membind", e.msg);
	assert_int_equal(r, 0);
	memset(p, 1, 1 << 20);
	nf_topology_mem_free(topo, p, 1 << 20);
}

static void siblings_share_a_core_and_never_include_the_cpu_itself(void **state)
{
	struct nf_cpuset set;
	struct nf_err e = { 0 };

	(void)state;
	nf_cpuset_init(&set);
	for (size_t i = 0; i < nf_topology_n_cpus(topo); i++) {
		const struct nf_cpu_info *c = nf_topology_cpu_at(topo, i);

		assert_int_equal(nf_topology_siblings(topo, c->cpu, &set, &e), 0);
		assert_false(nf_cpuset_has(&set, c->cpu));
		for (int s = nf_cpuset_next(&set, -1); s >= 0; s = nf_cpuset_next(&set, s))
			assert_int_equal(nf_topology_cpu(topo, s)->core, c->core);
	}
	assert_int_equal(nf_topology_siblings(topo, 60000, &set, &e), -NF_EARG);
	assert_int_equal(nf_topology_node_cpus(topo, 4000, &set, &e), -NF_EARG);
	nf_cpuset_fini(&set);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(this_process_runs_on_an_allowed_cpu, load, unload),
	cmocka_unit_test_setup_teardown(cpus_rise_and_are_found_by_number, load, unload),
	cmocka_unit_test_setup_teardown(allowed_agrees_with_the_affinity_mask, load, unload),
	cmocka_unit_test_setup_teardown(every_node_is_local_to_itself_and_has_memory, load, unload),
	cmocka_unit_test_setup_teardown(a_thread_bound_to_one_cpu_is_there_and_reads_it_back, load,
	                                unload),
	cmocka_unit_test_setup_teardown(
	        binding_to_an_impossible_mask_fails_and_leaves_the_thread_where_it_was, load,
	        unload),
	cmocka_unit_test_setup_teardown(a_list_with_an_absent_cpu_names_it_and_the_range, load,
	                                unload),
	cmocka_unit_test_setup_teardown(memory_lies_on_the_node_it_was_bound_to, load, unload),
	cmocka_unit_test_setup_teardown(untouched_pages_are_on_no_known_node, load, unload),
	cmocka_unit_test_setup_teardown(interleaved_memory_is_usable_and_bad_requests_are_refused,
	                                load, unload),
	cmocka_unit_test_setup_teardown(siblings_share_a_core_and_never_include_the_cpu_itself,
	                                load, unload),
};
NF_UNIT_MAIN(tests)
