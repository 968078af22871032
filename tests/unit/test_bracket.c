/* SPDX-License-Identifier: MIT */
/* Differences between two readings of a tree, and of the live host. */
#include "machine/bracket.h"

#include "host_tree.h"

static char tree[256];
static struct nf_rootfs root;
static struct nf_cpuset cpus;
static struct nf_bracket *bracket;
static struct nf_bracket_diff diff;

static int make(void **state)
{
	(void)state;
	make_tree(tree, sizeof(tree));
	assert_int_equal(nf_rootfs_open(&root, tree, NULL), 0);
	nf_cpuset_init(&cpus);
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	nf_bracket_free(bracket);
	bracket = NULL;
	nf_bracket_diff_fini(&diff);
	nf_cpuset_fini(&cpus);
	nf_rootfs_close(&root);
	if (*tree)
		remove_tree(tree);
	*tree = '\0';
	return 0;
}

static void open_for(const char *list)
{
	struct nf_err e = { 0 };

	assert_int_equal(nf_cpuset_parse(list, true, &cpus, &e), 0);
	if (nf_bracket_open(&root, &cpus, &bracket, &e) != 0)
		fail_msg("%s", e.msg);
}

static void close_again(void)
{
	struct nf_err e = { 0 };

	nf_bracket_diff_fini(&diff);
	if (nf_bracket_close(bracket, &diff, &e) != 0)
		fail_msg("%s", e.msg);
}

#define assert_nat(fact, want) \
	do { \
		assert_true((fact).some); \
		assert_int_equal((fact).v, (want)); \
	} while (0)

static void interrupts_are_counted_per_measured_cpu_by_the_names_of_the_columns(void **state)
{
	(void)state;
	/* CPU1 is offline and has no column. */
	put(tree, "proc/interrupts",
	    "           CPU0       CPU2       CPU3\n"
	    "  9:         10         20         30   IO-APIC  9-fasteoi  acpi\n"
	    "LOC:        100        200        300   Local timer interrupts\n"
	    "ERR:          7\n"
	    "MIS:          0\n"
	    "PIN:          1          1          1   Posted-interrupt notification event\n");
	open_for("0-3");
	put(tree, "proc/interrupts",
	    "           CPU0       CPU2       CPU3\n"
	    "  9:         11         20         33   IO-APIC  9-fasteoi  acpi\n"
	    " 40:          5          0          0   PCI-MSI  1-edge  new0\n"
	    "LOC:        110        220        300   Local timer interrupts\n"
	    "ERR:         99\n"
	    "MIS:          0\n"
	    "PIN:          1          1          2   Posted-interrupt notification event\n");
	close_again();
	assert_int_equal(diff.n_cpus, 4);
	assert_int_equal(diff.cpu[0].cpu, 0);
	assert_nat(diff.cpu[0].interrupts, 16);
	assert_nat(diff.cpu[0].timer_interrupts, 10);
	assert_false(diff.cpu[1].interrupts.some);
	assert_false(diff.cpu[1].timer_interrupts.some);
	assert_int_equal(diff.cpu[2].cpu, 2);
	assert_nat(diff.cpu[2].interrupts, 20);
	assert_nat(diff.cpu[2].timer_interrupts, 20);
	assert_nat(diff.cpu[3].interrupts, 4);
	assert_nat(diff.cpu[3].timer_interrupts, 0);
}

static void a_line_of_no_cpu_is_not_taken_for_the_only_cpus(void **state)
{
	(void)state;
	put(tree, "proc/interrupts", "  CPU0\nLOC: 1 Local\nERR: 1\nMIS: 1\n");
	open_for("0");
	put(tree, "proc/interrupts", "  CPU0\nLOC: 3 Local\nERR: 100\nMIS: 100\n");
	close_again();
	assert_nat(diff.cpu[0].interrupts, 2);
}

static void a_counter_of_32_bits_may_wrap(void **state)
{
	(void)state;
	put(tree, "proc/interrupts", " CPU0\n 1: 4294967290 a\nLOC: 5 Local\n");
	open_for("0");
	put(tree, "proc/interrupts", " CPU0\n 1: 4 a\nLOC: 6 Local\n");
	close_again();
	assert_nat(diff.cpu[0].interrupts, 11);
}

static void a_line_that_vanished_makes_the_sum_unknown_but_not_the_timer(void **state)
{
	(void)state;
	put(tree, "proc/interrupts", " CPU0\n 1: 5 a\n 2: 5 b\nLOC: 5 Local\nX: 1 last\n");
	open_for("0");
	put(tree, "proc/interrupts", " CPU0\n 2: 6 b\nLOC: 7 Local\nX: 1 last\n");
	close_again();
	assert_false(diff.cpu[0].interrupts.some);
	assert_nat(diff.cpu[0].timer_interrupts, 2);
	put(tree, "proc/interrupts", " CPU0\n 1: 5 a\n 2: 6 b\nLOC: 7 Local\n");
	close_again();
	assert_false(diff.cpu[0].interrupts.some);
	put(tree, "proc/interrupts", " CPU0\n 1: 5 a\n 2: 6 b\nLOC: 7 Local\nX: 1 last\n");
	close_again();
	assert_nat(diff.cpu[0].interrupts, 3);
}

static void the_timer_of_arm64_is_known_by_its_description(void **state)
{
	(void)state;
	put(tree, "proc/interrupts",
	    "   CPU0 CPU1\n 11: 50 60 GICv2 30 Level arch_timer\nIPI0: 1 1 Rescheduling "
	    "interrupts\n");
	open_for("1");
	put(tree, "proc/interrupts",
	    "   CPU0 CPU1\n 11: 51 65 GICv2 30 Level arch_timer\nIPI0: 9 2 Rescheduling "
	    "interrupts\n");
	close_again();
	assert_nat(diff.cpu[0].timer_interrupts, 5);
	assert_nat(diff.cpu[0].interrupts, 6);
}

static void softirqs_and_steal_are_per_cpu(void **state)
{
	(void)state;
	put(tree, "proc/softirqs", "  CPU0 CPU1\n HI: 0 0\n TIMER: 10 20\n RCU: 1 2\n");
	put(tree, "proc/stat",
	    "cpu  0 0 0 0 0 0 0 30 0 0\ncpu0 0 0 0 0 0 0 0 10 0 0\n"
	    "cpu1 0 0 0 0 0 0 0 20 0 0\nintr 1\n");
	open_for("0-1");
	put(tree, "proc/softirqs", "  CPU0 CPU1\n HI: 1 0\n TIMER: 11 25\n RCU: 1 3\n");
	put(tree, "proc/stat",
	    "cpu  0 0 0 0 0 0 0 30 0 0\ncpu0 0 0 0 0 0 0 0 9 0 0\n"
	    "cpu1 0 0 0 0 0 0 0 27 0 0\nintr 1\n");
	close_again();
	assert_nat(diff.cpu[0].softirqs, 2);
	assert_nat(diff.cpu[1].softirqs, 6);
	assert_false(diff.cpu[0].steal_ticks.some); /* it went back */
	assert_nat(diff.cpu[1].steal_ticks, 7);
}

#define CPU0 "sys/devices/system/cpu/cpu0/"

static void throttles_and_frequencies_are_per_cpu(void **state)
{
	(void)state;
	put(tree, CPU0 "thermal_throttle/core_throttle_count", "5\n");
	put(tree, CPU0 "cpufreq/scaling_cur_freq", "800000\n");
	open_for("0-1");
	put(tree, CPU0 "thermal_throttle/core_throttle_count", "7\n");
	put(tree, CPU0 "cpufreq/scaling_cur_freq", "<unknown>\n");
	close_again();
	assert_nat(diff.cpu[0].thermal_throttles, 2);
	assert_nat(diff.cpu[0].freq_before_khz, 800000);
	assert_false(diff.cpu[0].freq_after_khz.some);
	assert_false(diff.cpu[1].thermal_throttles.some);
	assert_false(diff.cpu[1].freq_before_khz.some);
}

static void throttling_counts_on_every_visible_level(void **state)
{
	(void)state;
	put(tree, "proc/self/cgroup", "0::/a/b\n");
	put(tree, "proc/self/mountinfo", "1 0 0:1 / /cg rw - cgroup2 cgroup2 rw\n");
	put(tree, "cg/a/b/cpu.stat", "usage_usec 5\nnr_throttled 1\nthrottled_usec 100\n");
	put(tree, "cg/a/cpu.stat", "usage_usec 5\nnr_throttled 10\nthrottled_usec 1000\n");
	put(tree, "cg/cpu.stat", "usage_usec 5\n");
	open_for("0");
	put(tree, "cg/a/b/cpu.stat", "usage_usec 9\nnr_throttled 2\nthrottled_usec 150\n");
	put(tree, "cg/a/cpu.stat", "usage_usec 9\nnr_throttled 13\nthrottled_usec 1900\n");
	close_again();
	assert_nat(diff.cgroup_throttled, 4);
	assert_nat(diff.cgroup_throttled_us, 950);
}

static void cgroup_v1_counts_nanoseconds(void **state)
{
	(void)state;
	put(tree, "proc/self/cgroup", "2:cpu,cpuacct:/\n");
	put(tree, "proc/self/mountinfo", "1 0 0:1 / /cg rw - cgroup none rw,cpu,cpuacct\n");
	put(tree, "cg/cpu.stat", "nr_periods 5\nnr_throttled 1\nthrottled_time 5000000\n");
	open_for("0");
	put(tree, "cg/cpu.stat", "nr_periods 5\nnr_throttled 2\nthrottled_time 7500000\n");
	close_again();
	assert_nat(diff.cgroup_throttled, 1);
	assert_nat(diff.cgroup_throttled_us, 2500);
}

static void migrations_add_up_over_threads(void **state)
{
	char path[512];

	(void)state;
	put(tree, "proc/self/task/10/sched",
	    "x (10, #threads: 2)\n---\nse.nr_migrations                  :       5\n");
	put(tree, "proc/self/task/9/sched", "se.nr_migrations : 1\n");
	open_for("0");
	put(tree, "proc/self/task/10/sched", "se.nr_migrations : 7\n");
	put(tree, "proc/self/task/11/sched", "se.nr_migrations : 3\n");
	close_again();
	assert_nat(diff.migrations, 5);
	snprintf(path, sizeof(path), "%s/proc/self/task/9/sched", tree);
	assert_int_equal(unlink(path), 0);
	snprintf(path, sizeof(path), "%s/proc/self/task/9", tree);
	assert_int_equal(rmdir(path), 0);
	close_again();
	assert_false(diff.migrations.some);
}

static void switches_of_a_tree_come_from_its_status(void **state)
{
	(void)state;
	put(tree, "proc/self/status",
	    "Name:\tx\nvoluntary_ctxt_switches:\t10\nnonvoluntary_ctxt_switches:\t1\n");
	put(tree, "proc/loadavg", "0.50 0.25 0.10 2/100 7\n");
	open_for("0");
	put(tree, "proc/self/status",
	    "Name:\tx\nvoluntary_ctxt_switches:\t14\nnonvoluntary_ctxt_switches:\t2\n");
	put(tree, "proc/loadavg", "1.50 0.25 0.10 5/100 7\n");
	close_again();
	assert_nat(diff.voluntary_switches, 4);
	assert_nat(diff.involuntary_switches, 1);
	assert_false(diff.minor_faults.some);
	assert_true(diff.load_before.some && diff.load_after.some);
	assert_true(diff.load_before.v > 0.49 && diff.load_before.v < 0.51);
	assert_true(diff.load_after.v > 1.49 && diff.load_after.v < 1.51);
	assert_nat(diff.runnable_before, 2);
	assert_nat(diff.runnable_after, 5);
}

static void nothing_readable_is_unknown_not_zero(void **state)
{
	(void)state;
	open_for("0,5");
	close_again();
	assert_int_equal(diff.n_cpus, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_false(diff.cpu[i].interrupts.some);
		assert_false(diff.cpu[i].timer_interrupts.some);
		assert_false(diff.cpu[i].softirqs.some);
		assert_false(diff.cpu[i].steal_ticks.some);
		assert_false(diff.cpu[i].thermal_throttles.some);
	}
	assert_false(diff.voluntary_switches.some);
	assert_false(diff.migrations.some);
	assert_false(diff.cgroup_throttled.some);
	assert_false(diff.load_before.some);
	assert_false(diff.runnable_after.some);
}

static void no_cpu_at_all_is_fine(void **state)
{
	(void)state;
	put(tree, "proc/interrupts", " CPU0\n 1: 5 a\n");
	open_for("");
	close_again();
	assert_int_equal(diff.n_cpus, 0);
}

static void on_captured_host(const char *host, const char *list)
{
	nf_rootfs_close(&root);
	open_host(host, &root);
	open_for(list);
	close_again();
}

static void a_still_host_with_1200_cpus_shows_no_difference(void **state)
{
	(void)state;
	on_captured_host("cpus-1200", "0-1199");
	assert_int_equal(diff.n_cpus, 1200);
	for (size_t i = 0; i < 1200; i++) {
		assert_int_equal(diff.cpu[i].cpu, i);
		assert_nat(diff.cpu[i].interrupts, 0);
		assert_nat(diff.cpu[i].timer_interrupts, 0);
		assert_nat(diff.cpu[i].softirqs, 0);
		assert_nat(diff.cpu[i].steal_ticks, 0);
	}
}

static void an_offline_cpu_is_unknown_where_the_kernel_shows_none(void **state)
{
	(void)state;
	on_captured_host("offline-middle", "2-4");
	assert_nat(diff.cpu[0].interrupts, 0);
	assert_false(diff.cpu[1].interrupts.some);
	assert_false(diff.cpu[2].steal_ticks.some);
	assert_nat(diff.cpu[1].softirqs, 0); /* that table has every possible CPU */
}

static void hostile_tables_give_nothing(void **state)
{
	(void)state;
	on_captured_host("hostile", "0-1");
	assert_false(diff.cpu[0].interrupts.some);
	assert_false(diff.cpu[0].softirqs.some);
	assert_false(diff.cpu[0].steal_ticks.some);
	assert_false(diff.runnable_before.some);
}

static void the_live_host_counts_this_process(void **state)
{
	enum { PAGES = 64 };
	char *p;

	(void)state;
	nf_rootfs_close(&root);
	assert_int_equal(nf_rootfs_open(&root, NULL, NULL), 0);
	open_for("0");
	p = malloc(PAGES * 4096 * 16);
	assert_non_null(p);
	memset(p, 1, PAGES * 4096 * 16);
	for (int i = 0; i < 20; i++)
		usleep(1000);
	close_again();
	free(p);
	assert_true(diff.voluntary_switches.some && diff.voluntary_switches.v > 0);
	assert_true(diff.minor_faults.some && diff.minor_faults.v > 0);
	assert_true(diff.load_before.some && diff.load_after.some);
	assert_true(diff.runnable_before.some && diff.runnable_before.v >= 1);
}

static void set_steal(const char *ticks)
{
	char text[200];

	snprintf(text, sizeof(text), "cpu  0 0 0 0 0 0 0 %s 0 0\ncpu0 0 0 0 0 0 0 0 %s 0 0\n",
	         ticks, ticks);
	put(tree, "proc/stat", text);
}

static void the_system_alone_is_read_as_often_as_is_wanted(void **state)
{
	struct nf_err e = { 0 };

	(void)state;
	set_steal("10");
	put(tree, "proc/loadavg", "0.50 0.1 0.1 2/9 11\n");
	put(tree, "proc/interrupts", "      CPU0\n  1:  5 x\n");
	assert_int_equal(nf_cpuset_parse("0", true, &cpus, &e), 0);
	assert_int_equal(nf_bracket_open_system(&root, &cpus, &bracket, &e), 0);
	assert_int_equal(nf_bracket_restart(bracket, &e), 0);
	set_steal("13");
	close_again();
	assert_nat(diff.cpu[0].steal_ticks, 3);
	assert_true(diff.load_before.some);
	assert_false(diff.cpu[0].interrupts.some || diff.voluntary_switches.some);
	/* Those after are those before. */
	nf_bracket_continue(bracket);
	set_steal("18");
	close_again();
	assert_nat(diff.cpu[0].steal_ticks, 5);
	set_steal("20");
	assert_int_equal(nf_bracket_restart(bracket, &e), 0);
	set_steal("21");
	close_again();
	assert_nat(diff.cpu[0].steal_ticks, 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, make, unmake)

static const struct CMUnitTest tests[] = {
	CASE(interrupts_are_counted_per_measured_cpu_by_the_names_of_the_columns),
	CASE(a_line_of_no_cpu_is_not_taken_for_the_only_cpus),
	CASE(a_counter_of_32_bits_may_wrap),
	CASE(a_line_that_vanished_makes_the_sum_unknown_but_not_the_timer),
	CASE(the_timer_of_arm64_is_known_by_its_description),
	CASE(softirqs_and_steal_are_per_cpu),
	CASE(throttles_and_frequencies_are_per_cpu),
	CASE(throttling_counts_on_every_visible_level),
	CASE(cgroup_v1_counts_nanoseconds),
	CASE(migrations_add_up_over_threads),
	CASE(switches_of_a_tree_come_from_its_status),
	CASE(nothing_readable_is_unknown_not_zero),
	CASE(no_cpu_at_all_is_fine),
	CASE(a_still_host_with_1200_cpus_shows_no_difference),
	CASE(an_offline_cpu_is_unknown_where_the_kernel_shows_none),
	CASE(hostile_tables_give_nothing),
	CASE(the_system_alone_is_read_as_often_as_is_wanted),
	CASE(the_live_host_counts_this_process),
};

NF_UNIT_MAIN(tests)
