/* SPDX-License-Identifier: MIT */
/* rec_property - a run of properties: what was checked, how often, and what came of it. */
#ifndef NF_RECORD_REC_PROPERTY_H
#define NF_RECORD_REC_PROPERTY_H

#include "record/rec_common.h"

/* clang-format off */
/* In the order of enum pt_outcome (noisefloor/prop.h), but for the first. */
enum nf_rec_property_outcome { NF_PROPERTY_BROKEN, NF_PROPERTY_PASSED, NF_PROPERTY_FAILED, NF_PROPERTY_GAVE_UP,
                               NF_PROPERTY_VACUOUS, NF_PROPERTY_UNCOVERED };
NF_RECORD_ENUM(property_outcome)

#define NF_ROWS_PROPERTY_RESULT(X, S) \
	X(S, TEXT,  name,      DECLARED, "property") \
	X(S, TEXT,  law,       DECLARED, "what it says, in a sentence") \
	X(S, ENUM(property_outcome), outcome, MEASURED, "what came of it") \
	X(S, NAT,   cases,     MEASURED, "cases that got to their end") \
	X(S, NAT,   discarded, MEASURED, "cases that did not meet its assumptions") \
	X(S, OTEXT, message,   MEASURED, "why it did not pass") \
	X(S, OTEXT, blob,      MEASURED, "replays the failing case")
NF_RECORD(property_result, NF_ROWS_PROPERTY_RESULT)

/* PropertyRun/1 */
#define NF_ROWS_PROPERTY_RUN(X, S) \
	X(S, TEXT,  schema,        DECLARED, "PropertyRun/1") \
	X(S, TEXT,  tool_version,  MEASURED, "version of noisefloor") \
	X(S, TEXT,  compiler,      MEASURED, "compiler and version of the program that ran them") \
	X(S, TEXT,  sanitize,      MEASURED, "sanitizers, or none") \
	X(S, OTEXT, commit,        MEASURED, "commit it was built from; -dirty: with uncommitted changes") \
	X(S, TEXT,  finished_utc,  MEASURED, "RFC 3339 UTC") \
	X(S, TEXT,  suite,         DECLARED, "suite of properties") \
	X(S, TEXT,  seed,          DECLARED, "seed, decimal: the same gives the same run") \
	X(S, NAT,   properties,    DERIVED,  "properties that were run") \
	X(S, NAT,   passed,        DERIVED,  "those that passed") \
	X(S, NAT,   cases,         DERIVED,  "cases over all of them") \
	X(S, TEXT,  line,          DERIVED,  "all of it in a line: N properties, M cases, seed") \
	X(S, LIST(property_result), results, BY_FIELD, "one each, in the suite's order") \
	X(S, ENUM(result), result, DERIVED,  "pass when all did") \
	X(S, NAT,   replaced_text, DERIVED,  "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(property_run, NF_ROWS_PROPERTY_RUN)
/* clang-format on */

#endif
