/* SPDX-License-Identifier: MIT */
#include "record/rec_posture.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(match, "Match", "missing", "mismatched", "matched")
NF_RECORD_TYPE(profile_line, "ProfileLine", NF_ROWS_PROFILE_LINE)
NF_RECORD_TYPE(advice_item, "AdviceItem", NF_ROWS_ADVICE_ITEM)
NF_RECORD_TYPE(advice, "Advice", NF_ROWS_ADVICE)
NF_RECORD_TYPE(posture, "Posture", NF_ROWS_POSTURE)
/* clang-format on */
