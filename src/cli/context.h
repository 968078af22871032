/* SPDX-License-Identifier: MIT */
/* context - what a command takes from the process it runs in: environment, caller, journal. */
#ifndef NF_CLI_CONTEXT_H
#define NF_CLI_CONTEXT_H

#include "cli/cmd.h"

enum { NF_ENVIRONMENT_MAX = 64 };

struct nf_context {
	char *env[NF_ENVIRONMENT_MAX + 1]; /* owned texts, ends with NULL */
	size_t n_env;
	struct nf_buf recovered;
	struct nf_journal *journal; /* owned */
	struct nf_err no_journal; /* msg: why it could not be opened */
};

/* Fills the members of cli that come from here; they live as long as ctx. */
NF_NODISCARD int nf_context_open(struct nf_context *ctx, struct nf_cli *cli, struct nf_err *err);
/* Opens the journal and puts back what killed runs left, a line each on standard error. Where no
 * journal can be kept cli->journal stays NULL, so nothing will be changed, and cli->no_journal says why:
 * it is for the step that needs one to tell, a refusal stays one line. */
void nf_context_journal(struct nf_context *ctx, struct nf_cli *cli);
/* Puts back what is still changed; a line on standard error for what could not be. -NF_EOS then. */
NF_NODISCARD int nf_context_close(struct nf_context *ctx, struct nf_cli *cli, struct nf_err *err);

/* The names of the environment variables that go into records, ends with NULL. */
extern const char *const nf_context_names[];

#endif
