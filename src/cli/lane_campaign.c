/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/jobs.h"
#include "cli/lane_compare.h"
#include "cli/lane_opts.h"
#include "cli/target.h"
#include "job/target.h"

struct params {
	struct nf_lane_params lane;
	struct nf_lane_trip_params trip;
	int profile;
};

static const char *const profiles[] = { "quick", "standard", "deep", NULL };

/* clang-format off */
static const struct nf_opt opts[] = {
	NF_LANE_LOADER_OPT(struct params, lane),
	NF_LANE_ENTRY_OPT(struct params, lane),
	{ NF_OPT_CHOICE(0, "profile", struct params, profile, profiles, 0, "NAME", "how much `host` measures in each lane") },
	NF_LANE_TRIP_OPTS(struct params, trip),
	NF_LANE_WAIT_OPTS(struct params, trip),
	{ .kind = NF_OPT_END },
};
/* clang-format on */

struct campaign {
	struct nf_cli *cli;
	const struct params *p;
};

static void tell(void *ctx, const char *text)
{
	const struct campaign *c = ctx;

	nf_lane_tell(c->cli, text);
}

/* The last component of a path; *cap: with its NUL. */
static int take_name(const char *path, char *ret, size_t cap, struct nf_err *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (strlen(name) >= cap)
		return nf_fail(err, NF_EDATA, "the run folder's name is too long");
	memcpy(ret, name, strlen(name) + 1);
	return 0;
}

/* `host` on the target, as --target runs it. A window with findings is a window. */
static int measure(void *ctx, enum nf_lane lane, char *ret_name, size_t cap, struct nf_err *err)
{
	const struct campaign *c = ctx;
	const struct nf_globals *g = c->cli->global;
	const char *name = nf_lane_name(lane);
	char tag[256], how[NF_TARGET_TEXT + 8];
	struct nf_cli_target_places places;
	struct nf_target_result res;
	struct nf_target target;
	int r = nf_cli_target_check(c->cli, &target, err);

	if (r < 0)
		return r;
	snprintf(tag, sizeof(tag), "%.200s-%s", c->p->trip.tag ? c->p->trip.tag : "lane", name);
	snprintf(how, sizeof(how), "ssh %s", target.text);
	const struct nf_target_word words[] = {
		{ "--runs=", "/runs" },    { "host", NULL },
		{ "--profile", NULL },     { profiles[c->p->profile], NULL },
		{ "--tag", NULL },         { tag, NULL },
		{ "--expect-lane", NULL }, { name, NULL },
	};
	struct nf_target_job job = { .how = how,
		                     .words = words,
		                     .n_words = sizeof(words) / sizeof(words[0]),
		                     .as_root = true,
		                     .keeps_run = true,
		                     .timeout_ns = g->target_timeout_ns,
		                     .runs_dir = g->runs,
		                     .owner_uid = c->cli->owner_uid,
		                     .owner_gid = c->cli->owner_gid };
	nf_cli_target_deploy(c->cli, &target, &places, &job.deploy);
	nf_target_result_init(&res);
	r = nf_job_target(&job, &res, err);
	if (r == 0 && res.stopped)
		r = nf_fail(err, NF_ESUBJECT, "stopped before the window was whole");
	else if (r == 0 && res.timed_out)
		r = nf_fail(err, NF_EUNSUPPORTED, "host did not end within --target-timeout");
	else if (r == 0 && !res.has_run)
		r = nf_fail(err, NF_EUNSUPPORTED, "host left no run, its exit status is %d%s%s",
		            res.status, *res.message ? ": " : "", res.message);
	if (r == 0)
		r = take_name(res.folder.data, ret_name, cap, err);
	nf_target_result_fini(&res);
	return r;
}

static int compare(void *ctx, const char *generic, const char *rt, struct nf_buf *out,
                   struct nf_err *err)
{
	const struct campaign *c = ctx;
	char path[2][4096];
	const char *const run[] = { path[0], path[1] };

	snprintf(path[0], sizeof(path[0]), "%s/%s", c->cli->global->runs, generic);
	snprintf(path[1], sizeof(path[1]), "%s/%s", c->cli->global->runs, rt);
	(void)nf_buf_addc(out, '\n');
	return nf_lane_compare(run, 2, out, err);
}

static int run(struct nf_cli *cli, const void *params, int argc, const char *const argv[],
               struct nf_err *err)
{
	struct campaign c = { cli, params };
	const struct nf_lane_trip_hooks hooks = {
		.ctx = &c, .measure = measure, .compare = compare, .tell = tell
	};

	(void)argc;
	(void)argv;
	return nf_lane_trip_run(cli, &c.p->lane, &c.p->trip, &hooks, err);
}

const struct nf_cmd nf_cmd_lane_campaign = {
	.name = "lane campaign",
	.operands = "",
	.summary = "a window in the generic kernel, one in the realtime kernel, and what differs",
	.description = "Measures the target with `host` in its generic kernel, boots its realtime "
	               "kernel once, "
	               "verifies it, measures there, boots back, verifies that everything is what "
	               "it was, and "
	               "compares both windows (`evidence compare`). It leaves three run folders: "
	               "the two windows and "
	               "a KernelValidationRun that names them.\n\n"
	               "The persistent default is never changed: a machine that hangs comes back "
	               "with it at the next "
	               "reset. A connection that is lost is looked for, and the window measured "
	               "again. What was "
	               "changed is put back whatever happens, also after Ctrl-C, as far as the "
	               "machine can be "
	               "reached; what could not be is told. --resume goes on with a campaign that "
	               "was interrupted or "
	               "went wrong: a window that is there is not measured again.\n\n"
	               "Exit 1: something is not as it should be; 3: refused before anything was "
	               "changed (`lane "
	               "arm`); 5: the machine did not do what it was asked to.",
	.examples = "--target root@board lane campaign # generic, realtime, back, compared\n"
	            "--target root@board lane campaign --profile standard --overlay rt.profile\n"
	            "--target root@board lane campaign --resume runs/20260102T030405Z-board-lane",
	.opts = opts,
	.params_size = sizeof(struct params),
	.target = NF_CMD_TARGET_OWN,
	.tidies = true,
	.test_long = "lane campaign --target nobody@127.0.0.1:9 --ssh-config {ssh}",
	.test_short = "lane campaign --help",
	.run = run,
};
