/* SPDX-License-Identifier: MIT */
#include "cli/compat.h"

struct params {
	struct nf_compat_params compat;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_COMPAT_HELP_OPT(struct params, compat),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	(void)cli;
	(void)params;
	(void)argc;
	(void)argv;
	return nf_fail(err, NF_EUNSUPPORTED,
	               "this program has no MPI; link fwq-mpi to noisefloor-mpi, or run "
	               "'mpirun noisefloor-mpi fwq'");
}

const struct nf_cmd nf_compat_fwq_mpi = {
	.name = "fwq-mpi",
	.operands = "",
	.max_operands = NF_OPERANDS_ANY,
	.summary = "fixed work quanta on MPI ranks: noisefloor-mpi does that",
	.description = "The MPI benchmark's options and files belong to the program "
	               "noisefloor-mpi, which is linked with MPI: 'mpirun noisefloor-mpi fwq'.",
	.opts = opts,
	.params_size = sizeof(struct params),
	.run = run,
};
