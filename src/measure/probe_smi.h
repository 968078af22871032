/* SPDX-License-Identifier: MIT */
/* probe_smi - system management interrupts counted over a window. Stream "smi.count": one value per
 * CPU, the increase over the window. */
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
	int64_t window_ns;
	uint64_t max_count; /* over the CPUs: an SMI stops all of them, so the counts agree */
	uint64_t min_count;
};

extern const struct nf_probe nf_probe_smi;
#endif
