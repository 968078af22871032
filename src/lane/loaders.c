/* SPDX-License-Identifier: MIT */
/* loaders - THE table. kexec boots any machine and is the last resort. */
#include "lane/loader.h"

/* clang-format off */
const struct nf_lane_loader *const nf_lane_loaders[] = {
	&nf_lane_loader_systemd,
	&nf_lane_loader_grub,
	&nf_lane_loader_kexec,
	NULL,
};
/* clang-format on */
