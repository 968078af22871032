/* SPDX-License-Identifier: MIT */
/* rec_posture - the setup of a machine by itself, with what a profile says about it. */
#ifndef NF_RECORD_REC_POSTURE_H
#define NF_RECORD_REC_POSTURE_H

#include "record/rec_common.h"

/* clang-format off */
enum nf_rec_match { NF_MATCH_MISSING, NF_MATCH_MISMATCHED, NF_MATCH_MATCHED };
NF_RECORD_ENUM(match)

#define NF_ROWS_PROFILE_LINE(X, S) \
	X(S, NAT,   line,   DECLARED, "line number in the profile, from 1") \
	X(S, TEXT,  text,   DECLARED, "the line") \
	X(S, ENUM(match), match, DERIVED, "what the machine says to it") \
	X(S, OTEXT, found,  MEASURED, "the machine's value; None: it has none, or it cannot be read") \
	X(S, OTEXT, unread, MEASURED, "why it cannot be read; then missing says nothing about the machine")
NF_RECORD(profile_line, NF_ROWS_PROFILE_LINE)

#define NF_ROWS_ADVICE_ITEM(X, S) \
	X(S, TEXT, id,        DERIVED,  "which rule speaks") \
	X(S, TEXT, found,     DERIVED,  "what the machine says") \
	X(S, TEXT, effect,    DECLARED, "what that does to timing") \
	X(S, TEXT, help,      DECLARED, "what would help") \
	X(S, TEXT, read_from, DECLARED, "the fact of setup, or the file, that it stands on") \
	X(S, TEXT, source,    DECLARED, "the document that says so")
NF_RECORD(advice_item, NF_ROWS_ADVICE_ITEM)

#define NF_ROWS_ADVICE(X, S) \
	X(S, LIST(advice_item), items, BY_FIELD, "what spoils timing here and what would help") \
	X(S, TEXTS, undecided, DERIVED, "rules whose fact is unknown here")
NF_RECORD(advice, NF_ROWS_ADVICE)

/* Posture/1 */
#define NF_ROWS_POSTURE(X, S) \
	X(S, TEXT,  schema,        DECLARED, "Posture/1") \
	X(S, TEXT,  tool_version,  MEASURED, "version of noisefloor") \
	X(S, TEXTS, command,       DECLARED, "command line as given, one word each") \
	X(S, TEXT,  read_utc,      MEASURED, "RFC 3339 UTC") \
	X(S, TEXT,  root,          DECLARED, "tree it was read from; / is the live system") \
	X(S, REC(host), host,      BY_FIELD, "which machine") \
	X(S, ENUM(lane), lane,     MEASURED, "realtime lane of the kernel") \
	X(S, REC(setup), setup,    BY_FIELD, "every fact") \
	X(S, OTEXT, profile,       DECLARED, "profile it was checked against") \
	X(S, LIST(profile_line), profile_lines, BY_FIELD, "the profile's lines") \
	X(S, OENUM(result), result, DERIVED, "verdict on the profile; None: none was given") \
	X(S, OTEXT, reason,        DERIVED,  "why the verdict is not pass") \
	X(S, OREC(advice), advice, BY_FIELD, "None: not asked for") \
	X(S, NAT,   replaced_text, DERIVED,  "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(posture, NF_ROWS_POSTURE)
/* clang-format on */

#endif
