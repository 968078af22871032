/* SPDX-License-Identifier: MIT */
#include "record/rec_hostprobe.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(expected_lane, "ExpectedLane", "unknown", "generic", "rt")
NF_RECORD_ENUM_TYPE(probe_result, "ProbeResult", "blocked", "fail", "partial", "pass")
NF_RECORD_TYPE(host_probe_run, "HostProbeRun", NF_ROWS_HOST_PROBE_RUN)
/* clang-format on */
