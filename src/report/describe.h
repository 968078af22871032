/* SPDX-License-Identifier: MIT */
/*
 * describe - a table of figures exactly as fwq-stats prints it, which is pandas' DataFrame.describe(): the
 * rows count, mean, std, min, 25%, 50%, 75%, max, a column a worker.
 *
 * A column's numbers have six decimals less the zeros that all of them end in; with a number below 1e-6, or
 * with one above 1e6 where one of them then takes more than twelve characters, they have exponents.
 */
#ifndef NF_REPORT_DESCRIBE_H
#define NF_REPORT_DESCRIBE_H

#include <stdint.h>

#include "base/buf.h"

enum { NF_DESCRIBE_ROWS = 8 };

struct nf_describe_column {
	uint64_t heading; /* the worker's number */
	double v[NF_DESCRIBE_ROWS]; /* in the order of the rows; finite, or NaN */
};

void nf_describe_table(const struct nf_describe_column *c, size_t n, struct nf_buf *out);

#endif
