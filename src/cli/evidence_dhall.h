/* SPDX-License-Identifier: MIT */
/* evidence_dhall - what the subcommands of `evidence` do with one Dhall file. */
#ifndef NF_CLI_EVIDENCE_DHALL_H
#define NF_CLI_EVIDENCE_DHALL_H

#include "cli/cmd.h"
#include "dhall/dhall.h"

/* Part of the params of a subcommand that reads Dhall. */
struct nf_evidence_read {
	const char *root; /* NULL: chosen by the file's place */
	bool show_line;
};

/* The rows for it; S: the params, F: its field. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define NF_EVIDENCE_READ_OPTS(S, F)                                                                \
	{ NF_OPT_PATH(0, "root", S, F.root, NULL, "DIR", "folder that imports may not leave"),     \
	  .def_text = "the nearest with .git or MANIFEST, else the parent of the file's folder" }, \
	{ NF_OPT_FLAG(0, "show-line", S, F.show_line, "after an error: the line it is in") }
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* One session's work on a file: text for standard output. */
typedef int nf_evidence_work(struct nf_dhall *d, const struct nf_cli *cli, const char *path,
                             struct nf_buf *out, struct nf_err *err);

/* Opens a session, does the work and prints. An exit code, or a negated error code. */
NF_NODISCARD int nf_evidence_session(struct nf_cli *cli, const struct nf_evidence_read *read,
                                     const char *path, nf_evidence_work *work, struct nf_err *err);

#endif
