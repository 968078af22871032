/* SPDX-License-Identifier: MIT */
#include "record/rec_sweep.h"

/* clang-format off */
NF_RECORD_ENUM_TYPE(sweep_kind, "SweepKind", "env", "arg")
NF_RECORD_ENUM_TYPE(sweep_form, "SweepForm", "points", "grid")
NF_RECORD_ENUM_TYPE(sweep_mark, "SweepMark", "open", "same", "slower", "faster", "base", "failed")
NF_RECORD_TYPE(sweep_knob, "SweepKnob", NF_ROWS_SWEEP_KNOB)
NF_RECORD_TYPE(sweep_program, "SweepProgram", NF_ROWS_SWEEP_PROGRAM)
NF_RECORD_TYPE(sweep_session, "SweepSession", NF_ROWS_SWEEP_SESSION)
NF_RECORD_TYPE(sweep_interrupted, "SweepInterrupted", NF_ROWS_SWEEP_INTERRUPTED)
NF_RECORD_TYPE(sweep_point, "SweepPoint", NF_ROWS_SWEEP_POINT)
NF_RECORD_TYPE(bench_sweep, "BenchSweep", NF_ROWS_BENCH_SWEEP)
NF_RECORD_TYPE(sweep_fact, "SweepFact", NF_ROWS_SWEEP_FACT)
NF_RECORD_TYPE(sweep_log_variant, "SweepLogVariant", NF_ROWS_SWEEP_LOG_VARIANT)
NF_RECORD_TYPE(sweep_log_head, "SweepLogHead", NF_ROWS_SWEEP_LOG_HEAD)
/* clang-format on */
