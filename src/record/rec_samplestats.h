/* SPDX-License-Identifier: MIT */
/* rec_samplestats - statistics of files of samples: FWQ's text files and .nfsamples. */
#ifndef NF_RECORD_REC_SAMPLESTATS_H
#define NF_RECORD_REC_SAMPLESTATS_H

#include "record/rec_common.h"

/* clang-format off */
#define NF_ROWS_SAMPLE_FIGURES(X, S) \
	X(S, NAT,   n,    MEASURED, "values") \
	X(S, REAL,  mean, DERIVED,  "arithmetic mean") \
	X(S, OREAL, sd,   DERIVED,  "standard deviation, divisor n - 1; None: one value") \
	X(S, REAL,  min,  MEASURED, "smallest") \
	X(S, REAL,  p25,  DERIVED,  "25th percentile, type 7") \
	X(S, REAL,  p50,  DERIVED,  "median") \
	X(S, REAL,  p75,  DERIVED,  "75th percentile, type 7") \
	X(S, REAL,  p99,  DERIVED,  "99th percentile, type 7") \
	X(S, REAL,  p999, DERIVED,  "99.9th percentile, type 7") \
	X(S, REAL,  max,  MEASURED, "largest")
NF_RECORD(sample_figures, NF_ROWS_SAMPLE_FIGURES)

#define NF_ROWS_SAMPLE_WORKER(X, S) \
	X(S, TEXT,  name,    MEASURED, "who: 'Thread 0', 'Process 3', 'serial', or the stream's name") \
	X(S, OTEXT, cpus,    MEASURED, "CPUs it says it ran on; None: it does not say") \
	X(S, OREAL, ghz,     MEASURED, "its own rate, ticks per ns; None: it gives none or needs none") \
	X(S, TEXT,  unit,    DERIVED,  "of its figures: us, tick or count") \
	X(S, OREC(sample_figures), figures, BY_FIELD, "of all its values; None: none_why says why") \
	X(S, OTEXT, none_why, DERIVED, "why there are no figures") \
	X(S, OREAL, noise_ratio, DERIVED, "1 - n x min / sum: share of the time beyond the shortest; None: no fixed work") \
	X(S, BOOL,  least_sd, DERIVED, "least standard deviation of the file's workers") \
	X(S, BOOL,  most_sd, DERIVED,  "largest standard deviation of the file's workers") \
	X(S, NAT,   lost,    MEASURED, "samples dropped, saturated, missed or truncated while they were taken")
NF_RECORD(sample_worker, NF_ROWS_SAMPLE_WORKER)

#define NF_ROWS_FWQ_STATS_COLUMN(X, S) \
	X(S, NAT,   worker, MEASURED, "number of the thread or process") \
	X(S, TEXT,  name,   MEASURED, "its name among the workers") \
	X(S, TEXT,  cpus,   MEASURED, "CPUs it says it ran on; empty: it does not say") \
	X(S, REC(sample_figures), figures, BY_FIELD, "without its first value, at the rate of the last Speed line")
NF_RECORD(fwq_stats_column, NF_ROWS_FWQ_STATS_COLUMN)

#define NF_ROWS_FWQ_STATS(X, S) \
	X(S, OTEXT, stops_why, DERIVED, "why fwq-stats shows no figures of this file; None: it does") \
	X(S, OREAL, ghz,   MEASURED, "rate of the last Speed line, used for every worker; None: there is no such line") \
	X(S, TEXT,  unit,  DERIVED,  "of its figures: us or tick") \
	X(S, LIST(fwq_stats_column), columns, BY_FIELD, "the worker with the least and the one with the largest standard deviation")
NF_RECORD(fwq_stats, NF_ROWS_FWQ_STATS)

#define NF_ROWS_SAMPLE_FILE(X, S) \
	X(S, TEXT,  path,     DECLARED, "as it was named") \
	X(S, TEXT,  form,     MEASURED, "FWQ threads, FWQ processes, FWQ serial, .nfsamples, or empty") \
	X(S, BOOL,  complete, MEASURED, "nothing is missing at its end") \
	X(S, OTEXT, problem,  MEASURED, "what is missing or damaged") \
	X(S, BOOL,  damaged,  MEASURED, "a part other than the end is wrong") \
	X(S, TEXTS, notes,    MEASURED, "what a reader of the figures has to know") \
	X(S, LIST(sample_worker), workers, BY_FIELD, "least standard deviation first, then the largest, then as in the file") \
	X(S, OREC(fwq_stats), fwq_stats, BY_FIELD, "how fwq-stats reads the same file; None: it is no text file of FWQ")
NF_RECORD(sample_file, NF_ROWS_SAMPLE_FILE)

/* SampleStats/1 */
#define NF_ROWS_SAMPLE_STATS(X, S) \
	X(S, TEXT,  schema,        DECLARED, "SampleStats/1") \
	X(S, TEXT,  tool_version,  MEASURED, "version of noisefloor") \
	X(S, TEXTS, command,       DECLARED, "command line as given, one word each") \
	X(S, TEXT,  read_utc,      MEASURED, "RFC 3339 UTC") \
	X(S, LIST(sample_file), files, BY_FIELD, "in the order of the command line") \
	X(S, NAT,   replaced_text, DERIVED,  "broken UTF-8 sequences and non-characters replaced in texts") \
	X(S, TEXT,  claim_ceiling, DECLARED, "what this record does not show") \
	X(S, REC(honesty), honesty, BY_FIELD, "paths of this record by where their values come from")
NF_RECORD(sample_stats, NF_ROWS_SAMPLE_STATS)
/* clang-format on */

#endif
