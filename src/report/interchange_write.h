/* SPDX-License-Identifier: MIT */
/*
 * interchange_write - results in the forms of other programs (tables/interchange.def), so that those read them.
 *
 * hyperfine: `times` in seconds with their figures; CPU times, memory and exit codes where they are known.
 * google: an entry a set, of its median. Every entry has `real_time` and `cpu_time`, which readers take unasked; a CPU time
 * that is not known is 0 with "cpu_time_known": false.
 * go: a line a value. A name begins with Benchmark and holds no blanks: what does not is changed.
 * lines: a line a value. smaller-is-better: the median of each.
 */
#ifndef NF_REPORT_INTERCHANGE_WRITE_H
#define NF_REPORT_INTERCHANGE_WRITE_H

#include "base/buf.h"
#include "samples/results.h"

/* For the forms that say where they come from; any may be NULL. */
struct nf_interchange_about {
	const char *host;
	const char *date; /* ISO 8601 */
};

/* Results without values are left out, but for google, which has failures. -NF_EDATA: the form cannot hold one of
 * them (a rate in smaller-is-better, what is no time in hyperfine or google), or there is none. */
NF_NODISCARD int nf_interchange_write(enum nf_interchange_id id, const struct nf_results *r,
                                      const struct nf_interchange_about *about, struct nf_buf *out,
                                      struct nf_err *err);

#endif
