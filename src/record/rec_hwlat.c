/* SPDX-License-Identifier: MIT */
#include "record/rec_hwlat.h"

/* clang-format off */
NF_RECORD_TYPE(hwlat_body, "HwlatBody", NF_ROWS_HWLAT_BODY)
NF_RECORD_TYPE(hwlat_step, "HwlatStep", NF_ROWS_HWLAT_STEP)
NF_RECORD_TYPE(hwlat_run, "HwlatRun", NF_ROWS_HWLAT_RUN)
/* clang-format on */
