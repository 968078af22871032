/* SPDX-License-Identifier: MIT */
#include "job/lab_board.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/* A board that floods is left after so many reads for the others. */
enum { READS_A_TURN = 16 };

void nf_lab_board_none(struct nf_lab_board *b)
{
	*b = (struct nf_lab_board){ .port.fd = -1,
		                    .guard.fd = -1,
		                    .console.epoll = -1,
		                    .console.capture = { .raw = -1, .idx = -1 },
		                    .watched_port = -1,
		                    .watched_guard = -1 };
}

static int open_guard(struct nf_lab_board *b, struct nf_err *err)
{
	int r = nf_power_guard_start(&b->guard, &b->campaign->power, NULL,
	                             (enum nf_power_end)b->campaign->file->on_abort.v, err);

	b->guarded = b->guarded || r == 0;
	return r;
}

int nf_lab_board_reopen(struct nf_lab_board *b, bool power, struct nf_err *err)
{
	int r = 0;

	if (b->port.fd < 0)
		r = nf_port_open(&b->port, &b->campaign->console, b->root, NULL, err);
	if (r == 0 && power && b->guard.fd < 0)
		r = open_guard(b, err);
	return r;
}

int nf_lab_board_open(struct nf_lab_board *ret, const struct nf_campaign *campaign,
                      const struct nf_rootfs *root, bool power, struct nf_err *err)
{
	nf_lab_board_none(ret);
	ret->campaign = campaign;
	ret->root = root;
	int r = nf_lab_board_reopen(ret, power, err);
	if (r < 0 && ret->port.fd >= 0)
		nf_port_close(&ret->port);
	return r;
}

/* --- what the dialogue asks for --- */

static void ask_power(struct nf_lab_board *b, enum nf_dialogue_power what)
{
	enum nf_power_ask ask = what == NF_DIALOGUE_OFF  ? NF_POWER_ASK_OFF
	                        : what == NF_DIALOGUE_ON ? NF_POWER_ASK_ON
	                                                 : NF_POWER_ASK_STATUS;

	if (b->guard.fd < 0)
		(void)nf_fail(&b->power_failed, NF_ESUBJECT, "there is no power switch");
	else if (nf_power_guard_ask(&b->guard, ask, &b->asked, &b->power_failed) < 0)
		b->asked = 0;
}

int nf_lab_board_send(struct nf_lab_board *b, const void *data, size_t len_bytes,
                      struct nf_err *err)
{
	if (len_bytes > sizeof(b->out) - b->n_out)
		return nf_fail(err, NF_ESUBJECT, "%s takes no more bytes", b->port.facts.name);
	memcpy(b->out + b->n_out, data, len_bytes);
	b->n_out += len_bytes;
	return 0;
}

static int act(void *ctx, const struct nf_dialogue_action *a, struct nf_err *err)
{
	struct nf_lab_board *b = ctx;
	const struct nf_lab_talk_watch *w = b->watch;

	if (a->what == NF_DIALOGUE_POWER)
		ask_power(b, a->power);
	else if (a->what == NF_DIALOGUE_SEND && !b->port_failed.code)
		(void)!nf_lab_board_send(b, a->bytes, a->len, &b->port_failed);
	return w && w->action ? w->action(w->ctx, a, err) : 0;
}

/* --- a talk --- */

int nf_lab_board_talk(struct nf_lab_board *b, const struct nf_lab_talk *talk, struct nf_err *err)
{
	int r = talk->shell ? nf_dialogue_shell(talk->opts, act, b, &b->dialogue, err)
	                    : nf_dialogue_boot(talk->opts, act, b, &b->dialogue, err);

	if (r < 0)
		return r;
	b->watch = talk->watch;
	b->n_out = 0;
	b->asked = 0;
	b->power_failed = b->port_failed = (struct nf_err){ 0 };
	nf_port_read_errors(&b->port, &b->before);
	r = nf_console_open(&b->console, &b->port, talk->dirfd, talk->name, -1, err);
	if (r == 0)
		r = nf_dialogue_start(b->dialogue, nf_console_now_ns(&b->console), err);
	if (r < 0) {
		(void)!nf_console_close(&b->console, NULL);
		nf_dialogue_free(b->dialogue);
		b->dialogue = NULL;
	}
	return r;
}

const struct nf_outcome *nf_lab_board_outcome(const struct nf_lab_board *b)
{
	return b->dialogue ? nf_dialogue_outcome(b->dialogue) : NULL;
}

static bool goes_on(const struct nf_lab_board *b)
{
	return b->dialogue && !nf_dialogue_outcome(b->dialogue);
}

int nf_lab_board_stop(struct nf_lab_board *b, struct nf_err *err)
{
	return goes_on(b) ? nf_dialogue_stop(b->dialogue, nf_console_now_ns(&b->console), err) : 0;
}

int nf_lab_board_hush(struct nf_lab_board *b, struct nf_err *err)
{
	int r = nf_console_close(&b->console, err);

	nf_dialogue_free(b->dialogue);
	b->dialogue = NULL;
	b->watch = NULL;
	return r;
}

void nf_lab_board_settle(struct nf_lab_board *b)
{
	int end = (int)b->campaign->file->on_abort.v;
	uint32_t seq;

	if (b->guard.fd >= 0 && end != NF_POWER_END_LEAVE)
		(void)!nf_power_guard_ask(
		        &b->guard, end == NF_POWER_END_ON ? NF_POWER_ASK_ON : NF_POWER_ASK_OFF,
		        &seq, NULL);
}

int nf_lab_board_close(struct nf_lab_board *b, struct nf_err *err)
{
	int r = nf_lab_board_hush(b, err), stopped = 0;

	/* A guard that was killed can set nothing; another can. */
	if (b->guarded && b->guard.fd < 0)
		stopped = open_guard(b, r < 0 ? NULL : err);
	if (stopped == 0)
		stopped = nf_power_guard_stop(&b->guard, r < 0 ? NULL : err);
	b->guarded = false;

	nf_port_close(&b->port);
	return r < 0 ? r : stopped;
}

/* --- the loop --- */

int nf_lab_loop_init(struct nf_lab_loop *ret, struct nf_err *err)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);

	if (fd < 0)
		return nf_fail_os(err, errno, "cannot wait for boards");
	*ret = (struct nf_lab_loop){ .epoll = fd };
	return 0;
}

int nf_lab_loop_add(struct nf_lab_loop *l, struct nf_lab_board *b, struct nf_err *err)
{
	if (l->n == NF_LAB_BOARDS_MAX)
		return nf_fail(err, NF_EARG, "more than %d boards", NF_LAB_BOARDS_MAX);
	l->board[l->n++] = b;
	return 0;
}

void nf_lab_loop_fini(struct nf_lab_loop *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->board[i]->watched_port = l->board[i]->watched_guard = -1;
	if (l->epoll >= 0)
		close(l->epoll);
	*l = (struct nf_lab_loop){ .epoll = -1 };
}

static int control(const struct nf_lab_loop *l, int op, int fd, uint32_t events, uint64_t who,
                   struct nf_err *err)
{
	struct epoll_event e = { .events = events, .data.u64 = who };

	return epoll_ctl(l->epoll, op, fd, &e) == 0
	               ? 0
	               : nf_fail_os(err, errno, "cannot wait for a board");
}

/* Before a descriptor is closed: a child may have a copy for a moment, which epoll would go on about. */
static void unwatch(const struct nf_lab_loop *l, int *fd)
{
	if (*fd >= 0)
		(void)epoll_ctl(l->epoll, EPOLL_CTL_DEL, *fd, NULL);
	*fd = -1;
}

/* Only of boards that are talked to: what nobody reads would keep the loop awake. */
static int watch_board(const struct nf_lab_loop *l, size_t i, struct nf_err *err)
{
	struct nf_lab_board *b = l->board[i];
	bool on = goes_on(b), out = b->n_out > 0;
	uint32_t events = out ? EPOLLIN | EPOLLOUT : EPOLLIN;
	int port = on ? b->port.fd : -1, guard = on ? b->guard.fd : -1, r = 0;

	if (b->watched_port != port) {
		unwatch(l, &b->watched_port);
		if (port >= 0)
			r = control(l, EPOLL_CTL_ADD, port, events, 2 * i, err);
		b->watched_port = r == 0 ? port : -1;
	} else if (port >= 0 && b->watched_out != out) {
		r = control(l, EPOLL_CTL_MOD, port, events, 2 * i, err);
	}
	b->watched_out = out;
	if (r == 0 && b->watched_guard != guard) {
		unwatch(l, &b->watched_guard);
		if (guard >= 0)
			r = control(l, EPOLL_CTL_ADD, guard, EPOLLIN, 2 * i + 1, err);
		b->watched_guard = r == 0 ? guard : -1;
	}
	return r;
}

static void lose_port(const struct nf_lab_loop *l, struct nf_lab_board *b)
{
	unwatch(l, &b->watched_port);
	nf_port_close(&b->port);
}

static void lose_guard(const struct nf_lab_loop *l, struct nf_lab_board *b)
{
	unwatch(l, &b->watched_guard);
	(void)!nf_power_guard_stop(&b->guard, NULL);
	b->asked = 0;
}

/* Answers to this talk's questions. A question of an earlier one may be answered late: nobody waits for that. */
static int take_answers(const struct nf_lab_loop *l, struct nf_lab_board *b, struct nf_err *err)
{
	struct nf_power_answer a;
	int got, r = 0;

	while (r == 0 && b->guard.fd >= 0 &&
	       (got = nf_power_guard_take(&b->guard, &a, &b->power_failed)) != 0) {
		if (got < 0) {
			lose_guard(l, b);
			break;
		}
		if (a.seq != b->asked)
			continue;
		b->asked = 0;
		r = nf_dialogue_answer(b->dialogue, nf_console_now_ns(&b->console),
		                       a.code < 0 ? a.err.msg : NULL, a.state, err);
	}
	if (r == 0 && b->power_failed.code && goes_on(b)) {
		struct nf_err why = b->power_failed;

		b->power_failed = (struct nf_err){ 0 };
		r = nf_dialogue_answer(b->dialogue, nf_console_now_ns(&b->console), why.msg,
		                       NF_POWER_UNKNOWN, err);
	}
	return r;
}

/* Reads until it is empty, or for long enough. *ret_known_ns: up to then it is known what came; -1: nothing new is. */
static int take_bytes(struct nf_lab_board *b, int64_t *ret_known_ns, struct nf_err *err)
{
	*ret_known_ns = -1;
	for (int i = 0; i < READS_A_TURN && goes_on(b) && !b->port_failed.code; i++) {
		enum nf_console_event event = NF_CONSOLE_IDLE;
		struct nf_capture_read read;
		struct nf_err why = { 0 };
		int r = nf_console_take(&b->console, b->ready_port, &event, &read, &why);

		b->ready_port = false;
		/* Bytes that were read and cannot be kept are this machine's failure, all others the port's. */
		if (r < 0 && (event == NF_CONSOLE_BYTES || r == -NF_ENOMEM)) {
			*err = why;
			return r;
		}
		if (r < 0)
			b->port_failed = why;
		if (r < 0)
			return 0;
		*ret_known_ns = event == NF_CONSOLE_BYTES ? read.done_ns : b->console.empty_ns;
		if (event != NF_CONSOLE_BYTES)
			return 0;
		struct nf_line_time t = nf_capture_time(&b->console.head, &read);
		if (b->watch && b->watch->bytes)
			r = b->watch->bytes(b->watch->ctx, b->console.data, read.bytes, err);
		if (r == 0)
			r = nf_dialogue_bytes(b->dialogue, &t, b->console.data, read.bytes, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static void flush(struct nf_lab_board *b)
{
	size_t n = 0;

	if (b->n_out == 0 || b->port_failed.code ||
	    nf_port_write_some(&b->port, b->out, b->n_out, &n, &b->port_failed) < 0)
		return;
	memmove(b->out, b->out + n, b->n_out - n);
	b->n_out -= n;
}

static int turn_board(const struct nf_lab_loop *l, struct nf_lab_board *b, struct nf_err *err)
{
	int64_t known_ns = -1;
	int r = b->ready_guard || b->power_failed.code ? take_answers(l, b, err) : 0;

	if (r == 0)
		r = take_bytes(b, &known_ns, err);
	/* Silence is claimed up to when the port was empty. In a flood, which never is, limits still are reached. */
	if (r == 0 && known_ns >= 0 && goes_on(b))
		r = nf_dialogue_tick(b->dialogue, known_ns, err);
	if (r == 0 && goes_on(b))
		flush(b);
	if (r == 0 && b->port_failed.code && goes_on(b)) {
		lose_port(l, b);
		r = nf_dialogue_lost(b->dialogue, nf_console_now_ns(&b->console),
		                     b->port_failed.msg, err);
	}
	return r;
}

int nf_lab_loop_turn(struct nf_lab_loop *l, int idle_ms, struct nf_err *err)
{
	struct epoll_event e[2 * NF_LAB_BOARDS_MAX];
	bool talking = false;
	int n, r = 0;

	for (size_t i = 0; r == 0 && i < l->n; i++) {
		l->board[i]->ready_port = l->board[i]->ready_guard = false;
		talking = talking || goes_on(l->board[i]);
		r = watch_board(l, i, err);
	}
	if (r < 0)
		return r;
	n = epoll_wait(l->epoll, e, 2 * NF_LAB_BOARDS_MAX, talking ? NF_CONSOLE_TICK_MS : idle_ms);
	if (n < 0 && errno != EINTR)
		return nf_fail_os(err, errno, "cannot wait for boards");
	for (int i = 0; i < n; i++) {
		struct nf_lab_board *b = l->board[e[i].data.u64 / 2];

		if (e[i].data.u64 % 2)
			b->ready_guard = true;
		else if (e[i].events & ~(uint32_t)EPOLLOUT)
			b->ready_port = true;
	}
	for (size_t i = 0; r == 0 && i < l->n; i++)
		if (goes_on(l->board[i]))
			r = turn_board(l, l->board[i], err);
	return r;
}
