/* SPDX-License-Identifier: MIT */
#include "record/rec_lane.h"

/* clang-format off */
NF_RECORD_TYPE(lane_entry, "LaneEntry", NF_ROWS_LANE_ENTRY)
NF_RECORD_TYPE(lane_status, "LaneStatus", NF_ROWS_LANE_STATUS)
/* clang-format on */
