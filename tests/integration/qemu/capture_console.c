/* SPDX-License-Identifier: MIT */
/* capture_console PORT DIR NAME: captures a console (board/console.h) until it is gone. */
#include <fcntl.h>
#include <stdio.h>

#include "board/console.h"

static int capture(struct nf_port *port, int dir, const char *name, struct nf_err *err)
{
	enum nf_console_event event;
	struct nf_capture_read read;
	struct nf_console c;
	int r = nf_console_open(&c, port, dir, name, -1, err);

	if (r < 0)
		return r;
	do
		r = nf_console_wait(&c, 1000, &event, &read, err);
	while (r == 0);
	int closed = nf_console_close(&c, NULL);
	return r == -NF_ESUBJECT ? closed : r;
}

int main(int argc, char **argv)
{
	struct nf_port_spec spec;
	struct nf_err err = { 0 };
	struct nf_port port;

	if (argc != 4)
		return 2;
	int dir = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r = dir < 0 ? -NF_EOS : nf_port_parse(argv[1], 0, &spec, &err);
	if (r == 0)
		r = nf_port_open(&port, &spec, NULL, NULL, &err);
	if (r == 0) {
		r = capture(&port, dir, argv[3], &err);
		nf_port_close(&port);
	}
	if (r < 0)
		fprintf(stderr, "%s\n", err.msg);
	return r < 0;
}
