/* SPDX-License-Identifier: MIT */
#include "base/sysio.h"

#include <pthread.h>

#include "nf_scratch.h"
#include "nf_unit.h"

static int set_up(void **state)
{
	char *dir = calloc(1, 64);

	assert_non_null(dir);
	nf_scratch_make(dir, 64);
	*state = dir;
	return 0;
}

static int tear_down(void **state)
{
	nf_scratch_remove(*state);
	free(*state);
	return 0;
}

static int n_names(const char *dir)
{
	DIR *d = opendir(dir);
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void an_atomic_file_has_its_content_and_mode(void **state)
{
	const char *dir = *state;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char path[128], text[64];
	struct nf_err e = { 0 };
	struct stat st;

	assert_int_equal(nf_write_file_atomic(fd, "a", "text", 4, 0640, &e), 0);
	snprintf(path, sizeof(path), "%s/a", dir);
	nf_scratch_read(path, text, sizeof(text));
	assert_string_equal(text, "text");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07137, 0);
	assert_int_equal(nf_write_file_atomic(fd, "empty", NULL, 0, 0600, &e), 0);
	assert_int_equal(n_names(dir), 2);
	close(fd);
}

static void an_existing_file_is_not_replaced(void **state)
{
	const char *dir = *state;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char path[128], text[64];
	struct nf_err e = { 0 };

	snprintf(path, sizeof(path), "%s/a", dir);
	nf_scratch_write(path, "first");
	assert_int_equal(nf_write_file_atomic(fd, "a", "second", 6, 0600, &e), -NF_EEXIST);
	assert_string_equal(e.msg, "a exists already");
	nf_scratch_read(path, text, sizeof(text));
	assert_string_equal(text, "first");
	assert_int_equal(n_names(dir), 1);
	close(fd);
}

static void a_name_that_is_too_long_leaves_nothing(void **state)
{
	const char *dir = *state;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct nf_err e = { 0 };
	char name[300];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(nf_write_file_atomic(fd, name, "x", 1, 0600, &e), -NF_EOS);
	assert_int_equal(nf_write_file_atomic(fd, "no/such", "x", 1, 0600, &e), -NF_EOS);
	assert_int_equal(n_names(dir), 0);
	close(fd);
}

static void a_full_device_is_an_error(void **state)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct nf_err e = { 0 };

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(nf_write_all(fd, "x", 1, "the log", &e), -NF_EOS);
	assert_string_equal(e.msg, "cannot write the log: No space left on device");
	assert_int_equal(nf_write_all(fd, NULL, 0, "nothing", &e), 0);
	close(fd);
}

static void *write_slowly(void *arg)
{
	int fd = *(int *)arg;

	for (int i = 0; i < 1000; i++)
		if (write(fd, "0123456789", 10) != 10)
			return arg;
	close(fd);
	return NULL;
}

static void a_pipe_is_read_to_its_end(void **state)
{
	int fds[2];
	struct nf_err e = { 0 };
	struct nf_buf b;
	pthread_t t;
	void *failed;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(pthread_create(&t, NULL, write_slowly, &fds[1]), 0);
	nf_buf_init(&b, 20000);
	nf_buf_adds(&b, "before");
	assert_int_equal(nf_read_all(fds[0], &b, "a pipe", &e), 0);
	assert_int_equal(pthread_join(t, &failed), 0);
	assert_null(failed);
	assert_int_equal(b.len_bytes, 10006);
	assert_memory_equal(b.data, "before0123456789", 16);
	assert_string_equal(b.data + 9996, "0123456789");
	close(fds[0]);
	nf_buf_fini(&b);
}

static void more_than_the_ceiling_is_an_error(void **state)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	struct nf_err e = { 0 };
	struct nf_buf b;

	(void)state;
	assert_true(fd >= 0);
	nf_buf_init(&b, 100000);
	assert_int_equal(nf_read_all(fd, &b, "zeros", &e), -NF_EDATA);
	assert_string_equal(e.msg, "zeros does not fit into 100000 bytes");
	nf_buf_fini(&b);
	close(fd);
	assert_int_equal(nf_read_all(-1, &b, "nothing", &e), -NF_EOS);
}

static const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	T(an_atomic_file_has_its_content_and_mode),
	T(an_existing_file_is_not_replaced),
	T(a_name_that_is_too_long_leaves_nothing),
	cmocka_unit_test(a_full_device_is_an_error),
	cmocka_unit_test(a_pipe_is_read_to_its_end),
	cmocka_unit_test(more_than_the_ceiling_is_an_error),
};

NF_UNIT_MAIN(tests)
