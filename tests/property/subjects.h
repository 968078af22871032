/* SPDX-License-Identifier: MIT */
/* Properties to be run by tests of the library. */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include "noisefloor/prop.h"

/* Runs fn with the config (NULL: seed 1); ends the test when it cannot be run. */
struct pt_result check_with(const char *name, pt_property_fn fn, void *arg,
                            const struct pt_config *config);

/* Fail in their way for n >= 37 of 0..1000. */
bool subject_false(struct pt_case *t, void *arg);
bool subject_assert(struct pt_case *t, void *arg);
bool subject_null(struct pt_case *t, void *arg); /* writes to NULL */
bool subject_abort(struct pt_case *t, void *arg);
bool subject_hang(struct pt_case *t, void *arg);
bool subject_exit(struct pt_case *t, void *arg); /* exit(3) */
bool subject_allocates(struct pt_case *t, void *arg); /* until malloc fails, then aborts */
bool subject_holds(struct pt_case *t, void *arg);

#endif
