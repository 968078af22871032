/* SPDX-License-Identifier: MIT */
#include "record/rec_property.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(property_outcome, "PropertyOutcome", "broken", "passed", "failed", "gave_up", "vacuous", "uncovered")
NF_RECORD_TYPE(property_result, "PropertyResult", NF_ROWS_PROPERTY_RESULT)
NF_RECORD_TYPE(property_run, "PropertyRun", NF_ROWS_PROPERTY_RUN)
/* clang-format on */
