/* SPDX-License-Identifier: MIT */
/*
 * lab_attempt - what one attempt at a boot leaves in a run folder: captures/LABEL-RUN-TRY/ with console.raw and console.idx as
 * they grow, and end.json (BootAttemptEnd/1) when it is over. A folder without end.json is of a program that was killed.
 * LABEL is the configuration, or BOARD.CONFIG where there are several boards. `lab phases` reads the same folders.
 */
#ifndef NF_JOB_LAB_ATTEMPT_H
#define NF_JOB_LAB_ATTEMPT_H

#include "record/rec_boot_campaign.h"
#include "record/runfolder.h"

#define NF_LAB_CAPTURES "captures"
#define NF_LAB_END "end.json"

/* "LABEL-RUN-TRY"; NULL: the arena failed. */
const char *nf_lab_attempt_name(struct nf_arena *a, const char *label, uint64_t run,
                                uint64_t attempt);
/* Whether it is a name of that label, and which. */
bool nf_lab_attempt_named(const char *name, const char *label, uint64_t *ret_run,
                          uint64_t *ret_attempt);
/* Its folder, new: -NF_EEXIST. */
NF_NODISCARD int nf_lab_attempt_begin(struct nf_runfolder *f, const char *name, int *ret_fd,
                                      struct nf_err *err);
/* Completes *end (schema, claim, honesty) and writes it; what was captured gets the run's owner. */
NF_NODISCARD int nf_lab_attempt_end(struct nf_runfolder *f, const char *name,
                                    struct nf_rec_boot_end *end, struct nf_arena *a,
                                    struct nf_err *err);
/* dirfd: the attempt's folder; where: in messages. 1: *ret is filled, texts live in a. 0: there is none. -NF_EDATA:
 * it is broken. */
NF_NODISCARD int nf_lab_attempt_read(int dirfd, const char *where, struct nf_arena *a,
                                     struct nf_rec_boot_end *ret, struct nf_err *err);
/* Puts into the record of an attempt what its end says; borrows its texts. */
void nf_lab_attempt_tell(const struct nf_rec_boot_end *end, struct nf_arena *a,
                         struct nf_rec_boot_attempt *at);
/* Copies an attempt of another run folder, whose attempt's folder is `from`, as it is. */
NF_NODISCARD int nf_lab_attempt_copy(int from, const char *where, struct nf_runfolder *f,
                                     const char *name, struct nf_err *err);

#endif
