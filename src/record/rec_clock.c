/* SPDX-License-Identifier: MIT */
#include "record/rec_clock.h"

/* clang-format off */
NF_RECORD_TYPE(clock_read, "ClockRead", NF_ROWS_CLOCK_READ)
NF_RECORD_TYPE(clock_skew, "ClockSkew", NF_ROWS_CLOCK_SKEW)
NF_RECORD_TYPE(clock_body, "ClockBody", NF_ROWS_CLOCK_BODY)
NF_RECORD_TYPE(clock_step, "ClockStep", NF_ROWS_CLOCK_STEP)
NF_RECORD_TYPE(clock_run, "ClockRun", NF_ROWS_CLOCK_RUN)
/* clang-format on */
