/* SPDX-License-Identifier: MIT */
#include "record/rec_projection.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(capture_kind, "CaptureKind", "unknown", "probe", "validator", "smi", "window", "lane")
NF_RECORD_ENUM_TYPE(trace_origin, "TraceOrigin", "unknown", "line", "file name", "option")
NF_RECORD_TYPE(trace, "Trace", NF_ROWS_TRACE)
NF_RECORD_TYPE(capture_facts, "CaptureFacts", NF_ROWS_CAPTURE_FACTS)
NF_RECORD_TYPE(capture, "Capture", NF_ROWS_CAPTURE)
NF_RECORD_TYPE(projection, "Projection", NF_ROWS_PROJECTION)
/* clang-format on */
