/* SPDX-License-Identifier: MIT */
/* The topology of captured hosts: hardware that the machine running the tests does not have. */
#include <pthread.h>

#include "machine/topology.h"
#include "nf_unit.h"

static struct nf_rootfs root;
static struct nf_topology *topo;

static void host_path(const char *name, char *ret, size_t len)
{
	const char *build = getenv("NF_BUILD");

	snprintf(ret, len, "%s/tests/fixtures/hosts/%s", build ? build : ".", name);
}

static void load(const char *name)
{
	char path[512];
	struct nf_err e = { 0 };

	host_path(name, path, sizeof(path));
	assert_int_equal(nf_rootfs_open(&root, path, &e), 0);
	if (nf_topology_load(&root, &topo, &e) != 0)
		fail_msg("%s: %s", name, e.msg);
}

static int unload(void **state)
{
	(void)state;
	if (topo) {
		nf_topology_free(topo);
		nf_rootfs_close(&root);
	}
	topo = NULL;
	return 0;
}

static void assert_set(const struct nf_cpuset *set, const char *list)
{
	struct nf_buf text;

	nf_buf_init(&text, 4096);
	assert_int_equal(nf_cpuset_print(set, &text), 0);
	assert_string_equal(text.data, list);
	nf_buf_fini(&text);
}

static void assert_selects(const char *spec, const char *list)
{
	struct nf_cpuset set;
	struct nf_err e = { 0 };

	nf_cpuset_init(&set);
	if (nf_topology_select(topo, spec, &set, &e) != 0)
		fail_msg("%s: %s", spec, e.msg);
	assert_set(&set, list);
	nf_cpuset_fini(&set);
}

static void assert_refuses(const char *spec, int code, const char *msg)
{
	struct nf_cpuset set;
	struct nf_err e = { 0 };

	nf_cpuset_init(&set);
	assert_int_equal(nf_topology_select(topo, spec, &set, &e), code);
	assert_string_equal(e.msg, msg);
	assert_int_equal(nf_cpuset_count(&set), 0);
	nf_cpuset_fini(&set);
}

static void assert_siblings(int cpu, const char *list)
{
	struct nf_cpuset set;

	nf_cpuset_init(&set);
	assert_int_equal(nf_topology_siblings(topo, cpu, &set, NULL), 0);
	assert_set(&set, list);
	nf_cpuset_fini(&set);
}

static void a_two_node_server_has_its_distances_memory_and_isolated_cpus(void **state)
{
	struct nf_cpuset set;

	(void)state;
	load("server-2node");
	assert_int_equal(nf_topology_n_cpus(topo), 16);
	assert_int_equal(nf_topology_n_cores(topo, false), 8);
	assert_int_equal(nf_topology_n_packages(topo), 2);
	assert_int_equal(nf_topology_n_nodes(topo), 2);
	assert_int_equal(nf_topology_n_kinds(topo), 1);
	assert_int_equal(nf_topology_distance(topo, 0, 0), 10);
	assert_int_equal(nf_topology_distance(topo, 0, 1), 21);
	assert_int_equal(nf_topology_distance(topo, 1, 0), 21);
	assert_int_equal(nf_topology_node_mem_bytes(topo, 1), INT64_C(34359738368));
	assert_siblings(2, "10");
	assert_siblings(10, "2");
	/* isolcpus=2-7: outside the inherited affinity mask, and yet to be had by name or number. */
	assert_set(nf_topology_allowed(topo), "0-1,8-15");
	assert_set(nf_topology_isolated(topo), "2-7");
	assert_false(nf_topology_cpu(topo, 3)->allowed);
	assert_true(nf_topology_cpu(topo, 3)->isolated);
	assert_selects("allowed", "0-1,8-15");
	assert_selects("isolated", "2-7");
	assert_selects("1,4-5", "1,4-5");
	assert_refuses("16-17", -NF_EARG, "CPUs 16-17 are absent (this host has 0-15)");
	nf_cpuset_init(&set);
	assert_int_equal(nf_topology_node_cpus(topo, 0, &set, NULL), 0);
	assert_set(&set, "0-1,8-11");
	assert_int_equal(nf_topology_node_cpus(topo, 1, &set, NULL), 0);
	assert_set(&set, "12-15");
	nf_cpuset_fini(&set);
}

static void hybrid_kinds_are_ranked_slowest_first(void **state)
{
	(void)state;
	load("hybrid-laptop");
	assert_int_equal(nf_topology_n_kinds(topo), 2);
	for (int c = 0; c < 8; c++)
		assert_int_equal(nf_topology_cpu(topo, c)->kind, 1);
	for (int c = 8; c < 12; c++)
		assert_int_equal(nf_topology_cpu(topo, c)->kind, 0);
	assert_int_equal(nf_topology_n_cores(topo, true), 8);
	assert_siblings(0, "1");
	assert_siblings(8, "");
	assert_refuses("isolated", -NF_EUNSUPPORTED,
	               "no isolated CPU on this host: boot with isolcpus=LIST or make an isolated "
	               "cpuset partition, or name CPUs");
}

static void a_cpuset_limits_what_can_be_selected(void **state)
{
	(void)state;
	load("container");
	assert_int_equal(nf_topology_n_cpus(topo), 8);
	assert_set(nf_topology_online(topo), "0-7");
	assert_set(nf_topology_allowed(topo), "2-3,6");
	assert_int_equal(nf_topology_n_cores(topo, false), 8);
	assert_int_equal(nf_topology_n_cores(topo, true), 3);
	assert_selects("2,6", "2,6");
	assert_refuses("5", -NF_EARG, "CPU 5 is not allowed here (allowed: 2-3,6)");
	assert_refuses("2-6", -NF_EARG, "CPUs 4-5 are not allowed here (allowed: 2-3,6)");
	assert_refuses("2,8", -NF_EARG, "CPU 8 is absent (this host has 0-7)");
}

static void nodes_whose_memory_is_not_allowed_are_told_apart(void **state)
{
	(void)state;
	load("server-2node");
	assert_int_equal(nf_topology_n_nodes_allowed(topo), 2);
	unload(NULL);
	load("container-mems");
	assert_int_equal(nf_topology_n_nodes(topo), 2);
	assert_int_equal(nf_topology_n_nodes_allowed(topo), 1);
	assert_false(nf_topology_node_allowed(topo, 0));
	assert_true(nf_topology_node_allowed(topo, 1));
	assert_false(nf_topology_node_allowed(topo, 2));
	assert_false(nf_topology_node_allowed(topo, -1));
}

static void a_version_1_cpuset_is_read_too(void **state)
{
	(void)state;
	load("container-v1");
	assert_set(nf_topology_allowed(topo), "0-3");
	assert_int_equal(nf_topology_distance(topo, 0, 0), -1); /* this kernel shows no table */
	assert_int_equal(nf_topology_node_mem_bytes(topo, 0), INT64_C(4294967296));
}

static void offline_cpus_are_known_but_refused(void **state)
{
	const struct nf_cpu_info *off;

	(void)state;
	load("offline-middle");
	assert_int_equal(nf_topology_n_cpus(topo), 8);
	off = nf_topology_cpu(topo, 3);
	assert_non_null(off);
	assert_false(off->online);
	assert_false(off->allowed);
	assert_int_equal(off->core, -1);
	assert_int_equal(off->node, -1);
	assert_set(nf_topology_online(topo), "0-2,5-7");
	assert_refuses("3", -NF_EARG, "CPU 3 is offline (online: 0-2,5-7)");
	assert_refuses("2-5", -NF_EARG, "CPUs 3-4 are offline (online: 0-2,5-7)");
	assert_siblings(6, "7");
	assert_siblings(2, ""); /* its sibling is offline */
	assert_selects("isolated", "7");
}

static void more_than_1024_cpus_keep_their_numbers(void **state)
{
	(void)state;
	load("cpus-1200");
	assert_int_equal(nf_topology_n_cpus(topo), 1200);
	assert_int_equal(nf_topology_n_nodes(topo), 4);
	assert_int_equal(nf_topology_distance(topo, 0, 1), 16);
	assert_int_equal(nf_topology_distance(topo, 0, 3), 32);
	assert_int_equal(nf_topology_cpu(topo, 1199)->node, 3);
	assert_int_equal(nf_topology_cpu(topo, 1199)->package, 3);
	assert_siblings(1198, "1199");
	assert_selects("isolated", "1100-1199");
	assert_selects("1030,1150-1152", "1030,1150-1152");
	assert_refuses("1200", -NF_EARG, "CPU 1200 is absent (this host has 0-1199)");
	assert_int_equal(nf_topology_n_cores(topo, true), 550);
}

static void a_tree_without_cpus_has_no_topology(void **state)
{
	char path[512];
	struct nf_topology *t = NULL;
	struct nf_err e = { 0 };

	(void)state;
	host_path("unknown", path, sizeof(path));
	assert_int_equal(nf_rootfs_open(&root, path, &e), 0);
	assert_int_equal(nf_topology_load(&root, &t, &e), -NF_ENODATA);
	assert_non_null(strstr(e.msg, "no CPU"));
	assert_null(t);
	nf_rootfs_close(&root);
}

static void a_list_that_does_not_parse_is_bad_input_that_names_the_file(void **state)
{
	char path[512];
	struct nf_topology *t = NULL;
	struct nf_err e = { 0 };

	(void)state;
	host_path("hostile", path, sizeof(path));
	assert_int_equal(nf_rootfs_open(&root, path, &e), 0);
	assert_int_equal(nf_topology_load(&root, &t, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "hostile/proc/self/status: Cpus_allowed_list:"));
	assert_null(t);
	nf_rootfs_close(&root);
}

static void binding_is_refused_on_a_captured_host(void **state)
{
	struct nf_cpuset one, got;
	struct nf_err e = { 0 };
	size_t pages[4] = { 7 }, unknown = 7;
	void *p = NULL;

	(void)state;
	load("cpus-1200");
	nf_cpuset_init(&one);
	nf_cpuset_init(&got);
	assert_int_equal(nf_cpuset_add(&one, 0, &e), 0);
	assert_int_equal(nf_topology_bind_self(topo, &one, &got, &e), -NF_EUNSUPPORTED);
	assert_non_null(strstr(e.msg, "captured"));
	assert_int_equal(nf_cpuset_count(&got), 0);
	assert_int_equal(nf_topology_mem_alloc(topo, 4096, 1, &p, &e), -NF_EUNSUPPORTED);
	assert_int_equal(nf_topology_mem_alloc(topo, 4096, -1, &p, &e), -NF_EUNSUPPORTED);
	assert_null(p);
	assert_int_equal(nf_topology_page_nodes(topo, pages, sizeof(pages), pages, &unknown, &e),
	                 -NF_EUNSUPPORTED);
	assert_int_equal(pages[0], 7);
	assert_int_equal(unknown, 7);
	nf_cpuset_fini(&got);
	nf_cpuset_fini(&one);
}

static void loading_leaves_the_environment_as_it_was(void **state)
{
	(void)state;
	assert_int_equal(setenv("HWLOC_COMPONENTS", "-cuda", 1), 0);
	assert_int_equal(unsetenv("HWLOC_FSROOT"), 0);
	load("server-2node");
	assert_string_equal(getenv("HWLOC_COMPONENTS"), "-cuda");
	assert_null(getenv("HWLOC_FSROOT"));
	assert_null(getenv("HWLOC_THISSYSTEM"));
	assert_null(getenv("HWLOC_HIDE_ERRORS"));
	unsetenv("HWLOC_COMPONENTS");
}

static void an_environment_that_describes_another_machine_is_refused(void **state)
{
	struct nf_topology *t = NULL;
	struct nf_err e = { 0 };
	char path[512];

	(void)state;
	host_path("cpus-1200", path, sizeof(path));
	assert_int_equal(setenv("HWLOC_FSROOT", path, 1), 0);
	assert_int_equal(nf_rootfs_open(&root, NULL, &e), 0);
	assert_int_equal(nf_topology_load(&root, &t, &e), -NF_EUNSUPPORTED);
	assert_non_null(strstr(e.msg, "HWLOC_FSROOT"));
	assert_null(t);
	nf_rootfs_close(&root);
	/* A captured tree says itself what it is. */
	load("server-2node");
	assert_int_equal(nf_topology_n_cpus(topo), 16);
	assert_string_equal(getenv("HWLOC_FSROOT"), path);
	unsetenv("HWLOC_FSROOT");
}

struct loader {
	const char *name;
	size_t n_cpus; /* wanted */
	int n_wrong;
};

static void *load_often(void *arg)
{
	struct loader *l = arg;
	char path[512];

	host_path(l->name, path, sizeof(path));
	for (int i = 0; i < 10; i++) {
		struct nf_rootfs r;
		struct nf_topology *t = NULL;

		if (nf_rootfs_open(&r, path, NULL) != 0) {
			l->n_wrong++;
			continue;
		}
		if (nf_topology_load(&r, &t, NULL) != 0 || nf_topology_n_cpus(t) != l->n_cpus)
			l->n_wrong++;
		nf_topology_free(t);
		nf_rootfs_close(&r);
	}
	return NULL;
}

static void two_threads_load_two_hosts_without_mixing_them(void **state)
{
	struct loader a = { "server-2node", 16, 0 }, b = { "offline-middle", 8, 0 };
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, load_often, &a), 0);
	load_often(&b);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(a.n_wrong, 0);
	assert_int_equal(b.n_wrong, 0);
}

#define CASE(f) cmocka_unit_test_teardown(f, unload)
static const struct CMUnitTest tests[] = {
	CASE(a_two_node_server_has_its_distances_memory_and_isolated_cpus),
	CASE(hybrid_kinds_are_ranked_slowest_first),
	CASE(a_cpuset_limits_what_can_be_selected),
	CASE(nodes_whose_memory_is_not_allowed_are_told_apart),
	CASE(a_version_1_cpuset_is_read_too),
	CASE(offline_cpus_are_known_but_refused),
	CASE(more_than_1024_cpus_keep_their_numbers),
	CASE(a_tree_without_cpus_has_no_topology),
	CASE(a_list_that_does_not_parse_is_bad_input_that_names_the_file),
	CASE(binding_is_refused_on_a_captured_host),
	CASE(loading_leaves_the_environment_as_it_was),
	CASE(an_environment_that_describes_another_machine_is_refused),
	CASE(two_threads_load_two_hosts_without_mixing_them),
};
NF_UNIT_MAIN(tests)
