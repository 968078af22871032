/* SPDX-License-Identifier: MIT */
#include "lane/trip.h"

#include <stdio.h>
#include <string.h>

enum { TRIES = 3, REBOOTS = 2, UNSTICKS = 1 };

/* clang-format off */
const char *const nf_trip_do_names[] = {
	[NF_TRIP_SURVEY] = "looking at what it can boot",
	[NF_TRIP_MEASURE_GENERIC] = "measuring the generic kernel",
	[NF_TRIP_ARM] = "setting the one-shot entry",
	[NF_TRIP_REBOOT] = "rebooting into the realtime kernel",
	[NF_TRIP_PROBE] = "waiting for it",
	[NF_TRIP_VERIFY_RT] = "verifying the realtime kernel",
	[NF_TRIP_MEASURE_RT] = "measuring the realtime kernel",
	[NF_TRIP_BACK] = "rebooting into the default",
	[NF_TRIP_VERIFY_BACK] = "verifying the default kernel",
	[NF_TRIP_COMPARE] = "comparing both",
	[NF_TRIP_CLEAR] = "taking the one-shot entry back",
	[NF_TRIP_FINISH] = "done",
	[NF_TRIP_N_DO] = NULL,
};

const char *const nf_trip_state_names[] = {
	[NF_TRIP_AT_SURVEY] = "survey",
	[NF_TRIP_AT_MEASURE_GENERIC] = "measure-generic",
	[NF_TRIP_AT_ARM] = "arm",
	[NF_TRIP_AT_REBOOT] = "reboot",
	[NF_TRIP_AT_GO] = "go",
	[NF_TRIP_AT_VERIFY_RT] = "verify-rt",
	[NF_TRIP_AT_MEASURE_RT] = "measure-rt",
	[NF_TRIP_AT_BACK] = "back",
	[NF_TRIP_AT_RETURN] = "return",
	[NF_TRIP_AT_VERIFY_BACK] = "verify-back",
	[NF_TRIP_AT_COMPARE] = "compare",
	[NF_TRIP_AT_CLEAR] = "clear",
	[NF_TRIP_AT_UNSTICK] = "unstick",
	[NF_TRIP_AT_FIND] = "find",
	[NF_TRIP_AT_END] = "end",
	[NF_TRIP_N_STATES] = NULL,
};

const char *const nf_trip_end_names[] = {
	[NF_TRIP_GOING] = "going",
	[NF_TRIP_PASS] = "pass",
	[NF_TRIP_REFUSED] = "refused",
	[NF_TRIP_BROKEN] = "broken",
	[NF_TRIP_STOPPED] = "stopped",
	NULL,
};

static const enum nf_trip_do deed[] = {
	[NF_TRIP_AT_SURVEY] = NF_TRIP_SURVEY,
	[NF_TRIP_AT_MEASURE_GENERIC] = NF_TRIP_MEASURE_GENERIC,
	[NF_TRIP_AT_ARM] = NF_TRIP_ARM,
	[NF_TRIP_AT_REBOOT] = NF_TRIP_REBOOT,
	[NF_TRIP_AT_GO] = NF_TRIP_PROBE,
	[NF_TRIP_AT_VERIFY_RT] = NF_TRIP_VERIFY_RT,
	[NF_TRIP_AT_MEASURE_RT] = NF_TRIP_MEASURE_RT,
	[NF_TRIP_AT_BACK] = NF_TRIP_BACK,
	[NF_TRIP_AT_RETURN] = NF_TRIP_PROBE,
	[NF_TRIP_AT_VERIFY_BACK] = NF_TRIP_VERIFY_BACK,
	[NF_TRIP_AT_COMPARE] = NF_TRIP_COMPARE,
	[NF_TRIP_AT_CLEAR] = NF_TRIP_CLEAR,
	[NF_TRIP_AT_UNSTICK] = NF_TRIP_CLEAR,
	[NF_TRIP_AT_FIND] = NF_TRIP_PROBE,
	[NF_TRIP_AT_END] = NF_TRIP_FINISH,
};
/* clang-format on */

/* --- pieces --- */

/* The first failure is the one that is told. */
static void blame(struct nf_trip *t, enum nf_trip_end end, const char *what, const char *text)
{
	if (t->end == NF_TRIP_GOING)
		t->end = end;
	if (!*t->why)
		snprintf(t->why, sizeof(t->why), "%s%s%.200s", what, text && *text ? ": " : "",
		         text ? text : "");
}

static void leave(struct nf_trip *t, const char *what)
{
	if (!*t->left)
		snprintf(t->left, sizeof(t->left), "%s", what);
}

static void go(struct nf_trip *t, enum nf_trip_state state, int64_t now_ns)
{
	if (state != t->state && state != NF_TRIP_AT_FIND && t->state != NF_TRIP_AT_FIND)
		t->tries = 0;
	t->state = state;
	t->since_ns = now_ns;
	t->polled = false;
}

static void finish(struct nf_trip *t, int64_t now_ns)
{
	if (t->end == NF_TRIP_GOING)
		t->end = NF_TRIP_PASS;
	go(t, NF_TRIP_AT_END, now_ns);
}

/* Away from here, to wherever the machine is as it was. */
static void put_back(struct nf_trip *t, int64_t now_ns)
{
	if (t->in_rt) {
		t->reboots = 0;
		go(t, NF_TRIP_AT_BACK, now_ns);
	} else if (t->armed) {
		go(t, NF_TRIP_AT_CLEAR, now_ns);
	} else {
		finish(t, now_ns);
	}
}

/* Where there is something left to do there, unless it is to end. */
static void go_on(struct nf_trip *t, enum nf_trip_state state, int64_t now_ns)
{
	if (t->stopping)
		put_back(t, now_ns);
	else
		go(t, state, now_ns);
}

static void keep_boot(char to[NF_TRIP_BOOT_ID], const char *from)
{
	snprintf(to, NF_TRIP_BOOT_ID, "%s", from ? from : "");
}

static bool is_boot(const char *known, const struct nf_trip_event *e)
{
	return *known && e->boot_id && strcmp(known, e->boot_id) == 0;
}

static const char MAY_BE_SET[] = "the one-shot entry may be set: `lane clear` takes it back";

/* A step that the connection does not last for is given up; the way back is tried all the same. */
static void give_up(struct nf_trip *t, const struct nf_trip_event *e)
{
	blame(t, NF_TRIP_BROKEN, "the connection was lost again and again", e->text);
	if (t->state == NF_TRIP_AT_UNSTICK || t->state == NF_TRIP_AT_CLEAR)
		leave(t, MAY_BE_SET);
	if (t->state == NF_TRIP_AT_CLEAR)
		finish(t, e->now_ns);
	else
		put_back(t, e->now_ns);
}

static void lose(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (t->state == NF_TRIP_AT_ARM)
		t->armed = true; /* or not: to set it again does no harm */
	if (++t->tries >= TRIES) {
		give_up(t, e);
		return;
	}
	t->lost_at = t->state;
	go(t, NF_TRIP_AT_FIND, e->now_ns);
}

/* --- what each answer leads to --- */

static void survey(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what != NF_TRIP_DONE) {
		blame(t, e->what == NF_TRIP_NOT_NOW ? NF_TRIP_REFUSED : NF_TRIP_BROKEN,
		      e->text ? e->text : "it cannot be looked at", NULL);
		finish(t, e->now_ns);
		return;
	}
	keep_boot(t->boot_generic, e->boot_id);
	go(t, t->opts.measures && !t->has_generic ? NF_TRIP_AT_MEASURE_GENERIC : NF_TRIP_AT_ARM,
	   e->now_ns);
}

static void measure_generic(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what == NF_TRIP_DONE) {
		t->has_generic = true;
		go(t, NF_TRIP_AT_ARM, e->now_ns);
		return;
	}
	blame(t, NF_TRIP_BROKEN, "the generic kernel cannot be measured", e->text);
	finish(t, e->now_ns);
}

static void arm(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what == NF_TRIP_DONE) {
		t->armed = true;
		t->reboots = 0;
		go(t, NF_TRIP_AT_REBOOT, e->now_ns);
		return;
	}
	blame(t, e->what == NF_TRIP_NOT_NOW ? NF_TRIP_REFUSED : NF_TRIP_BROKEN,
	      e->text ? e->text : "the one-shot entry cannot be set", NULL);
	put_back(t, e->now_ns);
}

/* A connection that goes away over a reboot is what a reboot looks like. */
static void reboot(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what == NF_TRIP_FAILED || e->what == NF_TRIP_NOT_NOW) {
		blame(t, NF_TRIP_BROKEN, "it cannot be rebooted", e->text);
		put_back(t, e->now_ns);
		return;
	}
	t->reboots++;
	t->sent_ns = e->now_ns;
	go(t, NF_TRIP_AT_GO, e->now_ns);
}

static int64_t since(const struct nf_trip *t, const struct nf_trip_event *e)
{
	return t->sent_ns < 0 ? -1 : e->now_ns - t->sent_ns;
}

/* It is in the realtime kernel. */
static void arrive(struct nf_trip *t, const struct nf_trip_event *e)
{
	keep_boot(t->boot_rt, e->boot_id);
	t->in_rt = true;
	t->armed = false; /* what boots an entry once clears it; it is verified on the way back */
	t->reconnect_ns = since(t, e);
	go_on(t, NF_TRIP_AT_VERIFY_RT, e->now_ns);
}

/* It is in the default kernel and was to be in the realtime one. */
static void fell_back(struct nf_trip *t, const struct nf_trip_event *e, const char *what)
{
	blame(t, NF_TRIP_BROKEN, what, NULL);
	t->in_rt = false;
	go(t, NF_TRIP_AT_VERIFY_BACK, e->now_ns);
}

static void on_the_way(struct nf_trip *t, const struct nf_trip_event *e)
{
	int64_t waited = e->now_ns - t->since_ns;

	if (e->what == NF_TRIP_UP && is_boot(t->boot_generic, e)) {
		if (waited < t->opts.down_ns)
			return;
		if (t->reboots < REBOOTS) {
			go_on(t, NF_TRIP_AT_REBOOT, e->now_ns);
			return;
		}
		blame(t, NF_TRIP_BROKEN, "it was asked to reboot and did not", NULL);
		put_back(t, e->now_ns);
	} else if (e->what == NF_TRIP_UP && e->lane == NF_LANE_RT) {
		arrive(t, e);
	} else if (e->what == NF_TRIP_UP) {
		fell_back(t, e, "it booted, but not the realtime kernel");
	} else if (waited >= t->opts.boot_ns) {
		blame(t, NF_TRIP_BROKEN, "it did not come back after the reboot", NULL);
		leave(t, "it cannot be reached: what boots next is the default");
		finish(t, e->now_ns);
	}
}

static void verify_rt(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what != NF_TRIP_DONE) {
		blame(t, NF_TRIP_BROKEN, "the realtime kernel cannot be verified", e->text);
		put_back(t, e->now_ns);
	} else if (t->opts.measures && !t->has_rt) {
		go(t, NF_TRIP_AT_MEASURE_RT, e->now_ns);
	} else {
		t->has_rt = true;
		put_back(t, e->now_ns);
	}
}

static void measure_rt(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what == NF_TRIP_DONE)
		t->has_rt = true;
	else
		blame(t, NF_TRIP_BROKEN, "the realtime kernel cannot be measured", e->text);
	put_back(t, e->now_ns);
}

static void back(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what == NF_TRIP_FAILED || e->what == NF_TRIP_NOT_NOW) {
		blame(t, NF_TRIP_BROKEN, "it cannot be rebooted", e->text);
		leave(t, "it stands in the realtime kernel: its next boot is the default");
		finish(t, e->now_ns);
		return;
	}
	t->reboots++;
	t->sent_ns = e->now_ns;
	go(t, NF_TRIP_AT_RETURN, e->now_ns);
}

/* Realtime again: its loader did not clear the entry. Once that is done for it. */
static void unstick_or_end(struct nf_trip *t, const struct nf_trip_event *e)
{
	blame(t, NF_TRIP_BROKEN, "it booted the realtime kernel a second time", NULL);
	keep_boot(t->boot_rt, e->boot_id);
	if (t->unsticks++ < UNSTICKS) {
		go(t, NF_TRIP_AT_UNSTICK, e->now_ns);
		return;
	}
	leave(t, "it boots the realtime kernel again and again: its loader's default has to be set "
	         "by hand");
	finish(t, e->now_ns);
}

static void returning(struct nf_trip *t, const struct nf_trip_event *e)
{
	int64_t waited = e->now_ns - t->since_ns;

	if (e->what == NF_TRIP_UP && is_boot(t->boot_rt, e)) {
		if (waited < t->opts.down_ns)
			return;
		if (t->reboots < REBOOTS) {
			go(t, NF_TRIP_AT_BACK, e->now_ns);
			return;
		}
		blame(t, NF_TRIP_BROKEN, "it was asked to reboot and did not", NULL);
		leave(t, "it stands in the realtime kernel: its next boot is the default");
		finish(t, e->now_ns);
	} else if (e->what == NF_TRIP_UP && e->lane == NF_LANE_RT) {
		unstick_or_end(t, e);
	} else if (e->what == NF_TRIP_UP) {
		t->in_rt = false;
		t->return_ns = since(t, e);
		go(t, NF_TRIP_AT_VERIFY_BACK, e->now_ns);
	} else if (waited >= t->opts.boot_ns) {
		blame(t, NF_TRIP_BROKEN, "it did not come back from the realtime kernel", NULL);
		leave(t, "it cannot be reached: what boots next is the default");
		finish(t, e->now_ns);
	}
}

/* It stands in its default and nothing is set. What another process was stopped before is done now. */
static void go_on_in_default(struct nf_trip *t, int64_t now_ns)
{
	if (t->end == NF_TRIP_GOING && !t->has_rt)
		go(t, NF_TRIP_AT_SURVEY, now_ns);
	else if (t->end == NF_TRIP_GOING && t->opts.measures)
		go(t, NF_TRIP_AT_COMPARE, now_ns);
	else
		finish(t, now_ns);
}

/* An entry that is still set is one that was not booted. */
static void verify_back(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what != NF_TRIP_DONE)
		blame(t, NF_TRIP_BROKEN, "the default kernel cannot be verified", e->text);
	if (t->armed)
		go(t, NF_TRIP_AT_CLEAR, e->now_ns);
	else
		go_on_in_default(t, e->now_ns);
}

static void compare(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what != NF_TRIP_DONE)
		blame(t, NF_TRIP_BROKEN, "the windows cannot be compared", e->text);
	finish(t, e->now_ns);
}

static void clear(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what == NF_TRIP_DONE) {
		t->armed = false;
		go_on_in_default(t, e->now_ns);
		return;
	}
	blame(t, NF_TRIP_BROKEN, "the one-shot entry cannot be taken back", e->text);
	leave(t, MAY_BE_SET);
	finish(t, e->now_ns);
}

static void unstick(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what != NF_TRIP_DONE)
		leave(t, MAY_BE_SET);
	t->reboots = 0;
	go(t, NF_TRIP_AT_BACK, e->now_ns);
}

/* --- where it is, after a loss or in another process --- */

static bool is_before_reboot(enum nf_trip_state s)
{
	return s == NF_TRIP_AT_SURVEY || s == NF_TRIP_AT_MEASURE_GENERIC || s == NF_TRIP_AT_ARM ||
	       s == NF_TRIP_AT_CLEAR;
}

static void found_in_rt(struct nf_trip *t, const struct nf_trip_event *e)
{
	bool same = is_boot(t->boot_rt, e);
	enum nf_trip_state s = t->lost_at;

	if (is_before_reboot(s) && !t->armed) {
		blame(t, NF_TRIP_REFUSED, "it runs a realtime kernel that this did not boot", NULL);
		finish(t, e->now_ns);
	} else if (is_before_reboot(s) || s == NF_TRIP_AT_REBOOT || s == NF_TRIP_AT_GO) {
		arrive(t, e);
	} else if (s == NF_TRIP_AT_RETURN && !same) {
		unstick_or_end(t, e);
	} else if (s == NF_TRIP_AT_VERIFY_BACK || s == NF_TRIP_AT_COMPARE) {
		unstick_or_end(t, e);
	} else if (!same) {
		/* It booted by itself, into the realtime kernel again: no window is whole over that. */
		unstick_or_end(t, e);
	} else {
		t->in_rt = true;
		go_on(t, s, e->now_ns);
	}
}

static void found_in_default(struct nf_trip *t, const struct nf_trip_event *e)
{
	enum nf_trip_state s = t->lost_at;
	bool same = is_boot(t->boot_generic, e);

	if (s == NF_TRIP_AT_REBOOT || s == NF_TRIP_AT_GO) {
		if (same)
			go_on(t, NF_TRIP_AT_REBOOT, e->now_ns);
		else
			fell_back(t, e, "it booted, but not the realtime kernel");
	} else if (s == NF_TRIP_AT_VERIFY_RT || s == NF_TRIP_AT_MEASURE_RT) {
		fell_back(t, e, "it left the realtime kernel by itself");
	} else if (s == NF_TRIP_AT_BACK || s == NF_TRIP_AT_RETURN || s == NF_TRIP_AT_UNSTICK) {
		t->in_rt = false;
		t->return_ns = s == NF_TRIP_AT_RETURN ? since(t, e) : -1;
		go(t, NF_TRIP_AT_VERIFY_BACK, e->now_ns);
	} else if (s == NF_TRIP_AT_MEASURE_GENERIC && !same) {
		blame(t, NF_TRIP_BROKEN, "it rebooted while its generic kernel was measured", NULL);
		finish(t, e->now_ns);
	} else {
		go_on(t, s, e->now_ns);
	}
}

static void find(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (e->what != NF_TRIP_UP) {
		if (e->now_ns - t->since_ns < t->opts.lost_ns)
			return;
		blame(t, NF_TRIP_BROKEN, "the connection was lost and did not come back", NULL);
		leave(t, t->in_rt   ? "it cannot be reached: what boots next is the default"
		         : t->armed ? MAY_BE_SET
		                    : "");
		finish(t, e->now_ns);
	} else if (e->lane == NF_LANE_RT) {
		found_in_rt(t, e);
	} else {
		found_in_default(t, e);
	}
}

/* --- the table --- */

/* clang-format off */
static const struct {
	void (*answer)(struct nf_trip *t, const struct nf_trip_event *e);
	bool can_lose; /* a lost connection is looked for, and the step done again */
} row[] = {
	[NF_TRIP_AT_SURVEY] = { survey, true },
	[NF_TRIP_AT_MEASURE_GENERIC] = { measure_generic, true },
	[NF_TRIP_AT_ARM] = { arm, true },
	[NF_TRIP_AT_REBOOT] = { reboot, false },
	[NF_TRIP_AT_GO] = { on_the_way, false },
	[NF_TRIP_AT_VERIFY_RT] = { verify_rt, true },
	[NF_TRIP_AT_MEASURE_RT] = { measure_rt, true },
	[NF_TRIP_AT_BACK] = { back, false },
	[NF_TRIP_AT_RETURN] = { returning, false },
	[NF_TRIP_AT_VERIFY_BACK] = { verify_back, true },
	[NF_TRIP_AT_COMPARE] = { compare, false },
	[NF_TRIP_AT_CLEAR] = { clear, true },
	[NF_TRIP_AT_UNSTICK] = { unstick, true },
	[NF_TRIP_AT_FIND] = { find, false },
	[NF_TRIP_AT_END] = { NULL, false },
};
/* clang-format on */

static void stop(struct nf_trip *t, const struct nf_trip_event *e)
{
	bool waiting = t->state == NF_TRIP_AT_GO || t->state == NF_TRIP_AT_RETURN ||
	               t->state == NF_TRIP_AT_UNSTICK;

	if (t->stopping)
		return;
	t->stopping = true;
	blame(t, NF_TRIP_STOPPED, "stopped on request", NULL);
	/* On its way it is waited for: only there can it be put back. */
	if (!waiting && t->state != NF_TRIP_AT_FIND)
		put_back(t, e->now_ns);
}

void nf_trip_tell(struct nf_trip *t, const struct nf_trip_event *e)
{
	if (t->state == NF_TRIP_AT_END)
		return;
	t->polled = true;
	if (e->what == NF_TRIP_STOP)
		stop(t, e);
	else if (e->what == NF_TRIP_LOST && row[t->state].can_lose)
		lose(t, e);
	else
		row[t->state].answer(t, e);
}

void nf_trip_init(struct nf_trip *t, const struct nf_trip_opts *o)
{
	*t = (struct nf_trip){ .opts = *o, .reconnect_ns = -1, .return_ns = -1, .sent_ns = -1 };
}

void nf_trip_resume(struct nf_trip *t, const struct nf_trip_opts *o, int64_t now_ns)
{
	enum nf_trip_state was = t->state == NF_TRIP_AT_FIND ? t->lost_at : t->state;

	t->opts = *o;
	t->sent_ns = -1;
	t->stopping = false;
	t->tries = 0;
	t->reboots = 0;
	t->unsticks = 0;
	if (t->end != NF_TRIP_PASS) {
		t->end = NF_TRIP_GOING;
		t->why[0] = t->left[0] = '\0';
	}
	if (was == NF_TRIP_AT_END && t->end == NF_TRIP_GOING)
		was = t->in_rt ? NF_TRIP_AT_BACK : t->armed ? NF_TRIP_AT_CLEAR : NF_TRIP_AT_SURVEY;
	if (was == NF_TRIP_AT_END)
		return;
	if (is_before_reboot(was) && !t->armed)
		was = NF_TRIP_AT_SURVEY; /* what was found then may have changed */
	if (was == NF_TRIP_AT_SURVEY && t->has_generic && t->has_rt)
		was = NF_TRIP_AT_VERIFY_BACK; /* both windows are there */
	if (was == NF_TRIP_AT_MEASURE_RT)
		was = NF_TRIP_AT_VERIFY_RT;
	t->lost_at = was;
	t->state = NF_TRIP_AT_FIND;
	t->since_ns = now_ns;
	t->polled = false;
}

enum nf_trip_do nf_trip_next(const struct nf_trip *t, int64_t *ret_wait_ns)
{
	*ret_wait_ns = deed[t->state] == NF_TRIP_PROBE && t->polled ? t->opts.poll_ns : 0;
	return deed[t->state];
}
