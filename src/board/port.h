/* SPDX-License-Identifier: MIT */
/*
 * port - serial ports, ptys, unix and TCP sockets behind one interface.
 *
 * A terminal is opened raw (VMIN 1, VTIME 0), without flow control, for this process alone: flock() and
 * TIOCEXCL; its settings are put back at close. What the kernel says about a serial port (error counters,
 * modem lines, an FTDI adapter's latency timer) is read through `struct nf_port_os` and a root folder, so that
 * a test can play a real one. Threads: one at a time per port.
 */
#ifndef NF_BOARD_PORT_H
#define NF_BOARD_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/fail.h"
#include "base/rootfs.h"

enum nf_port_kind {
	NF_PORT_SERIAL,
	NF_PORT_PTY,
	NF_PORT_UNIX,
	NF_PORT_TCP,
};

enum {
	NF_PORT_BAUD = 115200,
	NF_PORT_PATH_MAX = 256, /* with its NUL */
	NF_PORT_ADVICE_MAX = 1024,
};

struct nf_port_spec {
	enum nf_port_kind kind;
	uint32_t baud; /* of a serial port, and what a pty stands for; 0: unknown (sockets) */
	char path[NF_PORT_PATH_MAX]; /* of a device or unix socket; host of TCP */
	char service[32]; /* TCP port; else "" */
};

/* Tells a port of text: `/dev/...` or `device:PATH`, `by_path:NAME` (below /dev/serial/by-path), `by_id:NAME`,
 * `pty:PATH`, `unix:PATH`, `tcp:HOST:PORT` (an IPv6 host in brackets). Opens nothing; a device below /dev/pts is a pty. -NF_EARG. */
NF_NODISCARD int nf_port_parse(const char *text, uint32_t baud, struct nf_port_spec *ret,
                               struct nf_err *err);
const char *nf_port_kind_name(enum nf_port_kind kind); /* "serial", ...; static */

/* The calls that differ on a real serial port; a test has its own. Each as the system's: -1 and errno. */
struct nf_port_os {
	int (*ioctl)(void *ctx, int fd, unsigned long request, void *arg);
	int (*flock)(void *ctx, int fd, int operation);
	void *ctx;
};
extern const struct nf_port_os nf_port_os_live;

/* The kernel's counters of a UART (TIOCGICOUNT), since its driver was loaded. */
struct nf_port_errors {
	bool known; /* false: the driver keeps none (ptys, some adapters) */
	uint32_t overrun; /* the UART's FIFO was full */
	uint32_t buf_overrun; /* the kernel's buffer was */
	uint32_t frame;
	uint32_t parity;
	uint32_t brk;
	uint32_t rx; /* bytes */
};

struct nf_port_facts {
	enum nf_port_kind kind;
	uint32_t baud; /* what the driver says it runs at; 0: unknown */
	char name[NF_PORT_PATH_MAX + 40]; /* as in messages */
	char device[NF_PORT_PATH_MAX]; /* the device's own path, links followed; "" for sockets */
	char by_path[NF_PORT_PATH_MAX]; /* its name below /dev/serial/by-path; "" for none */
	char by_id[NF_PORT_PATH_MAX]; /* and below /dev/serial/by-id */
	char driver[32]; /* "ftdi_sio", "pl011", ...; "" unknown */
	bool by_number; /* opened as ttyUSBn or ttyACMn: another adapter may get that name next time */
	int32_t latency_timer_ms; /* of an FTDI adapter; -1: none, or unknown */
	/* How long a byte may be on the way from the wire to where read() can see it: FIFO trigger, adapter's
	 * timer, USB frame. -1: unknown (sockets). */
	int64_t delay_ns;
	bool modem_known;
	bool dcd, cts, dsr;
};

struct nf_port {
	int fd; /* owned; -1: closed */
	struct nf_port_facts facts;
	const struct nf_port_os *os; /* borrowed */
	bool saved; /* settings to put back */
	bool exclusive; /* TIOCEXCL is on */
	unsigned char settings[64]; /* struct termios2 as it was */
};

/* root: of /sys, for facts and for who holds a port; NULL: none are read. os NULL: the live system.
 * -NF_EARG: not there, no terminal, may not be opened, a rate it does not have. -NF_ESUBJECT: held by another
 * program (the message says which, where that can be seen); nobody listens. */
NF_NODISCARD int nf_port_open(struct nf_port *ret, const struct nf_port_spec *spec,
                              const struct nf_rootfs *root, const struct nf_port_os *os,
                              struct nf_err *err);
void nf_port_close(struct nf_port *p); /* zeroed with fd -1, or closed, is fine */

/* What can be told of a port without opening it: not the rate, not the modem's lines. */
void nf_port_look(const struct nf_port_spec *spec, const struct nf_rootfs *root,
                  struct nf_port_facts *ret);
/* Another rate, until the port is closed; what has come and was not read is dropped. -NF_EARG: it does not have it,
 * or is no terminal. */
NF_NODISCARD int nf_port_set_baud(struct nf_port *p, uint32_t baud, struct nf_err *err);

/* Reads what is there. Number of bytes; 0: nothing now; -NF_ESUBJECT: the port is gone (unplugged, the other side
 * closed), -NF_EOS. */
NF_NODISCARD int nf_port_read(struct nf_port *p, void *data, size_t max_bytes, size_t *ret_n,
                              struct nf_err *err);
/* Writes all; waits for room at most timeout_ms: -NF_ETIMEOUT. */
NF_NODISCARD int nf_port_write(struct nf_port *p, const void *data, size_t len_bytes,
                               int timeout_ms, struct nf_err *err);
/* Writes what there is room for, 0 bytes too, and does not wait. -NF_ESUBJECT, -NF_EOS. */
NF_NODISCARD int nf_port_write_some(struct nf_port *p, const void *data, size_t len_bytes,
                                    size_t *ret_n, struct nf_err *err);
/* Counters now; known false where there are none. */
void nf_port_read_errors(const struct nf_port *p, struct nf_port_errors *ret);
/* A line for a file in /etc/udev/rules.d that sets the latency timer of FTDI adapters to 1 ms. */
#define NF_PORT_UDEV_RULE \
	"ACTION==\"add\", SUBSYSTEM==\"usb-serial\", DRIVER==\"ftdi_sio\", " \
	"ATTR{latency_timer}=\"1\""
/* What is worth a change, one sentence a line: a name by number, a latency timer above 1 ms; nothing: "". */
void nf_port_advice(const struct nf_port_facts *facts, char ret[NF_PORT_ADVICE_MAX]);

#endif
