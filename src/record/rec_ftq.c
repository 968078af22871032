/* SPDX-License-Identifier: MIT */
#include "record/rec_ftq.h"

/* clang-format off */
NF_RECORD_TYPE(ftq_line, "FtqLine", NF_ROWS_FTQ_LINE)
NF_RECORD_TYPE(ftq_spectrum, "FtqSpectrum", NF_ROWS_FTQ_SPECTRUM)
NF_RECORD_TYPE(ftq_worker, "FtqWorker", NF_ROWS_FTQ_WORKER)
NF_RECORD_TYPE(ftq_body, "FtqBody", NF_ROWS_FTQ_BODY)
NF_RECORD_TYPE(ftq_step, "FtqStep", NF_ROWS_FTQ_STEP)
NF_RECORD_TYPE(ftq_run, "FtqRun", NF_ROWS_FTQ_RUN)
/* clang-format on */
