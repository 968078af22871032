/* SPDX-License-Identifier: MIT */
/*
 * multiple - many tests at once.
 *
 * Adjusted p values for p[0..n): reject where the adjusted one is at most the level. A p that is NaN
 * is a test that did not happen: it leaves the family before anything is counted, and stays NaN in
 * ret - the one place where NaN comes out, because it went in. Any other p outside [0, 1] is
 * -NF_EDATA with its index. n = 0 does nothing. ret may be p itself. -NF_ENOMEM.
 * Threads: no shared state.
 */
#ifndef NOISEFLOOR_MULTIPLE_H
#define NOISEFLOOR_MULTIPLE_H

#include <stddef.h>

#include "noisefloor/err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum nf_adjustment {
	NF_BONFERRONI, /* family-wise error; Dunn, Journal of the American Statistical Association 56, 1961 */
	NF_HOLM, /* family-wise error, step-down; Holm, Scandinavian Journal of Statistics 6, 1979 */
	NF_BENJAMINI_HOCHBERG, /* false discovery rate; Journal of the Royal Statistical Society B 57, 1995 */
	NF_BENJAMINI_YEKUTIELI, /* the same under any dependence; Annals of Statistics 29, 2001 */
};
NF_API NF_NODISCARD int nf_adjust_p(enum nf_adjustment how, const double *p, size_t n, double *ret,
                                    struct nf_err *err);

#ifdef __cplusplus
}
#endif

#endif
