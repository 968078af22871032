/* SPDX-License-Identifier: MIT */
/* rec_audit_source - what was found in C sources: macros that are off by value and on by definedness, and
 * prints inside timed regions. */
#ifndef NF_RECORD_REC_AUDIT_SOURCE_H
#define NF_RECORD_REC_AUDIT_SOURCE_H

#include "record/rec_common.h"

/* In the order of enum nf_src_reach (source/macros.h). */
NF_RECORD_ENUM(source_reach)
/* enum nf_src_place_kind */
NF_RECORD_ENUM(source_definition_kind)

/* clang-format off */
#define NF_ROWS_SOURCE_PLACE(X, S) \
	X(S, TEXT, path, MEASURED, "file, as it was reached from what was named") \
	X(S, NAT,  line, MEASURED, "line in it, from 1")
NF_RECORD(source_place, NF_ROWS_SOURCE_PLACE)

#define NF_ROWS_SOURCE_DEFINITION(X, S) \
	X(S, ENUM(source_definition_kind), kind, MEASURED, "defined as 0, defined otherwise, or undefined") \
	X(S, REC(source_place), place, BY_FIELD, "where")
NF_RECORD(source_definition, NF_ROWS_SOURCE_DEFINITION)

#define NF_ROWS_SOURCE_MACRO(X, S) \
	X(S, TEXT, macro,   MEASURED, "the macro's name") \
	X(S, REC(source_place), zero, BY_FIELD, "where it is defined as 0") \
	X(S, REC(source_place), test, BY_FIELD, "where its definedness is asked for") \
	X(S, TEXT, condition, MEASURED, "the directive that asks, on one line") \
	X(S, ENUM(source_reach), reach, DERIVED, "how the definition reaches the test") \
	X(S, OREC(source_place), via, BY_FIELD, "the #include line that connects the two; None: the same file, or none is known") \
	X(S, BOOL, certain, DERIVED, "the definition reaches the test, and nothing says that 0 is meant as a number") \
	X(S, OTEXT, doubt,  DERIVED, "why it is less than certain, or what else the test may see; None: nothing") \
	X(S, LIST(source_definition), also, BY_FIELD, "other definitions that the test may see, the first of them") \
	X(S, NAT,  also_count, MEASURED, "of them in all") \
	X(S, NAT,  elsewhere, MEASURED, "definitions otherwise and #undefs in files that do not reach the test")
NF_RECORD(source_macro, NF_ROWS_SOURCE_MACRO)

#define NF_ROWS_SOURCE_PRINT(X, S) \
	X(S, TEXT, function, MEASURED, "the function that holds all three places; empty: not recognised") \
	X(S, TEXT, call,     MEASURED, "what prints") \
	X(S, REC(source_place), print, BY_FIELD, "where it prints") \
	X(S, REC(source_place), begin, BY_FIELD, "the clock is read") \
	X(S, REC(source_place), end,   BY_FIELD, "and read again") \
	X(S, BOOL, certain,  DERIVED,  "no condition stands between the region and the print") \
	X(S, OTEXT, doubt,   DERIVED,  "why it is less than certain; None: nothing")
NF_RECORD(source_print, NF_ROWS_SOURCE_PRINT)

#define NF_ROWS_SOURCE_UNREAD(X, S) \
	X(S, TEXT, path, MEASURED, "file or folder") \
	X(S, TEXT, why,  MEASURED, "what the system said")
NF_RECORD(source_unread, NF_ROWS_SOURCE_UNREAD)

#define NF_ROWS_SOURCE_FILES(X, S) \
	X(S, NAT, read,       MEASURED, "source files that were read") \
	X(S, NAT, bytes,      MEASURED, "bytes of them") \
	X(S, NAT, binary,     MEASURED, "files passed over: a NUL among their first 8,192 bytes") \
	X(S, NAT, large,      MEASURED, "files passed over: more than 256 MiB") \
	X(S, NAT, same,       MEASURED, "files passed over: names of one that was read") \
	X(S, NAT, links,      MEASURED, "symbolic links inside folders, not followed") \
	X(S, NAT, unreadable, MEASURED, "files and folders that could not be read") \
	X(S, NAT, lost,       MEASURED, "files that could not be read a second time: what was found in them is missing") \
	X(S, LIST(source_unread), unread, BY_FIELD, "the first of them")
NF_RECORD(source_files, NF_ROWS_SOURCE_FILES)

/* AuditSource/1 */
#define NF_ROWS_AUDIT_SOURCE(X, S) \
	X(S, TEXT,  schema,       DECLARED, "AuditSource/1") \
	X(S, TEXT,  tool_version, MEASURED, "version of noisefloor") \
	X(S, TEXTS, command,      DECLARED, "command line as given, one word each") \
	X(S, TEXT,  read_utc,     MEASURED, "RFC 3339 UTC") \
	X(S, TEXTS, paths,        DECLARED, "files and folders that were named") \
	X(S, BOOL,  complete,     MEASURED, "everything in them was read") \
	X(S, REC(source_files), files, BY_FIELD, "what was read and what was not") \
	X(S, NAT,   zeros,        MEASURED, "macros defined as 0: directives") \
	X(S, NAT,   tests,        MEASURED, "tests of definedness: names in #ifdef, #ifndef, defined and their like") \
	X(S, NAT,   names,        MEASURED, "macros that have both, in whatever files") \
	X(S, NAT,   includes_followed,  MEASURED, "#include lines followed to a file of the tree") \
	X(S, NAT,   includes_outside,   MEASURED, "#include lines that name no file of the tree") \
	X(S, NAT,   includes_ambiguous, MEASURED, "#include lines that several files could be meant by: not followed") \
	X(S, NAT,   timed_regions, MEASURED, "regions between two reads of a clock in one function") \
	X(S, LIST(source_macro), macros, BY_FIELD, "by the test's place; the uncertain ones where all were asked for") \
	X(S, LIST(source_print), prints, BY_FIELD, "by the print's place; the uncertain ones where all were asked for") \
	X(S, NAT,   uncertain_macros, DERIVED, "uncertain ones, listed or not") \
	X(S, NAT,   uncertain_prints, DERIVED, "uncertain ones, listed or not") \
	X(S, NAT,   replaced_text, DERIVED,  "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(audit_source, NF_ROWS_AUDIT_SOURCE)
/* clang-format on */

#endif
