/* SPDX-License-Identifier: MIT */
/* results_of_record - what a record of bench run, compare, regress or sweep holds, as results. */
#ifndef NF_REPORT_RESULTS_OF_RECORD_H
#define NF_REPORT_RESULTS_OF_RECORD_H

#include <jansson.h>

#include "samples/results.h"

enum nf_results_side { NF_SIDE_BOTH, NF_SIDE_OLD, NF_SIDE_NEW };

/* record: in good form of its type. Every value of every set that did not fail, in the order they ran; the old
 * side against itself (the null row) is left out. Named by the variants' labels; those of one side of a comparison
 * by the comparisons, so that the files of two sides have the same names. ret is initialised by the
 * callee. -NF_EARG: the record is none of benchmarks, or has no sides; -NF_EDATA: too much (results.h). */
NF_NODISCARD int nf_results_of_record(const json_t *record, enum nf_results_side side,
                                      struct nf_results *ret, struct nf_err *err);

#endif
