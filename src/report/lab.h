/* SPDX-License-Identifier: MIT */
/* lab - a BootCampaign for people (lines of at most 80 columns but for names) and as a table. */
#ifndef NF_REPORT_LAB_H
#define NF_REPORT_LAB_H

#include "base/buf.h"
#include "record/rec_boot_campaign.h"

int nf_text_lab(const struct nf_rec_boot_campaign *c, struct nf_buf *out);
/* One row a boot and figure: config, run, attempt, counts, path, kind (phase, interval, bytes, uart, gap, guest_claims,
 * guest_host, value, fault), name, place, value, unit, resolution_s. RFC 4180. */
int nf_csv_lab(const struct nf_rec_boot_campaign *c, struct nf_buf *out);

#endif
