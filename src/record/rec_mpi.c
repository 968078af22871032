/* SPDX-License-Identifier: MIT */
#include "record/rec_mpi.h"

/* clang-format off */
NF_RECORD_TYPE(mpi_slow, "MpiSlowRank", NF_ROWS_MPI_SLOW)
NF_RECORD_TYPE(mpi_bsp, "MpiBulkSynchronous", NF_ROWS_MPI_BSP)
NF_RECORD_TYPE(mpi_samples, "MpiSamples", NF_ROWS_MPI_SAMPLES)
NF_RECORD_TYPE(mpi_body, "MpiNoiseBody", NF_ROWS_MPI_BODY)
NF_RECORD_TYPE(mpi_noise_run, "MpiNoiseRun", NF_ROWS_MPI_NOISE_RUN)
/* clang-format on */
