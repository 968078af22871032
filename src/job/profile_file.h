/* SPDX-License-Identifier: MIT */
/* profile_file - a profile (machine/profile.h) from its file. */
#ifndef NF_JOB_PROFILE_FILE_H
#define NF_JOB_PROFILE_FILE_H

#include "machine/profile.h"

/* -NF_EARG: it cannot be opened; as nf_read_all() and nf_profile_parse() otherwise. */
NF_NODISCARD int nf_job_profile_read(const char *path, struct nf_arena *a, struct nf_profile *ret,
                                     struct nf_err *err);

#endif
