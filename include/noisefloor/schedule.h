/* SPDX-License-Identifier: MIT */
/*
 * schedule - in which order the sets of several variants run, as a function of a seed.
 *
 * Never all of one and then all of the next: under drift that turns a nominal 1 % test into 20 to 44 %
 * false alarms. Pure; same seed, same schedule, on every machine. Threads: no shared state.
 */
#ifndef NOISEFLOOR_SCHEDULE_H
#define NOISEFLOOR_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NF_SCHEDULE_VARIANTS_MAX = 256 };

/* Two variants, 0 and 1, n_pairs of each: blocks of four, 0110 or 1001 at random; pair j is the
 * slots 2j and 2j + 1, neighbours within a block. An odd last pair is 01 or 10. ret_variant[2 n_pairs]. */
NF_API NF_NODISCARD int nf_schedule_pairs(uint64_t seed, size_t n_pairs, uint8_t *ret_variant,
                                          struct nf_err *err);

/* k variants (2..NF_SCHEDULE_VARIANTS_MAX), n_rows rows of k slots, each variant once a row. Rows come
 * from Williams designs (Australian Journal of Scientific Research A 2, 1949): of k rows for even k, 2k
 * for odd k, in which each variant follows each other one equally often; names and order of the rows
 * are random, anew for every design. Whole designs are balanced; n_rows may end within one.
 * ret_variant[n_rows k]. */
NF_API NF_NODISCARD int nf_schedule_williams(uint64_t seed, size_t k, size_t n_rows,
                                             uint8_t *ret_variant, struct nf_err *err);
/* Rows of one design. */
NF_API size_t nf_schedule_williams_rows(size_t k);

#ifdef __cplusplus
}
#endif

#endif
