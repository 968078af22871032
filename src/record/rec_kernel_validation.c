/* SPDX-License-Identifier: MIT */
#include "record/rec_kernel_validation.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(kernel_lane, "KernelLane", "generic", "rt")
NF_RECORD_ENUM_TYPE(validation_result, "ValidationResult", "partial", "fail", "historical", "pass")
NF_RECORD_TYPE(kernel_validation_run, "KernelValidationRun", NF_ROWS_KERNEL_VALIDATION_RUN)
/* clang-format on */
