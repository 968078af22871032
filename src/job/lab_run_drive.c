/* SPDX-License-Identifier: MIT */
/* lab_run_drive - all boards from one loop: each goes from attempt to attempt by its plan. */
#include <string.h>
#include <unistd.h>

#include "job/head.h"
#include "job/lab_console.h"
#include "job/lab_run_impl.h"

#define SECOND INT64_C(1000000000)
/* While nobody talks: how soon a signal, or a port that is back, is seen. */
enum { IDLE_MS = 100 };

/* --- telling --- */

static void tell(const struct nf_run_board *b, enum nf_lab_event_kind kind, const char *text,
                 enum nf_outcome_class class)
{
	const struct nf_lab_run_watch *w = b->run->opts->watch;
	uint64_t of = b->plan.runs * b->plan.n_configs;

	if (!w || !w->event)
		return;
	w->event(w->ctx, &(struct nf_lab_event){
	                         .kind = kind,
	                         .board = b->index,
	                         .name = b->name,
	                         .config = kind == NF_LAB_EVENT_OVER
	                                           ? NULL
	                                           : b->config[b->turn.config].config->name.v,
	                         .run = b->turn.run,
	                         .attempt = b->turn.attempt,
	                         .done = of - nf_lab_plan_missing(&b->plan),
	                         .of = of,
	                         .text = text,
	                         .class = class,
	                         .wall_ns = nf_since_ns(b->began_raw, nf_now_raw()) });
}

static int on_action(void *ctx, const struct nf_dialogue_action *a, struct nf_err *err)
{
	const struct nf_run_board *b = ctx;

	(void)err;
	if (a->what == NF_DIALOGUE_STATE)
		tell(b, NF_LAB_EVENT_STATE, a->text, NF_OUTCOME_NONE);
	else if (a->what == NF_DIALOGUE_NOTE)
		tell(b, NF_LAB_EVENT_NOTE, a->text, NF_OUTCOME_NONE);
	else if (a->what == NF_DIALOGUE_MARK)
		tell(b, NF_LAB_EVENT_MARK, b->config[b->turn.config].dialogue.mark[a->index].name,
		     NF_OUTCOME_NONE);
	return 0;
}

/* --- the end of an attempt --- */

static enum nf_rec_boot_outcome recorded(enum nf_outcome_class class)
{
	switch (class) {
	case NF_OUTCOME_OK:
		return NF_BOOT_OK;
	case NF_OUTCOME_INFRA:
		return NF_BOOT_INFRA_FAILED;
	case NF_OUTCOME_BOARD:
		return NF_BOOT_BOARD_FAILED;
	case NF_OUTCOME_CONFIG:
		return NF_BOOT_CONFIG_WRONG;
	case NF_OUTCOME_NONE:
	case NF_OUTCOME_N_CLASSES:
		break;
	}
	return NF_BOOT_STOPPED;
}

static void take_port(const struct nf_run_board *b, struct nf_rec_boot_end *end)
{
	const struct nf_port_facts *f = &b->lab.port.facts;
	const struct nf_port_errors *x = &b->lab.before;
	struct nf_port_errors now = { 0 };

	if (f->driver[0])
		end->driver = f->driver;
	if (f->latency_timer_ms >= 0)
		end->latency_timer_ms = nf_some_nat((uint64_t)f->latency_timer_ms);
	if (b->lab.port.fd >= 0)
		nf_port_read_errors(&b->lab.port, &now);
	if (!x->known || !now.known)
		return;
	/* Counters of 32 bits: their difference is right across an overflow. */
	end->overruns = nf_some_nat((uint32_t)(now.overrun - x->overrun) +
	                            (uint64_t)(uint32_t)(now.buf_overrun - x->buf_overrun));
	end->frame_errors = nf_some_nat((uint32_t)(now.frame - x->frame));
	end->breaks = nf_some_nat((uint32_t)(now.brk - x->brk));
}

int nf_run_add_attempt(struct nf_run *x, const struct nf_run_board *b, size_t config,
                       const char *name, const struct nf_rec_boot_end *end, struct nf_err *err)
{
	struct nf_run_attempt *at = nf_arena_alloc(&x->session.arena, 1, sizeof(*at));

	if (!at)
		return nf_arena_failed(&x->session.arena, "an attempt", err);
	*at = (struct nf_run_attempt){
		.next = x->attempts, .board = b, .config = config, .name = name, .end = *end
	};
	x->attempts = at;
	x->n_attempts++;
	return 0;
}

/* captured: there was a talk, which is over now. */
static int end_attempt(struct nf_run_board *b, const struct nf_outcome *outcome, unsigned resent,
                       bool captured, struct nf_err *err)
{
	struct nf_arena *a = &b->run->session.arena;
	struct nf_rec_boot_end end = nf_run_end(b, &b->turn);
	int r;

	end.outcome = (int)recorded(outcome->class);
	end.kind = nf_outcome_kind_name(outcome->kind);
	end.why = nf_arena_strdup(a, outcome->words);
	end.resent = resent;
	end.started_utc = nf_head_utc(a, b->began_utc);
	end.wall_s = nf_some_real((double)nf_since_ns(b->began_raw, nf_now_raw()) * 1e-9);
	end.captured = captured;
	take_port(b, &end);
	end.driver = nf_arena_strdup(a, end.driver);
	r = nf_lab_board_hush(&b->lab, err);
	if (r == 0)
		r = nf_arena_failed(a, "an attempt", err);
	if (r == 0)
		r = nf_lab_attempt_end(b->run->session.folder, b->attempt, &end, a, err);
	if (r == 0)
		r = nf_run_add_attempt(b->run, b, b->turn.config, b->attempt, &end, err);
	if (r < 0)
		return r;
	nf_lab_plan_took(&b->plan, &b->turn, outcome->class);
	b->state = NF_RUN_NEXT;
	tell(b, NF_LAB_EVENT_END, outcome->words, outcome->class);
	return 0;
}

/* --- its beginning --- */

static int talk(struct nf_run_board *b, struct nf_err *err)
{
	struct nf_lab_talk t = { .opts = &b->config[b->turn.config].dialogue,
		                 .name = NF_CONSOLE_CAPTURE,
		                 .watch = &b->watch };
	int r = nf_lab_attempt_begin(b->run->session.folder, b->attempt, &t.dirfd, err);

	if (r < 0)
		return r;
	b->watch = (struct nf_lab_talk_watch){ .ctx = b, .action = on_action };
	b->state = NF_RUN_TALKS;
	r = nf_lab_board_talk(&b->lab, &t, err);
	close(t.dirfd);
	return r;
}

/* The port was lost: it may come back, under the same name, as long as a prompt may take. */
static int wait_for_port(struct nf_run_board *b, struct nf_err *err)
{
	int64_t now = nf_now_raw().ns;
	struct nf_err why = { 0 };
	struct nf_outcome outcome;
	int fd = -1, r;

	if (b->state == NF_RUN_WAITS && now < b->try_ns)
		return 0;
	if (nf_lab_board_reopen(&b->lab, true, &why) == 0)
		return talk(b, err);
	b->try_ns = now + SECOND;
	if (b->state == NF_RUN_NEXT) {
		b->state = NF_RUN_WAITS;
		b->give_up_ns = now + b->config[b->turn.config].dialogue.prompt_ns;
		tell(b, NF_LAB_EVENT_STATE, "waits for its port", NF_OUTCOME_NONE);
		return 0;
	}
	if (now < b->give_up_ns)
		return 0;
	nf_outcome_set(&outcome, b->lab.port.fd < 0 ? NF_OUTCOME_PORT_LOST : NF_OUTCOME_POWER_OFF,
	               "it cannot be had again: %s", why.msg);
	r = nf_lab_attempt_begin(b->run->session.folder, b->attempt, &fd, err);
	if (r < 0)
		return r;
	close(fd);
	return end_attempt(b, &outcome, 0, false, err);
}

static int begin_attempt(struct nf_run_board *b, struct nf_err *err)
{
	struct nf_arena *a = &b->run->session.arena;

	if (!nf_lab_plan_next(&b->plan, &b->turn)) {
		b->state = NF_RUN_OVER;
		nf_lab_board_settle(&b->lab);
		tell(b, NF_LAB_EVENT_OVER, NULL, NF_OUTCOME_NONE);
		return 0;
	}
	b->attempt = nf_lab_attempt_name(a, b->config[b->turn.config].label, b->turn.run,
	                                 b->turn.attempt);
	if (!b->attempt)
		return nf_arena_failed(a, "an attempt", err);
	b->began_utc = nf_now_utc();
	b->began_raw = nf_now_raw();
	tell(b, NF_LAB_EVENT_BEGIN, NULL, NF_OUTCOME_NONE);
	return b->lab.port.fd >= 0 && b->lab.guard.fd >= 0 ? talk(b, err) : wait_for_port(b, err);
}

static int advance(struct nf_run_board *b, struct nf_err *err)
{
	const struct nf_outcome *now;
	struct nf_outcome outcome;

	switch (b->state) {
	case NF_RUN_NEXT:
		return begin_attempt(b, err);
	case NF_RUN_WAITS:
		return wait_for_port(b, err);
	case NF_RUN_TALKS:
		now = nf_lab_board_outcome(&b->lab);
		if (!now)
			return 0;
		outcome = *now;
		return end_attempt(b, &outcome, nf_dialogue_retries(b->lab.dialogue), true, err);
	case NF_RUN_OVER:
		break;
	}
	return 0;
}

/* --- all boards --- */

static int stop_all(struct nf_run *x, struct nf_err *err)
{
	int r = 0;

	for (size_t i = 0; i < x->n_boards; i++) {
		struct nf_run_board *b = &x->board[i];
		int one = b->state == NF_RUN_TALKS ? nf_lab_board_stop(&b->lab, err) : 0;

		if (one == 0 && b->state == NF_RUN_TALKS)
			one = advance(b, err);
		b->state = NF_RUN_OVER;
		nf_lab_board_settle(&b->lab);
		r = r < 0 ? r : one;
	}
	return r;
}

int nf_run_drive(struct nf_run *x, struct nf_err *err)
{
	const struct nf_stop *stop = x->job->stop;
	bool any = true;
	int r = nf_lab_loop_init(&x->loop, err);

	for (size_t i = 0; r == 0 && i < x->n_boards; i++)
		r = nf_lab_loop_add(&x->loop, &x->board[i].lab, err);
	while (r == 0 && any && !nf_stop_signo(stop)) {
		any = false;
		for (size_t i = 0; r == 0 && i < x->n_boards; i++) {
			r = advance(&x->board[i], err);
			any = any || x->board[i].state != NF_RUN_OVER;
		}
		if (r == 0 && any)
			r = nf_lab_loop_turn(&x->loop, IDLE_MS, err);
	}
	if (r == 0 && nf_stop_signo(stop)) {
		x->session.stopped_by = nf_stop_signo(stop);
		r = stop_all(x, err);
	}
	return r;
}

int nf_run_open_boards(struct nf_run *x, bool power, struct nf_err *err)
{
	const struct nf_lab_run_watch *w = x->opts->watch;
	char advice[NF_PORT_ADVICE_MAX];
	int r = 0;

	for (size_t i = 0; r == 0 && i < x->n_boards; i++) {
		struct nf_run_board *b = &x->board[i];

		r = nf_lab_board_open(&b->lab, &b->campaign, &x->session.root, false, err);
		x->n_opened += r == 0;
		if (r < 0 || !w || !w->advice)
			continue;
		nf_port_advice(&b->lab.port.facts, advice);
		if (advice[0])
			w->advice(w->ctx, advice);
	}
	for (size_t i = 0; power && r == 0 && i < x->n_boards; i++)
		r = nf_lab_board_reopen(&x->board[i].lab, true, err);
	return r;
}

void nf_run_drop_boards(struct nf_run *x)
{
	for (size_t i = 0; i < x->n_boards; i++) {
		struct nf_lab_board *lab = &x->board[i].lab;
		uint32_t seq;

		if (lab->guard.fd >= 0)
			(void)!nf_power_guard_ask(&lab->guard, NF_POWER_ASK_LEAVE, &seq, NULL);
		lab->guarded = false;
		(void)!nf_lab_board_close(lab, NULL);
	}
}

int nf_run_close_boards(struct nf_run *x, struct nf_err *err)
{
	int r = 0;

	nf_lab_loop_fini(&x->loop);
	for (size_t i = 0; i < x->n_boards; i++) {
		struct nf_run_board *b = &x->board[i];
		struct nf_err why = { 0 };
		int one = nf_lab_board_close(&b->lab, &why);

		/* A switch that fails is the board's, a capture that cannot be closed is ours. */
		if (one == -NF_ESUBJECT || one == -NF_ETIMEOUT) {
			b->power_failed = why;
		} else if (one < 0 && r == 0) {
			r = one;
			*err = why;
		}
	}
	return r;
}
