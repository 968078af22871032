/* SPDX-License-Identifier: MIT */
/*
 * campaign_host - what a campaign file names on this machine: console, switch, images. Asked before any power is
 * switched; nothing is opened for writing and no line of a device is touched.
 */
#ifndef NF_BOARD_CAMPAIGN_HOST_H
#define NF_BOARD_CAMPAIGN_HOST_H

#include "base/hash.h"
#include "board/campaign.h"

struct nf_campaign_image {
	char path[1024]; /* on this machine */
	uint64_t bytes;
	char sha256[NF_SHA256_HEX];
};

/* Console and switch are there: a device or socket of that name (TCP: nothing is asked), a program that can be run.
 * -NF_EDATA with the place in the file. */
NF_NODISCARD int nf_campaign_find_devices(const struct nf_campaign *c, struct nf_err *err);
/* The switch alone. */
NF_NODISCARD int nf_campaign_find_power(const struct nf_campaign *c, struct nf_err *err);
/* Reads all of a configuration's images; ret: at least NF_CAMPAIGN_LOADS_MAX. -NF_EDATA with the place: none there,
 * no plain file, empty. -NF_EOS: it cannot be read. */
NF_NODISCARD int nf_campaign_hash_images(const struct nf_campaign *c,
                                         const struct nf_campaign_config *config,
                                         struct nf_campaign_image *ret, size_t *ret_n,
                                         struct nf_err *err);

#endif
