/* SPDX-License-Identifier: MIT */
#include "record/rec_noise.h"

/* clang-format off */
NF_RECORD_TYPE(noise_worker, "NoiseWorker", NF_ROWS_NOISE_WORKER)
NF_RECORD_TYPE(noise_body, "NoiseBody", NF_ROWS_NOISE_BODY)
NF_RECORD_TYPE(noise_step, "NoiseStep", NF_ROWS_NOISE_STEP)
NF_RECORD_TYPE(noise_run, "NoiseRun", NF_ROWS_NOISE_RUN)
/* clang-format on */
