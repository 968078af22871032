/* SPDX-License-Identifier: MIT */
/*
 * power_qmp - a QEMU machine as a board: off is `stop` and `system_reset`, on is `cont` (also of a machine that
 * was started with -S). A connection for each request: the monitor takes one client at a time, and others may want it.
 */
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/quote.h"
#include "board/power.h"

enum { ANSWER_MAX = 1 << 16 };

struct monitor {
	int fd;
	struct nf_instant begin;
	size_t n;
	char data[ANSWER_MAX]; /* what has come and was not taken */
};

static int check(const struct nf_power_spec *spec, struct nf_err *err)
{
	if (!spec->path)
		return nf_fail(err, NF_EARG, "power driver qmp needs socket");
	if (strlen(spec->path) >= sizeof(((struct sockaddr_un *)NULL)->sun_path))
		return nf_fail(err, NF_EARG, "socket: the path is longer than %zu bytes",
		               sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1);
	return 0;
}

static int wait_for(struct monitor *m, short events, struct nf_err *err)
{
	for (;;) {
		int64_t left = NF_POWER_WAIT_NS - nf_since_ns(m->begin, nf_now_monotonic());
		struct pollfd p = { .fd = m->fd, .events = events };

		if (left <= 0)
			return nf_fail(err, NF_ETIMEOUT, "QEMU's monitor does not answer");
		int n = poll(&p, 1, (int)(left / 1000000) + 1);
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return nf_fail_os(err, errno, "poll");
	}
}

/* One line, as JSON. */
static int next_line(struct monitor *m, json_t **ret, struct nf_err *err)
{
	for (;;) {
		char *end = memchr(m->data, '\n', m->n);

		if (end) {
			size_t len = (size_t)(end - m->data) + 1;

			*ret = json_loadb(m->data, len, JSON_REJECT_DUPLICATES, NULL);
			m->n -= len;
			memmove(m->data, m->data + len, m->n);
			if (*ret && json_is_object(*ret))
				return 0;
			json_decref(*ret);
			return nf_fail(err, NF_ESUBJECT, "what answers is no QEMU monitor");
		}
		if (m->n == sizeof(m->data))
			return nf_fail(err, NF_ESUBJECT, "QEMU's answer is too long");
		int r = wait_for(m, POLLIN, err);
		if (r < 0)
			return r;
		ssize_t n = recv(m->fd, m->data + m->n, sizeof(m->data) - m->n, MSG_DONTWAIT);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return nf_fail(err, NF_ESUBJECT, "QEMU closed its monitor");
		m->n += (size_t)n;
	}
}

/* ret NULL: the answer's content does not matter. */
static int ask(struct monitor *m, const char *command, json_t **ret, struct nf_err *err)
{
	char text[64];
	json_t *answer;
	int n = snprintf(text, sizeof(text), "{\"execute\":\"%s\"}\n", command);

	if (send(m->fd, text, (size_t)n, MSG_NOSIGNAL) != n)
		return nf_fail(err, NF_ESUBJECT, "QEMU's monitor takes nothing: %s",
		               strerror(errno));
	for (;;) {
		int r = next_line(m, &answer, err);
		if (r < 0)
			return r;
		json_t *value = json_object_get(answer, "return");
		if (value) {
			if (ret)
				*ret = json_incref(value);
			json_decref(answer);
			return 0;
		}
		json_t *error = json_object_get(answer, "error");
		if (error) {
			char said[NF_QUOTED];
			const char *why = json_string_value(json_object_get(error, "desc"));

			nf_quote(why ? why : "an error", said);
			json_decref(answer);
			return nf_fail(err, NF_ESUBJECT, "QEMU refuses %s: %s", command, said);
		}
		json_decref(answer); /* an event */
	}
}

static int connect_to(const char *path, struct monitor *ret, struct nf_err *err)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	char name[NF_QUOTED];
	json_t *greeting;

	memcpy(at.sun_path, path, strlen(path) + 1); /* check() measured it */
	ret->n = 0;
	ret->begin = nf_now_monotonic();
	ret->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (ret->fd < 0)
		return nf_fail_os(err, errno, "socket");
	if (connect(ret->fd, (const struct sockaddr *)&at, sizeof(at)) < 0) {
		nf_quote(path, name);
		int e = errno;
		close(ret->fd);
		return nf_fail(err, NF_ESUBJECT, "QEMU's monitor %s: %s", name, strerror(e));
	}
	int r = next_line(ret, &greeting, err);
	if (r == 0) {
		if (!json_object_get(greeting, "QMP"))
			r = nf_fail(err, NF_ESUBJECT, "what answers is no QEMU monitor");
		json_decref(greeting);
	}
	if (r == 0)
		r = ask(ret, "qmp_capabilities", NULL, err);
	if (r < 0)
		close(ret->fd);
	return r;
}

static int open_machine(struct nf_power *p, struct nf_err *err)
{
	struct monitor m;
	int r = connect_to(p->spec.path, &m, err);

	if (r == 0)
		close(m.fd);
	return r;
}

static int set(struct nf_power *p, bool on, struct nf_err *err)
{
	struct monitor m;
	int r = connect_to(p->spec.path, &m, err);

	if (r < 0)
		return r;
	if (on) {
		r = ask(&m, "cont", NULL, err);
	} else {
		r = ask(&m, "stop", NULL, err);
		if (r == 0)
			r = ask(&m, "system_reset", NULL, err);
	}
	close(m.fd);
	return r;
}

static int status(struct nf_power *p, enum nf_power_state *ret, struct nf_err *err)
{
	struct monitor m;
	json_t *answer;
	int r = connect_to(p->spec.path, &m, err);

	if (r < 0)
		return r;
	r = ask(&m, "query-status", &answer, err);
	close(m.fd);
	if (r < 0)
		return r;
	json_t *running = json_object_get(answer, "running");
	if (json_is_boolean(running))
		*ret = json_is_true(running) ? NF_POWER_ON : NF_POWER_OFF;
	else
		r = nf_fail(err, NF_ESUBJECT, "QEMU's status does not tell whether it runs");
	json_decref(answer);
	return r;
}

const struct nf_power_row nf_power_qmp = { .name = "qmp",
	                                   .keys = "socket",
	                                   .check = check,
	                                   .open = open_machine,
	                                   .set = set,
	                                   .status = status };
