/* SPDX-License-Identifier: MIT */
/*
 * paced_relay - a UART's line between a board's unix socket and a pty: what the board says goes out at baud / 10 bytes a
 * second, out of a FIFO of 16 bytes, so that who writes faster has to wait. What is typed passes as it is.
 *
 *	paced_relay SOCKET LINK BAUD LOG
 *
 * LINK will lead to the pty. LOG gets a line for each lot that has left: ns of the monotonic clock at which its last
 * byte had, and the bytes in hexadecimal. Ends with the socket, or on SIGTERM.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { FIFO = 16 };

struct line {
	int board, host;
	FILE *log;
	int64_t byte_ns; /* how long a byte is on the line */
	int64_t left_ns; /* when the last one had left, or the FIFO was filled anew */
	unsigned n;
	char fifo[FIFO];
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int fail(const char *what)
{
	fprintf(stderr, "paced_relay: %s: %s\n", what, strerror(errno));
	return 1;
}

static int connect_to(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (fd < 0 || strlen(path) >= sizeof(at.sun_path))
		return -1;
	memcpy(at.sun_path, path, strlen(path) + 1);
	return connect(fd, (const struct sockaddr *)&at, sizeof(at)) < 0 ? -1 : fd;
}

/* The other side stays open here, so that nothing is lost while nobody else has it. */
static int make_pty(const char *link)
{
	char name[128];
	struct termios raw;
	int host, slave;

	if (openpty(&host, &slave, name, NULL, NULL) < 0 || tcgetattr(slave, &raw) < 0)
		return -1;
	cfmakeraw(&raw);
	unlink(link);
	if (tcsetattr(slave, TCSANOW, &raw) < 0 || symlink(name, link) < 0)
		return -1;
	return host;
}

static int write_all(int fd, const char *data, size_t n)
{
	while (n > 0) {
		ssize_t w = write(fd, data, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return -1;
		data += w;
		n -= (size_t)w;
	}
	return 0;
}

/* However late we are: what would have left the FIFO by now has. An empty FIFO makes up for nothing. */
static int send_due(struct line *l)
{
	int64_t due = (now_ns() - l->left_ns) / l->byte_ns;
	unsigned n = due < (int64_t)l->n ? (unsigned)due : l->n;

	if (n == 0)
		return 0;
	l->left_ns += n * l->byte_ns;
	if (write_all(l->host, l->fifo, n) < 0)
		return -1;
	fprintf(l->log, "%" PRId64 " ", l->left_ns);
	for (unsigned i = 0; i < n; i++)
		fprintf(l->log, "%02x", (unsigned char)l->fifo[i]);
	fputc('\n', l->log);
	l->n -= n;
	memmove(l->fifo, l->fifo + n, l->n);
	return 0;
}

/* 1: the board is gone. */
static int fill(struct line *l)
{
	ssize_t n = read(l->board, l->fifo + l->n, FIFO - l->n);

	if (n <= 0)
		return n == 0 || errno != EINTR;
	if (l->n == 0)
		l->left_ns = now_ns();
	l->n += (unsigned)n;
	return 0;
}

static int pass_typed(const struct line *l)
{
	char data[64];
	ssize_t n = read(l->host, data, sizeof(data));

	return n > 0 ? write_all(l->board, data, (size_t)n) : 0;
}

static int run(struct line *l)
{
	for (;;) {
		struct pollfd p[2] = { { .fd = l->board, .events = l->n < FIFO ? POLLIN : 0 },
			               { .fd = l->host, .events = POLLIN } };
		struct timespec wait = { .tv_nsec = 4 * l->byte_ns };

		if (ppoll(p, 2, l->n > 0 ? &wait : NULL, NULL) < 0 && errno != EINTR)
			return fail("ppoll");
		if (send_due(l) < 0)
			return fail("the pty");
		if (p[1].revents && pass_typed(l) < 0)
			return fail("the board");
		if ((p[0].revents & (POLLIN | POLLHUP | POLLERR)) && l->n < FIFO && fill(l))
			break;
	}
	while (l->n > 0)
		if (send_due(l) < 0)
			return fail("the pty");
	return 0;
}

int main(int argc, char **argv)
{
	struct line l = { 0 };
	long baud = argc == 5 ? strtol(argv[3], NULL, 10) : 0;

	if (baud < 300 || baud > 10000000) {
		fputs("usage: paced_relay SOCKET LINK BAUD LOG\n", stderr);
		return 2;
	}
	l.byte_ns = INT64_C(10000000000) / baud;
	l.log = fopen(argv[4], "we");
	if (!l.log)
		return fail(argv[4]);
	setvbuf(l.log, NULL, _IOLBF, 0);
	l.board = connect_to(argv[1]);
	if (l.board < 0)
		return fail(argv[1]);
	l.host = make_pty(argv[2]);
	if (l.host < 0)
		return fail(argv[2]);
	return run(&l);
}
