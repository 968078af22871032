/* SPDX-License-Identifier: MIT */
/* steps - THE table: what each probe's samples become. */
#include "job/step.h"

/* clang-format off */
extern const struct nf_step_kind nf_step_clock;
extern const struct nf_step_kind nf_step_smi;
extern const struct nf_step_kind nf_step_hwlat;
extern const struct nf_step_kind nf_step_noise;
extern const struct nf_step_kind nf_step_detour;
extern const struct nf_step_kind nf_step_ftq;
extern const struct nf_step_kind nf_step_osnoise;
extern const struct nf_step_kind nf_step_timerlat;
extern const struct nf_step_kind nf_step_wake;
extern const struct nf_step_kind nf_step_numa;

const struct nf_step_kind *const nf_step_kinds[] = {
	&nf_step_clock,
	&nf_step_smi,
	&nf_step_hwlat,
	&nf_step_osnoise,
	&nf_step_timerlat,
	&nf_step_noise,
	&nf_step_ftq,
	&nf_step_detour,
	&nf_step_wake,
	&nf_step_numa,
	NULL,
};
/* clang-format on */
