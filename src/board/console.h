/* SPDX-License-Identifier: MIT */
/*
 * console - reads a port: the one place that waits for it, stamps what comes and captures it.
 *
 * The clock is read when the port is readable, before read(), and again after it. Between two reads and every
 * NF_CONSOLE_TICK_MS while nothing comes the port is read without being readable: what comes later was not there
 * before that. It takes a read(), for bytes that a kworker has yet to hand over are waited for by read() and not by
 * epoll_wait() (n_tty_read() calls tty_buffer_flush_work()); a sound bound must not depend on when that worker gets
 * a CPU. docs/METHOD.md has the reasons. Threads: one.
 */
#ifndef NF_BOARD_CONSOLE_H
#define NF_BOARD_CONSOLE_H

#include "board/capture.h"
#include "board/port.h"

enum {
	NF_CONSOLE_TICK_MS = 1,
	NF_CONSOLE_TURN = 8, /* the other descriptor is asked first every so many times */
};

enum nf_console_event {
	NF_CONSOLE_IDLE, /* the time is up, or a signal came */
	NF_CONSOLE_BYTES,
	NF_CONSOLE_INPUT, /* the other descriptor is readable, or its other side closed */
};

struct nf_console {
	struct nf_port *port; /* borrowed */
	struct nf_capture capture; /* raw -1: none is kept */
	struct nf_capture_head head;
	int epoll; /* owned */
	int input; /* borrowed; -1: none */
	int64_t start_ns; /* CLOCK_MONOTONIC_RAW where the capture's time is 0 */
	int64_t empty_ns; /* it was empty then; before the first time: 0 */
	uint64_t n_bytes;
	uint64_t n_reads;
	uint64_t n_waits;
	bool waiting; /* bytes were there when it began, and it was not empty since */
	unsigned char *data; /* owned; of the last read */
};

/* Begins: time 0 is now. dirfd -1: nothing is captured; else NAME.raw and NAME.idx are made there. input: a
 * descriptor that is waited for as well; -1: none. port stays the caller's. */
NF_NODISCARD int nf_console_open(struct nf_console *ret, struct nf_port *port, int dirfd,
                                 const char *name, int input, struct nf_err *err);
/* Waits until something happens, or timeout_ms. With BYTES *ret_read tells when and how many, and they stand in
 * c->data until the next call. -NF_ESUBJECT: the port is gone; -NF_EOS: also when the capture cannot be written;
 * what was read then stands in c->data all the same, *ret_event is BYTES. */
NF_NODISCARD int nf_console_wait(struct nf_console *c, int timeout_ms,
                                 enum nf_console_event *ret_event, struct nf_capture_read *ret_read,
                                 struct nf_err *err);
/* Reads once what is there, for an owner that waits for several ports itself. ready: it was found readable just now; else
 * its first byte, too, may have come during the read. *ret_event stays as it is when nothing was there: c->empty_ns
 * is then the time at which it was empty. Fails as nf_console_wait(). */
NF_NODISCARD int nf_console_take(struct nf_console *c, bool ready, enum nf_console_event *ret_event,
                                 struct nf_capture_read *ret_read, struct nf_err *err);
/* No longer waits for the other descriptor. */
void nf_console_drop_input(struct nf_console *c);
/* Ns since the beginning. */
int64_t nf_console_now_ns(const struct nf_console *c);
/* Closes the capture; -NF_EOS: it may not be on the disk. Zeroed with epoll -1, or closed, is fine. */
NF_NODISCARD int nf_console_close(struct nf_console *c, struct nf_err *err);

#endif
