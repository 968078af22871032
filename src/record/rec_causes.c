/* SPDX-License-Identifier: MIT */
#include "record/rec_causes.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(cause_kind, "CauseKind", "unexplained", "events_lost", "irq", "softirq", "nmi", "thread")
NF_RECORD_TYPE(cause, "Cause", NF_ROWS_CAUSE)
NF_RECORD_TYPE(causes, "Causes", NF_ROWS_CAUSES)
/* clang-format on */
