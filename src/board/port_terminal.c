/* SPDX-License-Identifier: MIT */
/* port_terminal - serial ports and ptys: open, raw, for us alone, and as they were. Through struct termios2, for
 * it takes any rate; glibc's <termios.h> cannot stand beside it. */
#include <asm/termios.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/sysio.h"
#include "board/port_impl.h"

_Static_assert(sizeof(struct termios2) <= sizeof(((struct nf_port *)0)->settings),
               "settings must hold struct termios2");

_Static_assert(TCIFLUSH == 0, "as a pointer: NULL");

static int os_ioctl(const struct nf_port *p, unsigned long request, void *arg)
{
	return p->os->ioctl(p->os->ctx, p->fd, request, arg);
}

static void make_raw(struct termios2 *t, uint32_t baud)
{
	t->c_iflag = 0; /* breaks and broken bytes come through as NUL */
	t->c_oflag = 0;
	t->c_lflag = 0;
	t->c_cflag &=
	        ~(tcflag_t)(CBAUD | CBAUD << IBSHIFT | CSIZE | PARENB | CSTOPB | CRTSCTS | HUPCL);
	t->c_cflag |= BOTHER | BOTHER << IBSHIFT | CS8 | CREAD | CLOCAL;
	t->c_ispeed = baud;
	t->c_ospeed = baud;
	t->c_cc[VMIN] = 1;
	t->c_cc[VTIME] = 0;
}

static int apply(struct nf_port *p, struct termios2 *t, uint32_t baud, struct nf_err *err)
{
	if (os_ioctl(p, TCSETS2, t) < 0)
		return errno == EINVAL ? nf_fail(err, NF_EARG, "%s: it cannot run at %u baud",
		                                 p->facts.name, baud)
		                       : nf_fail_os(err, errno, "cannot set up %s", p->facts.name);
	if (os_ioctl(p, TCGETS2, t) < 0)
		return nf_fail_os(err, errno, "%s", p->facts.name);
	/* A driver takes the nearest rate that it has; 3 % is what a UART tolerates. */
	uint32_t off = t->c_ospeed > baud ? t->c_ospeed - baud : baud - t->c_ospeed;
	if (off > baud / 32)
		return nf_fail(err, NF_EARG,
		               "%s: it cannot run at %u baud; the nearest that it has is %u",
		               p->facts.name, baud, t->c_ospeed);
	p->facts.baud = t->c_ospeed;
	return 0;
}

static int set_up(struct nf_port *p, uint32_t baud, struct nf_err *err)
{
	struct termios2 was, t;

	if (os_ioctl(p, TCGETS2, &was) < 0)
		return errno == ENOTTY ? nf_fail(err, NF_EARG,
		                                 "%s: no terminal; allowed: a serial port or a pty",
		                                 p->facts.name)
		                       : nf_fail_os(err, errno, "%s", p->facts.name);
	t = was;
	make_raw(&t, baud);
	memcpy(p->settings, &was, sizeof(was));
	p->saved = true;
	return apply(p, &t, baud, err);
}

int nf_port_set_baud(struct nf_port *p, uint32_t baud, struct nf_err *err)
{
	struct termios2 t;
	int r;

	if (!p->saved)
		return nf_fail(err, NF_EARG, "%s has no rate", p->facts.name);
	if (os_ioctl(p, TCGETS2, &t) < 0)
		return nf_fail_os(err, errno, "%s", p->facts.name);
	make_raw(&t, baud);
	r = apply(p, &t, baud, err);
	if (r == 0)
		(void)os_ioctl(p, TCFLSH, NULL); /* TCIFLUSH: bytes of the rate before */
	return r;
}

static int take_alone(struct nf_port *p, const struct nf_port_spec *spec,
                      const struct nf_rootfs *root, struct nf_err *err)
{
	char who[NF_PORT_HOLDER_MAX];
	struct stat st;

	if (fstat(p->fd, &st) < 0)
		return nf_fail_os(err, errno, "%s", p->facts.name);
	if (p->os->flock(p->os->ctx, p->fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return nf_fail_os(err, errno, "cannot lock %s", p->facts.name);
		nf_port_find_holder(root, &st, spec->path, who);
		return nf_fail(err, NF_ESUBJECT, "%s is held by %s", p->facts.name, who);
	}
	if (os_ioctl(p, TIOCEXCL, NULL) < 0)
		return nf_fail_os(err, errno, "cannot keep others from %s", p->facts.name);
	p->exclusive = true;
	return 0;
}

static void read_modem(struct nf_port *p)
{
	int lines = 0;

	if (os_ioctl(p, TIOCMGET, &lines) < 0)
		return;
	p->facts.modem_known = true;
	p->facts.dcd = lines & TIOCM_CAR;
	p->facts.cts = lines & TIOCM_CTS;
	p->facts.dsr = lines & TIOCM_DSR;
}

static int fail_open(const struct nf_port *p, const struct nf_port_spec *spec,
                     const struct nf_rootfs *root, struct nf_err *err)
{
	int e = errno;

	if (e == EBUSY) { /* another one's TIOCEXCL */
		char who[NF_PORT_HOLDER_MAX];
		struct stat st;

		if (stat(spec->path, &st) < 0)
			st = (struct stat){ 0 };
		nf_port_find_holder(root, &st, spec->path, who);
		return nf_fail(err, NF_ESUBJECT, "%s is held by %s", p->facts.name, who);
	}
	if (e == EIO && spec->kind == NF_PORT_PTY)
		return nf_fail(err, NF_ESUBJECT, "%s: its other side is closed", p->facts.name);
	if (nf_errno_is_of_path(e) || e == ENODEV)
		return nf_fail(err, NF_EARG, "%s: %s; allowed: a serial port or a pty%s",
		               p->facts.name, strerror(e),
		               e == EACCES ? " that this user may open (group dialout)" : "");
	return nf_fail_os(err, e, "cannot open %s", p->facts.name);
}

int nf_port_open_terminal(struct nf_port *p, const struct nf_port_spec *spec,
                          const struct nf_rootfs *root, struct nf_err *err)
{
	struct stat st;
	int r;

	if (spec->baud == 0)
		return nf_fail(err, NF_EARG, "%s: 0 baud; allowed: 50..4000000", p->facts.name);
	/* Not opened before it is known to be a character device: opening a FIFO or a tape does things. */
	if (stat(spec->path, &st) < 0)
		return fail_open(p, spec, root, err);
	if (!S_ISCHR(st.st_mode))
		return nf_fail(err, NF_EARG, "%s: no terminal; allowed: a serial port or a pty",
		               p->facts.name);
	p->fd = open(spec->path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (p->fd < 0)
		return fail_open(p, spec, root, err);
	r = isatty(p->fd)
	            ? take_alone(p, spec, root, err)
	            : nf_fail(err, NF_EARG, "%s: no terminal; allowed: a serial port or a pty",
	                      p->facts.name);
	if (r == 0)
		r = set_up(p, spec->baud, err);
	if (r < 0) {
		nf_port_restore(p);
		close(p->fd);
		p->fd = -1;
		return r;
	}
	nf_port_find_device(&p->facts, spec->path);
	read_modem(p);
	nf_port_find_facts(&p->facts, root);
	return 0;
}

void nf_port_restore(struct nf_port *p)
{
	/* The other way round than they were taken. A port that was unplugged has nothing to restore. */
	if (p->saved)
		(void)os_ioctl(p, TCSETS2, p->settings);
	if (p->exclusive)
		(void)os_ioctl(p, TIOCNXCL, NULL);
	p->saved = false;
	p->exclusive = false;
}

void nf_port_read_errors(const struct nf_port *p, struct nf_port_errors *ret)
{
	struct serial_icounter_struct c = { 0 };

	*ret = (struct nf_port_errors){ 0 };
	if (p->fd < 0 || os_ioctl(p, TIOCGICOUNT, &c) < 0)
		return;
	*ret = (struct nf_port_errors){
		.known = true,
		.overrun = (uint32_t)c.overrun,
		.buf_overrun = (uint32_t)c.buf_overrun,
		.frame = (uint32_t)c.frame,
		.parity = (uint32_t)c.parity,
		.brk = (uint32_t)c.brk,
		.rx = (uint32_t)c.rx,
	};
}
