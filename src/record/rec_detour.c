/* SPDX-License-Identifier: MIT */
#include "record/rec_detour.h"

/* clang-format off */
NF_RECORD_TYPE(detour_lengths, "DetourLengths", NF_ROWS_DETOUR_LENGTHS)
NF_RECORD_TYPE(detour_worker, "DetourWorker", NF_ROWS_DETOUR_WORKER)
NF_RECORD_TYPE(detour_body, "DetourBody", NF_ROWS_DETOUR_BODY)
NF_RECORD_TYPE(detour_step, "DetourStep", NF_ROWS_DETOUR_STEP)
NF_RECORD_TYPE(detour_run, "DetourRun", NF_ROWS_DETOUR_RUN)
/* clang-format on */
