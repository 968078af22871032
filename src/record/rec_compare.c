/* SPDX-License-Identifier: MIT */
#include "record/rec_compare.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(difference_verdict, "DifferenceVerdict", "cannot be told apart", "hurt", "helped")
NF_RECORD_TYPE(compare_input, "CompareInput", NF_ROWS_COMPARE_INPUT)
NF_RECORD_TYPE(compare_figure, "CompareFigure", NF_ROWS_COMPARE_FIGURE)
NF_RECORD_TYPE(compare_difference, "CompareDifference", NF_ROWS_COMPARE_DIFFERENCE)
NF_RECORD_TYPE(compare_ratio, "CompareRatio", NF_ROWS_COMPARE_RATIO)
NF_RECORD_TYPE(compare_warning, "CompareWarning", NF_ROWS_COMPARE_WARNING)
NF_RECORD_TYPE(compare_run, "CompareRun", NF_ROWS_COMPARE_RUN)
/* clang-format on */
