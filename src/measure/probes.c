/* SPDX-License-Identifier: MIT */
#include "measure/probe_clock.h"
#include "measure/probe_detour.h"
#include "measure/probe_ftq.h"
#include "measure/probe_fwq.h"
#include "measure/probe_hwlat.h"
#include "measure/probe_numa.h"
#include "measure/probe_osnoise.h"
#include "measure/probe_smi.h"
#include "measure/probe_timerlat.h"
#include "measure/probe_wake.h"

/* One row a probe, in the order in which `host` runs them. */
/* clang-format off */
const struct nf_probe *const nf_probes[] = {
	&nf_probe_clock,
	&nf_probe_smi,
	&nf_probe_hwlat,
	&nf_probe_osnoise,
	&nf_probe_timerlat,
	&nf_probe_fwq,
	&nf_probe_ftq,
	&nf_probe_detour,
	&nf_probe_wake,
	&nf_probe_numa,
	NULL,
};
/* clang-format on */
