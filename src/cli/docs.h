/* SPDX-License-Identifier: MIT */
/* docs - help, man pages, completion and the list of commands, all from the tables. */
#ifndef NF_CLI_DOCS_H
#define NF_CLI_DOCS_H

#include "cli/cmd.h"

void nf_docs_version(struct nf_buf *out);
void nf_docs_help(const struct nf_cmd *cmd, struct nf_buf *out); /* cmd NULL: the program */
void nf_docs_man(const struct nf_cmd *cmd, struct nf_buf *out); /* cmd NULL: noisefloor(1) */
void nf_docs_completion(struct nf_buf *out); /* bash */
/* One line per command that runs, subcommands too: name, "measures" or "reads", test_long, test_short; separated by tabs. */
void nf_docs_commands(struct nf_buf *out);

#endif
