/* SPDX-License-Identifier: MIT */
/* commands - THE table: every command, in the order of help. */
#include <string.h>

#include "cli/cmd.h"

extern const struct nf_cmd nf_cmd_evidence, nf_cmd_help, nf_cmd_samples;

const struct nf_cmd *const nf_cmds[] = {
	&nf_cmd_samples,
	&nf_cmd_evidence,
	&nf_cmd_help,
	NULL,
};

const struct nf_cmd *nf_cmd_find(const char *name)
{
	for (const struct nf_cmd *const *c = nf_cmds; *c; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}
