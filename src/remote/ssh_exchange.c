/* SPDX-License-Identifier: MIT */
#include "remote/ssh_exchange.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

enum {
	CHUNK = 1 << 16,
	PREAMBLE_BYTES = 1 << 16, /* of what shells print before a command */
	TICK_MS = 50, /* how soon a stop request is seen */
};

struct state {
	struct nf_ssh_exchange *x;
	struct nf_buf before; /* until the token */
	size_t sent_bytes;
	size_t got_bytes; /* behind the token */
	struct nf_instant deadline;
	bool asked; /* to end */
};

static int deliver(struct state *s, const char *data, size_t n, struct nf_err *err)
{
	struct nf_ssh_exchange *x = s->x;

	if (n == 0)
		return 0;
	if (!x->sink || n > x->max_bytes - s->got_bytes)
		return nf_fail(err, NF_ESUBJECT, "%s: says more than it may (%zu bytes)", x->who,
		               x->sink ? x->max_bytes : 0);
	s->got_bytes += n;
	int r = x->sink(x->sink_ctx, data, n, err);
	if (r == NF_SSH_ENOUGH) {
		x->enough = true;
		r = 0;
	}
	return r;
}

static int take(struct state *s, const char *data, size_t n, struct nf_err *err)
{
	struct nf_ssh_exchange *x = s->x;

	if (x->begun)
		return deliver(s, data, n, err);
	if (nf_buf_add(&s->before, data, n) < 0)
		return nf_buf_failed(&s->before, "what comes before an answer", NULL) == -NF_ENOMEM
		               ? nf_fail_nomem(err, "what comes before an answer", n)
		               : nf_fail(err, NF_ESUBJECT,
		                         "%s: its shell prints without end before it answers",
		                         x->who);
	size_t len = strlen(x->token);
	const char *at = memmem(s->before.data, s->before.len_bytes, x->token, len);
	if (!at)
		return 0;
	x->begun = true;
	size_t used = (size_t)(at - s->before.data) + len;
	return deliver(s, s->before.data + used, s->before.len_bytes - used, err);
}

static int read_out(struct state *s, struct nf_err *err)
{
	struct nf_ssh_child *c = s->x->child;
	char data[CHUNK];
	ssize_t n = read(c->out_fd, data, sizeof(data));

	if (n > 0)
		return take(s, data, (size_t)n, err);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	close(c->out_fd);
	c->out_fd = -1;
	return 0;
}

/* The holding command has nothing to say any more: what it says is dropped, so that it cannot fill a pipe. */
static void drop(struct nf_ssh_child *c)
{
	char data[4096];

	nf_ssh_child_listen(c);
	if (c->out_fd < 0)
		return;
	ssize_t n = read(c->out_fd, data, sizeof(data));
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) {
		close(c->out_fd);
		c->out_fd = -1;
	}
}

static void send_input(struct state *s)
{
	struct nf_ssh_exchange *x = s->x;
	struct nf_ssh_child *c = x->child;

	if (c->in_fd < 0)
		return;
	if (s->sent_bytes < x->input_bytes) {
		ssize_t n = send(c->in_fd, x->input + s->sent_bytes, x->input_bytes - s->sent_bytes,
		                 MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n > 0)
			s->sent_bytes += (size_t)n;
		else if (errno != EINTR && errno != EAGAIN)
			nf_ssh_child_hush(c); /* it reads no more; its end says why */
	}
	/* The master's stays open for as long as it is to hold. */
	if (s->sent_bytes >= x->input_bytes && !x->controlled && x->beside)
		nf_ssh_child_hush(c);
}

/* Asks a controlled command to end, once. */
static void ask(struct state *s, const char *how)
{
	if (s->x->child->in_fd >= 0)
		(void)send(s->x->child->in_fd, how, strlen(how), MSG_NOSIGNAL | MSG_DONTWAIT);
	s->asked = true;
	s->deadline = nf_now_monotonic();
	s->deadline.ns += s->x->grace_ns;
}

/* Whether the exchange is over for now: a request to stop, or the time. */
static bool is_over(struct state *s)
{
	struct nf_ssh_exchange *x = s->x;
	int signo = nf_stop_signo(x->stop);

	if (signo != 0 && !x->stopped) {
		x->stopped = true;
		if (!x->controlled)
			return true;
		if (!s->asked)
			ask(s, signo == SIGINT ? "INT\n" : "TERM\n");
	}
	if (nf_now_monotonic().ns < s->deadline.ns)
		return false;
	if (s->asked)
		return true;
	x->timed_out = true;
	if (!x->controlled)
		return true;
	ask(s, "TERM\n");
	return false;
}

static int step(struct state *s, struct nf_err *err)
{
	struct nf_ssh_child *c = s->x->child, *b = s->x->beside;
	bool sends = c->in_fd >= 0 && s->sent_bytes < s->x->input_bytes;
	struct pollfd p[] = {
		{ .fd = c->out_fd, .events = POLLIN },
		{ .fd = c->err_fd, .events = POLLIN },
		{ .fd = sends ? c->in_fd : -1, .events = POLLOUT },
		{ .fd = b ? b->out_fd : -1, .events = POLLIN },
		{ .fd = b ? b->err_fd : -1, .events = POLLIN },
	};

	if (poll(p, sizeof(p) / sizeof(p[0]), TICK_MS) < 0 && errno != EINTR)
		return nf_fail_os(err, errno, "poll");
	if (p[1].revents)
		nf_ssh_child_listen(c);
	if (b && (p[3].revents || p[4].revents))
		drop(b);
	send_input(s);
	return p[0].revents ? read_out(s, err) : 0;
}

int nf_ssh_exchange_run(struct nf_ssh_exchange *x, struct nf_err *err)
{
	struct state s = { .x = x, .deadline = nf_now_monotonic() };
	int r = 0;

	s.deadline.ns += x->timeout_ns;
	nf_buf_init(&s.before, PREAMBLE_BYTES);
	while (r == 0 && !x->enough) {
		if (x->child->out_fd < 0 && x->child->err_fd < 0) {
			x->at_end = true;
			break;
		}
		if (is_over(&s))
			break;
		r = step(&s, err);
	}
	nf_buf_fini(&s.before);
	return r;
}
