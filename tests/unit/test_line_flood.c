/* SPDX-License-Identifier: MIT */
/* What is much: a line of 10 MB, a flood, a day at 115,200 baud. Memory stays as it is, every byte is accounted for.
 * Under sanitizers and valgrind a hundredth of it; the whole day with NF_LONG=1. */
#include <malloc.h>

#include "board/line.h"
#include "nf_unit.h"

enum { READ = 4096, MB = 1000000 };

struct sum {
	uint64_t n, text_bytes, raw_bytes, cut_bytes;
	int64_t last_hi_ns;
};

static int add(void *ctx, const struct nf_line *l, struct nf_err *err)
{
	struct sum *s = ctx;

	(void)err;
	s->n++;
	s->text_bytes += l->len;
	s->raw_bytes += l->raw_bytes;
	s->cut_bytes += l->cut_bytes;
	assert_true(l->first_hi_ns >= s->last_hi_ns);
	s->last_hi_ns = l->last_hi_ns;
	return 0;
}

static uint64_t part(uint64_t n)
{
	return nf_unit_instrumented() ? n / 100 : n;
}

static size_t allocated(void)
{
	return NF_UNIT_ADDRESS_SANITIZED || NF_UNIT_THREAD_SANITIZED ? 0 : mallinfo2().uordblks;
}

static void a_line_of_10_mb_is_cut_and_counted(void **state)
{
	static char data[READ];
	uint64_t n = part(10 * MB) / READ * READ;
	struct nf_line_time t = { 0, 1, 2, false };
	struct sum sum = { 0 };
	struct nf_lines s;

	(void)state;
	memset(data, 'x', sizeof(data));
	assert_int_equal(nf_line_init(&s, NF_LINE_LIMIT, NULL), 0);
	size_t before = allocated();
	for (uint64_t at = 0; at < n; at += READ)
		assert_int_equal(nf_line_feed(&s, data, READ, &t, add, &sum, NULL), 0);
	assert_int_equal(nf_line_feed(&s, "\nnext\n", 6, &t, add, &sum, NULL), 0);
	assert_int_equal(allocated(), before);
	assert_int_equal(sum.n, 2);
	assert_int_equal(sum.text_bytes, NF_LINE_LIMIT + 4);
	assert_int_equal(sum.text_bytes + sum.cut_bytes + 2, n + 6);
	assert_int_equal(s.counts.n_cut, 1);
	nf_line_fini(&s);
}

static void flood(uint64_t bytes, int64_t ns_per_read)
{
	static char data[READ + 64];
	struct nf_line_time t = { 0, 1, 2, false };
	struct sum sum = { 0 };
	struct nf_lines s;
	uint64_t fed = 0, ends = 0;

	/* Lines of 71 bytes, which is no divisor of a read. */
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = i % 71 == 70 ? '\n' : i % 71 == 69 ? '\r' : (char)('a' + i % 26);
	assert_int_equal(nf_line_init(&s, NF_LINE_LIMIT, NULL), 0);
	size_t before = allocated();
	while (fed < bytes) {
		size_t from = fed % 71;

		assert_int_equal(nf_line_feed(&s, data + from, READ - 71, &t, add, &sum, NULL), 0);
		for (size_t i = 0; i < READ - 71; i++)
			ends += data[from + i] == '\n' || data[from + i] == '\r';
		fed += READ - 71;
		t.lo_ns = t.first_hi_ns;
		t.first_hi_ns += ns_per_read;
		t.hi_ns = t.first_hi_ns + 1;
	}
	assert_int_equal(nf_line_finish(&s, add, &sum, NULL), 0);
	assert_int_equal(allocated(), before);
	assert_true(sum.raw_bytes == fed && s.counts.raw_bytes == fed);
	assert_true(sum.text_bytes + ends == fed);
	assert_int_equal(sum.n, (fed + 70) / 71);
	nf_line_fini(&s);
}

static void a_flood_of_100_mb_loses_nothing(void **state)
{
	(void)state;
	flood(part(100 * MB), 1000);
}

static void a_day_at_115200_baud_loses_nothing(void **state)
{
	const char *asked = getenv("NF_LONG");
	uint64_t day = UINT64_C(24) * 3600 * 11520;
	bool whole = asked && strcmp(asked, "1") == 0;

	(void)state;
	flood(whole ? day : part(day / 24), (READ - 71) * INT64_C(1000000000) / 11520);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_line_of_10_mb_is_cut_and_counted),
	cmocka_unit_test(a_flood_of_100_mb_loses_nothing),
	cmocka_unit_test(a_day_at_115200_baud_loses_nothing),
};
NF_UNIT_MAIN(tests)
