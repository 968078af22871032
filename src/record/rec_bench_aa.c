/* SPDX-License-Identifier: MIT */
#include "record/rec_bench_aa.h"

/* clang-format off */
NF_RECORD_TYPE(aa_trial, "AaTrial", NF_ROWS_AA_TRIAL)
NF_RECORD_TYPE(aa_score, "AaScore", NF_ROWS_AA_SCORE)
NF_RECORD_TYPE(selftest_aa, "SelftestAa", NF_ROWS_SELFTEST_AA)
/* clang-format on */
