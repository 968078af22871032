/* SPDX-License-Identifier: MIT */
/* duration - text forms of durations: a number and a unit (ns us ms s m h), e.g. 2.5s, 128us. */
#ifndef NF_BASE_DURATION_H
#define NF_BASE_DURATION_H

#include <stdint.h>

#include "base/buf.h"

/* Exact: "2.5s" is 2,500,000,000; "0.5ns" (not a whole ns), no unit, sign, exponent, overflow of
 * int64: -NF_EARG with the value and the units allowed. Also a ratio "128/48000s", rounded to
 * nearest. The result is >= 0. */
NF_NODISCARD int nf_duration_parse(const char *text, int64_t *ret_ns, struct nf_err *err);

/* Exact form that nf_duration_parse() reads back to the same value, in the largest unit that shows it
 * as at least 1 with at most three decimals (m and h: with none): 4000000 -> "4ms", 2666667 ->
 * "2666.667us", 0 -> "0s". ns >= 0. */
int nf_duration_print(int64_t ns, struct nf_buf *out);

/* For people: three significant digits and a unit (ns us ms s min h), "2.67 ms"; negative allowed.
 * ns must be finite: else -NF_EDATA, remembered by out. */
int nf_duration_print_short(double ns, struct nf_buf *out);

#endif
