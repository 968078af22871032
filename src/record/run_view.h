/* SPDX-License-Identifier: MIT */
/*
 * run_view - what a comparison needs to know about one run, whatever it is kept as: a run folder, a record
 * in JSON or Dhall, or a text capture, which is projected as it is read.
 */
#ifndef NF_RECORD_RUN_VIEW_H
#define NF_RECORD_RUN_VIEW_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"

enum nf_known { NF_KNOWN_NOT, NF_KNOWN_NO, NF_KNOWN_YES };

/* NULL and has_ false: not known. Texts are borrowed from the record. */
struct nf_run_view {
	const char *label; /* what the user called it; borrowed */
	const char *schema; /* "WindowRun/1", "HostProbeRun", "CaptureFacts" */
	const json_t *record; /* borrowed */
	const char *tag, *host, *lane, *expected_lane, *kernel, *cmdline, *platform, *boot_id;
	const char *captured_utc, *cpus_isolated, *cpus_nohz_full;
	enum nf_known realtime, conforms;
	bool has_smi_window;
	double smi_window_s;
	bool has_uptime, has_load, has_boot, has_jitter;
	double uptime_s, uptime_step_s, load_1min;
	double boot_s; /* instant of the boot, seconds since 1970: captured - uptime */
	double jitter_max_s;
	bool has_per_element; /* only of a HostProbeRun, which has no field for it */
	double serial_ns_per_element;
	/* Of the file, which the reader of the record knows; borrowed. */
	const char *digest; /* SHA-256, hex; NULL: not known, two such runs may be alike */
	const char *incomplete; /* why the run is not complete; NULL: it is, or nothing says */
	const char *run_id, *started_utc; /* of a run of ours: both name it wherever it is kept */
};

/* A capture's facts as a record in JSON: schema "CaptureFacts". Owned by the caller. */
NF_NODISCARD int nf_run_of_capture(const char *name, const void *data, size_t len_bytes,
                                   json_t **ret, struct nf_err *err);
/* A run folder, *.json, *.dhall, or a capture. *ret owned by the caller. -NF_EARG: there is none; -NF_EDATA: it is
 * none of these. */
NF_NODISCARD int nf_run_read(const char *path, json_t **ret, struct nf_err *err);
/* -NF_EDATA: the record is of no kind that can be compared. */
NF_NODISCARD int nf_run_view(const char *label, const json_t *record, struct nf_run_view *ret,
                             struct nf_err *err);

#endif
