/* SPDX-License-Identifier: MIT */
/* backends - THE table of what a set can be made from. */
#include "bench/backend.h"

#include "bench/backend_builtin.h"

extern const struct nf_backend nf_backend_command, nf_backend_report;

const struct nf_backend *const nf_backends[NF_N_BACKENDS] = {
	[NF_BACKEND_BUILTIN] = &nf_backend_builtin,
	[NF_BACKEND_COMMAND] = &nf_backend_command,
	[NF_BACKEND_REPORT] = &nf_backend_report,
};
