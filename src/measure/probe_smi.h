/* SPDX-License-Identifier: MIT */
/* probe_smi - system management interrupts counted over a window. Stream "smi.count": one value per
 * CPU, the increase over the window, in rising order of the CPUs. The window is slept through: no thread
 * measures, so scheduling policies do not apply. */
#ifndef NF_MEASURE_PROBE_SMI_H
#define NF_MEASURE_PROBE_SMI_H

#include "machine/smi.h"
#include "measure/probe.h"

struct nf_smi_cfg {
	struct nf_probe_common common;
};

struct nf_smi_result {
	enum nf_smi_source source;
	bool trusted; /* false: a guest whose counter never moved; no verdict may rest on it */
	int64_t window_ns; /* from the first CPU's count before to the last one's after, CLOCK_MONOTONIC_RAW */
	uint64_t max_count; /* over the CPUs: an SMI stops all of them, so the counts agree */
	uint64_t min_count;
};

/* Whether counts say anything: on bare metal always; under a hypervisor only when one moved. MSR counts
 * start with the reset, so a guest whose registers read 0 before and after is not trusted even though
 * "0 SMIs" is what it shows. */
bool nf_smi_trusted(bool hypervisor, const uint64_t *before, const uint64_t *after, size_t n);

extern const struct nf_probe nf_probe_smi;
#endif
