/* SPDX-License-Identifier: MIT */
/* The posture of captured hosts and of the live one. */
#include "posture_facts.h"

struct want {
	const char *host, *fact, *value;
};

/* clang-format off */
static const struct want wanted[] = {
	{ "server-2node", "platform_kind", "hardware" },
	{ "server-2node", "hypervisor", NULL },
	{ "server-2node", "cpu_model", "Invented(R) Xenial(R) Platinum 4004 CPU @ 2.40GHz" },
	{ "server-2node", "cpu_vendor", "GenuineIntel" },
	{ "server-2node", "microcode", "0x5003604" },
	{ "server-2node", "cpus_online", "0-15" },
	{ "server-2node", "cpus_present", "0-15" },
	{ "server-2node", "cpus_allowed", "0-1,8-15" },
	{ "server-2node", "cpus_isolated", "2-7" },
	{ "server-2node", "cpus_nohz_full", "2-7" },
	{ "server-2node", "numa_nodes", "0-1" },
	{ "server-2node", "mitigations", "itlb_multihit: Not affected; meltdown: Not affected; spectre_v1: "
		"Mitigation: usercopy/swapgs barriers and __user pointer sanitization; "
		"spectre_v2: Mitigation: Enhanced IBRS, IBPB: conditional" },
	{ "server-2node", "smt_active", "yes" },
	{ "server-2node", "smt_control", "on" },
	{ "server-2node", "governor", "performance: 0-15" },
	{ "server-2node", "frequency_driver", "intel_pstate" },
	{ "server-2node", "turbo", "no" },
	{ "server-2node", "idle_driver", "intel_idle" },
	{ "server-2node", "idle_states", "POLL 0; C1 2" },
	{ "server-2node", "kernel_release", "6.1.0-90-amd64" },
	{ "server-2node", "kernel_version", "#1 SMP PREEMPT_DYNAMIC Invented 6.1.900-1 (2025-01-02)" },
	{ "server-2node", "machine_arch", "x86_64" },
	{ "server-2node", "realtime", "no" },
	{ "server-2node", "realtime_source", "uname -v" },
	{ "server-2node", "preemption_model", "dynamic (voluntary)" },
	{ "server-2node", "tuned_profile", "realtime-invented" },
	{ "server-2node", "transparent_hugepage", "madvise" },
	{ "server-2node", "clocksource", "tsc" },
	{ "server-2node", "clocksources", "tsc hpet acpi_pm" },
	{ "server-2node", "tsc_invariant", "yes" },
	{ "server-2node", "clock_sync", NULL },
	{ "server-2node", "rt_runtime_us", "950000" },
	{ "server-2node", "rt_throttled", "yes" },
	{ "server-2node", "rt_period_us", "1000000" },
	{ "server-2node", "fair_server", "no" },
	{ "server-2node", "cgroup_quota", "max" },
	{ "server-2node", "cgroup_path", "/user.slice/session-1.scope" },
	{ "server-2node", "irqbalance", "yes" },
	{ "server-2node", "dmi_vendor", "Invented Servers Ltd" },
	{ "server-2node", "dmi_product", "Twin 2S" },
	{ "server-2node", "bios_version", "1.2.3 01/02/2025" },
	{ "server-2node", "mem_total_kib", "67108864" },
	{ "server-2node", "mem_available_kib", "62000000" },
	{ "server-2node", "uptime_s", "86400.25" },
	{ "server-2node", "load_1min", "0.25" },
	{ "server-2node", "load_5min", "0.5" },
	{ "server-2node", "load_15min", "0.75" },
	{ "server-2node", "runnable", "3" },
	{ "server-2node", "steal_ticks", "80" },
	{ "server-2node", "temperatures", "x86_pkg_temp: 41.0; x86_pkg_temp: 43.5" },
	{ "server-2node", "boot_id", "00000000-1111-4222-8333-444444444444" },
	{ "server-2node", "host_name", "twin" },

	{ "server-2node-rt", "realtime", "yes" },
	{ "server-2node-rt", "realtime_source", "/sys/kernel/realtime" },
	{ "server-2node-rt", "preemption_model", "rt" },
	{ "server-2node-rt", "config_hz", "250" },
	{ "server-2node-rt", "config_source", "/boot/config-6.1.0-90-rt-amd64" },
	{ "server-2node-rt", "rt_runtime_us", "0" },
	{ "server-2node-rt", "rt_throttled", "no" },
	{ "server-2node-rt", "fair_server", NULL },
	{ "server-2node-rt", "irqbalance", "no" },

	{ "rt-no-flag", "platform_kind", "hardware" },
	{ "rt-no-flag", "cpu_model", "implementer 0x41 part 0xd08" },
	{ "rt-no-flag", "cpu_vendor", "0x41" },
	{ "rt-no-flag", "realtime", "yes" },
	{ "rt-no-flag", "realtime_source", "uname -v" },
	{ "rt-no-flag", "preemption_model", "rt" },
	{ "rt-no-flag", "governor", "schedutil: 0-2; performance: 3" },
	{ "rt-no-flag", "turbo", "no" },
	{ "rt-no-flag", "tsc_invariant", NULL },
	{ "rt-no-flag", "cgroup_quota", NULL },
	{ "rt-no-flag", "temperatures", "cpu-thermal: -1.5" },
	{ "rt-no-flag", "machine_hash", NULL },

	{ "hybrid-laptop", "smt_active", "yes" },
	{ "hybrid-laptop", "turbo", "yes" },
	{ "hybrid-laptop", "governor", "powersave: 0-11" },
	{ "hybrid-laptop", "cpus_isolated", "" },
	{ "hybrid-laptop", "cpus_nohz_full", "" },
	{ "hybrid-laptop", "fair_server", "yes" },
	{ "hybrid-laptop", "config_hz", "1000" },
	{ "hybrid-laptop", "preemption_model", "dynamic" },
	{ "hybrid-laptop", "transparent_hugepage", "always" },

	{ "container", "platform_kind", "container" },
	{ "container", "cpus_online", "0-7" },
	{ "container", "cpus_allowed", "2-3,6" },
	{ "container", "cgroup_quota", "150000/100000" },
	{ "container", "cgroup_path", "/kube.slice/pod-1/app" },
	{ "container", "irqbalance", NULL },
	{ "container", "preemption_model", NULL },

	{ "container-v1", "platform_kind", "container" },
	{ "container-v1", "cgroup_quota", "75000/100000" },
	{ "container-v1", "cgroup_path", "/pods/abc" },
	{ "container-v1", "tsc_invariant", "no" },
	{ "container-v1", "smt_active", "no" },

	{ "offline-middle", "cpus_online", "0-2,5-7" },
	{ "offline-middle", "cpus_present", "0-7" },
	{ "offline-middle", "preemption_model", "full" },
	{ "offline-middle", "realtime", "no" },

	{ "cpus-1200", "cpus_online", "0-1199" },
	{ "cpus-1200", "cpus_isolated", "1100-1199" },
	{ "cpus-1200", "numa_nodes", "0-3" },
	{ "cpus-1200", "governor", "schedutil: 0-1099; performance: 1100-1199" },
	{ "cpus-1200", "frequency_driver", "acpi-cpufreq" },
	{ "cpus-1200", "turbo", "yes" },
	{ "cpus-1200", "tsc_invariant", "yes" },

	{ "guest-kvm", "platform_kind", "kvm" },
	{ "guest-kvm", "preemption_model", "voluntary" },
	{ "guest-kvm", "tsc_invariant", "no" },
	{ "guest-kvm", "bios_version", "1.16.2-debian-1.16.2-1 04/01/2014" },
	{ "guest-kvm", "steal_ticks", "4321" },

	/* Byte for byte up to a NUL or the end of the line; white space at the end is cut. */
	{ "hostile", "kernel_cmdline",
		"init=/bin/sh quote=\" back=\\ env=${env:HOME as Text} esc=\x1b[2J bad=\xf0\x28 cr=a\rb" },
	{ "hostile", "cpu_model", "Model ${env:HOME as Text} \"q\" \\ \x1b[0m \xc3\x28 end" },
	{ "hostile", "dmi_vendor", "Ven\"dor\\" },
	{ "hostile", "dmi_product", "${env:HOME as Text}\xff\xfe" },
	{ "hostile", "bios_version", "\x1b]0;title\x07 '; --" },
	{ "hostile", "host_name", "evil\"${env:HOME as Text}\\\xff" },
	{ "hostile", "tuned_profile", "a\rb" },
	{ "hostile", "governor", "perf\x1b[31mormance: 0-1" },
	{ "hostile", "mitigations", "meltdown: Mitigation: \"\\${env:HOME as Text}\"; x: y" },
	{ "hostile", "cpu_vendor", NULL },
	{ "hostile", "microcode", NULL },
	{ "hostile", "cpus_allowed", NULL },
	{ "hostile", "cpus_isolated", NULL },
	{ "hostile", "realtime", NULL },
	{ "hostile", "preemption_model", NULL },
	{ "hostile", "tsc_invariant", "no" },
	{ "hostile", "rt_runtime_us", NULL },
	{ "hostile", "rt_period_us", NULL },
	{ "hostile", "rt_throttled", NULL },
	{ "hostile", "load_1min", NULL },
	{ "hostile", "load_15min", NULL },
	{ "hostile", "runnable", NULL },
	{ "hostile", "uptime_s", NULL },
	{ "hostile", "mem_total_kib", NULL },
	{ "hostile", "mem_available_kib", NULL },
	{ "hostile", "steal_ticks", NULL },
	{ "hostile", "clocksource", NULL },
	{ "hostile", "cgroup_quota", NULL },
	{ "hostile", "machine_hash", NULL },
};
/* clang-format on */

static void captured_hosts_show_the_facts_they_hold(void **state)
{
	const char *host = "";

	(void)state;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (strcmp(host, wanted[i].host) != 0) {
			host = wanted[i].host;
			printf("# %s\n", host);
			read_host(host);
		}
		assert_fact(wanted[i].fact, wanted[i].value);
	}
}

static void every_host_is_in_its_lane(void **state)
{
	static const struct {
		const char *host, *lane;
	} lanes[] = {
		{ "server-2node", "generic" },   { "server-2node-rt", "rt" },
		{ "rt-no-flag", "rt" },          { "hybrid-laptop", "generic" },
		{ "container", "generic" },      { "container-v1", "generic" },
		{ "offline-middle", "generic" }, { "cpus-1200", "rt" },
		{ "guest-kvm", "generic" },      { "hostile", "unknown" },
		{ "unknown", "unknown" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++) {
		read_host(lanes[i].host);
		assert_string_equal(nf_lane_name(nf_posture_lane(&posture)), lanes[i].lane);
	}
}

static void an_empty_tree_is_unknown_in_every_fact_and_says_why(void **state)
{
	(void)state;
	read_host("unknown");
	for (size_t i = 0; i < nf_posture_count(); i++)
		assert_fact(nf_posture_name(i), NULL);
	assert_true(is_unread("/proc/cpuinfo: Is a directory"));
	assert_true(is_unread("/proc/cmdline: Is a directory"));
	assert_true(is_unread("/sys/kernel/realtime: Is a directory"));
	assert_true(is_unread("/sys/devices/system/cpu/online: absent"));
	assert_true(is_unread("/proc/sys/kernel/osrelease: absent"));
	assert_false(is_unread("/sys/class/dmi"));
}

static void what_does_not_parse_is_named_with_its_file(void **state)
{
	(void)state;
	read_host("hostile");
	assert_true(is_unread("/proc/self/status: '0-'"));
	assert_true(is_unread("/sys/devices/system/cpu/isolated: 'banana'"));
	assert_true(is_unread("/sys/devices/system/cpu/smt/active: neither 0 nor 1"));
	assert_true(is_unread("/proc/sys/kernel/sched_rt_runtime_us: '9223372036854775808'"));
	assert_true(is_unread("/proc/sys/kernel/sched_rt_period_us: not a positive time"));
}

static void the_machine_hash_is_the_same_over_boots_and_differs_between_machines(void **state)
{
	const char *first, *second;

	(void)state;
	read_host("server-2node");
	first = fact("machine_hash");
	assert_int_equal(strlen(first), 64);
	/* hmac.new(bytes.fromhex("0011...eeff"), b"noisefloor machine 1\nTwin 2S", "sha256") */
	assert_string_equal(first,
	                    "6db23aee4be10447906552f38bb7a56b7e7d64dd809bf4680e359c035107c702");
	read_host("server-2node-rt");
	second = fact("machine_hash");
	assert_string_equal(first, second);
	read_host("hybrid-laptop");
	assert_string_not_equal(first, fact("machine_hash"));
}

static void comparing_names_what_differs_in_table_order(void **state)
{
	struct nf_posture before;
	struct nf_posture_diff *d;
	struct nf_err e = { 0 };
	size_t n, at = 0;

	(void)state;
	read_host("server-2node");
	before = posture;
	assert_int_equal(nf_posture_compare(&before, &posture, &arena, &d, &n, &e), 0);
	assert_int_equal(n, 0);
	read_host("server-2node-rt");
	assert_int_equal(nf_posture_compare(&before, &posture, &arena, &d, &n, &e), 0);
	for (size_t i = 0; i < nf_posture_count() && at < n; i++)
		at += strcmp(nf_posture_name(i), d[at].name) == 0;
	assert_int_equal(at, n);
	assert_string_equal(d[0].name, "kernel_release");
	assert_string_equal(d[0].before, "6.1.0-90-amd64");
	assert_string_equal(d[0].after, "6.1.0-90-rt-amd64");
	assert_false(d[0].is_volatile);
	for (size_t i = 0; i < n; i++)
		if (strcmp(d[i].name, "fair_server") == 0) {
			assert_string_equal(d[i].before, "no");
			assert_null(d[i].after);
		}
	posture = before;
	posture.load_1min.v += 1;
	assert_int_equal(nf_posture_compare(&before, &posture, &arena, &d, &n, &e), 0);
	assert_int_equal(n, 1);
	assert_true(d[0].is_volatile);
	posture.load_1min.some = false;
	assert_int_equal(nf_posture_compare(&before, &posture, &arena, &d, &n, &e), 0);
	assert_int_equal(n, 1);
	assert_null(d[0].after);
}

static void a_full_arena_is_an_error_and_leaves_the_result(void **state)
{
	struct nf_arena small;
	struct nf_rootfs root;
	struct nf_posture p = { .host_name = "untouched" };
	struct nf_err e = { 0 };

	(void)state;
	nf_arena_init(&small, 512);
	open_host("server-2node", &root);
	assert_int_not_equal(nf_posture_read(&root, &small, &p, &e), 0);
	assert_string_equal(p.host_name, "untouched");
	assert_true(e.msg[0] != '\0');
	nf_rootfs_close(&root);
	nf_arena_fini(&small);
}

static void the_live_host_is_read_without_a_root(void **state)
{
	struct nf_rootfs root;
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_rootfs_open(&root, NULL, &e), 0);
	read_posture(&root, "/");
	nf_rootfs_close(&root);
	assert_non_null(fact("kernel_release"));
	assert_non_null(fact("kernel_version"));
	assert_non_null(fact("machine_arch"));
	assert_non_null(fact("cpus_online"));
	assert_non_null(fact("cpus_allowed"));
	assert_non_null(fact("mem_total_kib"));
}

#define ON_HOSTS(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

static const struct CMUnitTest tests[] = {
	ON_HOSTS(captured_hosts_show_the_facts_they_hold),
	ON_HOSTS(every_host_is_in_its_lane),
	ON_HOSTS(an_empty_tree_is_unknown_in_every_fact_and_says_why),
	ON_HOSTS(what_does_not_parse_is_named_with_its_file),
	ON_HOSTS(the_machine_hash_is_the_same_over_boots_and_differs_between_machines),
	ON_HOSTS(comparing_names_what_differs_in_table_order),
	ON_HOSTS(a_full_arena_is_an_error_and_leaves_the_result),
	ON_HOSTS(the_live_host_is_read_without_a_root),
};

NF_UNIT_MAIN(tests)
