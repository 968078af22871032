/* SPDX-License-Identifier: MIT */
/* The time-stamp counter of x86-64. Orderings: Intel SDM volume 2, RDTSC and RDTSCP; lfence waits for
 * all earlier instructions, RDTSCP for earlier ones but not for those after it. */
#include <cpuid.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "measure/tick_arch.h"
#include "measure/tick_facts.h"

enum { CPUINFO_MAX = 64 << 20 };

static inline uint64_t rdtsc(void)
{
	uint32_t lo;
	uint32_t hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

static inline uint64_t lfence_rdtsc(void)
{
	uint32_t lo;
	uint32_t hi;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

static inline uint64_t rdtscp(void)
{
	uint32_t lo;
	uint32_t hi;
	uint32_t aux;

	__asm__ volatile("rdtscp" : "=a"(lo), "=d"(hi), "=c"(aux) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

static inline uint64_t rdtscp_lfence(void)
{
	uint32_t lo;
	uint32_t hi;
	uint32_t aux;

	__asm__ volatile("rdtscp\n\tlfence" : "=a"(lo), "=d"(hi), "=c"(aux) : : "memory");
	return (uint64_t)hi << 32 | lo;
}

#define SERIES(read) \
	static void series_##read(uint64_t *t, size_t n) \
	{ \
		for (uint64_t *end = t + n; t != end;) \
			*t++ = read(); \
	}
SERIES(rdtsc)
SERIES(lfence_rdtsc)
SERIES(rdtscp)
SERIES(rdtscp_lfence)

const struct nf_tick_read nf_tick_arch_reads[] = {
	{ "rdtscp+lfence", series_rdtscp_lfence },
	{ "rdtsc", series_rdtsc },
	{ "lfence+rdtsc", series_lfence_rdtsc },
	{ "rdtscp", series_rdtscp },
	{ NULL, NULL },
};

uint64_t nf_tick_arch_start(void)
{
	return lfence_rdtsc();
}

uint64_t nf_tick_arch_end(void)
{
	return rdtscp_lfence();
}

static bool has_rdtscp(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (d & (1u << 27)) != 0;
}

int nf_tick_arch_facts(const struct nf_rootfs *root, struct nf_tick_facts *ret, struct nf_err *err)
{
	static const char *const invariant[] = { "constant_tsc", "nonstop_tsc", NULL };
	struct nf_tick_facts f = { .counter = NF_TICK_TSC, .clocksource_wanted = "tsc" };
	struct nf_err why = { 0 };
	struct nf_buf text;
	int mode = PR_TSC_ENABLE;
	int rc;

	if (!has_rdtscp())
		snprintf(f.unreadable, sizeof(f.unreadable), "this CPU has no RDTSCP");
	else if (prctl(PR_GET_TSC, &mode) == 0 && mode == PR_TSC_SIGSEGV)
		snprintf(f.unreadable, sizeof(f.unreadable),
		         "reading the TSC is forbidden to this process (PR_SET_TSC)");
	nf_buf_init(&text, CPUINFO_MAX);
	rc = nf_rootfs_read(root, "proc/cpuinfo", &text, &why);
	if (rc == 0)
		f.invariant = nf_tick_flags_have(text.data, invariant, &f.invariant_known);
	nf_buf_fini(&text);
	if (rc == -NF_ENOMEM) {
		if (err)
			*err = why;
		return rc;
	}
	rc = nf_tick_read_clocksource(root, &f, err);
	if (rc != 0)
		return rc;
	*ret = f;
	return 0;
}

double nf_tick_arch_nominal_hz(void)
{
	unsigned den, num, crystal_hz, mhz, b, c, d;

	/* Leaf 0x15: TSC = crystal * num / den. Leaf 0x16: base frequency, the TSC's where 0x15 does
	 * not state the crystal. */
	if (__get_cpuid(0x15, &den, &num, &crystal_hz, &d) != 0 && den != 0 && num != 0 &&
	    crystal_hz != 0)
		return (double)crystal_hz * num / den;
	if (__get_cpuid(0x16, &mhz, &b, &c, &d) != 0 && (mhz & 0xffffu) != 0)
		return (double)(mhz & 0xffffu) * 1e6;
	return 0;
}
