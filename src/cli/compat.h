/* SPDX-License-Identifier: MIT */
/*
 * compat - the programs of the FWQ benchmarks under their own names: called as one of them, noisefloor takes
 * its options, prints its lines and writes its files. One file each: compat_<name>.c; compat.c lists
 * them.
 *
 * A row is a struct nf_cmd whose params begin with a struct nf_compat_params. Notes and errors are lines
 * "NAME: ..." on standard error, so that what is printed stays as those programs print it.
 */
#ifndef NF_CLI_COMPAT_H
#define NF_CLI_COMPAT_H

#include "cli/cmd.h"
#include "measure/probe.h"
#include "samples/fwq_write.h"

struct nf_compat_params {
	bool help;
};
/* S: the params, in which F is the struct above; neither can be put in parentheses. */
/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define NF_COMPAT_HELP_OPT(S, F) { NF_OPT_FLAG('h', "help", S, F.help, "show this help") }
/* NOLINTEND(bugprone-macro-parentheses) */
/* clang-format on */

extern const struct nf_cmd *const nf_compats[]; /* ends with NULL */
/* The program that argv[0] names; NULL: noisefloor itself. */
const struct nf_cmd *nf_compat_find(const char *argv0);
/* Options in, program run: an exit code, or a negated error with *err set. */
int nf_compat_run(struct nf_cli *cli, const struct nf_cmd *cmd, int argc, char *const argv[],
                  struct nf_err *err);

/* Printed at once: what follows takes time. */
NF_NODISCARD int nf_compat_say(struct nf_cli *cli, struct nf_err *err, const char *fmt, ...)
        NF_PRINTF(3, 4);

struct nf_compat_fwq {
	enum nf_fwq_form form;
	const char *cpus;
	int64_t n_threads; /* 0: one per CPU */
	int64_t n_samples;
	int64_t bits; /* 2^bits iterations of work */
	const char *banner; /* printed when the output is open */
	const char *path; /* of the file; NULL: standard output */
	bool force;
	bool say_threads; /* a line for each when it has run */
};
/* Opens the output, measures, writes it. A signal's exit code when one ended it early: what was sampled
 * is written. */
int nf_compat_measure(struct nf_cli *cli, const struct nf_compat_fwq *f, struct nf_err *err);

#endif
