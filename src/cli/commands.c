/* SPDX-License-Identifier: MIT */
/* commands - THE table: every command, in the order of help. */
#include <string.h>

#include "cli/cmd.h"

extern const struct nf_cmd nf_cmd_clock, nf_cmd_evidence, nf_cmd_fwq, nf_cmd_help, nf_cmd_host,
        nf_cmd_hwlat, nf_cmd_numa, nf_cmd_posture, nf_cmd_samples, nf_cmd_smi, nf_cmd_wake;

/* clang-format off */
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
