/* SPDX-License-Identifier: MIT */
#include "record/rec_wake.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(wake_method, "WakeMethod", "nanosleep", "timerfd", "deadline")
NF_RECORD_TYPE(wake_worker, "WakeWorker", NF_ROWS_WAKE_WORKER)
NF_RECORD_TYPE(wake_body, "WakeBody", NF_ROWS_WAKE_BODY)
NF_RECORD_TYPE(wake_step, "WakeStep", NF_ROWS_WAKE_STEP)
NF_RECORD_TYPE(wake_run, "WakeRun", NF_ROWS_WAKE_RUN)
/* clang-format on */
