/* SPDX-License-Identifier: MIT */
/*
 * metrics - the figures that runs are compared and followed by, found in a record's JSON form. The rows
 * are those of tables/metrics.def; several of them with one id are one metric.
 */
#ifndef NF_RECORD_METRICS_H
#define NF_RECORD_METRICS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum nf_better { NF_LOWER, NF_HIGHER };
enum nf_reduce { NF_REDUCE_MIN, NF_REDUCE_MAX, NF_REDUCE_MEDIAN, NF_REDUCE_SUM };
enum { NF_METRIC_VALUES_MAX = 1024 }; /* of one run; the first so many are taken */

struct nf_metric {
	const char *id; /* "numa.speedup" */
	const char *schema; /* "WindowRun/1", "HostProbeRun" */
	const char *path;
	double scale;
	enum nf_reduce reduce;
	const char *unit; /* "ns", "ratio", "count", "ppm" */
	enum nf_better better;
	const char *text;
};

size_t nf_metrics_count(void); /* rows */
const struct nf_metric *nf_metrics_row(size_t i); /* NULL: past the end */
const struct nf_metric *nf_metrics_find(const char *id); /* the first row of that id; NULL: none */

/* The schema's name of a record: its field `schema`; "HostProbeRun" for that type's fields without one;
 * NULL: neither. Borrowed from the record or static. */
const char *nf_metrics_schema(const json_t *record);

/* Each metric that the record has a number for, in the order of the rows: its n >= 1 values in the order
 * of the record, in `unit`, and the one that stands for the run. Values that are null or absent are left out.
 * A non-zero return stops and is returned. */
typedef int nf_metric_fn(void *ctx, const struct nf_metric *m, const double *value, size_t n,
                         double whole);
int nf_metrics_read(const json_t *record, nf_metric_fn *fn, void *ctx);

#endif
