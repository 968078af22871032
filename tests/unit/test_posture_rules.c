/* SPDX-License-Identifier: MIT */
/* The posture of trees made for one rule. */
#include "posture_facts.h"

/* A tree made by one test. */
static char tree[256];

static int make(void **state)
{
	make_tree(tree, sizeof(tree));
	return setup(state);
}

static int unmake(void **state)
{
	remove_tree(tree);
	return teardown(state);
}

static void read_tree(void)
{
	struct nf_rootfs root;
	struct nf_err e = { 0 };

	assert_int_equal(nf_rootfs_open(&root, tree, &e), 0);
	read_posture(&root, tree);
	nf_rootfs_close(&root);
}

static void realtime_comes_from_sysfs_then_uname_then_the_configuration(void **state)
{
	static const struct {
		const char *flag, *version, *config, *lane, *source;
	} rules[] = {
		{ "1\n", "#1 SMP PREEMPT_DYNAMIC x", NULL, "rt", "/sys/kernel/realtime" },
		{ "0\n", "#1 SMP PREEMPT_RT x", NULL, "generic", "/sys/kernel/realtime" },
		{ "2\n", "#1 SMP PREEMPT_RT x", NULL, "rt", "uname -v" },
		{ NULL, "#1 SMP PREEMPT RT x", NULL, "rt", "uname -v" },
		{ NULL, "#1 SMP x RT", NULL, "generic", "uname -v" },
		{ NULL, "#1 SMP x", "CONFIG_PREEMPT_RT=y\n", "generic", "uname -v" },
		{ NULL, "#1 SMP PREEMPT_NEW x", NULL, "unknown", NULL },
		{ NULL, "#1 SMP PREEMPT_NEW x", "CONFIG_PREEMPT_RT=y\n", "rt", "/boot/config-6.0" },
		{ NULL, "custom", "CONFIG_PREEMPT_RT_FULL=y\n", "rt", "/boot/config-6.0" },
		{ NULL, "custom", "# CONFIG_PREEMPT_NONE is not set\nCONFIG_PREEMPT=y\n", "generic",
		  "/boot/config-6.0" },
		{ NULL, "custom", "CONFIG_HZ=100\n", "unknown", NULL },
		{ NULL, NULL, NULL, "unknown", NULL },
	};

	(void)state;
	put(tree, "proc/sys/kernel/osrelease", "6.0\n");
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		char path[512];

		snprintf(path, sizeof(path), "%s/sys/kernel/realtime", tree);
		unlink(path);
		snprintf(path, sizeof(path), "%s/proc/sys/kernel/version", tree);
		unlink(path);
		snprintf(path, sizeof(path), "%s/boot/config-6.0", tree);
		unlink(path);
		if (rules[i].flag)
			put(tree, "sys/kernel/realtime", rules[i].flag);
		if (rules[i].version)
			put(tree, "proc/sys/kernel/version", rules[i].version);
		if (rules[i].config)
			put(tree, "boot/config-6.0", rules[i].config);
		read_tree();
		printf("# rule %zu\n", i);
		assert_string_equal(nf_lane_name(nf_posture_lane(&posture)), rules[i].lane);
		assert_fact("realtime_source", rules[i].source);
	}
}

static void names_fall_back_on_proc_version(void **state)
{
	(void)state;
	put(tree, "proc/version",
	    "Linux version 5.10.9-x (a@b) (gcc #2 (x) y) #7 SMP PREEMPT Thu Jan 2 2025\n");
	read_tree();
	assert_fact("kernel_release", "5.10.9-x");
	assert_fact("kernel_version", "#7 SMP PREEMPT Thu Jan 2 2025");
	assert_fact("preemption_model", "full");
}

static void marker_files_do_not_make_a_container_of_the_initial_namespaces(void **state)
{
	char path[512];

	(void)state;
	put(tree, ".dockerenv", "");
	put(tree, "proc/cpuinfo", "processor : 0\nflags : hypervisor\n");
	read_tree();
	assert_fact("platform_kind", "container");
	put(tree, "proc/self/ns/x", "");
	snprintf(path, sizeof(path), "%s/proc/self/ns/pid", tree);
	assert_int_equal(symlink("pid:[4026531836]", path), 0);
	snprintf(path, sizeof(path), "%s/proc/self/ns/uts", tree);
	assert_int_equal(symlink("uts:[4026531838]", path), 0);
	snprintf(path, sizeof(path), "%s/proc/self/ns/ipc", tree);
	assert_int_equal(symlink("ipc:[4026531839]", path), 0);
	read_tree();
	assert_fact("platform_kind", "vm");
}

static void a_pid_namespace_of_its_own_is_a_container(void **state)
{
	char path[512];

	(void)state;
	put(tree, "proc/cpuinfo", "processor : 0\nflags : fpu\n");
	read_tree();
	assert_fact("platform_kind", "hardware");
	put(tree, "proc/self/ns/x", "");
	snprintf(path, sizeof(path), "%s/proc/self/ns/pid", tree);
	assert_int_equal(symlink("pid:[4026532999]", path), 0);
	read_tree();
	assert_fact("platform_kind", "container");
}

static void guests_are_told_by_cpu_model_device_tree_and_dmi(void **state)
{
	(void)state;
	put(tree, "proc/cpuinfo",
	    "processor : 0\nmodel name : QEMU TCG CPU version 2.5+\n"
	    "flags : hypervisor\n");
	read_tree();
	assert_fact("platform_kind", "tcg");
	put(tree, "proc/cpuinfo", "processor : 0\nCPU part : 0xd08\n");
	put_bytes(tree, "proc/device-tree/hypervisor/compatible", "linux,kvm", 10);
	read_tree();
	assert_fact("platform_kind", "kvm");
	assert_fact("hypervisor", "linux,kvm");
	put(tree, "proc/device-tree/hypervisor/compatible", "");
	put(tree, "sys/class/dmi/id/sys_vendor", "VMware, Inc.\n");
	read_tree();
	assert_fact("platform_kind", "vm");
	put(tree, "sys/class/dmi/id/sys_vendor", "Someone\n");
	put(tree, "sys/hypervisor/type", "xen\n");
	read_tree();
	assert_fact("platform_kind", "vm");
}

static void an_unreadable_level_makes_the_quota_unknown(void **state)
{
	(void)state;
	put(tree, "proc/self/cgroup", "0::/a/b\n");
	put(tree, "proc/self/mountinfo", "1 0 0:1 / /cg rw shared:1 - cgroup2 cgroup2 rw\n");
	put(tree, "cg/a/b/cpu.max", "50000 100000\n");
	put(tree, "cg/a/cpu.max", "max 100000\n");
	read_tree();
	assert_fact("cgroup_quota", "50000/100000");
	put(tree, "cg/a/cpu.max", "what\n");
	read_tree();
	assert_fact("cgroup_quota", NULL);
	assert_true(is_unread("/cg/a/cpu.max: "));
	put(tree, "cg/a/cpu.max", "10000 100000\n");
	read_tree();
	assert_fact("cgroup_quota", "10000/100000");
}

static void the_fair_server_is_off_when_every_runtime_is_0(void **state)
{
	struct nf_rootfs root;
	struct nf_err e = { 0 };

	(void)state;
	put(tree, "proc/sys/kernel/osrelease", "6.12.1-x\n");
	read_tree();
	assert_fact("fair_server", "yes"); /* by version */
	assert_int_equal(nf_rootfs_open(&root, tree, &e), 0);
	assert_false(nf_posture_fair_server_read(&root));
	put(tree, "sys/kernel/debug/sched/fair_server/cpu0/runtime", "0\n");
	put(tree, "sys/kernel/debug/sched/fair_server/cpu1/runtime", "0\n");
	assert_true(nf_posture_fair_server_read(&root));
	nf_rootfs_close(&root);
	read_tree();
	assert_fact("fair_server", "no");
	put(tree, "sys/kernel/debug/sched/fair_server/cpu1/runtime", "50000000\n");
	read_tree();
	assert_fact("fair_server", "yes");
	put(tree, "proc/sys/kernel/osrelease", "6.1.0-x\n");
	read_tree();
	assert_fact("fair_server", "yes");
}

static void a_mount_point_with_a_space_is_found(void **state)
{
	(void)state;
	put(tree, "proc/self/cgroup", "3:cpuset:/\n2:cpu,cpuacct:/x\n0::/\n");
	put(tree, "proc/self/mountinfo", "1 0 0:1 / /c\\040g rw - cgroup none rw,cpu,cpuacct\n");
	put(tree, "c g/x/cpu.cfs_quota_us", "-1\n");
	put(tree, "c g/x/cpu.cfs_period_us", "100000\n");
	put(tree, "c g/cpu.cfs_quota_us", "20000\n");
	put(tree, "c g/cpu.cfs_period_us", "100000\n");
	read_tree();
	assert_fact("cgroup_quota", "20000/100000");
	assert_fact("cgroup_path", "/x");
}

static void unlike_cpus_are_listed_once_each(void **state)
{
	(void)state;
	put(tree, "proc/cpuinfo",
	    "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd03\n\n"
	    "processor : 1\nCPU implementer : 0x41\nCPU part : 0xd08\n\n"
	    "processor : 2\nCPU implementer : 0x41\nCPU part : 0xd03\n\n");
	read_tree();
	assert_fact("cpu_model", "implementer 0x41 part 0xd03; implementer 0x41 part 0xd08");
	put(tree, "proc/cpuinfo",
	    "processor : 0\nflags : constant_tsc nonstop_tsc\n\nprocessor : 1\nflags : "
	    "constant_tsc\n");
	read_tree();
	assert_fact("tsc_invariant", "no");
	put(tree, "proc/cpuinfo",
	    "processor : 0\nflags : constant_tsc nonstop_tsc\n\nprocessor : 1\n");
	read_tree();
	assert_fact("tsc_invariant", NULL);
}

static void notes_have_a_limit(void **state)
{
	char path[128];

	(void)state;
	for (int i = 0; i < 100; i++) {
		snprintf(path, sizeof(path),
		         "sys/devices/system/cpu/vulnerabilities/v%03d/not-a-file", i);
		put(tree, path, "");
	}
	read_tree();
	assert_int_equal(posture.n_unread, 65);
	assert_string_equal(posture.unread[64] + strcspn(posture.unread[64], "f"), "files");
	assert_memory_equal(posture.unread[64], "and ", 4);
}

#define ON_A_TREE(test) cmocka_unit_test_setup_teardown(test, make, unmake)

static const struct CMUnitTest tests[] = {
	ON_A_TREE(realtime_comes_from_sysfs_then_uname_then_the_configuration),
	ON_A_TREE(names_fall_back_on_proc_version),
	ON_A_TREE(marker_files_do_not_make_a_container_of_the_initial_namespaces),
	ON_A_TREE(a_pid_namespace_of_its_own_is_a_container),
	ON_A_TREE(guests_are_told_by_cpu_model_device_tree_and_dmi),
	ON_A_TREE(an_unreadable_level_makes_the_quota_unknown),
	ON_A_TREE(the_fair_server_is_off_when_every_runtime_is_0),
	ON_A_TREE(a_mount_point_with_a_space_is_found),
	ON_A_TREE(unlike_cpus_are_listed_once_each),
	ON_A_TREE(notes_have_a_limit),
};

NF_UNIT_MAIN(tests)
