/* SPDX-License-Identifier: MIT */
/* port_socket - consoles behind a unix socket (QEMU) or TCP (ser2net, terminal servers). */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "board/port_impl.h"

enum { CONNECT_MS = 5000 };

static int fail_connect(const struct nf_port *p, int e, struct nf_err *err)
{
	if (e == ENOENT || e == ECONNREFUSED || e == ETIMEDOUT || e == EHOSTUNREACH ||
	    e == ENETUNREACH || e == EAGAIN)
		return nf_fail(err, NF_ESUBJECT, "%s: nobody listens: %s", p->facts.name,
		               e == EAGAIN ? "its queue is full" : strerror(e));
	if (e == ENOTSOCK || e == ENOTDIR || e == EACCES || e == EPERM || e == EPROTOTYPE)
		return nf_fail(err, NF_EARG, "%s: %s", p->facts.name, strerror(e));
	return nf_fail_os(err, e, "cannot connect to %s", p->facts.name);
}

/* Connects fd within CONNECT_MS. 0 or an errno. */
static int connect_in_time(int fd, const struct sockaddr *to, socklen_t len)
{
	struct pollfd wait = { .fd = fd, .events = POLLOUT };
	int e = 0;
	socklen_t n = sizeof(e);

	if (connect(fd, to, len) == 0)
		return 0;
	if (errno != EINPROGRESS)
		return errno;
	int r;
	do
		r = poll(&wait, 1, CONNECT_MS);
	while (r < 0 && errno == EINTR);
	if (r == 0)
		return ETIMEDOUT;
	return r < 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &e, &n) < 0 ? errno : e;
}

static int open_unix(struct nf_port *p, const struct nf_port_spec *spec, struct nf_err *err)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = strlen(spec->path);

	if (len >= sizeof(to.sun_path))
		return nf_fail(err, NF_EARG, "%s: a unix socket's path has at most %zu bytes",
		               p->facts.name, sizeof(to.sun_path) - 1);
	memcpy(to.sun_path, spec->path, len + 1);
	p->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (p->fd < 0)
		return nf_fail_os(err, errno, "cannot make a socket");
	int e = connect_in_time(p->fd, (const struct sockaddr *)&to, sizeof(to));
	if (e == 0)
		return 0;
	close(p->fd);
	p->fd = -1;
	return fail_connect(p, e, err);
}

static int open_tcp(struct nf_port *p, const struct nf_port_spec *spec, struct nf_err *err)
{
	struct addrinfo want = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM }, *list;
	int r = getaddrinfo(spec->path, spec->service, &want, &list), e = EHOSTUNREACH, on = 1;

	if (r == EAI_SYSTEM)
		return nf_fail_os(err, errno, "%s", p->facts.name);
	if (r == EAI_MEMORY)
		return nf_fail_nomem(err, p->facts.name, sizeof(*list));
	if (r != 0)
		return nf_fail(err, NF_EARG, "%s: %s", p->facts.name, gai_strerror(r));
	for (const struct addrinfo *a = list; a && p->fd < 0; a = a->ai_next) {
		p->fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		               a->ai_protocol);
		e = p->fd < 0 ? errno : connect_in_time(p->fd, a->ai_addr, a->ai_addrlen);
		if (e && p->fd >= 0) {
			close(p->fd);
			p->fd = -1;
		}
	}
	freeaddrinfo(list);
	if (p->fd < 0)
		return fail_connect(p, e, err);
	(void)setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)); /* for what is typed */
	return 0;
}

int nf_port_open_socket(struct nf_port *p, const struct nf_port_spec *spec, struct nf_err *err)
{
	return spec->kind == NF_PORT_UNIX ? open_unix(p, spec, err) : open_tcp(p, spec, err);
}
