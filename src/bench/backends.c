/* SPDX-License-Identifier: MIT */
/* backends - THE table of what a set can be made from. */
#include "bench/backend.h"

#include "bench/backend_builtin.h"

const struct nf_backend *const nf_backends[NF_N_BACKENDS] = {
	[NF_BACKEND_BUILTIN] = &nf_backend_builtin,
	[NF_BACKEND_COMMAND] = NULL,
	[NF_BACKEND_REPORT] = NULL,
};
