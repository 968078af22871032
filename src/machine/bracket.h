/* SPDX-License-Identifier: MIT */
/*
 * bracket - readings of /proc and /sys before and after a measurement, and their differences: what
 * the system did to the measured CPUs meanwhile.
 *
 * Every difference may be unknown (some false): a file that is not there, a counter that went back, a line
 * or a CPU that came or went. Nothing is read during the measurement.
 */
#ifndef NF_MACHINE_BRACKET_H
#define NF_MACHINE_BRACKET_H

#include "base/cpuset.h"
#include "machine/posture.h"

struct nf_bracket; /* the readings before */

/* Differences for one measured CPU. */
struct nf_bracket_cpu {
	int cpu;
	struct nf_fact_nat interrupts; /* all lines of /proc/interrupts */
	struct nf_fact_nat timer_interrupts; /* LOC / arch_timer */
	struct nf_fact_nat softirqs; /* /proc/softirqs */
	struct nf_fact_nat steal_ticks; /* /proc/stat, USER_HZ */
	struct nf_fact_nat thermal_throttles; /* core_throttle_count */
	struct nf_fact_nat freq_before_khz; /* scaling_cur_freq */
	struct nf_fact_nat freq_after_khz;
};

struct nf_bracket_diff {
	struct nf_bracket_cpu *cpu; /* owned; n_cpus entries */
	size_t n_cpus;
	/* This process (all threads), getrusage and /proc/self/status. */
	struct nf_fact_nat voluntary_switches;
	struct nf_fact_nat involuntary_switches;
	struct nf_fact_nat minor_faults;
	struct nf_fact_nat major_faults;
	/* Sum over threads of se.nr_migrations, /proc/self/task/N/sched. Threads that began after open
	 * count in full; one that ended before close makes it unknown: close before joining. */
	struct nf_fact_nat migrations;
	/* This process's cgroup and the visible ones above it: each throttles it. */
	struct nf_fact_nat cgroup_throttled; /* nr_throttled */
	struct nf_fact_nat cgroup_throttled_us;
	struct nf_fact_real load_before;
	struct nf_fact_real load_after;
	struct nf_fact_nat runnable_before;
	struct nf_fact_nat runnable_after;
};

/* Reads everything and allocates the memory for the later readings, as far as they do not grow. root
 * is borrowed until free; cpus is copied. On a captured tree the process's own counters come from the
 * tree as far as it has them. */
NF_NODISCARD int nf_bracket_open(const struct nf_rootfs *root, const struct nf_cpuset *cpus,
                                 struct nf_bracket **ret, struct nf_err *err);
/* The same with nothing but what tells how the system disturbed the CPUs: steal, frequencies, throttling by
 * cgroups, load. Everything else is unknown. Reads nothing yet: nf_bracket_restart() does, as often as is
 * wanted, and costs a fraction. */
NF_NODISCARD int nf_bracket_open_system(const struct nf_rootfs *root, const struct nf_cpuset *cpus,
                                        struct nf_bracket **ret, struct nf_err *err);
/* Takes the readings before anew. */
NF_NODISCARD int nf_bracket_restart(struct nf_bracket *b, struct nf_err *err);
/* The last readings after are those before from now on. Only after nf_bracket_close(). */
void nf_bracket_continue(struct nf_bracket *b);
/* Reads everything again and gives the differences since open; may be called again. ret is to be freed
 * with nf_bracket_diff_fini(). */
NF_NODISCARD int nf_bracket_close(struct nf_bracket *b, struct nf_bracket_diff *ret,
                                  struct nf_err *err);
void nf_bracket_free(struct nf_bracket *b); /* NULL is fine */
void nf_bracket_diff_fini(struct nf_bracket_diff *d);

#endif
