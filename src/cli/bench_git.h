/* SPDX-License-Identifier: MIT */
/* bench_git - the commit that the current folder is a work tree of, asked of git where there is one. */
#ifndef NF_CLI_BENCH_GIT_H
#define NF_CLI_BENCH_GIT_H

#include "record/type.h"

enum { NF_GIT_COMMIT_MAX = 72 };

/* ret "" and ret_dirty unknown: no git, or no work tree. */
void nf_bench_git(char ret[NF_GIT_COMMIT_MAX], struct nf_some_bool *ret_dirty);

#endif
