/* SPDX-License-Identifier: MIT */
#include "record/rec_budget.h"

/* clang-format off */
NF_RECORD_TYPE(timing_budget, "TimingBudget", NF_ROWS_TIMING_BUDGET)
/* clang-format on */
