/* SPDX-License-Identifier: MIT */
#include "job/lab_power.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "board/campaign_host.h"
#include "board/port.h"

enum { SLICE_MS = 100, NS_PER_MS = 1000000 };
/* Longer than any driver may take (board/power.h), on a busy machine. */
#define ANSWER_NS (NF_POWER_COMMAND_WAIT_NS + INT64_C(60000000000))

struct job {
	const struct nf_campaign *c;
	const struct nf_stop *stop;
	struct nf_power_guard guard;
	struct nf_port port; /* fd -1: not listened to */
	struct nf_lab_power_result result;
};

/* Waits for fd (-1: for nothing), at most until `until`; a signal ends it soon. 1: readable. */
static int wait_slice(const struct job *j, int fd, int64_t until)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int64_t left = until - nf_now_monotonic().ns;

	if (left <= 0 || nf_stop_signo(j->stop))
		return 0;
	if (left > (int64_t)SLICE_MS * NS_PER_MS)
		left = (int64_t)SLICE_MS * NS_PER_MS;
	return poll(&p, 1, (int)((left + NS_PER_MS - 1) / NS_PER_MS)) == 1;
}

/* Returns with 0 also when a signal came first: then *ret_state stays, and nothing more is asked. */
static int ask(struct job *j, enum nf_power_ask what, enum nf_power_state *ret_state,
               struct nf_err *err)
{
	int64_t until = nf_now_monotonic().ns + ANSWER_NS;
	struct nf_power_answer a;
	uint32_t seq;
	int r;

	if (nf_stop_signo(j->stop))
		return 0;
	r = nf_power_guard_ask(&j->guard, what, &seq, err);
	while (r == 0 && !nf_stop_signo(j->stop)) {
		if (nf_now_monotonic().ns >= until)
			return nf_fail(err, NF_ETIMEOUT, "the power switch does not answer");
		if (!wait_slice(j, j->guard.fd, until))
			continue;
		r = nf_power_guard_take(&j->guard, &a, err);
		if (r <= 0 || a.seq != seq) {
			r = r < 0 ? r : 0;
			continue;
		}
		if (a.code < 0) {
			*err = a.err;
			return a.code;
		}
		if (ret_state)
			*ret_state = a.state;
		return 0;
	}
	return r;
}

/* --- silence --- */

static bool is_watched(const struct job *j)
{
	return j->c->file->board.power.verify.v == NF_CAMPAIGN_VERIFY_SILENCE;
}

static void not_heard(struct job *j, const char *why)
{
	j->result.silence = NF_LAB_SILENCE_UNKNOWN;
	snprintf(j->result.why, sizeof(j->result.why), "%.*s", NF_UTF8_CUT(why, 199));
	nf_port_close(&j->port);
}

static void listen_in(struct job *j)
{
	struct nf_rootfs root;
	struct nf_err why = { 0 };
	int r;

	if (!is_watched(j))
		return;
	if (nf_rootfs_open(&root, NULL, NULL) < 0)
		root.dirfd = -1;
	r = nf_port_open(&j->port, &j->c->console, root.dirfd >= 0 ? &root : NULL, NULL, &why);
	if (root.dirfd >= 0)
		nf_rootfs_close(&root);
	if (r < 0)
		not_heard(j, why.msg);
}

/* The number of bytes that are there; after a loss of the port, 0. */
static size_t hear(struct job *j)
{
	char data[4096];
	struct nf_err why = { 0 };
	size_t n = 0, all = 0;
	int r;

	do {
		r = nf_port_read(&j->port, data, sizeof(data), &n, &why);
		all += r == 0 ? n : 0;
	} while (r == 0 && n == sizeof(data));
	if (r < 0)
		not_heard(j, why.msg);
	return all;
}

static int talks_on(const struct job *j, struct nf_err *err)
{
	return nf_fail(err, NF_ESUBJECT, "%s: the console talks on with the power switched off",
	               j->port.facts.name);
}

/* off_time; what comes in its second half comes from a board that has power. A half begins when all that came
 * before was read, so that a late reader blames nobody. */
static int stay_off(struct job *j, struct nf_err *err)
{
	int64_t half_ns = j->c->file->board.power.off_time.v / 2;

	for (int half = 0; half < 2; half++) {
		int64_t until = nf_now_monotonic().ns + half_ns;

		while (nf_now_monotonic().ns < until && !nf_stop_signo(j->stop))
			if (wait_slice(j, j->port.fd, until) && hear(j) && half)
				return talks_on(j, err);
		if (j->port.fd >= 0 && hear(j) && half)
			return talks_on(j, err);
	}
	if (j->port.fd >= 0 && !nf_stop_signo(j->stop))
		j->result.silence = NF_LAB_SILENCE_SEEN;
	return 0;
}

/* --- what is asked for --- */

static int switch_off(struct job *j, bool stay, struct nf_err *err)
{
	int r;

	listen_in(j);
	r = ask(j, NF_POWER_ASK_OFF, NULL, err);
	if (r == 0 && (stay || j->port.fd >= 0))
		r = stay_off(j, err);
	nf_port_close(&j->port);
	return r;
}

static int confirm(struct job *j, enum nf_power_state want, struct nf_err *err)
{
	int r = ask(j, NF_POWER_ASK_STATUS, &j->result.state, err);

	if (r == 0 && j->result.state != NF_POWER_UNKNOWN && j->result.state != want &&
	    !nf_stop_signo(j->stop))
		return nf_fail(err, NF_ESUBJECT, "switched %s, and the switch says that it is %s",
		               nf_power_state_name(want), nf_power_state_name(j->result.state));
	return r;
}

static int cycle(struct job *j, struct nf_err *err)
{
	int r = switch_off(j, true, err);

	if (r == 0 && !nf_stop_signo(j->stop))
		r = ask(j, NF_POWER_ASK_ON, NULL, err);
	if (r == 0 && !nf_stop_signo(j->stop))
		r = ask(j, NF_POWER_ASK_LEAVE, NULL, err);
	return r;
}

static int do_all(struct job *j, enum nf_lab_power_ask what, struct nf_err *err)
{
	int r = 0;

	switch (what) {
	case NF_LAB_POWER_OFF:
		r = switch_off(j, false, err);
		return r == 0 ? confirm(j, NF_POWER_OFF, err) : r;
	case NF_LAB_POWER_ON:
		r = ask(j, NF_POWER_ASK_ON, NULL, err);
		return r == 0 ? confirm(j, NF_POWER_ON, err) : r;
	case NF_LAB_POWER_CYCLE:
		r = cycle(j, err);
		return r == 0 ? confirm(j, NF_POWER_ON, err) : r;
	case NF_LAB_POWER_STATUS:
	default:
		return ask(j, NF_POWER_ASK_STATUS, &j->result.state, err);
	}
}

int nf_job_lab_power(const struct nf_campaign *c, enum nf_lab_power_ask what,
                     const struct nf_stop *stop, struct nf_lab_power_result *ret,
                     struct nf_err *err)
{
	struct job j = { .c = c, .stop = stop, .guard.fd = -1, .port.fd = -1 };
	enum nf_power_end end = what == NF_LAB_POWER_CYCLE ? (enum nf_power_end)c->file->on_abort.v
	                                                   : NF_POWER_END_LEAVE;
	struct nf_err stopping = { 0 };
	int r = nf_campaign_find_power(c, err), s;

	if (r < 0)
		return r;
	r = nf_power_guard_start(&j.guard, &c->power, NULL, end, err);
	if (r < 0)
		return r;
	r = do_all(&j, what, err);
	s = nf_power_guard_stop(&j.guard, &stopping);
	if (r == 0 && s < 0) {
		*err = stopping;
		r = s;
	}
	if (r < 0)
		return r;
	j.result.stopped_by = nf_stop_signo(stop);
	*ret = j.result;
	return 0;
}
