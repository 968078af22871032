/* SPDX-License-Identifier: MIT */
#include "record/rec_inject.h"

/* clang-format off */
NF_RECORD_TYPE(inject_plan, "InjectPlan", NF_ROWS_INJECT_PLAN)
NF_RECORD_TYPE(inject_bursts, "InjectBursts", NF_ROWS_INJECT_BURSTS)
NF_RECORD_TYPE(inject_found, "InjectFound", NF_ROWS_INJECT_FOUND)
NF_RECORD_TYPE(inject_chance, "InjectChance", NF_ROWS_INJECT_CHANCE)
NF_RECORD_TYPE(inject_phase, "InjectPhase", NF_ROWS_INJECT_PHASE)
NF_RECORD_TYPE(inject_pass, "InjectPass", NF_ROWS_INJECT_PASS)
NF_RECORD_TYPE(inject_probe, "InjectProbe", NF_ROWS_INJECT_PROBE)
NF_RECORD_TYPE(inject_run, "InjectRun", NF_ROWS_INJECT_RUN)
/* clang-format on */
