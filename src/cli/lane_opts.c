/* SPDX-License-Identifier: MIT */
#include "cli/lane_opts.h"

#include "cli/jobs.h"

const char *const nf_lane_loader_names[] = { "auto", "grub", "systemd-boot", "kexec", NULL };

void nf_lane_opts_fill(const struct nf_cli *cli, const struct nf_lane_params *p,
                       struct nf_lane_opts *ret)
{
	(void)cli;
	*ret = (struct nf_lane_opts){
		.where = { .root = p->root },
		.loader = p->loader ? nf_lane_loader_names[p->loader] : NULL,
		.entry = p->entry,
		.dry_run = p->dry_run,
	};
}

int nf_lane_command_run(struct nf_cli *cli, const struct nf_lane_params *p, nf_lane_job *job,
                        struct nf_err *err)
{
	static const struct nf_job_params none;
	struct nf_job_outcome outcome;
	struct nf_lane_opts l;
	struct nf_job_opts o;
	int r = nf_job_opts_fill(cli, &none, &o, err);

	if (r < 0)
		return r;
	nf_lane_opts_fill(cli, p, &l);
	nf_job_outcome_init(&outcome);
	r = job(&o, &l, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r;
}
