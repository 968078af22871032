/* SPDX-License-Identifier: MIT */
#include "record/rec_smi.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(smi_source, "SmiSource", "msr", "perf")
NF_RECORD_TYPE(smi_count, "SmiCount", NF_ROWS_SMI_COUNT)
NF_RECORD_TYPE(smi_body, "SmiBody", NF_ROWS_SMI_BODY)
NF_RECORD_TYPE(smi_step, "SmiStep", NF_ROWS_SMI_STEP)
NF_RECORD_TYPE(smi_run, "SmiRun", NF_ROWS_SMI_RUN)
/* clang-format on */
