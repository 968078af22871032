/* SPDX-License-Identifier: MIT */
/* Consoles: every call of a capture, its reader, a port, a console and a pattern fails in turn. */
#include <fcntl.h>
#include <unistd.h>

#include "board/console.h"
#include "board/match.h"
#include "fault.h"
#include "nf_scratch.h"

static char folder[128];
static int dir = -1;

static int make(void **state)
{
	(void)state;
	nf_scratch_make(folder, sizeof(folder));
	dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dir < 0;
}

static int clean(void **state)
{
	(void)state;
	close(dir);
	nf_scratch_remove(folder);
	return 0;
}

static void remove_capture(void)
{
	(void)unlinkat(dir, "c.raw", 0);
	(void)unlinkat(dir, "c.idx", 0);
}

static const struct nf_capture_head head = { .kind = NF_PORT_PTY, .baud = 9600, .port = "x" };

static int write_capture(void *ctx, struct nf_err *err)
{
	struct nf_capture_read read = {
		.bytes = 4, .lo_ns = 1, .t_ns = 2000000000, .done_ns = 2000000003
	};
	struct nf_capture c;
	int r = nf_capture_create(&c, dir, "c", &head, err);

	(void)ctx;
	if (r < 0)
		return r;
	r = nf_capture_append(&c, "one\n", &read, err);
	if (r == 0)
		r = nf_capture_append(&c, "two\n", &read, err);
	int closed = nf_capture_close(&c, r < 0 ? NULL : err);
	return r < 0 ? r : closed;
}

/* Whatever failed: what is there can be read, and what has an entry is whole. */
static void read_what_is_there(void *ctx, int r)
{
	struct nf_capture_reader reader;
	struct nf_capture_read read;
	struct nf_capture_rest rest;
	const void *data;
	unsigned n = 0;

	(void)ctx;
	if (nf_capture_open(&reader, dir, "c", NULL) < 0) {
		assert_true(r < 0);
		remove_capture();
		return;
	}
	while (nf_capture_next(&reader, &read, &data, NULL) == 1) {
		assert_memory_equal(data, n ? "two\n" : "one\n", read.bytes);
		n++;
	}
	assert_int_equal(nf_capture_rest(&reader, &rest, NULL), 0);
	assert_true(rest.torn_bytes == 0 && rest.missing_bytes == 0);
	assert_true(r < 0 || (n == 2 && rest.untimed_bytes == 0));
	nf_capture_reader_fini(&reader);
	remove_capture();
}

static void a_capture_keeps_what_it_wrote(void **state)
{
	struct fault_subject s = { .run = write_capture,
		                   .finish = read_what_is_there,
		                   .tolerates = "flock,unlinkat" };

	(void)state;
	remove_capture();
	fault_every(&s, NULL);
	fault_survives(&s, NULL);
}

static int count(void *ctx, const struct nf_line *line, struct nf_err *err)
{
	(void)line;
	(void)err;
	++*(unsigned *)ctx;
	return 0;
}

static int read_capture(void *ctx, struct nf_err *err)
{
	struct nf_capture_reader reader;
	struct nf_capture_rest rest;
	struct nf_lines lines;
	int r = nf_line_init(&lines, 64, err);

	*(unsigned *)ctx = 0;
	if (r < 0)
		return r;
	r = nf_capture_open(&reader, dir, "c", err);
	if (r == 0) {
		r = nf_capture_lines(&reader, &lines, count, ctx, err);
		if (r == 0)
			r = nf_capture_rest(&reader, &rest, err);
		nf_capture_reader_fini(&reader);
	}
	nf_line_fini(&lines);
	return r;
}

static void check_count(void *ctx, int r)
{
	assert_true(r < 0 || *(unsigned *)ctx == 2);
}

static void a_capture_is_read_or_not(void **state)
{
	struct fault_subject s = { .run = read_capture,
		                   .finish = check_count,
		                   .tolerates = "close" };
	unsigned n = 0;

	(void)state;
	remove_capture();
	assert_int_equal(write_capture(NULL, NULL), 0);
	fault_every(&s, &n);
	fault_survives(&s, &n);
	remove_capture();
}

struct board {
	int master;
	struct nf_port_spec spec;
};

static void put_bytes(void *ctx)
{
	struct board *b = ctx;

	b->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(b->master >= 0);
	assert_int_equal(grantpt(b->master) | unlockpt(b->master), 0);
	assert_int_equal(nf_port_parse(ptsname(b->master), 9600, &b->spec, NULL), 0);
	assert_int_equal(write(b->master, "hello\n", 6), 6);
}

static int run_console(void *ctx, struct nf_err *err)
{
	struct board *b = ctx;
	struct nf_console c = { .epoll = -1 };
	struct nf_capture_read read;
	enum nf_console_event event = NF_CONSOLE_IDLE;
	struct nf_port port;
	int r = nf_port_open(&port, &b->spec, NULL, NULL, err);

	if (r < 0)
		return r;
	r = nf_console_open(&c, &port, dir, "c", b->master, err);
	if (r == 0)
		r = nf_port_write(&port, "x", 1, 1000, err);
	for (int i = 0; i < 1000 && r == 0 && event != NF_CONSOLE_BYTES; i++)
		r = nf_console_wait(&c, 5, &event, &read, err);
	nf_console_drop_input(&c);
	if (r == 0 && event != NF_CONSOLE_BYTES)
		r = nf_fail(err, NF_ETIMEOUT, "nothing came");
	int closed = nf_console_close(&c, r < 0 ? NULL : err);
	nf_port_close(&port);
	return r < 0 ? r : closed;
}

static void drop_board(void *ctx, int r)
{
	struct board *b = ctx;

	(void)r;
	close(b->master);
	remove_capture();
}

static void a_console_ends_in_order(void **state)
{
	struct fault_subject s = { .prepare = put_bytes,
		                   .run = run_console,
		                   .finish = drop_board,
		                   .tolerates = "close,flock,ioctl,unlinkat,epoll_ctl",
		                   .any_code = true };
	struct board b = { .master = -1 };

	(void)state;
	remove_capture();
	fault_every(&s, &b);
}

static int compile(void *ctx, struct nf_err *err)
{
	int r = nf_match_new("login: (\\w+)", ctx, err);

	if (r < 0)
		return r;
	struct nf_match **m = ctx;
	r = nf_match_line(*m, "login: root", 11, err);
	nf_match_free(*m);
	*m = NULL;
	return r < 0 ? r : r == NF_MATCH_YES ? 0 : nf_fail(err, NF_EDATA, "not found");
}

static void a_pattern_is_made_or_not(void **state)
{
	struct nf_match *m = NULL;

	(void)state;
	fault_every(&(struct fault_subject){ .run = compile }, &m);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_capture_keeps_what_it_wrote),
	cmocka_unit_test(a_capture_is_read_or_not),
	cmocka_unit_test(a_console_ends_in_order),
	cmocka_unit_test(a_pattern_is_made_or_not),
};
NF_UNIT_MAIN_WITH(tests, make, clean)
