/* SPDX-License-Identifier: MIT */
#include "measure/probe_fwq.h"

/* One row a probe, in the order in which `host` runs them. */
const struct nf_probe *const nf_probes[] = {
	&nf_probe_fwq,
	NULL,
};
