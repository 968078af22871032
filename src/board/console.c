/* SPDX-License-Identifier: MIT */
#include "board/console.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"

enum { NS_PER_MS = 1000000 };

int64_t nf_console_now_ns(const struct nf_console *c)
{
	return nf_now_raw().ns - c->start_ns;
}

static int watch(struct nf_console *c, int fd, struct nf_err *err)
{
	struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };

	if (epoll_ctl(c->epoll, EPOLL_CTL_ADD, fd, &e) == 0)
		return 0;
	return errno == EPERM ? nf_fail(err, NF_EARG, "a file cannot be waited for")
	                      : nf_fail_os(err, errno, "cannot wait for a console");
}

static void set_head(struct nf_console *c)
{
	const struct nf_port_facts *f = &c->port->facts;

	c->start_ns = nf_now_raw().ns;
	c->head = (struct nf_capture_head){ .kind = f->kind,
		                            .baud = f->baud,
		                            .delay_ns = f->delay_ns,
		                            .epoch_utc_ns = nf_now_utc().ns };
	memcpy(c->head.port, f->name, sizeof(c->head.port));
}

int nf_console_open(struct nf_console *ret, struct nf_port *port, int dirfd, const char *name,
                    int input, struct nf_err *err)
{
	struct nf_console c = {
		.port = port, .capture = { .raw = -1, .idx = -1 }, .input = input, .waiting = true
	};
	int r;

	c.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (c.epoll < 0)
		return nf_fail_os(err, errno, "cannot wait for a console");
	c.data = malloc(NF_CAPTURE_READ_MAX);
	r = c.data ? watch(&c, port->fd, err) : nf_fail_nomem(err, "a read", NF_CAPTURE_READ_MAX);
	if (r == 0 && input >= 0)
		r = watch(&c, input, err);
	if (r == 0)
		set_head(&c);
	if (r == 0 && dirfd >= 0)
		r = nf_capture_create(&c.capture, dirfd, name, &c.head, err);
	if (r < 0) {
		free(c.data);
		close(c.epoll);
		return r;
	}
	*ret = c;
	return 0;
}

void nf_console_drop_input(struct nf_console *c)
{
	if (c->input >= 0)
		(void)epoll_ctl(c->epoll, EPOLL_CTL_DEL, c->input, NULL);
	c->input = -1;
}

int nf_console_take(struct nf_console *c, bool ready, enum nf_console_event *ret_event,
                    struct nf_capture_read *ret_read, struct nf_err *err)
{
	struct nf_capture_read read = { .lo_ns = c->empty_ns, .waiting = c->waiting };
	size_t n = 0;
	int r;

	read.t_ns = nf_console_now_ns(c);
	r = nf_port_read(c->port, c->data, NF_CAPTURE_READ_MAX, &n, err);
	if (r < 0)
		return r;
	if (n == 0) {
		c->empty_ns = read.t_ns;
		c->waiting = false;
		return 0;
	}
	read.done_ns = nf_console_now_ns(c);
	if (!ready)
		read.t_ns = read.done_ns;
	read.bytes = (uint32_t)n;
	read.offset = c->n_bytes;
	c->n_bytes += n;
	c->n_reads++;
	*ret_read = read;
	*ret_event = NF_CONSOLE_BYTES;
	return c->capture.raw >= 0 ? nf_capture_append(&c->capture, c->data, &read, err) : 0;
}

/* Waits for either. 0, or -NF_EOS. */
static int wait_for_any(const struct nf_console *c, int wait_ms, bool *ret_port, bool *ret_input,
                        struct nf_err *err)
{
	struct epoll_event e[2];
	int n = epoll_wait(c->epoll, e, 2, wait_ms);

	if (n < 0 && errno != EINTR)
		return nf_fail_os(err, errno, "cannot wait for %s", c->port->facts.name);
	*ret_port = false;
	*ret_input = false;
	for (int i = 0; i < n; i++) {
		*ret_port |= e[i].data.fd == c->port->fd;
		*ret_input |= e[i].data.fd == c->input;
	}
	return n < 0 ? 1 : 0;
}

static int64_t left_ms(const struct nf_console *c, int64_t end_ns)
{
	return (end_ns - nf_console_now_ns(c) + NS_PER_MS - 1) / NS_PER_MS;
}

int nf_console_wait(struct nf_console *c, int timeout_ms, enum nf_console_event *ret_event,
                    struct nf_capture_read *ret_read, struct nf_err *err)
{
	int64_t end_ns = nf_console_now_ns(c) + (int64_t)timeout_ms * NS_PER_MS;
	bool port, input = false;
	int r = 0;

	*ret_event = NF_CONSOLE_IDLE;
	/* A flood must not keep the user out. */
	if (c->input >= 0 && ++c->n_waits % NF_CONSOLE_TURN == 0)
		r = wait_for_any(c, 0, &port, &input, err) < 0 ? -NF_EOS : 0;
	while (r == 0 && !input) {
		r = nf_console_take(c, false, ret_event, ret_read, err);
		if (r < 0 || *ret_event == NF_CONSOLE_BYTES)
			return r;
		int64_t left = left_ms(c, end_ns);
		r = wait_for_any(c, left <= 0 ? 0 : NF_CONSOLE_TICK_MS, &port, &input, err);
		if (r < 0)
			return r;
		bool over = r == 1 || left <= 0;
		r = port ? nf_console_take(c, true, ret_event, ret_read, err) : 0;
		if (r < 0 || *ret_event == NF_CONSOLE_BYTES)
			return r;
		if (over && !input)
			return 0;
	}
	if (input)
		*ret_event = NF_CONSOLE_INPUT;
	return r;
}

int nf_console_close(struct nf_console *c, struct nf_err *err)
{
	int r = c->epoll >= 0 ? nf_capture_close(&c->capture, err) : 0;

	if (c->epoll >= 0)
		close(c->epoll);
	c->epoll = -1;
	free(c->data);
	c->data = NULL;
	return r;
}
