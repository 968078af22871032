/* SPDX-License-Identifier: MIT */
/* cmd_evidence - the subcommands of `evidence`, in the order of help; each is a file evidence_<sub>.c. */
#include "cli/cmd.h"

/* clang-format off */
extern const struct nf_cmd nf_cmd_evidence_check;
extern const struct nf_cmd nf_cmd_evidence_compare;
extern const struct nf_cmd nf_cmd_evidence_convert;
extern const struct nf_cmd nf_cmd_evidence_diff;
extern const struct nf_cmd nf_cmd_evidence_hash;
extern const struct nf_cmd nf_cmd_evidence_project;
extern const struct nf_cmd nf_cmd_evidence_redact;
extern const struct nf_cmd nf_cmd_evidence_show;
extern const struct nf_cmd nf_cmd_evidence_sign;
extern const struct nf_cmd nf_cmd_evidence_verify;

static const struct nf_cmd *const subs[] = {
	&nf_cmd_evidence_check,
	&nf_cmd_evidence_show,
	&nf_cmd_evidence_convert,
	&nf_cmd_evidence_diff,
	&nf_cmd_evidence_compare,
	&nf_cmd_evidence_project,
	&nf_cmd_evidence_redact,
	&nf_cmd_evidence_sign,
	&nf_cmd_evidence_verify,
	&nf_cmd_evidence_hash,
	NULL,
};
/* clang-format on */

const struct nf_cmd nf_cmd_evidence = {
	.name = "evidence",
	.summary = "check, convert and name what runs left",
	.description = "What can be done with run folders, sample files and records after they "
	               "were made.",
	.examples = "evidence check runs # every run\n"
	            "help evidence convert # the options of one subcommand",
	.subs = subs,
};
