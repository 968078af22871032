/* SPDX-License-Identifier: MIT */
#include "record/rec_baseline.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(bench_judgement, "BenchJudgement", "inconclusive", "within", "not_confirmed", "regressed", "new",
	"gone", "stored", "failed")
NF_RECORD_TYPE(bench_machine, "BenchMachine", NF_ROWS_BENCH_MACHINE)
NF_RECORD_TYPE(bench_stored, "BenchStored", NF_ROWS_BENCH_STORED)
NF_RECORD_TYPE(bench_session, "BenchSession", NF_ROWS_BENCH_SESSION)
NF_RECORD_TYPE(bench_baseline, "BenchBaseline", NF_ROWS_BENCH_BASELINE)
NF_RECORD_TYPE(bench_against, "BenchAgainst", NF_ROWS_BENCH_AGAINST)
NF_RECORD_TYPE(bench_judged, "BenchJudged", NF_ROWS_BENCH_JUDGED)
NF_RECORD_TYPE(bench_regress, "BenchRegress", NF_ROWS_BENCH_REGRESS)
/* clang-format on */
