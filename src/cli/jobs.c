/* SPDX-License-Identifier: MIT */
#include "cli/jobs.h"

#include "cli/color.h"

#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/progress.h"

const char *const nf_clock_names[] = { [NF_TICK_AUTO] = "auto",
	                               [NF_TICK_WANT_COUNTER] = "counter",
	                               [NF_TICK_WANT_MONOTONIC] = "monotonic",
	                               NULL };
const char *const nf_policy_names[] = { [NF_POLICY_OTHER] = "other",
	                                [NF_POLICY_FIFO] = "fifo",
	                                [NF_POLICY_RR] = "rr",
	                                [NF_POLICY_DEADLINE] = "deadline",
	                                NULL };

int nf_probe_common_set(struct nf_probe_common *common, const struct nf_probe_params *p,
                        struct nf_err *err)
{
	bool realtime = p->policy == NF_POLICY_FIFO || p->policy == NF_POLICY_RR;

	if (p->priority_given && !realtime)
		return nf_fail(err, NF_EARG,
		               "--priority: no meaning under --policy %s; allowed: with fifo or rr",
		               nf_policy_names[p->policy]);
	if (p->cpus)
		common->cpus = p->cpus;
	common->duration_ns = p->duration_ns;
	common->seed = (uint64_t)p->seed;
	if (p->max_sample_bytes > 0)
		common->max_sample_bytes = (size_t)p->max_sample_bytes;
	if (p->policy_given) {
		common->policy = (enum nf_policy)p->policy;
		common->policy_given = true;
		common->priority = realtime ? (int)p->priority : 0;
	}
	return 0;
}

/* "--name: " in front of a message from a layer that does not know options. */
static void name_option(const char *name, struct nf_err *err)
{
	struct nf_err before = *err;

	before.msg[sizeof(before.msg) - 32] = '\0';
	(void)nf_fail(err, before.code, "--%s: %s", name, before.msg);
	err->os_errno = before.os_errno;
}

int nf_runs_check(const char *runs, struct nf_err *err)
{
	static const char allowed[] = "allowed: a folder, or a new name in one";
	char quoted[NF_OPT_QUOTED];
	struct stat st;

	nf_opt_quote(runs, quoted);
	if (stat(runs, &st) == 0)
		return S_ISDIR(st.st_mode) ? 0
		                           : nf_fail(err, NF_EARG, "--runs: %s is not a folder; %s",
		                                     quoted, allowed);
	if (errno != ENOENT && errno != ENOTDIR)
		return 0;
	char *copy = strdup(runs);
	if (!copy)
		return nf_fail_nomem(err, "a path", strlen(runs));
	bool parent = stat(dirname(copy), &st) == 0 && S_ISDIR(st.st_mode);
	free(copy);
	return parent ? 0
	              : nf_fail(err, NF_EARG, "--runs: the folder of %s does not exist; %s", quoted,
	                        allowed);
}

void nf_timing_set(const struct nf_timing_params *p, const char *budget_file,
                   struct nf_job_budget *budget)
{
	if (budget_file)
		return;
	*budget = nf_job_budget_for_period(p->period_ns);
	if (p->max_jitter_given)
		budget->timing.max_jitter_ns = p->max_jitter_ns;
	if (p->max_latency_given)
		budget->timing.max_latency_ns = p->max_latency_ns;
}

int nf_job_opts_fill(const struct nf_cli *cli, const struct nf_job_params *p,
                     struct nf_job_opts *ret, struct nf_err *err)
{
	struct nf_job_opts o = {
		.runs_dir = cli->global->runs,
		.tag = p->tag ? p->tag : cli->cmd->name,
		.strict = cli->global->strict,
		.no_samples = p->no_samples,
		.why = p->why,
		.color = cli->color,
		.clock = (enum nf_tick_want)p->clock,
		.budget = nf_job_budget_default(),
		.argc = cli->argc,
		.argv = cli->argv,
		.environment = cli->environment,
		.owner_uid = cli->owner_uid,
		.owner_gid = cli->owner_gid,
		.stop = cli->stop,
		.journal = cli->journal,
		.no_journal = cli->no_journal,
		.reached = cli->global->reached,
		.recovered = cli->recovered,
		.watch = &cli->progress->watch,
	};

	int r = cli->cmd->measures ? nf_runs_check(cli->global->runs, err) : 0;
	if (r < 0)
		return r;
	if (p->budget) {
		struct nf_err e = { 0 };

		r = nf_job_budget_read(p->budget, &o.budget, &e);
		if (r < 0) {
			name_option("budget", &e);
			*err = e;
			return r;
		}
		o.budget_path = p->budget;
	}
	*ret = o;
	return 0;
}

static int print_summary(struct nf_cli *cli, const struct nf_job_outcome *o, struct nf_err *err)
{
	struct nf_buf text;

	nf_buf_init(&text, (size_t)1 << 24);
	if (cli->color)
		nf_color_verdicts(o->summary.data, &text);
	else
		(void)nf_buf_add(&text, o->summary.data, o->summary.len_bytes);
	if (o->folder.len_bytes)
		(void)nf_buf_addf(&text, "folder   %s\n", o->folder.data);
	int r = nf_buf_failed(&text, "the summary", err);
	if (r == 0)
		r = nf_cli_write(cli, text.data, text.len_bytes, err);
	nf_buf_fini(&text);
	return r;
}

static const char *ended_how(const struct nf_stop *stop)
{
	switch (stop->received) {
	case SIGINT:
		return "interrupted";
	case SIGHUP:
		return "terminated by SIGHUP";
	case SIGXCPU:
		return "terminated at the limit of CPU time (SIGXCPU)";
	default:
		return "terminated";
	}
}

int nf_job_print(struct nf_cli *cli, const struct nf_job_outcome *o, bool summary,
                 struct nf_err *err)
{
	int r = 0;

	nf_progress_clear(cli->progress);
	if (cli->global->json)
		r = nf_cli_write(cli, o->json.data, o->json.len_bytes, err);
	else if (summary && !cli->global->quiet)
		r = print_summary(cli, o, err);
	if (o->exit_code == NF_EXIT_SIGINT || o->exit_code == NF_EXIT_SIGTERM)
		nf_cli_note(cli, "%s; partial results are in %s", ended_how(cli->stop),
		            o->folder.data);
	/* A signal ranks above a standard output that cannot be written. */
	if (r < 0 && nf_exit_worse(o->exit_code, NF_EXIT_ERROR) == NF_EXIT_ERROR)
		return r;
	return o->exit_code;
}

int nf_job_cpus_blame(int r, const char *cpus, struct nf_err *err)
{
	struct nf_topology *topo = NULL;
	struct nf_cpuset set;
	struct nf_rootfs root;
	struct nf_err e = { 0 };

	if (r != -NF_EARG || !cpus || nf_rootfs_open(&root, NULL, NULL) < 0)
		return r;
	nf_cpuset_init(&set);
	if (nf_topology_load(&root, &topo, NULL) == 0 &&
	    nf_topology_select(topo, cpus, &set, &e) == -NF_EARG) {
		name_option("cpus", &e);
		*err = e;
	}
	nf_cpuset_fini(&set);
	nf_topology_free(topo);
	nf_rootfs_close(&root);
	return r;
}

int nf_probe_config(const struct nf_probe *probe, size_t size, void **ret, struct nf_err *err)
{
	if (size != probe->cfg_size)
		return nf_fail(err, NF_EARG, "config of probe %s has %zu bytes, not %zu",
		               probe->name, probe->cfg_size, size);
	void *cfg = calloc(1, size);
	if (!cfg)
		return nf_fail_nomem(err, "a probe's config", size);
	probe->defaults(cfg);
	*ret = cfg;
	return 0;
}

int nf_probe_command_run(struct nf_cli *cli, const struct nf_probe_command *c,
                         const struct nf_job_params *job, const struct nf_probe_params *common,
                         const void *params, struct nf_err *err)
{
	struct nf_job_outcome outcome;
	struct nf_job_opts opts;
	void *cfg = NULL;
	int r = nf_job_opts_fill(cli, job, &opts, err);

	if (r == 0)
		r = nf_probe_config(c->probe, c->cfg_size, &cfg, err);
	if (r != 0)
		return r;
	nf_job_outcome_init(&outcome);
	struct nf_probe_common *own = cfg; /* first member by contract */
	r = nf_probe_common_set(own, common, err);
	if (r == 0 && c->set)
		r = c->set(cfg, params, &opts, err);
	if (r == 0)
		r = nf_job_cpus_blame(nf_job_probe(&opts, c->probe, cfg, &outcome, err), own->cpus,
		                      err);
	if (r == 0)
		r = nf_job_print(cli, &outcome, true, err);
	nf_job_outcome_fini(&outcome);
	free(cfg);
	return r;
}
