/* SPDX-License-Identifier: MIT */
#include "board/port.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "board/port_impl.h"

static int live_ioctl(void *ctx, int fd, unsigned long request, void *arg)
{
	(void)ctx;
	return ioctl(fd, request, arg);
}

static int live_flock(void *ctx, int fd, int operation)
{
	(void)ctx;
	return flock(fd, operation);
}

const struct nf_port_os nf_port_os_live = { .ioctl = live_ioctl, .flock = live_flock };

const char *nf_port_kind_name(enum nf_port_kind kind)
{
	static const char *const names[] = {
		[NF_PORT_SERIAL] = "serial",
		[NF_PORT_PTY] = "pty",
		[NF_PORT_UNIX] = "unix",
		[NF_PORT_TCP] = "tcp",
	};

	return (unsigned)kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "unknown";
}

static const char allowed[] =
        "/dev/NAME, device:PATH, by_path:NAME, by_id:NAME, pty:PATH, unix:PATH, "
        "tcp:HOST:PORT";

static int set_path(struct nf_port_spec *spec, const char *folder, const char *path,
                    const char *text, struct nf_err *err)
{
	int n = snprintf(spec->path, sizeof(spec->path), "%s%s", path[0] == '/' ? "" : folder,
	                 path);

	if (!path[0] || n < 0 || (size_t)n >= sizeof(spec->path))
		return nf_fail(err, NF_EARG, "port '%s': a path of 1..%d bytes; allowed: %s", text,
		               NF_PORT_PATH_MAX - 1, allowed);
	return 0;
}

/* A name, or a number of a port. */
static bool may_be_service(const char *text)
{
	unsigned long number;

	if (text[strspn(text, "0123456789")] != '\0')
		return true;
	number = strtoul(text, NULL, 10);
	return number >= 1 && number <= 65535;
}

static int set_tcp(struct nf_port_spec *spec, const char *rest, const char *text,
                   struct nf_err *err)
{
	const char *colon = strrchr(rest, ':');
	size_t len = colon ? (size_t)(colon - rest) : 0;

	if (len > 1 && rest[0] == '[' && rest[len - 1] == ']') {
		rest++;
		len -= 2;
	} else if (colon && memchr(rest, ':', len)) {
		len = 0; /* an IPv6 address without brackets: which colon is the last? */
	}
	if (len == 0 || len >= sizeof(spec->path) || !colon[1] ||
	    strlen(colon + 1) >= sizeof(spec->service))
		return nf_fail(err, NF_EARG,
		               "port '%s': allowed: tcp:HOST:PORT, an IPv6 host in brackets", text);
	if (!may_be_service(colon + 1))
		return nf_fail(err, NF_EARG, "port '%s': allowed: tcp:HOST:PORT, PORT 1 to 65535",
		               text);
	memcpy(spec->path, rest, len);
	spec->path[len] = '\0';
	memcpy(spec->service, colon + 1, strlen(colon + 1) + 1);
	return 0;
}

int nf_port_parse(const char *text, uint32_t baud, struct nf_port_spec *ret, struct nf_err *err)
{
	static const struct {
		const char *prefix;
		enum nf_port_kind kind;
		const char *folder; /* of a path that does not begin with a slash */
	} forms[] = {
		{ "device:", NF_PORT_SERIAL, "" },
		{ "by_path:", NF_PORT_SERIAL, "/dev/serial/by-path/" },
		{ "by_id:", NF_PORT_SERIAL, "/dev/serial/by-id/" },
		{ "pty:", NF_PORT_PTY, "" },
		{ "unix:", NF_PORT_UNIX, "" },
		{ "/dev/", NF_PORT_SERIAL, "/dev/" },
	};
	struct nf_port_spec spec = { .baud = baud };
	int r;

	if (strncmp(text, "tcp:", 4) == 0) {
		spec.kind = NF_PORT_TCP;
		spec.baud = 0;
		r = set_tcp(&spec, text + 4, text, err);
		if (r == 0)
			*ret = spec;
		return r;
	}
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t n = strlen(forms[i].prefix);

		if (strncmp(text, forms[i].prefix, n) != 0)
			continue;
		spec.kind = forms[i].kind;
		r = set_path(&spec, forms[i].folder, text + n, text, err);
		if (r < 0)
			return r;
		if (spec.kind == NF_PORT_SERIAL && strncmp(spec.path, "/dev/pts/", 9) == 0)
			spec.kind = NF_PORT_PTY;
		if (spec.kind == NF_PORT_UNIX)
			spec.baud = 0;
		*ret = spec;
		return 0;
	}
	return nf_fail(err, NF_EARG, "port '%s'; allowed: %s", text, allowed);
}

static void name_port(struct nf_port_facts *f, const struct nf_port_spec *spec)
{
	if (spec->kind == NF_PORT_TCP)
		snprintf(f->name, sizeof(f->name), "tcp:%s:%s", spec->path, spec->service);
	else if (spec->kind == NF_PORT_UNIX)
		snprintf(f->name, sizeof(f->name), "unix:%s", spec->path);
	else
		snprintf(f->name, sizeof(f->name), "%s", spec->path);
}

static struct nf_port_facts no_facts(const struct nf_port_spec *spec)
{
	struct nf_port_facts f = { .kind = spec->kind, .latency_timer_ms = -1, .delay_ns = -1 };

	name_port(&f, spec);
	return f;
}

void nf_port_look(const struct nf_port_spec *spec, const struct nf_rootfs *root,
                  struct nf_port_facts *ret)
{
	*ret = no_facts(spec);
	if (spec->kind == NF_PORT_UNIX || spec->kind == NF_PORT_TCP)
		return;
	nf_port_find_device(ret, spec->path);
	nf_port_find_facts(ret, root);
}

int nf_port_open(struct nf_port *ret, const struct nf_port_spec *spec, const struct nf_rootfs *root,
                 const struct nf_port_os *os, struct nf_err *err)
{
	struct nf_port p = { .fd = -1, .os = os ? os : &nf_port_os_live };
	int r;

	p.facts = no_facts(spec);
	r = spec->kind == NF_PORT_UNIX || spec->kind == NF_PORT_TCP
	            ? nf_port_open_socket(&p, spec, err)
	            : nf_port_open_terminal(&p, spec, root, err);
	if (r == 0)
		*ret = p;
	return r;
}

void nf_port_close(struct nf_port *p)
{
	if (p->fd < 0)
		return;
	nf_port_restore(p);
	close(p->fd);
	p->fd = -1;
}

static int gone(const struct nf_port *p, const char *how, struct nf_err *err)
{
	return nf_fail(err, NF_ESUBJECT, "%s: the port is gone: %s", p->facts.name, how);
}

int nf_port_read(struct nf_port *p, void *data, size_t max_bytes, size_t *ret_n, struct nf_err *err)
{
	ssize_t n;

	do
		n = read(p->fd, data, max_bytes);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
		if (errno == EIO || errno == ENXIO || errno == ENODEV || errno == ECONNRESET)
			return gone(p,
			            p->facts.kind == NF_PORT_SERIAL ? "unplugged"
			                                            : "the other side closed it",
			            err);
		return nf_fail_os(err, errno, "cannot read %s", p->facts.name);
	}
	/* A terminal that was unplugged reads as ended; with VMIN 1 it never does otherwise. */
	if (n == 0 && max_bytes)
		return gone(p,
		            p->facts.kind == NF_PORT_SERIAL ? "unplugged"
		                                            : "the other side closed it",
		            err);
	*ret_n = n < 0 ? 0 : (size_t)n;
	return 0;
}

int nf_port_write_some(struct nf_port *p, const void *data, size_t len_bytes, size_t *ret_n,
                       struct nf_err *err)
{
	ssize_t n;

	do
		n = write(p->fd, data, len_bytes);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
		return errno == EIO || errno == EPIPE || errno == ENXIO || errno == ENODEV
		               ? gone(p, "it takes nothing any more", err)
		               : nf_fail_os(err, errno, "cannot write to %s", p->facts.name);
	*ret_n = n < 0 ? 0 : (size_t)n;
	return 0;
}

int nf_port_write(struct nf_port *p, const void *data, size_t len_bytes, int timeout_ms,
                  struct nf_err *err)
{
	const char *at = data;

	while (len_bytes) {
		struct pollfd fd = { .fd = p->fd, .events = POLLOUT };
		size_t n = 0;
		int r = nf_port_write_some(p, at, len_bytes, &n, err);

		if (r < 0)
			return r;
		at += n;
		len_bytes -= n;
		if (n > 0)
			continue;
		r = poll(&fd, 1, timeout_ms);
		if (r == 0)
			return nf_fail(err, NF_ETIMEOUT, "%s takes no more bytes, for %d ms",
			               p->facts.name, timeout_ms);
		if (r < 0 && errno != EINTR)
			return nf_fail_os(err, errno, "cannot wait for %s", p->facts.name);
	}
	return 0;
}

void nf_port_advice(const struct nf_port_facts *f, char ret[NF_PORT_ADVICE_MAX])
{
	size_t at = 0;

	ret[0] = '\0';
	if (f->by_number)
		at += (size_t)snprintf(ret, NF_PORT_ADVICE_MAX,
		                       "%s is a name by number, which another adapter may get next "
		                       "time%s%.200s%s\n",
		                       f->name, f->by_path[0] ? "; by_path:" : "", f->by_path,
		                       f->by_path[0] ? " stays" : "");
	if (at < NF_PORT_ADVICE_MAX && f->latency_timer_ms > 1)
		snprintf(
		        ret + at, NF_PORT_ADVICE_MAX - at,
		        "the adapter keeps bytes back for up to %d ms (latency_timer): 1 makes the "
		        "times better; udev rule: " NF_PORT_UDEV_RULE "\n",
		        f->latency_timer_ms);
}
