/* SPDX-License-Identifier: MIT */
/* target - --target: the command on another machine, with the options that were given here. */
#ifndef NF_CLI_TARGET_H
#define NF_CLI_TARGET_H

#include "cli/cmd.h"
#include "remote/deploy.h"

/* What is wrong with the target, or with naming one to this command; also without a connection. -NF_EARG. */
NF_NODISCARD int nf_cli_target_check(const struct nf_cli *cli, struct nf_target *ret,
                                     struct nf_err *err);
/* Fills what the global options say of the connection. folders: room for two texts that end with NULL, and stay for as
 * long as ret is used; paths: their text. */
struct nf_cli_target_places {
	char text[2][4096];
	const char *folders[3];
};
void nf_cli_target_deploy(const struct nf_cli *cli, const struct nf_target *target,
                          struct nf_cli_target_places *places, struct nf_deploy_cfg *ret);
/* Runs the command there. set: its options, parsed. An exit code or a negated error. */
int nf_cli_target_run(struct nf_cli *cli, const struct nf_opt_set *set, int argc,
                      const char *const argv[], struct nf_err *err);

#endif
