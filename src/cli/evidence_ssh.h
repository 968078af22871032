/* SPDX-License-Identifier: MIT */
/* evidence_ssh - ssh-keygen, by its arguments and never through a shell; a run's MANIFEST and its signature. */
#ifndef NF_CLI_EVIDENCE_SSH_H
#define NF_CLI_EVIDENCE_SSH_H

#include "base/buf.h"

/* Where a signature lies in a run's folder: outside MANIFEST, which it signs. */
#define NF_SIGNATURE_FOLDER "derived"
#define NF_SIGNATURE_NAME "MANIFEST.sig"
/* Signatures made for other purposes do not count here, nor ours elsewhere (ssh-keygen(1), -n). */
#define NF_SIGNATURE_NAMESPACE "noisefloor"

enum { NF_SSH_TEXT_BYTES = 1 << 16 };

/* Runs ssh-keygen with argv (argv[0] is its name; ends with NULL) and in_fd as standard input. *ret_status: its exit
 * status, 255 where a signal ended it; out and messages: what it wrote to standard output and error, at most
 * NF_SSH_TEXT_BYTES each. -NF_EUNSUPPORTED: there is none on the PATH. */
NF_NODISCARD int nf_ssh_keygen(const char *const argv[], int in_fd, int *ret_status,
                               struct nf_buf *out, struct nf_buf *messages, struct nf_err *err);

/* A path that no program takes for an option: "-k" becomes "./-k". false: too long. */
bool nf_ssh_path(const char *path, char *ret, size_t size);

/* The first line of a text, made printable. */
void nf_ssh_line(const struct nf_buf *text, char ret[200]);

/* Opens a run's folder and its MANIFEST. The run must not be damaged, whole is its state. -NF_EARG: no folder. -NF_EDATA:
 * no MANIFEST. *ret_why: why it is damaged; "": it is not. */
NF_NODISCARD int nf_ssh_open_run(const char *run, int *ret_folder, int *ret_manifest,
                                 char ret_why[240], struct nf_err *err);

#endif
