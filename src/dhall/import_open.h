/* SPDX-License-Identifier: MIT */
/* import_open - the files that imports name, below the root and nowhere else. */
#ifndef NF_DHALL_IMPORT_OPEN_H
#define NF_DHALL_IMPORT_OPEN_H

#include "dhall/session.h"

/* The absolute folder of `path` without links, in the arena. NULL: failed. */
const char *nf_dimport_folder(struct nf_dhall *d, const char *path);
/* Last component. */
const char *nf_dimport_base(const char *path);
/* Chooses the root for a first file in the folder, unless there is one. */
bool nf_dimport_choose_root(struct nf_dhall *d, const char *folder);
/* folder, an absolute path, and the components of an import joined; "." and ".." are taken as text,
 * as the standard does. Fails when the result is not below the root. In the arena. */
const char *nf_dimport_join(struct nf_dhall *d, struct nf_dplace at, const char *folder,
                            const struct nf_dimport *m);
/* A whole regular file, in the arena. below_root: absolute and below it; links do not lead out either.
 * at: the import, for messages. */
bool nf_dimport_read(struct nf_dhall *d, struct nf_dplace at, const char *path, bool below_root,
                     struct nf_dstr *ret);

#endif
