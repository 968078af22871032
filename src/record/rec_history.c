/* SPDX-License-Identifier: MIT */
#include "record/rec_history.h"

/* clang-format off */
NF_RECORD_TYPE(history_point, "HistoryPoint", NF_ROWS_HISTORY_POINT)
NF_RECORD_TYPE(history_step, "HistoryStep", NF_ROWS_HISTORY_STEP)
NF_RECORD_TYPE(history_series, "HistorySeries", NF_ROWS_HISTORY_SERIES)
NF_RECORD_TYPE(history_metric, "HistoryMetric", NF_ROWS_HISTORY_METRIC)
NF_RECORD_TYPE(history, "History", NF_ROWS_HISTORY)
/* clang-format on */
