/* SPDX-License-Identifier: MIT */
/*
 * rec_audit - AuditRun/1: the I/O that fell into the timed regions of a program. Sums are over all times that a
 * region was ended; what the audit itself read and took is out of them, exactly for I/O, by what regions with
 * nothing in them measured for time.
 */
#ifndef NF_RECORD_REC_AUDIT_H
#define NF_RECORD_REC_AUDIT_H

#include "record/rec_common.h"

/* clang-format off */
NF_RECORD_ENUM(audit_target) /* in the order of enum nf_audit_target_kind (bench/audit_calls.h) */

#define NF_ROWS_AUDIT_IO(X, S) \
	X(S, NAT, rchar,                 MEASURED, "bytes that read() and its like returned") \
	X(S, NAT, wchar,                 MEASURED, "bytes given to write() and its like; not send() to a socket") \
	X(S, NAT, syscr,                 MEASURED, "calls that read") \
	X(S, NAT, syscw,                 MEASURED, "calls that write") \
	X(S, NAT, read_bytes,            MEASURED, "fetched from storage") \
	X(S, NAT, write_bytes,           MEASURED, "sent to storage, page by page") \
	X(S, NAT, cancelled_write_bytes, MEASURED, "of those never written")
NF_RECORD(audit_io, NF_ROWS_AUDIT_IO)

#define NF_ROWS_AUDIT_SUMS(X, S) \
	X(S, NAT,   entered,        MEASURED, "times it was begun") \
	X(S, NAT,   ended,          MEASURED, "times it was ended in the thread that began it: what the sums are of") \
	X(S, NAT,   abandoned,      MEASURED, "times it was begun again, or an outer region ended, before it was") \
	X(S, NAT,   unread,         MEASURED, "ended, but the kernel told nothing") \
	X(S, NAT,   with_io,        MEASURED, "ended with any I/O") \
	X(S, ONAT,  first_io,       MEASURED, "the first of those, counted from 1") \
	X(S, NAT,   wall_ns,        MEASURED, "on CLOCK_MONOTONIC_RAW, without what the audit did for regions inside it") \
	X(S, ONAT,  min_ns,         MEASURED, "shortest time; None: it was never ended") \
	X(S, ONAT,  max_ns,         MEASURED, "longest time") \
	X(S, NAT,   audit_ns,       MEASURED, "what its marks took, beside wall_ns") \
	X(S, NAT,   user_ns,        MEASURED, "CPU time of the thread in user mode; the kernel tells it by its ticks") \
	X(S, NAT,   system_ns,      MEASURED, "CPU time of the thread in the kernel; by ticks too") \
	X(S, NAT,   minor_faults,   MEASURED, "page faults without I/O") \
	X(S, NAT,   major_faults,   MEASURED, "page faults with I/O") \
	X(S, NAT,   voluntary_switches,   MEASURED, "context switches that the thread asked for") \
	X(S, NAT,   involuntary_switches, MEASURED, "context switches forced on it") \
	X(S, REC(audit_io), io,     BY_FIELD, "of the thread") \
	X(S, NAT,   others_wchar,   MEASURED, "bytes written meanwhile by other threads of the process and by children it waited for") \
	X(S, NAT,   others_syscw,   MEASURED, "their calls") \
	X(S, NAT,   buffered_bytes, MEASURED, "put into the buffers of stdout and stderr and written later") \
	X(S, NAT,   flushed_bytes,  MEASURED, "written that were in those buffers before")
NF_RECORD(audit_sums, NF_ROWS_AUDIT_SUMS)

#define NF_ROWS_AUDIT_REGION(X, S) \
	X(S, TEXT,  name,           DECLARED, "as the program calls it") \
	X(S, REC(audit_sums), sums, BY_FIELD, "over all times") \
	X(S, REAL,  net_ns,         DERIVED,  "wall_ns less as many empty regions took") \
	X(S, BOOL,  has_io,         DERIVED,  "with_io, or a call of the trace that is I/O: a finding") \
	X(S, BOOL,  complete,       DERIVED,  "every time was measured") \
	X(S, NAT,   console_bytes,  DERIVED,  "wchar, and buffered_bytes less flushed_bytes where that is more, and others_wchar") \
	X(S, REAL,  console_ns,     DERIVED,  "console_bytes * 10 / baud: what they take on a serial console") \
	X(S, OREAL, console_ratio,  DERIVED,  "console_ns over net_ns; None: no time was measured") \
	X(S, OREAL, kernel_ratio,   DERIVED,  "system_ns, less that of as many empty regions, over net_ns; None: too few ticks of CPU time to tell") \
	X(S, OREAL, overhead_ratio, DERIVED,  "audit_ns over net_ns") \
	X(S, TEXTS, warnings,       DERIVED,  "what a reader must know of it")
NF_RECORD(audit_region, NF_ROWS_AUDIT_REGION)

/* Calls of one kind to one target, in the traced execution. */
#define NF_ROWS_AUDIT_CALL(X, S) \
	X(S, OTEXT, region,       DECLARED, "which region; None: outside of all") \
	X(S, BOOL,  others,       MEASURED, "by another thread, or by a process that it started") \
	X(S, TEXT,  call,         MEASURED, "system call") \
	X(S, BOOL,  is_io,        MEASURED, "it moves bytes") \
	X(S, BOOL,  is_write,     MEASURED, "it moves them out") \
	X(S, OTEXT, target,       MEASURED, "file that it used; None: it has none") \
	X(S, ENUM(audit_target), target_kind, MEASURED, "what that is") \
	X(S, NAT,   calls,        MEASURED, "how many") \
	X(S, NAT,   failed,       MEASURED, "of those") \
	X(S, NAT,   bytes,        MEASURED, "moved; 0 where the call does not tell") \
	X(S, OREAL, console_ns,   DERIVED,  "bytes written * 10 / baud, whatever the target; None: nothing is written")
NF_RECORD(audit_call, NF_ROWS_AUDIT_CALL)

/* The second execution, under a tracer: its times mean nothing. */
#define NF_ROWS_AUDIT_TRACE(X, S) \
	X(S, OTEXT, refused,      MEASURED, "why there is none; None: there is one") \
	X(S, OINT,  wait_status,  MEASURED, "as wait() gives it") \
	X(S, LIST(audit_call), calls, BY_FIELD, "in regions all, outside those that write") \
	X(S, NAT,   rows_lost,    MEASURED, "calls for which there was no row") \
	X(S, NAT,   regions_lost, MEASURED, "begins for which there was no room") \
	X(S, NAT,   foreign,      MEASURED, "calls of a program of another architecture: not decoded")
NF_RECORD(audit_trace, NF_ROWS_AUDIT_TRACE)

/* AuditRun/1 */
#define NF_ROWS_AUDIT_RUN(X, S) \
	X(S, TEXT, schema, DECLARED, "AuditRun/1") \
	X(S, REC(head), head, BY_FIELD, "who, where, when, with what") \
	X(S, TEXTS, argv,         DECLARED, "command, one word each") \
	X(S, NAT,   baud,         DECLARED, "of the console that writes are priced for: 10 bits a byte") \
	X(S, ENUM(audit_target), stdout_kind, MEASURED, "what the command's standard output was") \
	X(S, ENUM(audit_target), stderr_kind, MEASURED, "what its standard error was") \
	X(S, OINT,  wait_status,  MEASURED, "of the command, as wait() gives it") \
	X(S, OTEXT, failure,      MEASURED, "why the command failed; None: it did not, or was stopped") \
	X(S, NAT,   wall_ns,      MEASURED, "of the command") \
	X(S, NAT,   processes,    MEASURED, "that began a region") \
	X(S, NAT,   stray_ends,   MEASURED, "regions ended in a thread that had not begun them") \
	X(S, NAT,   too_deep,     MEASURED, "begins beyond the depth that is kept") \
	X(S, NAT,   lost,         MEASURED, "begins for which there was no room") \
	X(S, REC(audit_sums), empty, BY_FIELD, "regions with nothing in them, measured before each process's first") \
	X(S, LIST(audit_region), regions, BY_FIELD, "the most expensive on a console first") \
	X(S, OREC(audit_trace), trace, BY_FIELD, "the second execution; None: it was not asked for") \
	X(S, NAT,   findings,     DERIVED,  "regions with I/O") \
	X(S, BOOL,  complete,     DERIVED,  "every time of every region was measured, and the trace saw every call")
NF_RECORD(audit_run, NF_ROWS_AUDIT_RUN)
/* clang-format on */

#endif
