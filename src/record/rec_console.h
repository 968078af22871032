/* SPDX-License-Identifier: MIT */
/* rec_console - what was captured of a console, and what its times are worth (docs/METHOD.md). */
#ifndef NF_RECORD_REC_CONSOLE_H
#define NF_RECORD_REC_CONSOLE_H

#include "record/rec_common.h"

/* clang-format off */
enum nf_rec_port_kind { NF_REC_PORT_SERIAL, NF_REC_PORT_PTY, NF_REC_PORT_UNIX, NF_REC_PORT_TCP };
NF_RECORD_ENUM(port_kind) /* enum nf_port_kind (board/port.h) */

#define NF_ROWS_CONSOLE_PORT(X, S) \
	X(S, ENUM(port_kind), kind,     DECLARED, "what it is") \
	X(S, TEXT,  name,               DECLARED, "as it was opened") \
	X(S, OTEXT, device,             MEASURED, "device, links followed; None: a socket") \
	X(S, OTEXT, by_path,            MEASURED, "its name below /dev/serial/by-path; None: it has none") \
	X(S, OTEXT, driver,             MEASURED, "kernel driver; None: unknown") \
	X(S, ONAT,  baud,               MEASURED, "what the driver says it runs at; None: a socket") \
	X(S, ONAT,  latency_timer_ms,   MEASURED, "how long an FTDI adapter keeps bytes back; None: no such adapter, or unknown") \
	X(S, ONAT,  delay_ns,           DERIVED,  "longest way of a byte from the wire to where it can be read: adapter or FIFO; None: unknown") \
	X(S, OBOOL, carrier,            MEASURED, "modem line DCD at the beginning; None: there is none") \
	X(S, OBOOL, clear_to_send,      MEASURED, "modem line CTS at the beginning") \
	X(S, OBOOL, data_set_ready,     MEASURED, "modem line DSR at the beginning")
NF_RECORD(console_port, NF_ROWS_CONSOLE_PORT)

/* Of the UART's driver, end minus begin. */
#define NF_ROWS_CONSOLE_ERRORS(X, S) \
	X(S, NAT, overrun,     MEASURED, "bytes lost in the UART: its FIFO was full") \
	X(S, NAT, buf_overrun, MEASURED, "bytes lost in the kernel: its buffer was full") \
	X(S, NAT, frame,       MEASURED, "bytes without a stop bit: noise, or another rate") \
	X(S, NAT, parity,      MEASURED, "bytes with a wrong parity bit") \
	X(S, NAT, breaks,      MEASURED, "breaks on the line") \
	X(S, NAT, bytes,       MEASURED, "bytes received")
NF_RECORD(console_errors, NF_ROWS_CONSOLE_ERRORS)

#define NF_ROWS_CONSOLE_LINES(X, S) \
	X(S, NAT, lines,          DERIVED, "lines, the unterminated one at the end included") \
	X(S, NAT, lf,             DERIVED, "ended by LF") \
	X(S, NAT, lfcr,           DERIVED, "of those, by LF CR") \
	X(S, NAT, crlf,           DERIVED, "ended by CR LF") \
	X(S, NAT, crcrlf,         DERIVED, "ended by several CR and LF") \
	X(S, NAT, unterminated,   DERIVED, "without an ending") \
	X(S, NAT, replaced,       DERIVED, "times that a text was replaced: lone CR, backspace, erasing") \
	X(S, NAT, replaced_bytes, DERIVED, "bytes of text that are gone that way") \
	X(S, NAT, cut,            DERIVED, "lines longer than the limit") \
	X(S, NAT, cut_bytes,      DERIVED, "bytes of text beyond it") \
	X(S, NAT, nul,            DERIVED, "NUL bytes") \
	X(S, NAT, bad_utf8,       DERIVED, "broken UTF-8 sequences") \
	X(S, NAT, controls,       DERIVED, "control characters and sequences") \
	X(S, NAT, control_bytes,  DERIVED, "bytes of them")
NF_RECORD(console_lines, NF_ROWS_CONSOLE_LINES)

#define NF_ROWS_CONSOLE_RUN(X, S) \
	X(S, TEXT, schema,       DECLARED, "ConsoleRun/1") \
	X(S, REC(head), head,    BY_FIELD, "who, where, when, with what") \
	X(S, REC(console_port), port, BY_FIELD, "the port") \
	X(S, OREC(console_errors), errors, BY_FIELD, "what the UART's driver counted; None: it counts nothing") \
	X(S, BOOL, interactive,  DECLARED, "what was typed went to the board") \
	X(S, NAT,  bytes_typed,  MEASURED, "bytes that went to the board") \
	X(S, NAT,  limit_bytes,  DECLARED, "longest text of a line") \
	X(S, TEXT, epoch_utc,    MEASURED, "date where the capture's time is 0, RFC 3339 UTC") \
	X(S, NAT,  wall_ns,      MEASURED, "how long was captured") \
	X(S, NAT,  bytes,        MEASURED, "bytes that came") \
	X(S, NAT,  reads,        MEASURED, "reads that they came in") \
	X(S, REC(console_lines), lines, BY_FIELD, "what they hold") \
	X(S, OREAL, interval_mean_ns, DERIVED, "mean width, over all lines but the waiting ones, of the interval that holds the time of the first byte; None: no lines") \
	X(S, OREAL, interval_max_ns,  DERIVED, "the widest") \
	X(S, NAT,  waiting,      MEASURED, "lines that were there before the capture began: their intervals have no lower end") \
	X(S, LIST(file_ref), files, BY_FIELD, "the bytes and their index")
NF_RECORD(console_run, NF_ROWS_CONSOLE_RUN)
/* clang-format on */

#endif
