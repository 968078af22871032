/* SPDX-License-Identifier: MIT */
#include "record/rec_timerlat.h"

/* clang-format off */
NF_RECORD_TYPE(timerlat_cpu, "TimerlatCpu", NF_ROWS_TIMERLAT_CPU)
NF_RECORD_TYPE(timerlat_body, "TimerlatBody", NF_ROWS_TIMERLAT_BODY)
NF_RECORD_TYPE(timerlat_step, "TimerlatStep", NF_ROWS_TIMERLAT_STEP)
NF_RECORD_TYPE(timerlat_run, "TimerlatRun", NF_ROWS_TIMERLAT_RUN)
/* clang-format on */
