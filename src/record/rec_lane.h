/* SPDX-License-Identifier: MIT */
/* rec_lane - the kernels that a machine can boot, and whether it can go to a realtime one and come back. */
#ifndef NF_RECORD_REC_LANE_H
#define NF_RECORD_REC_LANE_H

#include "record/rec_common.h"

/* clang-format off */
#define NF_ROWS_LANE_ENTRY(X, S) \
	X(S, TEXT,  id,         MEASURED, "what the loader calls it") \
	X(S, TEXT,  title,      MEASURED, "what its menu shows") \
	X(S, OTEXT, image,      MEASURED, "the kernel, as the loader names it") \
	X(S, OTEXT, release,    DERIVED,  "its release, of the image's name") \
	X(S, OTEXT, cmdline,    MEASURED, "kernel command line of the entry") \
	X(S, ENUM(lane), lane,  DERIVED,  "lane of that kernel") \
	X(S, OTEXT, lane_from,  DERIVED,  "what says so") \
	X(S, BOOL,  recovery,   DERIVED,  "boots into single-user mode: no candidate") \
	X(S, BOOL,  is_default, DERIVED,  "the machine boots it by itself") \
	X(S, BOOL,  candidate,  DERIVED,  "can be booted once as the realtime lane")
NF_RECORD(lane_entry, NF_ROWS_LANE_ENTRY)

/* LaneStatus/1 */
#define NF_ROWS_LANE_STATUS(X, S) \
	X(S, TEXT,  schema,        DECLARED, "LaneStatus/1") \
	X(S, TEXT,  tool_version,  MEASURED, "version of noisefloor") \
	X(S, TEXTS, command,       DECLARED, "command line as given, one word each") \
	X(S, TEXT,  read_utc,      MEASURED, "RFC 3339 UTC") \
	X(S, TEXT,  reached,       DECLARED, "where it was read: this machine, a captured tree, or a target") \
	X(S, OTEXT, host,          MEASURED, "host name, a label") \
	X(S, OTEXT, kernel_release, MEASURED, "of the kernel that runs; uname -r") \
	X(S, OTEXT, kernel_version, MEASURED, "uname -v") \
	X(S, ENUM(lane), lane,     MEASURED, "lane of the kernel that runs") \
	X(S, OTEXT, boot_id,       MEASURED, "of this boot") \
	X(S, OTEXT, loader,        MEASURED, "what boots entries once here; None: nothing that is known") \
	X(S, OTEXT, default_entry, DERIVED,  "entry that boots by default; None: not known") \
	X(S, OTEXT, default_unknown, DERIVED, "why that is not known") \
	X(S, BOOL,  next_known,    MEASURED, "whether an entry for the next boot is set can be read") \
	X(S, OTEXT, next_entry,    MEASURED, "entry for the next boot only; None: none, or not known") \
	X(S, LIST(lane_entry), entries, BY_FIELD, "kernels that can be booted") \
	X(S, TEXTS, reasons,       DERIVED,  "why a one-shot boot cannot be trusted here") \
	X(S, BOOL,  can_arm,       DERIVED,  "a realtime kernel can be booted once, and the default comes back") \
	X(S, OTEXT, refusal,       DERIVED,  "why not; None: it can") \
	X(S, NAT,   replaced_text, DERIVED,  "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(lane_status, NF_ROWS_LANE_STATUS)
/* clang-format on */

#endif
