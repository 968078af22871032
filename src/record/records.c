/* SPDX-License-Identifier: MIT */
/* The record types that are written by themselves: what schema/ holds. */
#include "record/rec_audit.h"
#include "record/rec_audit_log.h"
#include "record/rec_audit_source.h"
#include "record/rec_baseline.h"
#include "record/rec_bench.h"
#include "record/rec_bench_aa.h"
#include "record/rec_boot_campaign.h"
#include "record/rec_compare.h"
#include "record/rec_console.h"
#include "record/rec_detour.h"
#include "record/rec_ftq.h"
#include "record/rec_history.h"
#include "record/rec_hostprobe.h"
#include "record/rec_inject.h"
#include "record/rec_kernel_validation.h"
#include "record/rec_lane.h"
#include "record/rec_mpi.h"
#include "record/rec_osnoise.h"
#include "record/rec_port_check.h"
#include "record/rec_posture.h"
#include "record/rec_projection.h"
#include "record/rec_property.h"
#include "record/rec_samplestats.h"
#include "record/rec_sweep.h"
#include "record/rec_timerlat.h"
#include "record/rec_window.h"
#include "record/write.h"

/* clang-format off */
const struct nf_type *const nf_record_types[] = {
	&nf_rec_window_run_type,
	&nf_rec_noise_run_type,
	&nf_rec_ftq_run_type,
	&nf_rec_detour_run_type,
	&nf_rec_mpi_noise_run_type,
	&nf_rec_wake_run_type,
	&nf_rec_numa_run_type,
	&nf_rec_smi_run_type,
	&nf_rec_hwlat_run_type,
	&nf_rec_osnoise_run_type,
	&nf_rec_timerlat_run_type,
	&nf_rec_clock_run_type,
	&nf_rec_inject_run_type,
	&nf_rec_audit_run_type,
	&nf_rec_console_run_type,
	&nf_rec_port_check_type,
	&nf_rec_audit_log_type,
	&nf_rec_bench_run_type,
	&nf_rec_bench_compare_type,
	&nf_rec_bench_regress_type,
	&nf_rec_bench_baseline_type,
	&nf_rec_selftest_aa_type,
	&nf_rec_bench_sweep_type,
	&nf_rec_boot_campaign_type,
	&nf_rec_boot_end_type,
	&nf_rec_posture_type,
	&nf_rec_lane_status_type,
	&nf_rec_property_run_type,
	&nf_rec_sample_stats_type,
	&nf_rec_history_type,
	&nf_rec_audit_source_type,
	&nf_rec_timing_budget_type,
	&nf_rec_host_probe_run_type,
	&nf_rec_kernel_validation_run_type,
	&nf_rec_projection_type,
	&nf_rec_capture_facts_type,
	&nf_rec_compare_run_type,
	NULL,
};
/* clang-format on */
