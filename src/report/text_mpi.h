/* SPDX-License-Identifier: MIT */
/* text_mpi - the record of an MPI job for people (report/text.h says how). */
#ifndef NF_REPORT_TEXT_MPI_H
#define NF_REPORT_TEXT_MPI_H

#include "base/buf.h"
#include "record/rec_mpi.h"

int nf_text_mpi(const struct nf_rec_mpi_noise_run *run, struct nf_buf *out);

#endif
