/* SPDX-License-Identifier: MIT */
/* lab_capture - a capture of ours, replayed into phases. */
#ifndef NF_JOB_LAB_CAPTURE_H
#define NF_JOB_LAB_CAPTURE_H

#include "job/lab_phases.h"

/* Fills what only a capture knows of *at (port, form, damage, losses, digest, start). *ret_phases: all lines are in it; free it also
 * after a failure. It borrows nothing that is gone then. */
NF_NODISCARD int nf_lab_read_capture(const struct nf_lab_opts *o, const struct nf_lab_log *log,
                                     struct nf_arena *a, const struct nf_stop *stop,
                                     struct nf_rec_boot_attempt *at, struct nf_phases **ret_phases,
                                     uint32_t *ret_baud, struct nf_err *err);

#endif
