/* SPDX-License-Identifier: MIT */
/*
 * environment - what a benchmark's process is given: this process's environment, a variant's variables
 * over it, and padding of a random length. How long the environment is moves the stack, and with it
 * what shares a cache line or a page: two programs compared in one environment each may differ by that alone
 * (Mytkowicz, Diwan, Hauswirth, Sweeney: Producing Wrong Data Without Doing Anything Obviously
 * Wrong!, ASPLOS 2009). A length anew for every set turns it into noise that is averaged out.
 */
#ifndef NF_BENCH_ENVIRONMENT_H
#define NF_BENCH_ENVIRONMENT_H

#include <stdint.h>

#include "base/fail.h"

#define NF_BENCH_PAD_NAME "NOISEFLOOR_BENCH_PAD"
enum { NF_BENCH_PAD_MAX = 4095 }; /* bytes: all places in a page */

struct nf_environment {
	char **item; /* owned, ends with NULL; the texts are borrowed but for the padding */
	char *pad; /* owned */
};

/* own: "NAME=value" texts, ends with NULL, a later one of a name wins; over: put over them, may be NULL. Of
 * each, an item without a name is left out. */
NF_NODISCARD int nf_environment_make(char *const *own, const char *const *over, uint64_t seed,
                                     struct nf_environment *ret, struct nf_err *err);
void nf_environment_fini(struct nf_environment *e); /* zeroed is fine */

#endif
