/* SPDX-License-Identifier: MIT */
#include "machine/advice.h"

#include <stdlib.h>
#include <string.h>

enum say { NOTHING, ADVISE, UNDECIDED };

struct giving {
	const struct nf_posture *p;
	const struct nf_rootfs *root;
	struct nf_arena *a;
	const char *found; /* out */
};

struct rule {
	const char *id;
	enum say (*ask)(struct giving *g);
	const char *effect;
	const char *help;
	const char *read_from;
	const char *source;
};

static enum say find(struct giving *g, const char *text)
{
	g->found = text;
	return ADVISE;
}

static enum say flag(struct giving *g, struct nf_fact_bool fact, bool bad, const char *text)
{
	if (!fact.some)
		return UNDECIDED;
	return fact.v == bad ? find(g, text) : NOTHING;
}

static bool is_x86(const struct nf_posture *p)
{
	return p->machine_arch &&
	       (strcmp(p->machine_arch, "x86_64") == 0 || strncmp(p->machine_arch, "i", 1) == 0);
}

static enum say platform(struct giving *g)
{
	if (!g->p->platform_kind)
		return UNDECIDED;
	return strcmp(g->p->platform_kind, "hardware") == 0
	               ? NOTHING
	               : find(g, nf_arena_printf(g->a, "platform is %s", g->p->platform_kind));
}

static enum say realtime(struct giving *g)
{
	return flag(g, g->p->realtime, false, "the kernel is not PREEMPT_RT");
}

static enum say isolation(struct giving *g)
{
	if (!g->p->cpus_isolated)
		return UNDECIDED;
	return *g->p->cpus_isolated ? NOTHING : find(g, "no CPU is isolated");
}

static enum say ticks(struct giving *g)
{
	if (!g->p->cpus_nohz_full)
		return UNDECIDED;
	return *g->p->cpus_nohz_full ? NOTHING : find(g, "no CPU runs without the periodic tick");
}

static enum say governor(struct giving *g)
{
	const char *at = g->p->governor;

	if (!at)
		return UNDECIDED;
	/* "performance 0-3; powersave 4-7" */
	for (; *at; at += strcspn(at, ";"), at += strspn(at, "; "))
		if (strncmp(at, "performance", strlen("performance")) != 0)
			return find(g, nf_arena_printf(g->a, "governors: %s", g->p->governor));
	return NOTHING;
}

static enum say turbo(struct giving *g)
{
	return flag(g, g->p->turbo, true, "boost frequencies are allowed");
}

/* "POLL 0; C1 2; C6 133": name and exit latency in us. A state that takes longer than this to leave
 * shows in a wake-up. */
enum { IDLE_EXIT_US = 10 };

static enum say idle(struct giving *g)
{
	const char *at = g->p->idle_states;
	unsigned long slowest = 0;

	if (!at)
		return UNDECIDED;
	for (; *at; at += strcspn(at, ";"), at += strspn(at, "; ")) {
		size_t n = strcspn(at, ";");
		size_t digits = n;

		while (digits > 0 && at[digits - 1] >= '0' && at[digits - 1] <= '9')
			digits--;
		unsigned long us = digits < n ? strtoul(at + digits, NULL, 10) : 0;
		if (us > slowest)
			slowest = us;
	}
	if (slowest <= IDLE_EXIT_US)
		return NOTHING;
	return find(g, nf_arena_printf(g->a, "idle states take up to %lu us to leave", slowest));
}

static enum say smt(struct giving *g)
{
	return flag(g, g->p->smt_active, true, "hardware threads share cores");
}

static enum say huge_pages(struct giving *g)
{
	if (!g->p->transparent_hugepage)
		return UNDECIDED;
	return strcmp(g->p->transparent_hugepage, "always") == 0
	               ? find(g, "transparent huge pages: always")
	               : NOTHING;
}

static enum say clocksource(struct giving *g)
{
	const char *c = g->p->clocksource;

	if (!c || !g->p->machine_arch)
		return UNDECIDED;
	bool fast = !is_x86(g->p) || strcmp(c, "tsc") == 0 || strcmp(c, "kvm-clock") == 0 ||
	            strncmp(c, "hyperv", 6) == 0;
	return fast ? NOTHING : find(g, nf_arena_printf(g->a, "clocksource is %s", c));
}

static enum say invariant(struct giving *g)
{
	if (g->p->machine_arch && !is_x86(g->p))
		return NOTHING;
	return flag(g, g->p->tsc_invariant, false, "the time-stamp counter is not invariant");
}

static enum say throttling(struct giving *g)
{
	return flag(g, g->p->rt_throttled, true, "realtime threads are throttled");
}

static enum say fair_server(struct giving *g)
{
	return flag(g, g->p->fair_server, true, "the fair server is in force");
}

static enum say quota(struct giving *g)
{
	if (!g->p->cgroup_quota)
		return UNDECIDED;
	return strcmp(g->p->cgroup_quota, "max") == 0
	               ? NOTHING
	               : find(g, nf_arena_printf(g->a, "CPU quota %s us", g->p->cgroup_quota));
}

static enum say irqbalance(struct giving *g)
{
	return flag(g, g->p->irqbalance, true, "irqbalance runs");
}

/* Another thread for every CPU: whoever measures has company. */
static enum say load(struct giving *g)
{
	if (!g->p->load_1min.some)
		return UNDECIDED;
	return g->p->load_1min.v < 1.0
	               ? NOTHING
	               : find(g, nf_arena_printf(g->a, "load average %.2f", g->p->load_1min.v));
}

static enum say switched_on(struct giving *g, const char *path, const char *text)
{
	struct nf_err e;
	int64_t v;

	int r = nf_rootfs_read_i64(g->root, path, &v, &e);
	if (r == -NF_ENOMEM)
		g->a->failed = NF_ENOMEM;
	if (r < 0)
		return UNDECIDED;
	return v == 0 ? NOTHING : find(g, text);
}

static enum say numa_balancing(struct giving *g)
{
	if (!nf_rootfs_exists(g->root, "proc/sys/kernel/numa_balancing"))
		return nf_rootfs_exists(g->root, "proc/sys/kernel") ? NOTHING : UNDECIDED;
	return switched_on(g, "proc/sys/kernel/numa_balancing", "automatic NUMA balancing is on");
}

static enum say nmi_watchdog(struct giving *g)
{
	if (!nf_rootfs_exists(g->root, "proc/sys/kernel/nmi_watchdog"))
		return nf_rootfs_exists(g->root, "proc/sys/kernel") ? NOTHING : UNDECIDED;
	return switched_on(g, "proc/sys/kernel/nmi_watchdog", "the NMI watchdog is on");
}

/* Documents: of the Linux kernel, below Documentation/. */
static const struct rule rules[] = {
	{ "platform", platform,
	  "whoever runs this guest or container takes time that no counter inside shows",
	  "measure on the hardware itself, or name the platform beside every figure",
	  "platform_kind", "virt/kvm/x86/timekeeping.rst" },
	{ "realtime", realtime, "kernel sections that cannot be preempted delay wake-ups",
	  "boot a PREEMPT_RT kernel where wake-ups have a deadline", "realtime",
	  "locking/locktypes.rst" },
	{ "isolation", isolation, "other threads are scheduled on the measured CPUs",
	  "boot with isolcpus= or give the work an isolated cpuset partition", "cpus_isolated",
	  "admin-guide/cgroup-v2.rst" },
	{ "ticks", ticks, "the scheduler tick interrupts every CPU CONFIG_HZ times a second",
	  "boot with nohz_full= for the measured CPUs", "cpus_nohz_full", "timers/no_hz.rst" },
	{ "governor", governor,
	  "the frequency follows the load, so the same work takes other times",
	  "set the performance governor while measuring", "governor",
	  "admin-guide/pm/cpufreq.rst" },
	{ "turbo", turbo, "the frequency depends on temperature and on what neighbours do",
	  "switch boost off, or let the machine reach a steady state first", "turbo",
	  "admin-guide/pm/cpufreq.rst" },
	{ "idle", idle, "a wake-up waits until the CPU has left its idle state",
	  "hold /dev/cpu_dma_latency open at a small value while it matters", "idle_states",
	  "admin-guide/pm/cpuidle.rst" },
	{ "smt", smt, "a sibling's work slows this one down by a varying amount",
	  "keep siblings idle, or boot with nosmt", "smt_active",
	  "admin-guide/kernel-parameters.rst" },
	{ "hugepages", huge_pages, "compaction and huge-page faults stall at unforeseen moments",
	  "set madvise or never in /sys/kernel/mm/transparent_hugepage/enabled",
	  "transparent_hugepage", "admin-guide/mm/transhuge.rst" },
	{ "clocksource", clocksource, "reading the clock takes a device access or a system call",
	  "find out why the TSC was rejected (kernel log), or boot with tsc=reliable if it is "
	  "sound",
	  "clocksource", "timers/timekeeping.rst" },
	{ "invariant", invariant, "counter ticks do not stand for time when the frequency changes",
	  "measure with --clock monotonic", "tsc_invariant", "virt/kvm/x86/timekeeping.rst" },
	{ "throttling", throttling, "a busy realtime thread is stopped for the rest of each period",
	  "set kernel.sched_rt_runtime_us to -1 on a machine that can afford it", "rt_throttled",
	  "scheduler/sched-rt-group.rst" },
	{ "fair-server", fair_server, "ordinary threads are given time from busy realtime threads",
	  "set the runtime of /sys/kernel/debug/sched/fair_server/cpu*/runtime to 0", "fair_server",
	  "scheduler/sched-rt-group.rst" },
	{ "quota", quota, "the group is stopped when its quota is used up",
	  "take the quota off (cpu.max) while measuring", "cgroup_quota",
	  "scheduler/sched-bwc.rst" },
	{ "irqbalance", irqbalance, "interrupts are moved between CPUs during a run",
	  "ban the measured CPUs (IRQBALANCE_BANNED_CPULIST) or stop it", "irqbalance",
	  "core-api/irq/irq-affinity.rst" },
	{ "load", load, "other work competes for CPUs, caches and memory",
	  "stop it, or measure it as part of the floor with host --under", "load_1min",
	  "filesystems/proc.rst" },
	{ "numa-balancing", numa_balancing,
	  "pages are unmapped to sample accesses, so plain reads fault and memory moves",
	  "set kernel.numa_balancing to 0 and bind memory", "/proc/sys/kernel/numa_balancing",
	  "admin-guide/sysctl/kernel.rst" },
	{ "nmi-watchdog", nmi_watchdog,
	  "a counter overflows into a non-maskable interrupt every few seconds",
	  "set kernel.nmi_watchdog to 0", "/proc/sys/kernel/nmi_watchdog",
	  "admin-guide/lockup-watchdogs.rst" },
};

enum { N_RULES = sizeof(rules) / sizeof(rules[0]) };

int nf_advice_give(const struct nf_posture *p, const struct nf_rootfs *root, struct nf_arena *a,
                   struct nf_advice_list *ret, struct nf_err *err)
{
	struct nf_advice_list list = {
		.item = nf_arena_alloc(a, N_RULES, sizeof(*list.item)),
		.undecided = nf_arena_alloc(a, N_RULES, sizeof(*list.undecided)),
	};

	for (size_t i = 0; list.item && list.undecided && i < N_RULES; i++) {
		struct giving g = { .p = p, .root = root, .a = a };
		const struct rule *rule = &rules[i];

		switch (rule->ask(&g)) {
		case NOTHING:
			break;
		case UNDECIDED:
			list.undecided[list.n_undecided++] = rule->id;
			break;
		case ADVISE:
			list.item[list.n++] = (struct nf_advice){
				.id = rule->id,
				.found = g.found,
				.effect = rule->effect,
				.help = rule->help,
				.read_from = rule->read_from,
				.source = rule->source,
			};
			break;
		}
	}
	int r = nf_arena_failed(a, "the advice", err);
	if (r == 0)
		*ret = list;
	return r;
}
