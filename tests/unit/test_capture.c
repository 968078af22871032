/* SPDX-License-Identifier: MIT */
#include "board/capture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sysio.h"
#include "nf_unit.h"

static const struct nf_capture_head head = { .kind = NF_PORT_SERIAL,
	                                     .baud = 115200,
	                                     .delay_ns = 2000000,
	                                     .epoch_utc_ns = INT64_C(1700000000123456789),
	                                     .port = "/dev/serial/by-path/a%b c\n" };

static void add(struct nf_capture *c, const char *text, int64_t t)
{
	struct nf_capture_read r = { .bytes = (uint32_t)strlen(text),
		                     .lo_ns = t - 7,
		                     .t_ns = t,
		                     .done_ns = t + 3,
		                     .waiting = t == 10 };

	assert_int_equal(nf_capture_append(c, text, &r, NULL), 0);
}

static int fresh(char path[64])
{
	snprintf(path, 64, "/tmp/nf-capture-XXXXXX");
	assert_non_null(mkdtemp(path));
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

static void drop(int dir, const char *path)
{
	(void)unlinkat(dir, "c.raw", 0);
	(void)unlinkat(dir, "c.idx", 0);
	close(dir);
	assert_int_equal(rmdir(path), 0);
}

static void make(int dir)
{
	struct nf_capture c;

	assert_int_equal(nf_capture_create(&c, dir, "c", &head, NULL), 0);
	add(&c, "one\ntw", 10);
	add(&c, "o\nthr", 20);
	add(&c, "ee", 30);
	assert_int_equal(nf_capture_close(&c, NULL), 0);
}

static void a_capture_reads_back(void **state)
{
	struct nf_capture_reader r;
	struct nf_capture_read e;
	struct nf_capture_rest rest;
	const void *data;
	char path[64];
	int dir = fresh(path);

	(void)state;
	make(dir);
	assert_int_equal(nf_capture_open(&r, dir, "c", NULL), 0);
	assert_int_equal(r.head.kind, head.kind);
	assert_int_equal(r.head.baud, head.baud);
	assert_true(r.head.delay_ns == head.delay_ns);
	assert_true(r.head.epoch_utc_ns == head.epoch_utc_ns);
	assert_string_equal(r.head.port, head.port);
	assert_int_equal(nf_capture_next(&r, &e, &data, NULL), 1);
	assert_memory_equal(data, "one\ntw", 6);
	assert_true(e.waiting && e.lo_ns == 3 && e.t_ns == 10 && e.done_ns == 13 && e.offset == 0);
	assert_int_equal(nf_capture_next(&r, &e, &data, NULL), 1);
	assert_true(!e.waiting && e.offset == 6 && e.bytes == 5);
	assert_int_equal(nf_capture_next(&r, &e, &data, NULL), 1);
	assert_int_equal(nf_capture_next(&r, &e, &data, NULL), 0);
	assert_int_equal(nf_capture_next(&r, &e, &data, NULL), 0);
	assert_int_equal(nf_capture_rest(&r, &rest, NULL), 0);
	assert_true(!rest.untimed_bytes && !rest.torn_bytes && !rest.missing_bytes);
	nf_capture_reader_fini(&r);
	drop(dir, path);
}

static int join(void *ctx, const struct nf_line *line, struct nf_err *err)
{
	(void)err;
	strcat(strcat(ctx, line->text), "|");
	if (strcmp(line->text, "two") == 0) {
		assert_true(line->first_lo_ns == 3 - 2000000 && line->first_hi_ns == 13);
		assert_true(line->last_hi_ns == 23 && line->waiting);
	}
	return 0;
}

static void it_replays_into_lines(void **state)
{
	struct nf_capture_reader r;
	struct nf_lines lines;
	char path[64], all[64] = "";
	int dir = fresh(path);

	(void)state;
	make(dir);
	assert_int_equal(nf_capture_open(&r, dir, "c", NULL), 0);
	assert_int_equal(nf_line_init(&lines, NF_LINE_LIMIT, NULL), 0);
	assert_int_equal(nf_capture_lines(&r, &lines, join, all, NULL), 0);
	assert_string_equal(all, "one|two|three|");
	nf_line_fini(&lines);
	nf_capture_reader_fini(&r);
	drop(dir, path);
}

static void nothing_is_overwritten(void **state)
{
	struct nf_capture c;
	struct nf_err err = { 0 };
	char path[64], text[8] = "";
	int dir = fresh(path), fd;

	(void)state;
	assert_int_equal(nf_write_file_atomic(dir, "c.raw", "mine", 4, 0600, NULL), 0);
	assert_int_equal(nf_capture_create(&c, dir, "c", &head, &err), -NF_EEXIST);
	assert_non_null(strstr(err.msg, "c.raw"));
	assert_int_equal(faccessat(dir, "c.idx", F_OK, 0), -1);
	fd = openat(dir, "c.raw", O_RDONLY);
	assert_int_equal(read(fd, text, sizeof(text)), 4);
	assert_string_equal(text, "mine");
	close(fd);
	assert_int_equal(nf_capture_create(&c, dir, "a/b", &head, &err), -NF_EARG);
	assert_int_equal(nf_capture_create(&c, dir, "", &head, &err), -NF_EARG);
	drop(dir, path);
}

static void cut_to(int dir, const char *name, off_t size)
{
	int fd = openat(dir, name, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, size), 0);
	close(fd);
}

static void every_torn_end_is_told(void **state)
{
	(void)state;
	/* The index cut anywhere: whole entries are read, the rest is told. */
	for (off_t cut = NF_CAPTURE_HEAD_BYTES; cut <= NF_CAPTURE_HEAD_BYTES + 96; cut += 5) {
		static const unsigned upto[] = { 0, 6, 11, 13 };
		struct nf_capture_reader r;
		struct nf_capture_read e;
		struct nf_capture_rest rest;
		const void *data;
		char path[64];
		int dir = fresh(path);
		size_t n = 0;

		make(dir);
		cut_to(dir, "c.idx", cut);
		assert_int_equal(nf_capture_open(&r, dir, "c", NULL), 0);
		while (nf_capture_next(&r, &e, &data, NULL) == 1)
			n++;
		assert_int_equal(n, (cut - NF_CAPTURE_HEAD_BYTES) / 32);
		assert_int_equal(nf_capture_rest(&r, &rest, NULL), 0);
		assert_int_equal(rest.untimed_bytes, 13 - upto[n]);
		assert_int_equal(rest.torn_bytes, (cut - NF_CAPTURE_HEAD_BYTES) % 32);
		nf_capture_reader_fini(&r);
		drop(dir, path);
	}
	/* The bytes cut anywhere. */
	for (off_t cut = 0; cut <= 13; cut++) {
		struct nf_capture_reader r;
		struct nf_capture_read e;
		struct nf_capture_rest rest;
		const void *data;
		char path[64];
		int dir = fresh(path);
		uint64_t have = 0;

		make(dir);
		cut_to(dir, "c.raw", cut);
		assert_int_equal(nf_capture_open(&r, dir, "c", NULL), 0);
		while (nf_capture_next(&r, &e, &data, NULL) == 1)
			have += e.bytes;
		assert_int_equal(nf_capture_rest(&r, &rest, NULL), 0);
		assert_int_equal(have + rest.untimed_bytes, cut);
		assert_int_equal(rest.missing_bytes > 0, cut < 13);
		nf_capture_reader_fini(&r);
		drop(dir, path);
	}
}

static void what_is_no_capture_is_refused(void **state)
{
	static const struct {
		const char *from, *to, *says;
	} damage[] = {
		{ "noisefloor", "noiseFloor", "not the index" },
		{ "index 1", "index 2", "another version" },
		{ "monotonic_raw", "monotonic_row", "clock" },
		{ "kind serial", "kind serbal", "kind" },
		{ "baud 115200", "baud 11520x", "baud" },
		{ "delay_ns 2", "delay_ns x", "delay_ns" },
		{ "%25", "%2q", "port" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		struct nf_capture_reader r = { .raw = -5 };
		struct nf_err err = { 0 };
		char path[64], text[NF_CAPTURE_HEAD_BYTES], *at;
		int dir = fresh(path), fd;

		make(dir);
		fd = openat(dir, "c.idx", O_RDWR);
		assert_int_equal(pread(fd, text, sizeof(text), 0), sizeof(text));
		at = memmem(text, sizeof(text), damage[i].from, strlen(damage[i].from));
		assert_non_null(at);
		memcpy(at, damage[i].to, strlen(damage[i].to));
		assert_int_equal(pwrite(fd, text, sizeof(text), 0), sizeof(text));
		close(fd);
		assert_int_equal(nf_capture_open(&r, dir, "c", &err), -NF_EDATA);
		assert_non_null(strstr(err.msg, damage[i].says));
		assert_int_equal(r.raw, -5);
		drop(dir, path);
	}
}

static void entries_that_cannot_be_are_refused(void **state)
{
	static const struct {
		size_t at;
		unsigned char value;
		const char *says;
	} damage[] = {
		{ 0, 9, "begin" }, { 27, 0x01, "size" }, { 8, 1, "times" }, { 16, 99, "times" }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		struct nf_capture_reader r;
		struct nf_capture_read e;
		struct nf_err err = { 0 };
		const void *data;
		char path[64];
		int dir = fresh(path), fd;

		make(dir);
		fd = openat(dir, "c.idx", O_WRONLY);
		assert_int_equal(pwrite(fd, &damage[i].value, 1,
		                        (off_t)(NF_CAPTURE_HEAD_BYTES + 32 + damage[i].at)),
		                 1);
		close(fd);
		assert_int_equal(nf_capture_open(&r, dir, "c", NULL), 0);
		assert_int_equal(nf_capture_next(&r, &e, &data, NULL), 1);
		assert_int_equal(nf_capture_next(&r, &e, &data, &err), -NF_EDATA);
		assert_non_null(strstr(err.msg, damage[i].says));
		assert_non_null(strstr(err.msg, "entry 2"));
		nf_capture_reader_fini(&r);
		drop(dir, path);
	}
}

static void it_can_be_followed_while_it_grows(void **state)
{
	struct nf_capture_reader r;
	struct nf_capture_read e;
	struct nf_capture c;
	const void *data;
	char path[64];
	int dir = fresh(path);

	(void)state;
	assert_int_equal(nf_capture_create(&c, dir, "c", &head, NULL), 0);
	assert_int_equal(nf_capture_open(&r, dir, "c", NULL), 0);
	assert_int_equal(nf_capture_next(&r, &e, &data, NULL), 0);
	for (int i = 1; i <= 5; i++) {
		add(&c, "abc", i * 10);
		assert_int_equal(nf_capture_next(&r, &e, &data, NULL), 1);
		assert_int_equal(e.offset, (i - 1) * 3);
		assert_memory_equal(data, "abc", 3);
		assert_int_equal(nf_capture_next(&r, &e, &data, NULL), 0);
	}
	assert_int_equal(nf_capture_close(&c, NULL), 0);
	nf_capture_reader_fini(&r);
	drop(dir, path);
}

static void a_killed_writer_leaves_what_it_had(void **state)
{
	char path[64];
	int dir = fresh(path), status;
	struct nf_capture_reader r;
	struct nf_capture_read e;
	const void *data;
	uint64_t n = 0;
	pid_t pid = fork();

	(void)state;
	assert_true(pid >= 0);
	if (pid == 0) {
		struct nf_capture c;

		if (nf_capture_create(&c, dir, "c", &head, NULL) < 0)
			_exit(1);
		for (int64_t i = 10; i < 1000; i += 10) {
			struct nf_capture_read one = {
				.bytes = 2, .lo_ns = i, .t_ns = i, .done_ns = i
			};

			if (nf_capture_append(&c, "x\n", &one, NULL) < 0)
				_exit(1);
		}
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(nf_capture_open(&r, dir, "c", NULL), 0);
	while (nf_capture_next(&r, &e, &data, NULL) == 1)
		n += e.bytes;
	assert_int_equal(n, 198);
	nf_capture_reader_fini(&r);
	drop(dir, path);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_capture_reads_back),
	cmocka_unit_test(it_replays_into_lines),
	cmocka_unit_test(nothing_is_overwritten),
	cmocka_unit_test(every_torn_end_is_told),
	cmocka_unit_test(what_is_no_capture_is_refused),
	cmocka_unit_test(entries_that_cannot_be_are_refused),
	cmocka_unit_test(it_can_be_followed_while_it_grows),
	cmocka_unit_test(a_killed_writer_leaves_what_it_had),
};
NF_UNIT_MAIN(tests)
