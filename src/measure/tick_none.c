/* SPDX-License-Identifier: MIT */
/* An architecture whose counter this program does not read: CLOCK_MONOTONIC_RAW is always chosen, and
 * the reads below are never reached. */
#include <stdio.h>

#include "measure/tick_arch.h"
#include "measure/tick_facts.h"

const struct nf_tick_read nf_tick_arch_reads[] = {
	{ NULL, NULL },
};

uint64_t nf_tick_arch_start(void)
{
	return (uint64_t)nf_now_raw().ns;
}

uint64_t nf_tick_arch_end(void)
{
	return (uint64_t)nf_now_raw().ns;
}

int nf_tick_arch_facts(const struct nf_rootfs *root, struct nf_tick_facts *ret, struct nf_err *err)
{
	struct nf_tick_facts f = { .counter = NF_TICK_MONOTONIC_RAW, .clocksource_wanted = "" };
	int rc = nf_tick_read_clocksource(root, &f, err);

	if (rc != 0)
		return rc;
	snprintf(f.unreadable, sizeof(f.unreadable),
	         "no counter that this program can read on this architecture");
	*ret = f;
	return 0;
}

double nf_tick_arch_nominal_hz(void)
{
	return 0;
}
