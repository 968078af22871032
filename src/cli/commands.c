/* SPDX-License-Identifier: MIT */
/* commands - THE table: every command, in the order of help. */
#include <string.h>

#include "cli/cmd.h"

/* clang-format off */
extern const struct nf_cmd nf_cmd_clock;
extern const struct nf_cmd nf_cmd_evidence;
extern const struct nf_cmd nf_cmd_fwq;
extern const struct nf_cmd nf_cmd_help;
extern const struct nf_cmd nf_cmd_host;
extern const struct nf_cmd nf_cmd_hwlat;
extern const struct nf_cmd nf_cmd_numa;
extern const struct nf_cmd nf_cmd_posture;
extern const struct nf_cmd nf_cmd_samples;
extern const struct nf_cmd nf_cmd_smi;
extern const struct nf_cmd nf_cmd_wake;

const struct nf_cmd *const nf_cmds[] = {
	&nf_cmd_host,
	&nf_cmd_fwq,
	&nf_cmd_wake,
	&nf_cmd_numa,
	&nf_cmd_smi,
	&nf_cmd_hwlat,
	&nf_cmd_clock,
	&nf_cmd_samples,
	&nf_cmd_posture,
	&nf_cmd_evidence,
	&nf_cmd_help,
	NULL,
};
/* clang-format on */

const struct nf_cmd *nf_cmd_find(const char *name)
{
	for (const struct nf_cmd *const *c = nf_cmds; *c; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}
