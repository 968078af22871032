/* SPDX-License-Identifier: MIT */
/* evidence_dhall - what `evidence` does with one Dhall file, or one record's JSON. */
#ifndef NF_CLI_EVIDENCE_DHALL_H
#define NF_CLI_EVIDENCE_DHALL_H

#include "cli/cmd.h"

struct nf_evidence_file {
	struct nf_cli *cli;
	const char *subcommand;
	const char *path; /* NULL: not exactly one operand, which is an error */
	const char *root; /* NULL: chosen by the file's place */
	bool show_line;
};

/* Each prints to standard output and returns an exit code or a negated error code. */
int nf_evidence_hash(const struct nf_evidence_file *f, struct nf_err *err);
int nf_evidence_show(const struct nf_evidence_file *f, struct nf_err *err);
int nf_evidence_to_json(const struct nf_evidence_file *f, struct nf_err *err);
int nf_evidence_to_dhall(const struct nf_evidence_file *f, struct nf_err *err);

#endif
