/* SPDX-License-Identifier: MIT */
#include "record/rec_osnoise.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(osnoise_source, "OsnoiseSource", "hardware", "nmi", "irq", "softirq", "thread")
NF_RECORD_TYPE(osnoise_cpu, "OsnoiseCpu", NF_ROWS_OSNOISE_CPU)
NF_RECORD_TYPE(osnoise_cause, "OsnoiseCause", NF_ROWS_OSNOISE_CAUSE)
NF_RECORD_TYPE(osnoise_body, "OsnoiseBody", NF_ROWS_OSNOISE_BODY)
NF_RECORD_TYPE(osnoise_step, "OsnoiseStep", NF_ROWS_OSNOISE_STEP)
NF_RECORD_TYPE(osnoise_run, "OsnoiseRun", NF_ROWS_OSNOISE_RUN)
/* clang-format on */
