/* SPDX-License-Identifier: MIT */
/* rec_history - one figure over many runs, and where its level changed. */
#ifndef NF_RECORD_REC_HISTORY_H
#define NF_RECORD_REC_HISTORY_H

#include "record/type.h"

/* clang-format off */
#define NF_ROWS_HISTORY_POINT(X, S) \
	X(S, TEXT,  folder,      MEASURED, "the run folder's name") \
	X(S, OTEXT, started_utc, MEASURED, "RFC 3339") \
	X(S, REAL,  value,       MEASURED, "in the metric's unit") \
	X(S, OTEXT, kernel,      MEASURED, "kernel release") \
	X(S, OTEXT, boot_id,     MEASURED, "boot it ran on") \
	X(S, BOOL,  complete,    MEASURED, "false: the run ended early; such points are shown and not judged")
NF_RECORD(history_point, NF_ROWS_HISTORY_POINT)

#define NF_ROWS_HISTORY_STEP(X, S) \
	X(S, NAT,   at,          DERIVED, "index of the first point of the new level") \
	X(S, TEXT,  folder,      DERIVED, "its run folder") \
	X(S, OREAL, ratio,       DERIVED, "median after over median before, between the neighbouring steps; None: not every value is above 0") \
	X(S, REAL,  difference,  DERIVED, "median after minus median before, in the metric's unit") \
	X(S, REAL,  p,           DERIVED, "share of orders that split as well") \
	X(S, REAL,  superiority, DERIVED, "probability that a value after the step is beyond one before it")
NF_RECORD(history_step, NF_ROWS_HISTORY_STEP)

#define NF_ROWS_HISTORY_SERIES(X, S) \
	X(S, OTEXT, host,    MEASURED, "host label") \
	X(S, OTEXT, machine, MEASURED, "machine hash") \
	X(S, OTEXT, lane,    MEASURED, "realtime lane") \
	X(S, OTEXT, tag,     MEASURED, "tag of the runs") \
	X(S, LIST(history_point), points, BY_FIELD, "in order of time") \
	X(S, LIST(history_step),  steps,  BY_FIELD, "where the level changed for good") \
	X(S, OTEXT, unjudged, DERIVED, "why no step can be found here; None: looked for")
NF_RECORD(history_series, NF_ROWS_HISTORY_SERIES)

#define NF_ROWS_HISTORY_METRIC(X, S) \
	X(S, TEXT, id,   DECLARED, "name of the figure") \
	X(S, NAT,  runs, MEASURED, "runs that have it") \
	X(S, TEXT, unit, DECLARED, "of its values") \
	X(S, TEXT, text, DECLARED, "what it is")
NF_RECORD(history_metric, NF_ROWS_HISTORY_METRIC)

/* History/1 */
#define NF_ROWS_HISTORY(X, S) \
	X(S, TEXT,  schema,   DECLARED, "History/1") \
	X(S, TEXT,  tool_version, MEASURED, "version of noisefloor") \
	X(S, OTEXT, metric,   DECLARED, "figure asked for; None: the list of figures was") \
	X(S, OTEXT, unit,     DECLARED, "of its values") \
	X(S, OTEXT, text,     DECLARED, "what it is") \
	X(S, OBOOL, lower_is_better, DECLARED, "which direction is better") \
	X(S, LIST(history_metric), metrics, BY_FIELD, "figures that runs here have; empty when one was asked for") \
	X(S, LIST(history_series), series,  BY_FIELD, "one per machine, lane and tag") \
	X(S, NAT,   uncommitted, MEASURED, "run folders without a MANIFEST, left out") \
	X(S, TEXTS, notes,    MEASURED, "what a reader must know") \
	X(S, NAT,   replaced_text, DERIVED, "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this does not show")
NF_RECORD(history, NF_ROWS_HISTORY)
/* clang-format on */

#endif
