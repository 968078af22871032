/* SPDX-License-Identifier: MIT */
/* lab_run_record - the attempts of a campaign as one BootCampaign: how each ended, and what its capture says. */
#include <stdlib.h>
#include <string.h>

#include "build_info.h"
#include "job/head.h"
#include "job/lab_console.h"
#include "job/lab_run_impl.h"

/* --- attempts --- */

static int read_attempt(struct nf_run *x, const struct nf_run_attempt *from,
                        struct nf_rec_boot_attempt *at, struct nf_err *err)
{
	struct nf_arena *a = &x->session.arena;
	const struct nf_run_board *b = from->board;
	const struct nf_run_config *c = &b->config[from->config];
	const char *below =
	        nf_arena_printf(a, NF_LAB_CAPTURES "/%s%s", from->name,
	                        from->end.captured ? "/" NF_CONSOLE_CAPTURE ".raw" : "");
	struct nf_lab_log log = {
		.path = nf_arena_printf(a, "%s/%s", nf_runfolder_path(x->session.folder), below),
		.config = c->label,
		.run = from->end.run,
		.attempt = from->end.attempt,
		.tried = true,
		.capture = true,
	};
	int r = nf_arena_failed(a, "an attempt", err);

	/* What was captured is read to its end, a request to stop notwithstanding. */
	if (r == 0)
		r = from->end.captured ? nf_lab_read(&c->lab, &log, a, NULL, at, err)
		                       : nf_lab_read_none(&c->lab, &log, a, at, err);
	if (r < 0)
		return r;
	at->path = below;
	nf_lab_attempt_tell(&from->end, a, at);
	return nf_arena_failed(a, "an attempt", err);
}

static int in_order(const void *p, const void *q)
{
	const struct nf_rec_boot_attempt *a = p, *b = q;
	int r = strcmp(a->config, b->config);

	if (r == 0)
		r = (a->run > b->run) - (a->run < b->run);
	return r ? r : (a->attempt > b->attempt) - (a->attempt < b->attempt);
}

/* Of each run the last attempt that was not stopped. */
static void choose(struct nf_rec_boot_attempt *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool later = false;

		for (size_t k = i + 1;
		     k < n && at[k].run == at[i].run && strcmp(at[k].config, at[i].config) == 0;
		     k++)
			later = later || at[k].outcome.v != NF_BOOT_STOPPED;
		at[i].counts = !later && at[i].outcome.v != NF_BOOT_STOPPED;
	}
}

static int read_all(struct nf_run *x, struct nf_rec_boot_campaign *c, struct nf_err *err)
{
	struct nf_rec_boot_attempt *at =
	        nf_arena_alloc(&x->session.arena, x->n_attempts + 1, sizeof(*at));
	size_t n = 0;
	int r = nf_arena_failed(&x->session.arena, "attempts", err);

	for (const struct nf_run_attempt *p = x->attempts; r == 0 && p; p = p->next)
		r = read_attempt(x, p, &at[n++], err);
	if (r < 0)
		return r;
	qsort(at, n, sizeof(*at), in_order);
	choose(at, n);
	c->attempts = (struct nf_list){ at, n };
	return 0;
}

/* --- boards and patterns --- */

static void list_boards(struct nf_run *x, struct nf_rec_boot_campaign *c)
{
	static const char *const ends[] = {
		[NF_POWER_END_OFF] = "off", [NF_POWER_END_ON] = "on", [NF_POWER_END_LEAVE] = "leave"
	};
	struct nf_arena *a = &x->session.arena;
	struct nf_rec_boot_board *to = nf_arena_alloc(a, x->n_boards, sizeof(*to));

	for (size_t i = 0; to && i < x->n_boards; i++) {
		const struct nf_run_board *b = &x->board[i];
		const struct nf_port_spec *p = &b->campaign.console;

		to[i] = (struct nf_rec_boot_board){
			.name = b->name,
			.campaign = b->path,
			.campaign_sha256 = b->sha256,
			.console = nf_arena_printf(a, "%s:%s%s%s", nf_port_kind_name(p->kind),
			                           p->path, p->service[0] ? ":" : "", p->service),
			.power_driver = nf_power_rows[b->campaign.power.driver]->name,
			.power_end = ends[b->campaign.file->on_abort.v],
			.power_failed = b->power_failed.code
			                        ? nf_arena_strdup(a, b->power_failed.msg)
			                        : NULL,
			.runs = b->plan.runs,
			.order = b->plan.sequential ? "sequential" : "interleave",
			.retry_infra = b->plan.retry_infra,
			.retry_board = b->plan.retry_board,
			.missing = nf_lab_plan_missing(&b->plan),
		};
	}
	c->boards = (struct nf_list){ to, to ? x->n_boards : 0 };
}

static bool same_t0(const struct nf_run *x)
{
	const char *first = x->board[0].config[0].lab.phases.t0;

	for (size_t i = 0; i < x->n_boards; i++)
		for (size_t k = 0; k < x->board[i].n_configs; k++) {
			const char *t0 = x->board[i].config[k].lab.phases.t0;

			if (!t0 != !first || (t0 && strcmp(t0, first) != 0))
				return false;
		}
	return true;
}

static size_t count_configs(const struct nf_run *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n_boards; i++)
		n += x->board[i].n_configs;
	return n;
}

struct patterns {
	struct nf_rec_boot_pattern *phase, *value;
	size_t n_phases, n_values;
};

static void add_patterns(const struct nf_run_config *c, const char *config, bool with_t0,
                         struct patterns *to)
{
	const struct nf_phases_opts *o = &c->lab.phases;

	if (with_t0 && o->t0)
		to->phase[to->n_phases++] =
		        (struct nf_rec_boot_pattern){ "t0", o->t0, NULL, config };
	for (size_t i = 0; i < o->n_phases; i++)
		to->phase[to->n_phases++] =
		        (struct nf_rec_boot_pattern){ o->phase[i].name, o->phase[i].regex, NULL,
			                              config };
	for (size_t i = 0; i < o->n_values; i++)
		to->value[to->n_values++] =
		        (struct nf_rec_boot_pattern){ o->value[i].name, o->value[i].regex,
			                              c->lab.value_unit[i], config };
}

static void list_patterns(struct nf_run *x, struct nf_rec_boot_campaign *c)
{
	struct nf_arena *a = &x->session.arena;
	size_t n = count_configs(x);
	bool common = same_t0(x);
	struct patterns to = {
		.phase = nf_arena_alloc(a, n * (NF_PHASES_MAX + 1), sizeof(*to.phase)),
		.value = nf_arena_alloc(a, n * NF_PHASE_VALUES_MAX, sizeof(*to.value)),
	};

	for (size_t i = 0; to.phase && to.value && i < x->n_boards; i++)
		for (size_t k = 0; k < x->board[i].n_configs; k++)
			add_patterns(&x->board[i].config[k],
			             n == 1 ? NULL : x->board[i].config[k].label, !common, &to);
	c->t0 = common ? x->board[0].config[0].lab.phases.t0 : NULL;
	c->phases = (struct nf_list){ to.phase, to.n_phases };
	c->values = (struct nf_list){ to.value, to.n_values };
}

int nf_run_record(struct nf_run *x, struct nf_rec_boot_campaign *c, struct nf_err *err)
{
	static const struct nf_lab_opts over_runs = { 0 };
	struct nf_arena *a = &x->session.arena;
	const struct nf_job_opts *o = x->job;
	const char **command = nf_arena_alloc(a, (size_t)o->argc + 1, sizeof(*command));

	for (int i = 0; command && i < o->argc; i++)
		command[i] = o->argv[i];
	*c = (struct nf_rec_boot_campaign){
		.schema = "BootCampaign/1",
		.tool_version = NF_VERSION,
		.command = { command, command ? (size_t)o->argc : 0 },
		.read_utc = nf_head_utc(a, nf_now_utc()),
		.resumed = x->opts->resume,
		.claim_ceiling =
		        "Times of lines as this host saw them come over a console: they hold what "
		        "the console itself takes. What was loaded is the file that was hashed "
		        "here "
		        "before, if the server that sent it has the same; how it was built is as "
		        "the "
		        "campaign file says.",
	};
	list_boards(x, c);
	list_patterns(x, c);
	int r = read_all(x, c, err);
	if (r == 0)
		r = nf_lab_figures(&over_runs, a, c, err);
	if (r == 0)
		r = nf_lab_findings(a, c, err);
	return r < 0 ? r : nf_arena_failed(a, "record", err);
}
