/* SPDX-License-Identifier: MIT */
/* fwq_decl - the loops of both clocks; the counter's exist where kernel_arch.h reads one. */
#ifndef NF_MEASURE_FWQ_DECL_H
#define NF_MEASURE_FWQ_DECL_H

#include "measure/kernels/kernels.h"

nf_fwq_loop_fn nf_fwq_counter_nop, nf_fwq_counter_chain, nf_fwq_counter_fma, nf_fwq_counter_daxpy;
nf_fwq_loop_fn nf_fwq_monotonic_nop, nf_fwq_monotonic_chain, nf_fwq_monotonic_fma,
        nf_fwq_monotonic_daxpy;

#endif
