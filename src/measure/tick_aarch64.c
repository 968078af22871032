/* SPDX-License-Identifier: MIT */
/* The virtual counter of aarch64, which Linux lets user space read. It runs at a constant rate by
 * architecture (Arm ARM, "The Generic Timer"). isb keeps the read from moving. */
#include "measure/tick_arch.h"
#include "measure/tick_facts.h"

static inline uint64_t cntvct(void)
{
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t) : : "memory");
	return t;
}

static inline uint64_t isb_cntvct(void)
{
	uint64_t t;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(t) : : "memory");
	return t;
}

static inline uint64_t isb_cntvct_isb(void)
{
	uint64_t t;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(t) : : "memory");
	return t;
}

#define SERIES(read) \
	static void series_##read(uint64_t *t, size_t n) \
	{ \
		for (uint64_t *end = t + n; t != end;) \
			*t++ = read(); \
	}
SERIES(cntvct)
SERIES(isb_cntvct)
SERIES(isb_cntvct_isb)

const struct nf_tick_read nf_tick_arch_reads[] = {
	{ "isb+cntvct+isb", series_isb_cntvct_isb },
	{ "cntvct", series_cntvct },
	{ "isb+cntvct", series_isb_cntvct },
	{ NULL, NULL },
};

uint64_t nf_tick_arch_start(void)
{
	return isb_cntvct();
}

uint64_t nf_tick_arch_end(void)
{
	return isb_cntvct_isb();
}

int nf_tick_arch_facts(const struct nf_rootfs *root, struct nf_tick_facts *ret, struct nf_err *err)
{
	struct nf_tick_facts f = { .counter = NF_TICK_CNTVCT,
		                   .invariant_known = true,
		                   .invariant = true,
		                   .clocksource_wanted = "arch_sys_counter" };
	int rc = nf_tick_read_clocksource(root, &f, err);

	if (rc != 0)
		return rc;
	*ret = f;
	return 0;
}

double nf_tick_arch_nominal_hz(void)
{
	uint64_t hz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return (double)hz;
}
