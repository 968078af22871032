/* SPDX-License-Identifier: MIT */
#include "nf_scratch.h"

#include "remote/elf.h"
#include "remote/receive.h"

struct stream {
	unsigned char data[8 * NF_TAR_BLOCK];
	size_t n;
};

static void add(struct stream *s, const char *name, char type, const char *text)
{
	unsigned char *b = s->data + s->n;
	unsigned sum = 0;

	memset(b, 0, NF_TAR_BLOCK);
	snprintf((char *)b, 100, "%s", name);
	snprintf((char *)b + 124, 12, "%011o", (unsigned)strlen(text));
	memset(b + 148, ' ', 8);
	b[156] = (unsigned char)type;
	memcpy(b + 257,
	       "ustar\0"
	       "00",
	       8);
	for (size_t i = 0; i < NF_TAR_BLOCK; i++)
		sum += b[i];
	snprintf((char *)b + 148, 8, "%06o", sum);
	s->n += NF_TAR_BLOCK;
	if (*text) {
		memset(s->data + s->n, 0, NF_TAR_BLOCK);
		memcpy(s->data + s->n, text, strlen(text));
		s->n += NF_TAR_BLOCK;
	}
}

static void end(struct stream *s)
{
	memset(s->data + s->n, 0, (size_t)2 * NF_TAR_BLOCK);
	s->n += (size_t)2 * NF_TAR_BLOCK;
}

static int receive(const char *dir, const struct stream *s, size_t step, struct nf_err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = 0;
	struct nf_receive r;

	assert_true(fd >= 0);
	nf_receive_init(&r, fd, -1, -1);
	for (size_t at = 0; rc == 0 && at < s->n; at += step)
		rc = nf_receive_feed(&r, s->data + at, s->n - at < step ? s->n - at : step, err);
	if (rc == 0)
		rc = nf_receive_finish(&r, err);
	nf_receive_fini(&r);
	close(fd);
	return rc;
}

static void a_folder_arrives_however_it_is_cut(void **state)
{
	static const size_t steps[] = { 1, 7, 511, 512, 513, 5000 };

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct stream s = { .n = 0 };
		char dir[300], path[400], text[100];
		struct nf_err err = { 0 };

		nf_scratch_make(dir, sizeof(dir));
		add(&s, "./", '5', "");
		add(&s, "./samples/", '5', "");
		add(&s, "./samples/a.txt", '0', "what it holds");
		end(&s);
		assert_int_equal(receive(dir, &s, steps[i], &err), 0);
		snprintf(path, sizeof(path), "%s/samples/a.txt", dir);
		nf_scratch_read(path, text, sizeof(text));
		assert_string_equal(text, "what it holds");
		nf_scratch_remove(dir);
	}
}

static void what_leaves_the_folder_or_comes_twice_is_refused(void **state)
{
	static const struct {
		const char *name, *text;
		char type;
	} bad[] = { { "../x", "1", '0' }, { "/tmp/x", "1", '0' },    { "a/../../x", "1", '0' },
		    { "link", "", '2' },  { "hard", "", '1' },       { "pipe", "", '6' },
		    { "a b", "1", '0' },  { "a/b/c/d/e", "1", '0' }, { ".hidden", "1", '0' },
		    { "-x", "1", '0' },   { "a//b", "1", '0' },      { "first", "2", '0' },
		    { "long", "1", 'L' }, { "x\x1b[2J", "1", '0' } };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct stream s = { .n = 0 };
		struct nf_err err = { 0 };
		char dir[300];

		nf_scratch_make(dir, sizeof(dir));
		add(&s, "first", '0', "1");
		add(&s, bad[i].name, bad[i].type, bad[i].text);
		end(&s);
		if (receive(dir, &s, s.n, &err) != -NF_EDATA)
			fail_msg("%s is taken: %s", bad[i].name, err.msg);
		assert_null(strchr(err.msg, '\x1b'));
		nf_scratch_remove(dir);
	}
}

static void a_name_that_is_taken_gets_a_number_and_nothing_is_replaced(void **state)
{
	char dir[300], path[400], got[NF_TAR_NAME], text[10];

	(void)state;
	nf_scratch_make(dir, sizeof(dir));
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(mkdirat(fd, "run", 0700), 0);
	assert_int_equal(mkdirat(fd, "run-2", 0700), 0);
	assert_int_equal(mkdirat(fd, "new", 0700), 0);
	snprintf(path, sizeof(path), "%s/new/file", dir);
	nf_scratch_write(path, "new");
	assert_int_equal(nf_receive_name(fd, "new", "run", got, NULL), 0);
	assert_string_equal(got, "run-3");
	snprintf(path, sizeof(path), "%s/run-3/file", dir);
	nf_scratch_read(path, text, sizeof(text));
	assert_string_equal(text, "new");
	assert_int_equal(symlinkat("/", fd, "run-3/root"), 0);
	nf_receive_remove(fd, "run-3");
	assert_int_equal(faccessat(fd, "run-3", F_OK, 0), -1);
	assert_int_equal(access("/tmp", F_OK), 0);
	close(fd);
	nf_scratch_remove(dir);
}

static void only_static_programs_of_the_architecture_are_sent(void **state)
{
	struct nf_err err = { 0 };
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(nf_elf_check(fd, "x86_64", "x", &err),
	                 -NF_EARG); /* it has a loader, or another machine */
	assert_int_equal(nf_elf_check(fd, "aarch64", "x", &err), -NF_EARG);
	close(fd);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_int_equal(nf_elf_check(fd, "x86_64", "x", &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "no 64-bit ELF program"));
	close(fd);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_folder_arrives_however_it_is_cut),
	cmocka_unit_test(what_leaves_the_folder_or_comes_twice_is_refused),
	cmocka_unit_test(a_name_that_is_taken_gets_a_number_and_nothing_is_replaced),
	cmocka_unit_test(only_static_programs_of_the_architecture_are_sent),
};

NF_UNIT_MAIN(tests)
