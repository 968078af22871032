/* SPDX-License-Identifier: MIT */
/* What is done on the machine, step by step. */
#include <string.h>

#include "job/lane_trip_impl.h"
#include "lane/loader.h"

static void keep(char *to, size_t cap, const char *from)
{
	(void)snprintf(to, cap, "%s", from ? from : "");
}

static int survey_now(struct nf_lane_going *g, struct nf_lane_survey *s, struct nf_err *err)
{
	const char *loader = *g->n.loader ? g->n.loader : g->j->lane.loader;

	return nf_lane_survey(&g->reach.host, loader, &g->arena, s, err);
}

static int make_folder(struct nf_lane_going *g, const struct nf_lane_survey *s, struct nf_err *err)
{
	if (g->folder)
		return 0;
	return nf_runfolder_create(g->o->runs_dir, nf_now_utc(),
	                           s->host_name ? s->host_name : "unknown",
	                           g->o->tag ? g->o->tag : "lane", g->o->owner_uid, g->o->owner_gid,
	                           GOING_RESERVE_BYTES, &g->folder, err);
}

int nf_lane_going_survey(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err)
{
	struct nf_lane_survey s;
	int chosen;
	int r = survey_now(g, &s, err);

	if (r < 0)
		return r;
	if (s.running_lane != NF_LANE_GENERIC)
		return nf_fail(err, NF_EUNSUPPORTED,
		               "%s runs %s, which is %s; the trip begins in a generic kernel",
		               g->reach.host.name, s.release ? s.release : "an unknown kernel",
		               s.running_lane == NF_LANE_RT ? "realtime already"
		                                            : "of an unknown lane");
	r = nf_lane_choose(&s, g->j->lane.entry, &chosen, err);
	if (r < 0)
		return r;
	keep(g->n.entry, sizeof(g->n.entry), s.entry[chosen].id);
	keep(g->n.loader, sizeof(g->n.loader), s.loader->name);
	keep(g->n.host, sizeof(g->n.host), s.host_name);
	keep(g->n.release_generic, sizeof(g->n.release_generic), s.release);
	keep(g->n.release_rt, sizeof(g->n.release_rt), s.entry[chosen].release);
	keep(g->n.default_token, sizeof(g->n.default_token), s.default_token);
	g->default_kernel = s.entry[s.default_entry].release;
	e->boot_id = s.boot_id;
	return make_folder(g, &s, err);
}

/* Again after a loss it may be set already, by this trip. */
int nf_lane_going_arm(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err)
{
	struct nf_lane_survey s;
	int chosen;
	int r = survey_now(g, &s, err);

	(void)e;
	if (r == 0 && g->t.armed && s.next && strcmp(s.next, g->n.entry) == 0)
		return 0;
	if (r == 0)
		r = nf_lane_choose(&s, *g->n.entry ? g->n.entry : g->j->lane.entry, &chosen, err);
	if (r == 0)
		r = nf_lane_arm(&g->reach.host, &s, chosen, &g->arena, NULL, err);
	return r;
}

static const struct nf_lane_loader *loader_of(const struct nf_lane_going *g)
{
	for (const struct nf_lane_loader *const *l = nf_lane_loaders; *l; l++)
		if (strcmp((*l)->name, g->n.loader) == 0)
			return *l;
	return nf_lane_loaders[1];
}

/* The machine may go down before it has answered: that is no failure. */
int nf_lane_going_reboot(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err)
{
	const struct nf_lane_loader *l = loader_of(g);
	struct nf_err why = { 0 };
	int r = nf_lane_do(&g->reach.host, g->t.state == NF_TRIP_AT_REBOOT ? l->reboot : l->back,
	                   NULL, &why);

	(void)e;
	g->drop_connection = true;
	if (r == 0 || r == -NF_ESUBJECT || r == -NF_ETIMEOUT)
		return 0;
	*err = why;
	return r;
}

int nf_lane_going_verify_rt(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err)
{
	struct nf_lane_survey s = { 0 };
	const char *why = NULL,
	           *asked = *g->n.release_rt ? nf_arena_strdup(&g->arena, g->n.release_rt) : NULL;
	bool ok = false;
	int r = nf_lane_running(&g->reach.host, &g->arena, &s, err);

	(void)e;
	if (r == 0)
		r = nf_lane_profiles_check(&g->reach.host, &g->base, &g->overlay, s.release,
		                           &g->arena, &g->n, &ok, &why, err);
	if (r < 0)
		return r;
	if (!s.release)
		return nf_fail(err, NF_EUNSUPPORTED, "the kernel's release cannot be read");
	bool as_asked = asked && strcmp(asked, s.release) == 0;
	if (!as_asked)
		why = nf_arena_printf(&g->arena, "it runs %.80s, asked for was %.80s", s.release,
		                      asked ? asked : "another");
	if (s.running_lane != NF_LANE_RT)
		why = "the kernel is not realtime";
	g->why_rt = why;
	g->n.verified = true;
	g->n.rt_flag = s.running_lane == NF_LANE_RT;
	g->n.rt_ok = ok && as_asked && g->n.rt_flag;
	keep(g->n.release_rt, sizeof(g->n.release_rt), s.release);
	keep(g->n.version_rt, sizeof(g->n.version_rt), s.version);
	keep(g->n.tuned_rt, sizeof(g->n.tuned_rt), s.tuned_profile);
	if (!*g->n.host)
		keep(g->n.host, sizeof(g->n.host), s.host_name);
	return 0;
}

static enum nf_maybe same_text(const char *x, const char *y)
{
	if (!x || !*x || !y || !*y)
		return NF_MAYBE_UNKNOWN;
	return strcmp(x, y) == 0 ? NF_MAYBE_YES : NF_MAYBE_NO;
}

int nf_lane_going_verify_back(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err)
{
	struct nf_trip_notes counts = { 0 };
	struct nf_profile none = { 0 };
	struct nf_lane_survey s;
	const char *why = NULL;
	bool ok = false;
	int r = survey_now(g, &s, err);

	(void)e;
	if (r == 0)
		r = nf_lane_profiles_check(&g->reach.host, &g->base, &none, s.release, &g->arena,
		                           &counts, &ok, &why, err);
	if (r < 0)
		return r;
	/* A token that was cut is compared as far as it goes. */
	char token[sizeof(g->n.default_token)];
	keep(token, sizeof(token), s.default_token);
	g->default_preserved = same_text(g->n.default_token, token);
	g->next_consumed = !s.next_known ? NF_MAYBE_UNKNOWN : s.next ? NF_MAYBE_NO : NF_MAYBE_YES;
	g->return_release = s.release;
	if (same_text(g->n.release_generic, s.release) == NF_MAYBE_NO) {
		ok = false;
		why = nf_arena_printf(&g->arena, "it returned to %.80s, before it ran %.80s",
		                      s.release, g->n.release_generic);
	}
	g->return_pass = ok ? NF_MAYBE_YES : NF_MAYBE_NO;
	g->why_back = why;
	if (s.default_entry >= 0)
		g->default_kernel = s.entry[s.default_entry].release;
	return 0;
}

int nf_lane_going_clear(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err)
{
	struct nf_lane_survey s;
	int r = survey_now(g, &s, err);

	(void)e;
	return r < 0 ? r : nf_lane_clear(&g->reach.host, &s, &g->arena, NULL, err);
}
