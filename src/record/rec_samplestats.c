/* SPDX-License-Identifier: MIT */
#include "record/rec_samplestats.h"

/* clang-format off */
NF_RECORD_TYPE(sample_figures, "SampleFigures", NF_ROWS_SAMPLE_FIGURES)
NF_RECORD_TYPE(sample_worker, "SampleWorker", NF_ROWS_SAMPLE_WORKER)
NF_RECORD_TYPE(fwq_stats_column, "FwqStatsColumn", NF_ROWS_FWQ_STATS_COLUMN)
NF_RECORD_TYPE(fwq_stats, "FwqStats", NF_ROWS_FWQ_STATS)
NF_RECORD_TYPE(sample_file, "SampleFile", NF_ROWS_SAMPLE_FILE)
NF_RECORD_TYPE(sample_stats, "SampleStats", NF_ROWS_SAMPLE_STATS)
/* clang-format on */
