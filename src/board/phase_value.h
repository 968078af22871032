/* SPDX-License-Identifier: MIT */
/* phase_value - a number that a board printed, and whether the counter printed beside it gives the same. */
#ifndef NF_BOARD_PHASE_VALUE_H
#define NF_BOARD_PHASE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal, with or without a fraction, or 0x...; all of text. ret_decimals: digits behind the point. */
bool nf_printed_number(const char *text, size_t len, double *ret, unsigned *ret_decimals);

/* "cntvct_diff=196167 cntfrq=24000000": a name that ends in diff, delta or ticks and one in frq, freq or hz, each with = or : and
 * a whole number. False: not both are there. */
bool nf_printed_counter(const char *text, size_t len, uint64_t *ret_diff, uint64_t *ret_hz);

/* diff / hz seconds in units of 1 / per_s, cut (not rounded) to so many decimals, is value. */
bool nf_counter_gives(uint64_t diff, uint64_t hz, double per_s, double value, unsigned decimals);

#endif
