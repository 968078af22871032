/* SPDX-License-Identifier: MIT */
#include "measure/kernels/kernels.h"

const char nf_kernels_compiler[] = NF_KERNELS_COMPILER;
const char nf_kernels_flags[] = NF_KERNELS_FLAGS;
