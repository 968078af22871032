/* SPDX-License-Identifier: MIT */
/* fwq_output - the values of a run in a file or on standard output, in the forms that FWQ's tools and
 * others read. The file is made before anything is measured. */
#ifndef NF_CLI_FWQ_OUTPUT_H
#define NF_CLI_FWQ_OUTPUT_H

#include <stdbool.h>

#include "base/sink.h"
#include "cli/cmd.h"

enum nf_fwq_format { NF_FWQ_LLNL, NF_FWQ_CSV, NF_FWQ_NOISEFLOOR };

struct nf_fwq_output {
	const char *path; /* borrowed; NULL: standard output */
	const char *what; /* borrowed: the option's name, for messages */
	char *temporary; /* owned; with force: what is renamed over path at the end */
	int fd; /* -1: standard output, or closed */
};

/* path NULL: standard output. what names the option in messages, "--output". Without force an existing
 * file is -NF_EEXIST. */
NF_NODISCARD int nf_fwq_output_open(const char *path, bool force, const char *what,
                                    struct nf_fwq_output *ret, struct nf_err *err);
/* Where the values go; borrows both. */
struct nf_sink nf_fwq_output_sink(struct nf_fwq_output *o, struct nf_cli *cli);
/* Everything is written: the file is complete then. */
NF_NODISCARD int nf_fwq_output_commit(struct nf_fwq_output *o, struct nf_err *err);
/* Both: writes the values of sample_file in the format; the file is complete then. */
NF_NODISCARD int nf_fwq_output_write(struct nf_fwq_output *o, struct nf_cli *cli,
                                     const char *sample_file, enum nf_fwq_format format,
                                     struct nf_err *err);
/* The lines that the threaded FWQ benchmark prints about such a run. work: iterations a sample; 0: they were
 * chosen here, and no line says so there. */
NF_NODISCARD int nf_fwq_output_lines(const char *sample_file, const char *path, uint64_t work,
                                     struct nf_buf *out, struct nf_err *err);
/* Removes what was made when it is not complete. Harmless after a successful write. */
void nf_fwq_output_fini(struct nf_fwq_output *o);

#endif
