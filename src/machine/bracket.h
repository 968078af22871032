/* SPDX-License-Identifier: MIT */
/*
 * bracket - readings of /proc and /sys before and after a measurement, and their differences: what
 * the system did to the measured CPUs meanwhile.
 *
 * Every difference may be unknown (some false). Nothing is read during the measurement.
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
	struct nf_fact_nat migrations; /* sum over threads of se.nr_migrations, /proc/self/sched */
	/* This process's cgroup. */
	struct nf_fact_nat cgroup_throttled; /* nr_throttled */
	struct nf_fact_nat cgroup_throttled_us;
	struct nf_fact_real load_before;
	struct nf_fact_real load_after;
	struct nf_fact_nat runnable_before;
	struct nf_fact_nat runnable_after;
};

/* Memory for all later readings is allocated here. */
NF_NODISCARD int nf_bracket_open(const struct nf_rootfs *root, const struct nf_cpuset *cpus,
				 struct nf_bracket **ret, struct nf_err *err);
/* Reads everything again and gives the differences. */
NF_NODISCARD int nf_bracket_close(struct nf_bracket *b, struct nf_bracket_diff *ret,
				  struct nf_err *err);
void nf_bracket_free(struct nf_bracket *b); /* NULL is fine */
void nf_bracket_diff_fini(struct nf_bracket_diff *d);

#endif
