/* SPDX-License-Identifier: MIT */
/*
 * interchange - results that other programs wrote (tables/interchange.def). Pure: text in, results out.
 *
 * hyperfine: `results`, each with `command` and `times` in seconds, beside them `exit_codes` and
 * `memory_usage_byte` where they are there.
 * Google Benchmark: `benchmarks`; of the entries of run_type "iteration" `real_time` in `time_unit`;
 * aggregates are left out, as they are made from those.
 * Go: golang.org/design/14313-benchmark-format. A line begins with Benchmark, then come the
 * number of iterations and pairs of a value and its unit; each unit is a result of its own. All
 * other lines are left out.
 * Lines: nothing but JSON objects with `bench`, `value` and `unit`, one a line; empty lines are fine.
 * smaller-is-better: an array of objects with `name`, `value`, `unit`.
 *
 * Times become ns. Text: at most NF_INTERCHANGE_BYTES; JSON: NF_JSON_IN_DEPTH levels, NF_JSON_IN_ITEMS values.
 */
#ifndef NF_BENCH_INTERCHANGE_H
#define NF_BENCH_INTERCHANGE_H

#include "samples/results.h"

enum { NF_INTERCHANGE_BYTES = 64 << 20, NF_INTERCHANGE_AUTO = NF_N_INTERCHANGE };

struct nf_interchange {
	const char *name;
	/* Adds to ret. name: of the text, for messages. -NF_EDATA: "NAME:LINE: what". */
	int (*read)(const char *text, size_t len_bytes, const char *name, struct nf_results *ret,
	            struct nf_err *err);
};
extern const struct nf_interchange
        *const nf_interchange[NF_N_INTERCHANGE]; /* by enum nf_interchange_id */

/* id: enum nf_interchange_id, or NF_INTERCHANGE_AUTO to tell it from the text. The form that was read in *ret_id (may
 * be NULL). ret is initialised by the callee; a text without any value is -NF_EDATA. */
NF_NODISCARD int nf_interchange_read(int id, const char *text, size_t len_bytes, const char *name,
                                     struct nf_results *ret, int *ret_id, struct nf_err *err);

#endif
