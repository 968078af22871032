/* SPDX-License-Identifier: MIT */
/* Topology, SMI counters and the check for the tracer, with every allocation and call failing. */
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"
#include "machine/hwlat.h"
#include "machine/smi.h"
#include "machine/topology.h"
#include "nf_unit.h"

struct subject {
	const char *host; /* NULL: the live one */
	struct nf_rootfs root;
	struct nf_topology *topo;
	struct nf_smi *smi;
	struct nf_cpuset set;
	size_t pages[64];
	size_t unknown;
	uint64_t count;
};

static void open_host(struct subject *s)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/tests/fixtures/hosts/%s", getenv("NF_BUILD"),
	         s->host ? s->host : "");
	assert_int_equal(nf_rootfs_open(&s->root, s->host ? path : NULL, NULL), 0);
	nf_cpuset_init(&s->set);
}

static void close_host(struct subject *s)
{
	nf_cpuset_fini(&s->set);
	nf_topology_free(s->topo);
	s->topo = NULL;
	nf_smi_close(s->smi);
	s->smi = NULL;
	nf_rootfs_close(&s->root);
}

static void prepare_host(void *ctx)
{
	open_host(ctx);
}

static void prepare_topology(void *ctx)
{
	struct subject *s = ctx;

	open_host(s);
	assert_int_equal(nf_topology_load(&s->root, &s->topo, NULL), 0);
}

static int run_load(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_topology_load(&s->root, &s->topo, err);
}

static void finish_load(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_int_equal(r == 0, s->topo != NULL);
	assert_null(getenv("HWLOC_FSROOT"));
	assert_null(getenv("HWLOC_HIDE_ERRORS"));
	close_host(s);
}

static void loading_a_topology(void **state)
{
	struct subject s = { .host = "server-2node" }, live = { 0 };
	/* Lists that cannot be read are unknown; they do not make the host unusable. */
	const struct fault_subject f = {
		.prepare = prepare_host,
		.run = run_load,
		.finish = finish_load,
		.tolerates =
		        "syscall,openat,openat64,__openat64_2,read,__read_chk,fstat,fstat64,close,"
		        "fstatat,fstatat64,faccessat",
	};

	(void)state;
	fault_every(&f, &s);
	fault_every(&f, &live);
	fault_survives(&f, &s);
}

static int run_select(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_topology_select(s->topo, "1,4-5", &s->set, err);
}

static void finish_set(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_int_equal(r == 0, nf_cpuset_count(&s->set) > 0);
	close_host(s);
}

static int run_node_cpus(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_topology_node_cpus(s->topo, 0, &s->set, err);
}

static int run_siblings(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_topology_siblings(s->topo, 1, &s->set, err);
}

static void choosing_cpus(void **state)
{
	struct subject s = { .host = "server-2node" };
	struct fault_subject f = { .prepare = prepare_topology,
		                   .run = run_select,
		                   .finish = finish_set };

	(void)state;
	fault_every(&f, &s);
	f.run = run_node_cpus;
	fault_every(&f, &s);
	f.run = run_siblings;
	fault_every(&f, &s);
}

static int run_bind(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_topology_bind_self(s->topo, nf_topology_allowed(s->topo), &s->set, err);
}

static void binding_a_thread(void **state)
{
	struct subject s = { 0 };

	(void)state;
	fault_every(&(struct fault_subject){ .prepare = prepare_topology,
	                                     .run = run_bind,
	                                     .finish = finish_set },
	            &s);
}

static int run_page_nodes(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_topology_page_nodes(s->topo, s, sizeof(*s), s->pages, &s->unknown, err);
}

static void prepare_pages(void *ctx)
{
	struct subject *s = ctx;

	prepare_topology(s);
	s->unknown = 1234;
}

static void finish_pages(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_int_equal(r < 0, s->unknown == 1234);
	close_host(s);
}

static void finding_the_nodes_of_pages(void **state)
{
	struct subject s = { 0 };
	struct nf_err e = { 0 };
	int r;

	(void)state;
	prepare_pages(&s);
	skip_unless(nf_topology_n_nodes(s.topo) <= 64, "nodes", "more than 64 nodes");
	r = run_page_nodes(&s, &e);
	close_host(&s);
	skip_unless(r != -NF_EUNSUPPORTED, "move-pages", e.msg);
	fault_every(&(struct fault_subject){ .prepare = prepare_pages,
	                                     .run = run_page_nodes,
	                                     .finish = finish_pages },
	            &s);
}

static char dir[64];

static void put(const char *path, const void *data, size_t len, off_t at)
{
	char full[256];
	int fd;

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	for (char *p = full + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		(void)mkdir(full, 0700);
		*p = '/';
	}
	fd = open(full, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, data, len, at), len);
	close(fd);
}

static void put_text(const char *path, const char *text)
{
	put(path, text, strlen(text), 0);
}

static int make_tree(void **state)
{
	uint64_t count = 5;

	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/nf-fault-XXXXXX");
	assert_non_null(mkdtemp(dir));
	put_text("proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\n");
	put_text("proc/mounts", "tracefs /sys/kernel/tracing tracefs rw 0 0\n");
	put_text("sys/kernel/tracing/available_tracers", "hwlat nop\n");
	put("dev/cpu/0/msr", &count, sizeof(count), 0x34);
	put("dev/cpu/1/msr", &count, sizeof(count), 0x34);
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int remove_tree(void **state)
{
	(void)state;
	return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void prepare_tree(void *ctx)
{
	struct subject *s = ctx;

	assert_int_equal(nf_rootfs_open(&s->root, dir, NULL), 0);
	nf_cpuset_init(&s->set);
	assert_int_equal(nf_cpuset_parse("0-1", false, &s->set, NULL), 0);
	s->count = 1234;
}

static int run_smi(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;
	int r = nf_smi_open(&s->root, &s->set, &s->smi, err);

	return r < 0 ? r : nf_smi_read(s->smi, 1, &s->count, err);
}

static void finish_smi(void *ctx, int r)
{
	struct subject *s = ctx;

	assert_int_equal(s->count, r == 0 ? 5 : 1234);
	close_host(s);
}

static void counting_smis(void **state)
{
	struct subject s = { 0 };
	const struct fault_subject f = {
		.prepare = prepare_tree, .run = run_smi, .finish = finish_smi, .tolerates = "close"
	};

	(void)state;
	fault_every(&f, &s);
}

static int run_check(void *ctx, struct nf_err *err)
{
	struct subject *s = ctx;

	return nf_hwlat_check(&s->root, err);
}

static void finish_check(void *ctx, int r)
{
	(void)r;
	close_host(ctx);
}

static void checking_for_the_tracer(void **state)
{
	struct subject s = { 0 };
	const struct fault_subject f = { .prepare = prepare_tree,
		                         .run = run_check,
		                         .finish = finish_check,
		                         .tolerates = "close" };

	(void)state;
	fault_every(&f, &s);
	fault_survives(&f, &s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(loading_a_topology),
	cmocka_unit_test(choosing_cpus),
	cmocka_unit_test(binding_a_thread),
	cmocka_unit_test(finding_the_nodes_of_pages),
	cmocka_unit_test_setup_teardown(counting_smis, make_tree, remove_tree),
	cmocka_unit_test_setup_teardown(checking_for_the_tracer, make_tree, remove_tree),
};
NF_UNIT_MAIN(tests)
