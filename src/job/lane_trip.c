/* SPDX-License-Identifier: MIT */
/* Does what lane/trip.h says, and tells it what came of it. */
#include "job/lane_trip.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/sysio.h"
#include "job/lane_trip_impl.h"

/* --- answers --- */

static enum nf_trip_what class_of(int r)
{
	switch (-r) {
	case 0:
		return NF_TRIP_DONE;
	case NF_ESUBJECT:
	case NF_ETIMEOUT:
		return NF_TRIP_LOST;
	case NF_EUNSUPPORTED:
	case NF_EARG:
	case NF_EEXIST:
		return NF_TRIP_NOT_NOW;
	default:
		return NF_TRIP_FAILED;
	}
}

static bool is_asked_to_stop(struct nf_lane_going *g)
{
	if (g->stop_told || nf_stop_signo(g->o->stop) == 0)
		return false;
	g->stop_told = true;
	/* From here on everything is putting back, which is not stopped. */
	g->reach.ssh_cfg.stop = NULL;
	g->drop_connection = true;
	return true;
}

/* A connection, made anew where it was lost. */
static int connected(struct nf_lane_going *g, int64_t limit_ns, struct nf_err *err)
{
	if (!g->drop_connection && g->reach.remote.ssh && nf_ssh_is_open(g->reach.remote.ssh))
		return 0;
	g->drop_connection = false;
	return nf_lane_reach_connect(&g->reach, limit_ns, err);
}

/* Sleeps in pieces: a stop request is seen soon. */
static void wait_for(struct nf_lane_going *g, int64_t ns)
{
	struct nf_instant from = nf_now_monotonic();

	while (nf_since_ns(from, nf_now_monotonic()) < ns &&
	       (g->stop_told || nf_stop_signo(g->o->stop) == 0))
		(void)poll(NULL, 0, 50);
}

/* --- the steps --- */

static int probe(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err)
{
	struct nf_lane_survey *s = &g->running;

	*s = (struct nf_lane_survey){ 0 };
	/* What a connection to the boot before it would say is not asked for: it may hang. */
	g->drop_connection |= g->t.state != NF_TRIP_AT_FIND;
	int r = connected(g, PROBE_NS, err);
	if (r == 0)
		r = nf_lane_running(&g->reach.host, &g->arena, s, err);
	if (r < 0 || !s->boot_id || s->running_lane == NF_LANE_UNKNOWN) {
		e->what = NF_TRIP_DOWN;
		return 0;
	}
	e->what = NF_TRIP_UP;
	e->boot_id = s->boot_id;
	e->lane = s->running_lane;
	return 0;
}

typedef int step_fn(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err);

static int measure(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err)
{
	bool rt = g->t.state == NF_TRIP_AT_MEASURE_RT;

	(void)e;
	return g->j->hooks.measure(g->j->hooks.ctx, rt ? NF_LANE_RT : NF_LANE_GENERIC,
	                           rt ? g->n.run_rt : g->n.run_generic, sizeof(g->n.run_rt), err);
}

static int compare(struct nf_lane_going *g, struct nf_trip_event *e, struct nf_err *err)
{
	(void)e;
	return g->j->hooks.compare(g->j->hooks.ctx, g->n.run_generic, g->n.run_rt, &g->comparison,
	                           err);
}

/* clang-format off */
static const struct {
	step_fn *fn;
	bool needs_connection;
} steps[] = {
	[NF_TRIP_SURVEY] = { nf_lane_going_survey, true },
	[NF_TRIP_MEASURE_GENERIC] = { measure, false },
	[NF_TRIP_ARM] = { nf_lane_going_arm, true },
	[NF_TRIP_REBOOT] = { nf_lane_going_reboot, true },
	[NF_TRIP_PROBE] = { probe, false },
	[NF_TRIP_VERIFY_RT] = { nf_lane_going_verify_rt, true },
	[NF_TRIP_MEASURE_RT] = { measure, false },
	[NF_TRIP_BACK] = { nf_lane_going_reboot, true },
	[NF_TRIP_VERIFY_BACK] = { nf_lane_going_verify_back, true },
	[NF_TRIP_COMPARE] = { compare, false },
	[NF_TRIP_CLEAR] = { nf_lane_going_clear, true },
	[NF_TRIP_FINISH] = { NULL, false },
};
/* clang-format on */

static void do_step(struct nf_lane_going *g, enum nf_trip_do what)
{
	struct nf_trip_event e = { 0 };
	struct nf_err why = { 0 };
	int r = steps[what].needs_connection ? connected(g, CONNECT_NS, &why) : 0;

	if (r == 0)
		r = steps[what].fn(g, &e, &why);
	if (what != NF_TRIP_PROBE) {
		e.what = class_of(r);
		e.text = r < 0 ? why.msg : NULL;
		/* The way to it fails before it was ever there: no trip has begun. */
		if (e.what == NF_TRIP_LOST && what == NF_TRIP_SURVEY && !g->was_there)
			e.what = NF_TRIP_FAILED;
		g->was_there |= r == 0;
	}
	e.now_ns = nf_now_monotonic().ns;
	bool stop = is_asked_to_stop(g);
	/* What failed because of the request is no failure; what may be done is. */
	if (!stop || r == 0 || what == NF_TRIP_ARM)
		nf_trip_tell(&g->t, &e);
	if (stop) {
		e.what = NF_TRIP_STOP;
		nf_trip_tell(&g->t, &e);
	}
}

/* A state that cannot be kept is a reason to put everything back, not one to leave. */
static void save(struct nf_lane_going *g)
{
	struct nf_err why = { 0 };
	int r = nf_lane_going_save(g, &why);

	if (r == 0 || g->broken < 0)
		return;
	g->broken = r;
	g->broken_err = why;
	nf_trip_tell(&g->t, &(struct nf_trip_event){ .what = NF_TRIP_STOP,
	                                             .now_ns = nf_now_monotonic().ns });
}

static void run(struct nf_lane_going *g)
{
	enum nf_trip_do last = NF_TRIP_N_DO, what;
	int64_t wait_ns;

	while ((what = nf_trip_next(&g->t, &wait_ns)) != NF_TRIP_FINISH) {
		if (what != last && g->j->hooks.tell)
			g->j->hooks.tell(g->j->hooks.ctx, nf_trip_do_names[what]);
		last = what;
		wait_for(g, wait_ns);
		do_step(g, what);
		save(g);
	}
}

/* --- the job --- */

static int begin(struct nf_lane_going *g, struct nf_err *err)
{
	const struct nf_lane_trip_job *j = g->j;
	int r = nf_lane_profile_read(j->base, &g->arena, &g->base, err);

	if (r == 0)
		r = nf_lane_profile_read(j->overlay, &g->arena, &g->overlay, err);
	if (r == 0)
		r = nf_lane_reach_init(&g->reach, &j->lane.where, g->o->stop, err);
	if (r < 0)
		return r;
	nf_trip_init(&g->t, &j->trip);
	g->n.measures = j->trip.measures;
	(void)snprintf(g->n.target, sizeof(g->n.target), "%s", j->lane.where.target);
	return j->resume ? nf_lane_going_load(g, err) : 0;
}

int nf_job_lane_trip(const struct nf_job_opts *o, const struct nf_lane_trip_job *j,
                     struct nf_job_outcome *ret, struct nf_err *err)
{
	struct nf_lane_going *g = calloc(1, sizeof(*g));

	if (!g)
		return nf_fail_nomem(err, "a trip", sizeof(*g));
	g->o = o;
	g->j = j;
	nf_arena_init(&g->arena, GOING_ARENA_BYTES);
	nf_buf_init(&g->comparison, GOING_TEXT_BYTES);
	int r = begin(g, err);
	if (r == 0) {
		run(g);
		r = nf_lane_going_conclude(g, ret, err);
	}
	nf_lane_reach_fini(&g->reach);
	nf_runfolder_free(g->folder);
	nf_buf_fini(&g->comparison);
	nf_arena_fini(&g->arena);
	free(g);
	return r;
}
