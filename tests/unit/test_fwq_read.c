/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "nf_unit.h"
#include "samples/fwq_read.h"

/* What a reader reports, as text: "speed 0 2.5", "threads 0 on 1", values separated by blanks. */
struct log {
	struct nf_buf text;
	size_t n_values;
	size_t largest;
	int fail_in; /* the callback that fails: 1 speed, 2 worker, 3 values; 0: none */
};

static int on_speed(void *ctx, int index, double ghz, struct nf_err *err)
{
	struct log *l = ctx;

	if (l->fail_in == 1)
		return nf_fail(err, NF_EOS, "full");
	return nf_buf_addf(&l->text, "speed %d %.9g\n", index, ghz);
}

static int on_worker(void *ctx, enum nf_fwq_form form, int index, const char *cpus,
                     struct nf_err *err)
{
	static const char *const forms[] = { "serial", "thread", "process" };
	struct log *l = ctx;

	if (l->fail_in == 2)
		return nf_fail(err, NF_EOS, "full");
	return nf_buf_addf(&l->text, "%s %d on %s\n", forms[form], index, cpus);
}

static int on_values(void *ctx, const int64_t *v, size_t n, struct nf_err *err)
{
	struct log *l = ctx;

	if (l->fail_in == 3)
		return nf_fail(err, NF_EOS, "full");
	assert_true(n > 0 && n <= NF_FWQ_BATCH);
	l->n_values += n;
	for (size_t i = 0; i < n; i++)
		(void)nf_buf_addf(&l->text, "%" PRId64 "\n", v[i]);
	return nf_buf_failed(&l->text, "log", err);
}

static const struct nf_fwq_reader_ops ops = { on_speed, on_worker, on_values };

/* Feeds text in two pieces, cut at `cut`. */
static int feed(struct log *l, const char *text, size_t len, size_t cut, bool *torn,
                struct nf_err *err)
{
	struct nf_fwq_reader *r = NULL;

	assert_int_equal(nf_fwq_reader_new("f.dat", &ops, l, &r, NULL), 0);
	int rc = nf_fwq_reader_feed(r, text, cut, err);
	if (rc == 0)
		rc = nf_fwq_reader_feed(r, text + cut, len - cut, err);
	if (rc == 0)
		rc = nf_fwq_reader_finish(r, torn, err);
	nf_fwq_reader_free(r);
	return rc;
}

/* Read whole and cut at every byte: always the same. */
static void reads_as(const char *text, const char *want)
{
	size_t len = strlen(text);

	for (size_t cut = 0; cut <= len; cut++) {
		struct log l = { 0 };
		struct nf_err err = { 0 };
		bool torn = true;

		nf_buf_init(&l.text, 1 << 20);
		if (feed(&l, text, len, cut, &torn, &err) != 0)
			fail_msg("cut at %zu: %s", cut, err.msg);
		assert_string_equal(l.text.data, want);
		assert_false(torn);
		nf_buf_fini(&l.text);
	}
}

static void refused(const char *text, const char *want)
{
	for (size_t cut = 0; cut <= strlen(text); cut++) {
		struct log l = { 0 };
		struct nf_err err = { 0 };
		bool torn = false;

		nf_buf_init(&l.text, 1 << 20);
		assert_int_equal(feed(&l, text, strlen(text), cut, &torn, &err), -NF_EDATA);
		if (!strstr(err.msg, want))
			fail_msg("'%s' is not in '%s'", want, err.msg);
		nf_buf_fini(&l.text);
	}
}

static void every_form_of_file_is_read(void **state)
{
	(void)state;
	reads_as("Speed: thread 0, cycles 179, seconds 0.069133, GHz 2.599890\n"
	         "Speed: thread 1, cycles 745, seconds 0.028668, GHz 2.599724\n"
	         "Thread 0 running on CPUs 0\n41690\n34690\n"
	         "Thread 1 running on CPUs 1\n34768\n",
	         "speed 0 2.59989\nspeed 1 2.599724\nthread 0 on 0\n41690\n34690\n"
	         "thread 1 on 1\n34768\n");
	reads_as("Speed: process 12, cycles 1, seconds 0.1, GHz 3\n"
	         "Process 12 running on CPUs 0-2,4-5\n7\n",
	         "speed 12 3\nprocess 12 on 0-2,4-5\n7\n");
	reads_as("Speed Process 3 cycles 100 seconds 0.044030 GHz 2.599837\n"
	         "Process 3 running on CPUs 0\n45064\n",
	         "speed 3 2.599837\nprocess 3 on 0\n45064\n");
	reads_as("34772\n5\n9223372036854775807\n0\n",
	         "serial 0 on \n34772\n5\n9223372036854775807\n0\n");
	reads_as("", "");
	reads_as("Thread 0 running on CPUs 0\n", "thread 0 on 0\n");
}

static void lines_that_the_programs_print_are_passed_over(void **state)
{
	(void)state;
	reads_as("numsamples = 10\nwork_length = 2^14\n1\n", "serial 0 on \n1\n");
	reads_as("Number of threads: 1\nWork per thread: 2^20\nNumber of samples per thread: 5\n"
	         "Output file: x\nThread 0 running on CPUs 3\n4\n",
	         "thread 0 on 3\n4\n");
	refused("1\nnumsamples = 10\n", "f.dat:2:");
}

static void a_carriage_return_belongs_to_the_line_feed(void **state)
{
	(void)state;
	reads_as("Speed: thread 0, cycles 1, seconds 1, GHz 1.5\r\n"
	         "Thread 0 running on CPUs 0\r\n12\r\n",
	         "speed 0 1.5\nthread 0 on 0\n12\n");
	refused("1\n1\r2\n", "f.dat:2:");
}

static void a_rate_that_is_none_is_told_as_zero(void **state)
{
	(void)state;
	reads_as("Speed: thread 0, cycles 0, seconds 0.000000, GHz -nan\n"
	         "Speed: thread 1, cycles 0, seconds 0.000000, GHz inf\n"
	         "Speed: thread 2, cycles 0, seconds 0.000000, GHz 0.000000\n",
	         "speed 0 0\nspeed 1 0\nspeed 2 0\n");
}

static void numbers_of_every_length_are_exact(void **state)
{
	char text[1024], want[1024];
	size_t at = 0, to = 0;
	int64_t v = 0;

	(void)state;
	to += (size_t)snprintf(want, sizeof(want), "serial 0 on \n");
	for (int digits = 1; digits <= 18; digits++) {
		v = v * 10 + digits % 10;
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%" PRId64 "\n", v);
		to += (size_t)snprintf(want + to, sizeof(want) - to, "%" PRId64 "\n", v);
	}
	snprintf(text + at, sizeof(text) - at, "007\n99999999\n9999999\n10000000\n");
	snprintf(want + to, sizeof(want) - to, "7\n99999999\n9999999\n10000000\n");
	reads_as(text, want);
}

static void what_is_no_fwq_file_is_refused_with_its_line(void **state)
{
	(void)state;
	refused("1\n2\nhello\n", "f.dat:3: neither");
	refused("1\n\n2\n", "f.dat:2: an empty line");
	refused("1\n2.5\n", "f.dat:2: not a whole number");
	refused("12345x\n", "f.dat:1: not a whole number");
	refused("9223372036854775808\n", "f.dat:1: not a whole number");
	refused("10\n-20\n30\n", "f.dat:2: a negative value");
	refused("-9223372036854775808\n", "f.dat:1: a negative value");
	refused("-9223372036854775809\n", "f.dat:1: not a whole number");
	refused("99999999999999999999\n", "f.dat:1: not a whole number");
	refused("-\n", "f.dat:1: not a whole number");
	refused("# comment\n", "f.dat:1: neither");
	refused(" 12\n", "f.dat:1: neither");
	refused("1\nThread 0 running on CPUs 0\n", "f.dat:2: a worker begins after values");
	refused("Thread x running on CPUs 0\n", "f.dat:1: not 'Thread N");
	refused("Thread 0 running on CPUs \n", "f.dat:1: not 'Thread N");
	refused("Thread 0 running on CPUs all\n", "f.dat:1: not 'Thread N");
	refused("Thread 1234567890 running on CPUs 0\n", "f.dat:1: not 'Thread N");
	refused("Processor\n", "f.dat:1: not 'Thread N");
	refused("Speed: nothing\n", "f.dat:1: a Speed line");
	refused("Speed: thread 0, cycles 1, seconds 1\n", "f.dat:1: a Speed line");
	refused("Speed: thread 0, cycles 1, seconds 1, GHz fast\n", "f.dat:1: a Speed line");
	refused("Speed: thread 0, cycles 1, seconds 1, GHz -2.0\n", "f.dat:1: a Speed line");
	refused("Speed: thread 0, cycles 1, seconds 1, GHz 1.2.3\n", "f.dat:1: a Speed line");
	refused("Speed: thread 0, cycles 1, seconds 1, GHz \n", "f.dat:1: a Speed line");
}

static void a_nul_byte_is_no_text(void **state)
{
	static const char text[] = "1\nab\0cd\n";
	struct log l = { 0 };
	struct nf_err err = { 0 };
	bool torn;

	(void)state;
	nf_buf_init(&l.text, 1 << 20);
	assert_int_equal(feed(&l, text, sizeof(text) - 1, 3, &torn, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "f.dat:2: a NUL byte"));
	nf_buf_fini(&l.text);
}

/* What was cut short may be a part of a number: it is not taken for one. */
static void a_last_line_without_its_end_is_left_out_and_told(void **state)
{
	struct log l = { 0 };
	struct nf_err err = { 0 };
	bool torn = false;

	(void)state;
	nf_buf_init(&l.text, 1 << 20);
	assert_int_equal(feed(&l, "34772\n3477", 10, 7, &torn, &err), 0);
	assert_true(torn);
	assert_string_equal(l.text.data, "serial 0 on \n34772\n");
	nf_buf_fini(&l.text);
}

static void a_line_without_end_is_refused_in_bounded_memory(void **state)
{
	enum { N = NF_FWQ_LINE_BYTES + 1 };
	char *text = malloc(N + 1);
	static const size_t cuts[] = { 0, 1, 1000, N - 1, N };

	(void)state;
	assert_non_null(text);
	memset(text, 'T', N + 1);
	text[N] = '\n';
	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++)
		for (size_t len = N; len <= N + 1; len++) {
			struct log l = { 0 };
			struct nf_err err = { 0 };
			bool torn;

			assert_int_equal(feed(&l, text, len, cuts[i], &torn, &err), -NF_EDATA);
			assert_non_null(strstr(err.msg, "65536 bytes"));
		}
	/* One byte less is a line, if a strange one. */
	text[N - 1] = '\n';
	struct log l = { 0 };
	struct nf_err err = { 0 };
	bool torn;
	assert_int_equal(feed(&l, text, N, 0, &torn, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "not 'Thread N"));
	free(text);
}

static void many_values_come_in_batches_and_none_is_lost(void **state)
{
	enum { N = 3 * NF_FWQ_BATCH + 17 };
	struct nf_buf text;
	struct log l = { 0 };
	bool torn = true;

	(void)state;
	nf_buf_init(&text, 1 << 24);
	nf_buf_init(&l.text, 1 << 24);
	for (int i = 0; i < N; i++)
		(void)nf_buf_addf(&text, "%d\n", i * 37);
	assert_int_equal(feed(&l, text.data, text.len_bytes, 12345, &torn, NULL), 0);
	assert_int_equal(l.n_values, N);
	assert_memory_equal(l.text.data + strlen("serial 0 on \n"), text.data, text.len_bytes);
	nf_buf_fini(&text);
	nf_buf_fini(&l.text);
}

static void a_callback_that_fails_ends_the_reading(void **state)
{
	static const char text[] = "Speed: thread 0, cycles 1, seconds 1, GHz 1.5\n"
	                           "Thread 0 running on CPUs 0\n12\n";

	(void)state;
	for (int in = 1; in <= 3; in++) {
		struct log l = { .fail_in = in };
		struct nf_err err = { 0 };
		bool torn;

		nf_buf_init(&l.text, 1 << 20);
		assert_int_equal(feed(&l, text, sizeof(text) - 1, 0, &torn, &err), -NF_EOS);
		assert_string_equal(err.msg, "full");
		nf_buf_fini(&l.text);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_form_of_file_is_read),
	cmocka_unit_test(lines_that_the_programs_print_are_passed_over),
	cmocka_unit_test(a_carriage_return_belongs_to_the_line_feed),
	cmocka_unit_test(a_rate_that_is_none_is_told_as_zero),
	cmocka_unit_test(numbers_of_every_length_are_exact),
	cmocka_unit_test(what_is_no_fwq_file_is_refused_with_its_line),
	cmocka_unit_test(a_nul_byte_is_no_text),
	cmocka_unit_test(a_last_line_without_its_end_is_left_out_and_told),
	cmocka_unit_test(a_line_without_end_is_refused_in_bounded_memory),
	cmocka_unit_test(many_values_come_in_batches_and_none_is_lost),
	cmocka_unit_test(a_callback_that_fails_ends_the_reading),
};

NF_UNIT_MAIN(tests)
