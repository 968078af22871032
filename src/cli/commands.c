/* SPDX-License-Identifier: MIT */
/* commands - THE table: every command, in the order of help. */
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"

/* clang-format off */
extern const struct nf_cmd nf_cmd_audit;
extern const struct nf_cmd nf_cmd_bench;
extern const struct nf_cmd nf_cmd_clock;
extern const struct nf_cmd nf_cmd_detour;
extern const struct nf_cmd nf_cmd_evidence;
extern const struct nf_cmd nf_cmd_ftq;
extern const struct nf_cmd nf_cmd_fwq;
extern const struct nf_cmd nf_cmd_help;
extern const struct nf_cmd nf_cmd_history;
extern const struct nf_cmd nf_cmd_host;
extern const struct nf_cmd nf_cmd_hwlat;
extern const struct nf_cmd nf_cmd_lab;
extern const struct nf_cmd nf_cmd_lane;
extern const struct nf_cmd nf_cmd_numa;
extern const struct nf_cmd nf_cmd_osnoise;
extern const struct nf_cmd nf_cmd_posture;
extern const struct nf_cmd nf_cmd_samples;
extern const struct nf_cmd nf_cmd_selftest;
extern const struct nf_cmd nf_cmd_smi;
extern const struct nf_cmd nf_cmd_stats;
extern const struct nf_cmd nf_cmd_timerlat;
extern const struct nf_cmd nf_cmd_wake;

const struct nf_cmd *const nf_cmds[] = {
	&nf_cmd_host,
	&nf_cmd_fwq,
	&nf_cmd_ftq,
	&nf_cmd_detour,
	&nf_cmd_wake,
	&nf_cmd_numa,
	&nf_cmd_smi,
	&nf_cmd_hwlat,
	&nf_cmd_osnoise,
	&nf_cmd_timerlat,
	&nf_cmd_clock,
	&nf_cmd_bench,
	&nf_cmd_selftest,
	&nf_cmd_samples,
	&nf_cmd_stats,
	&nf_cmd_posture,
	&nf_cmd_audit,
	&nf_cmd_lane,
	&nf_cmd_lab,
	&nf_cmd_evidence,
	&nf_cmd_history,
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

const char *nf_cmd_word(const struct nf_cmd *cmd)
{
	const char *blank = strrchr(cmd->name, ' ');

	return blank ? blank + 1 : cmd->name;
}

int nf_cmd_sub(const struct nf_cmd *group, const char *word, const struct nf_cmd **ret,
               struct nf_err *err)
{
	char quoted[NF_OPT_QUOTED], allowed[512] = "";
	size_t len = 0;

	for (const struct nf_cmd *const *s = group->subs; *s; s++) {
		const char *name = nf_cmd_word(*s);

		if (word && strcmp(name, word) == 0) {
			*ret = *s;
			return 0;
		}
		int n = snprintf(allowed + len, sizeof(allowed) - len, "%s%s", len ? ", " : "",
		                 name);
		if (n > 0 && (size_t)n < sizeof(allowed) - len)
			len += (size_t)n;
	}
	if (!word)
		return nf_fail(err, NF_EARG, "a subcommand is missing; allowed: %s", allowed);
	nf_opt_quote(word, quoted);
	return nf_fail(err, NF_EARG, "unknown subcommand %s; allowed: %s", quoted, allowed);
}

int nf_cmd_resolve(const char *const words[], int n, const struct nf_cmd **ret, struct nf_err *err)
{
	const struct nf_cmd *cmd = nf_cmd_find(words[0]);
	char quoted[NF_OPT_QUOTED];

	if (!cmd) {
		nf_opt_quote(words[0], quoted);
		return nf_fail(err, NF_EARG, "unknown command %s; 'noisefloor --help' lists them",
		               quoted);
	}
	if (n > 1 && cmd->subs)
		return nf_cmd_sub(cmd, words[1], ret, err);
	if (n > 1) {
		nf_opt_quote(words[1], quoted);
		return nf_fail(err, NF_EARG, "unexpected operand %s; '%s' has no subcommands",
		               quoted, cmd->name);
	}
	*ret = cmd;
	return 0;
}
