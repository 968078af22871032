/* SPDX-License-Identifier: MIT */
#include "record/rec_bench.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(bench_backend, "BenchBackend", "builtin", "command", "report")
NF_RECORD_ENUM_TYPE(bench_verdict, "BenchVerdict", "inconclusive", "same", "regressed", "improved", "new",
	"gone", "failed")
NF_RECORD_ENUM_TYPE(memory_method, "MemoryMethod", "unknown", "cgroup", "pss", "rss")
NF_RECORD_TYPE(bench_posture, "BenchPosture", NF_ROWS_BENCH_POSTURE)
NF_RECORD_TYPE(bench_fact, "BenchFact", NF_ROWS_BENCH_FACT)
NF_RECORD_TYPE(bench_set, "BenchSet", NF_ROWS_BENCH_SET)
NF_RECORD_TYPE(bench_variant, "BenchVariant", NF_ROWS_BENCH_VARIANT)
NF_RECORD_TYPE(bench_plan, "BenchPlan", NF_ROWS_BENCH_PLAN)
NF_RECORD_TYPE(bench_run, "BenchRun", NF_ROWS_BENCH_RUN)
NF_RECORD_TYPE(bench_rule, "BenchRule", NF_ROWS_BENCH_RULE)
NF_RECORD_TYPE(bench_comparison, "BenchComparison", NF_ROWS_BENCH_COMPARISON)
NF_RECORD_TYPE(bench_compare, "BenchCompare", NF_ROWS_BENCH_COMPARE)
/* clang-format on */
