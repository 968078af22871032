/* SPDX-License-Identifier: MIT */
/* rec_port_check - what is known of a board's port, and what would make it better. */
#ifndef NF_RECORD_REC_PORT_CHECK_H
#define NF_RECORD_REC_PORT_CHECK_H

#include "record/rec_console.h"

/* clang-format off */
enum nf_rec_port_rate {
	NF_PORT_RATE_UNKNOWN, NF_PORT_RATE_NOT_APPLICABLE, NF_PORT_RATE_SILENT, NF_PORT_RATE_NONE_FITS,
	NF_PORT_RATE_ANOTHER, NF_PORT_RATE_AS_GIVEN,
};
NF_RECORD_ENUM(port_rate)
enum nf_rec_power_state { NF_REC_POWER_UNKNOWN, NF_REC_POWER_OFF, NF_REC_POWER_ON };
NF_RECORD_ENUM(power_state) /* enum nf_power_state (board/power.h) */

#define NF_ROWS_PORT_LISTENED(X, S) \
	X(S, ONAT, baud,       DECLARED, "rate of the port meanwhile; None: it has none") \
	X(S, NAT,  wall_ns,    MEASURED, "how long it was listened to") \
	X(S, NAT,  bytes,      MEASURED, "bytes that came; at most 3 of an incomplete character are not counted") \
	X(S, NAT,  text_bytes, DERIVED,  "of them: printable characters of UTF-8, blanks, line ends, BEL, BS, ESC")
NF_RECORD(port_listened, NF_ROWS_PORT_LISTENED)

#define NF_ROWS_PORT_POWER(X, S) \
	X(S, TEXT,  driver,  DECLARED, "what switches the power") \
	X(S, ENUM(power_state), state, MEASURED, "what the switch says") \
	X(S, OTEXT, trouble, MEASURED, "why it could not be asked; None: it answered, or is one that cannot be asked")
NF_RECORD(port_power, NF_ROWS_PORT_POWER)

/* PortCheck/1 */
#define NF_ROWS_PORT_CHECK(X, S) \
	X(S, TEXT,  schema,       DECLARED, "PortCheck/1") \
	X(S, TEXT,  tool_version, MEASURED, "version of noisefloor") \
	X(S, TEXTS, command,      DECLARED, "command line as given, one word each") \
	X(S, TEXT,  checked_utc,  MEASURED, "RFC 3339 UTC") \
	X(S, OTEXT, board,        DECLARED, "the board's name in its campaign file; None: a port was named") \
	X(S, REC(console_port), port, BY_FIELD, "the port") \
	X(S, OTEXT, by_id,        MEASURED, "its name below /dev/serial/by-id; None: it has none") \
	X(S, OTEXT, trouble,      MEASURED, "why it could not be listened to, and who holds it; None: it could") \
	X(S, NAT,  waiting_bytes, MEASURED, "bytes that had come before it was opened: at what rate is unknown, so they are no evidence") \
	X(S, OREC(port_listened), listened, BY_FIELD, "what came, at the rate that was given; None: it could not be opened") \
	X(S, OTEXT, last_line,    MEASURED, "the last text that came; None: none did") \
	X(S, OREC(console_errors), errors, BY_FIELD, "what the UART's driver counted meanwhile; None: it counts nothing") \
	X(S, LIST(port_listened), tried, BY_FIELD, "other rates that were tried, in order") \
	X(S, ENUM(port_rate), rate, DERIVED, "whether the rate that was given is the board's") \
	X(S, ONAT,  rate_baud,    DERIVED,  "the rate at which it reads as text; None: unknown") \
	X(S, OREC(port_power), power, BY_FIELD, "the power switch; None: a port was named") \
	X(S, TEXTS, findings,     DERIVED,  "what is wrong, one sentence each") \
	X(S, TEXTS, advice,       DERIVED,  "what would make it better") \
	X(S, TEXTS, udev_rules,   DERIVED,  "lines for a file in /etc/udev/rules.d that do so") \
	X(S, NAT,   replaced_text, DERIVED, "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(port_check, NF_ROWS_PORT_CHECK)
/* clang-format on */

#endif
