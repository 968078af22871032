/* SPDX-License-Identifier: MIT */
#include "record/rec_window.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(profile, "Profile", "quick", "standard", "deep", "custom")
NF_RECORD_ENUM_TYPE(step_result, "StepResult", "blocked", "fail", "partial", "pass", "skipped")
NF_RECORD_TYPE(step, "Step", NF_ROWS_STEP)
NF_RECORD_TYPE(headline, "Headline", NF_ROWS_HEADLINE)
NF_RECORD_TYPE(window_run, "WindowRun", NF_ROWS_WINDOW_RUN)
/* clang-format on */
