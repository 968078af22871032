/* SPDX-License-Identifier: MIT */
/* lab_boot_opts - a configuration of a campaign file as the dialogue takes it. */
#ifndef NF_JOB_LAB_BOOT_OPTS_H
#define NF_JOB_LAB_BOOT_OPTS_H

#include "board/campaign_host.h"
#include "board/dialogue.h"

/* image: of every load, from nf_campaign_hash_images(); NULL: sizes are unknown. Lists live in the arena, texts are the
 * campaign's. Nothing of the shell is filled. -NF_ENOMEM. */
NF_NODISCARD int nf_lab_boot_opts(const struct nf_campaign *c,
                                  const struct nf_campaign_config *config,
                                  const struct nf_campaign_image *image, struct nf_arena *a,
                                  struct nf_dialogue_opts *ret, struct nf_err *err);

#endif
