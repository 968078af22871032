/* SPDX-License-Identifier: MIT */
/*
 * rec_audit_log - AuditLog/1: console lines that fall inside timed phases, with what each takes on the serial
 * line. A line's bytes are those between the matches that bound the phase.
 */
#ifndef NF_RECORD_REC_AUDIT_LOG_H
#define NF_RECORD_REC_AUDIT_LOG_H

#include "record/rec_boot_campaign.h"

/* clang-format off */
#define NF_ROWS_AUDIT_LOG_PHASE(X, S) \
	X(S, TEXT,  path,       DECLARED, "log or capture") \
	X(S, OTEXT, sha256,     MEASURED, "of the log, or of the capture's raw bytes, 64 hex digits") \
	X(S, TEXT,  config,     DECLARED, "configuration it belongs to") \
	X(S, NAT,   run,        DECLARED, "of that configuration; 0: no name tells") \
	X(S, TEXT,  phase,      DERIVED,  "from..to") \
	X(S, NAT,   baud,       DECLARED, "that UART times are of") \
	X(S, TEXT,  baud_why,   MEASURED, "option, capture, kernel command line, or assumed") \
	X(S, OREAL, duration_s, MEASURED, "None: one end was not seen; below 0: the other order") \
	X(S, OREAL, resolution_s, DERIVED, "finest difference that the stamps tell; None: unknown") \
	X(S, NAT,   lines,      MEASURED, "with a byte in it") \
	X(S, NAT,   bytes,      MEASURED, "from match to match; of an imported log two a line for the line's end") \
	X(S, REAL,  uart_s,     DERIVED,  "10 x bytes / baud") \
	X(S, OREAL, uart_ratio, DERIVED,  "uart_s over duration_s; None: there is no duration")
NF_RECORD(audit_log_phase, NF_ROWS_AUDIT_LOG_PHASE)

/* Lines of one phase whose texts are the same but for their numbers. */
#define NF_ROWS_AUDIT_LOG_LINE(X, S) \
	X(S, TEXT,  phase,     DERIVED,  "from..to") \
	X(S, TEXT,  text,      MEASURED, "beginning of the first of them") \
	X(S, TEXT,  path,      DECLARED, "log that it stands in") \
	X(S, NAT,   line,      MEASURED, "its line there, counted from 1") \
	X(S, NAT,   times,     MEASURED, "how many there are, in all logs") \
	X(S, NAT,   logs,      MEASURED, "logs that have any") \
	X(S, NAT,   bytes,     MEASURED, "of all of them") \
	X(S, REAL,  uart_s,    DERIVED,  "of all of them: 10 x bytes / baud of each log") \
	X(S, REAL,  per_log_s, DERIVED,  "uart_s / logs: what the lines are ordered by") \
	X(S, OREAL, ratio,     DERIVED,  "uart_s over that phase's duration in the logs that have any; None: it has none")
NF_RECORD(audit_log_line, NF_ROWS_AUDIT_LOG_LINE)

/* AuditLog/1 */
#define NF_ROWS_AUDIT_LOG(X, S) \
	X(S, TEXT,  schema,       DECLARED, "AuditLog/1") \
	X(S, TEXT,  tool_version, MEASURED, "version of noisefloor") \
	X(S, TEXTS, command,      DECLARED, "command line as given, one word each") \
	X(S, TEXT,  read_utc,     MEASURED, "RFC 3339 UTC") \
	X(S, OTEXT, t0,           DECLARED, "pattern of the beginning; None: the first line") \
	X(S, LIST(boot_pattern), patterns, BY_FIELD, "of the phases, in the order they were given") \
	X(S, LIST(audit_log_phase), phases, BY_FIELD, "log by log") \
	X(S, LIST(audit_log_line), lines, BY_FIELD, "the most expensive first") \
	X(S, NAT,   lines_found,  MEASURED, "kinds of line inside phases, before they were cut to the most expensive") \
	X(S, NAT,   lines_lost,   MEASURED, "lines for which there was no room: they are in phases, not in lines") \
	X(S, NAT,   replaced_text, DERIVED, "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(audit_log, NF_ROWS_AUDIT_LOG)
/* clang-format on */

#endif
