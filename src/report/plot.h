/* SPDX-License-Identifier: MIT */
/* plot - a series as characters, for a terminal or a file: plain ASCII. Pure. */
#ifndef NF_REPORT_PLOT_H
#define NF_REPORT_PLOT_H

#include "base/buf.h"

struct nf_plot {
	const double *y; /* finite */
	size_t n; /* at least 1 */
	const size_t *mark; /* indices with a '^' below, rising; may be NULL */
	size_t n_marks;
	size_t width; /* columns for points; more points share columns, shown by their median */
	size_t height; /* rows, at least 2 */
	bool log; /* logarithmic where every value is above 0, else linear */
	/* Writes a value for the axis, at most 11 columns. */
	int (*label)(struct nf_buf *out, double value);
};

/* 0 or the buffer's failure; -NF_ENOMEM. */
int nf_plot_draw(const struct nf_plot *p, struct nf_buf *out);

#endif
