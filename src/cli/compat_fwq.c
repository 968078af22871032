/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/compat.h"

struct params {
	struct nf_compat_params compat;
	int64_t samples;
	int64_t bits;
	const char *name;
	bool to_stdout;
	bool force;
};

/* clang-format off */
static const struct nf_opt opts[] = {
	{ NF_OPT_INT('n', "numsamples", struct params, samples, 1, INT64_C(1) << 32, 10000,
		"samples to take") },
	{ NF_OPT_INT('w', "work", struct params, bits, 3, 30, 20,
		"work of one sample, as a power of two: 2^N iterations") },
	{ NF_OPT_PATH('o', "outname", struct params, name, "fwq", "NAME",
		"the file is NAME_0_times.dat, which must not exist"), .conflicts = "stdout" },
	{ NF_OPT_FLAG('s', "stdout", struct params, to_stdout,
		"write the samples to standard output instead") },
	{ NF_OPT_FLAG(0, "force", struct params, force, "replace the file") },
	NF_COMPAT_HELP_OPT(struct params, compat),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	const struct params *p = params;
	struct nf_compat_fwq f = {
		.form = NF_FWQ_SERIAL,
		.cpus = "allowed",
		.n_threads = 1,
		.n_samples = p->samples,
		.bits = p->bits,
		.force = p->force,
	};
	char *path = NULL, banner[128];

	(void)argc;
	(void)argv;
	if (!p->to_stdout && asprintf(&path, "%s_0_times.dat", p->name) < 0)
		return nf_fail_nomem(err, "a file's name", 0);
	f.path = p->to_stdout ? NULL : path;
	snprintf(banner, sizeof(banner), "numsamples = %" PRId64 "\nwork_length = 2^%" PRId64 "\n",
	         p->samples, p->bits);
	f.banner = banner;
	int r = nf_compat_measure(cli, &f, err);
	if (!p->to_stdout)
		free(path);
	return r;
}

const struct nf_cmd nf_compat_fwq = {
	.name = "fwq",
	.operands = "",
	.summary = "fixed work quanta on one CPU, as the serial FWQ benchmark writes them",
	.description =
	        "Times the same work again and again on the first CPU it may run on and "
	        "writes the ticks of each sample, a line each. The work is a "
	        "counted loop: -w 14 is that of 'noisefloor fwq --kernel nop -w 2^14', which "
	        "does more.",
	.opts = opts,
	.params_size = sizeof(struct params),
	.measures = true,
	.run = run,
};
