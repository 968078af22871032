/* SPDX-License-Identifier: MIT */
#include "cli/lane_opts.h"

#include <unistd.h>

#include "cli/jobs.h"

const char *const nf_lane_loader_names[] = { "auto", "grub", "systemd-boot", "kexec", NULL };

/* clang-format off */
const struct nf_opt nf_lane_plain_opts[] = {
	NF_LANE_ROOT_OPT(struct nf_lane_plain, lane),
	NF_LANE_LOADER_OPT(struct nf_lane_plain, lane),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

void nf_lane_opts_fill(const struct nf_cli *cli, const struct nf_lane_params *p,
                       struct nf_lane_opts *ret)
{
	*ret = (struct nf_lane_opts){
		.where = { .root = p->root,
		           .target = cli->global->target,
		           .ssh_config = cli->global->ssh_config },
		.loader = p->loader ? nf_lane_loader_names[p->loader] : NULL,
		.entry = p->entry,
		.dry_run = p->dry_run,
	};
}

/* What failed because a signal came is no failure of the machine. */
static int stopped_or(const struct nf_cli *cli, int r, const struct nf_err *err)
{
	int signo = nf_stop_signo(cli->stop);

	if (signo == 0)
		return r;
	nf_cli_note(cli, "%s; nothing was kept", err->msg);
	return signo == SIGINT ? NF_EXIT_SIGINT : NF_EXIT_SIGTERM;
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
	return r < 0 ? stopped_or(cli, r, err) : r;
}

int nf_lane_plain_run(struct nf_cli *cli, const struct nf_lane_plain *p, nf_lane_job *job,
                      struct nf_err *err)
{
	return nf_lane_command_run(cli, &p->lane, job, err);
}

void nf_lane_tell(const struct nf_cli *cli, const char *text)
{
	if (!cli->global->quiet && !cli->global->json && isatty(STDERR_FILENO))
		nf_cli_note(cli, "%s: %s", cli->global->target, text);
}

static void tell(void *ctx, const char *text)
{
	nf_lane_tell(ctx, text);
}

int nf_lane_trip_run(struct nf_cli *cli, const struct nf_lane_params *p,
                     const struct nf_lane_trip_params *trip, const struct nf_lane_trip_hooks *hooks,
                     struct nf_err *err)
{
	struct nf_job_params job = { .tag = trip->tag };
	struct nf_lane_trip_job j = {
		.trip = { .measures = hooks != NULL,
		          .boot_ns = trip->boot_ns,
		          .down_ns = trip->down_ns,
		          .lost_ns = trip->lost_ns,
		          .poll_ns = trip->poll_ns },
		.base = trip->base,
		.overlay = trip->overlay,
		.resume = trip->resume,
		.owner_issue = trip->issue,
		.intent = trip->intent,
	};
	struct nf_job_outcome outcome;
	struct nf_job_opts o;

	if (!cli->global->target)
		return nf_fail(
		        err, NF_EARG,
		        "--target is missing: a machine cannot wait for its own reboot; allowed: "
		        "--target USER@HOST, run on another one");
	int r = nf_job_opts_fill(cli, &job, &o, err);
	if (r < 0)
		return r;
	if (hooks)
		j.hooks = *hooks;
	else
		j.hooks.ctx = cli;
	if (!hooks)
		j.hooks.tell = tell;
	nf_lane_opts_fill(cli, p, &j.lane);
	nf_job_outcome_init(&outcome);
	r = nf_job_lane_trip(&o, &j, &outcome, err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	return r < 0 ? stopped_or(cli, r, err) : r;
}
