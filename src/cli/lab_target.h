/* SPDX-License-Identifier: MIT */
/* lab_target - what the subcommands of lab are pointed at: a campaign file, or a port. */
#ifndef NF_CLI_LAB_TARGET_H
#define NF_CLI_LAB_TARGET_H

#include "board/campaign.h"

struct nf_lab_target {
	bool has_campaign;
	struct nf_campaign campaign; /* owned; its commands are found by PATH */
	struct nf_port_spec port;
};

/* A plain file is a campaign file; all else is a port. given_baud: --baud was typed, which a campaign file
 * has its own of. -NF_EARG, -NF_EDATA. */
NF_NODISCARD int nf_lab_target_read(const char *operand, uint32_t baud, bool given_baud,
                                    struct nf_lab_target *ret, struct nf_err *err);
/* A campaign file and nothing else. */
NF_NODISCARD int nf_lab_campaign_read(const char *path, struct nf_campaign *ret,
                                      struct nf_err *err);
void nf_lab_target_fini(struct nf_lab_target *t); /* zeroed is fine */

#endif
