/* SPDX-License-Identifier: MIT */
#include "record/rec_numa.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(placement, "Placement", "flat", "local", "interleave", "remote")
NF_RECORD_TYPE(numa_bandwidth, "NumaBandwidth", NF_ROWS_NUMA_BANDWIDTH)
NF_RECORD_TYPE(numa_body, "NumaBody", NF_ROWS_NUMA_BODY)
NF_RECORD_TYPE(numa_step, "NumaStep", NF_ROWS_NUMA_STEP)
NF_RECORD_TYPE(numa_run, "NumaRun", NF_ROWS_NUMA_RUN)
/* clang-format on */
