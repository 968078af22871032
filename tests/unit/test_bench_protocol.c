/* SPDX-License-Identifier: MIT */
#include "bench/protocol.h"

#include <math.h>

#include "bench/program.h"
#include "nf_unit.h"

enum { ROOM = 4096 };

/* Frames behind each other. */
struct stream {
	uint8_t data[ROOM];
	size_t n;
};

static void add(struct stream *s, enum nf_frame_type type, const void *payload, size_t len)
{
	assert_true(s->n + NF_FRAME_HEAD_BYTES + len <= ROOM);
	nf_frame_head(type, payload, len, s->data + s->n);
	if (len)
		memcpy(s->data + s->n + NF_FRAME_HEAD_BYTES, payload, len);
	s->n += NF_FRAME_HEAD_BYTES + len;
}

static struct nf_bench_row a_row(void)
{
	return (struct nf_bench_row){ .name = "a.b",
		                      .doc = "an operation",
		                      .min_threads = 1,
		                      .max_threads = 8,
		                      .default_threads = 2,
		                      .bytes = 24 };
}

static void a_list_comes_back_as_it_was(void **state)
{
	struct stream s = { .n = 0 };
	struct nf_bench_row row = a_row(), second = a_row();
	struct nf_bench_list list = { 0 };
	struct nf_err err = { 0 };

	(void)state;
	strcpy(second.name, "c");
	add(&s, NF_FRAME_ROW, &row, sizeof(row));
	add(&s, NF_FRAME_ROW, &second, sizeof(second));
	add(&s, NF_FRAME_END, "", 0);
	assert_int_equal(nf_bench_list_read(s.data, s.n, &list, &err), 0);
	assert_int_equal(list.n, 2);
	assert_memory_equal(&list.row[0], &row, sizeof(row));
	assert_memory_equal(&list.row[1], &second, sizeof(second));
	assert_ptr_equal(nf_bench_list_find(&list, "c"), &list.row[1]);
	assert_null(nf_bench_list_find(&list, "d"));
	assert_null(nf_bench_list_find(&list, NULL)); /* which of two? */
	nf_bench_list_fini(&list);

	/* A text that ends anywhere else is refused, and nothing is handed out. */
	for (size_t cut = 0; cut < s.n; cut++) {
		assert_int_equal(nf_bench_list_read(s.data, cut, &list, &err), -NF_EDATA);
		assert_null(list.row);
	}
}

static void every_flipped_bit_is_noticed(void **state)
{
	struct nf_bench_row row = a_row();
	struct stream s = { .n = 0 };

	(void)state;
	add(&s, NF_FRAME_ROW, &row, sizeof(row));
	for (size_t bit = 0; bit < 8 * s.n; bit++) {
		struct nf_err err = { 0 };
		struct nf_frame f = { .len_bytes = 77 };
		size_t at = 0;

		s.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_int_equal(nf_frame_next(s.data, s.n, &at, &f, &err), -NF_EDATA);
		assert_int_equal(at, 0);
		assert_int_equal(f.len_bytes, 77);
		s.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static int read_row(const struct nf_bench_row *row, struct nf_err *err)
{
	struct nf_frame f = { NF_FRAME_ROW, (const uint8_t *)row, sizeof(*row) };
	struct nf_bench_row got;

	return nf_frame_row(&f, &got, err);
}

static void rows_that_cannot_be_are_refused(void **state)
{
	struct nf_bench_row row = a_row();
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(read_row(&row, &err), 0);
	row.min_threads = 0;
	assert_int_equal(read_row(&row, &err), -NF_EDATA);
	row = a_row();
	row.default_threads = 9;
	assert_int_equal(read_row(&row, &err), -NF_EDATA);
	row = a_row();
	row.max_threads = NF_BENCH_THREADS_MAX + 1;
	assert_int_equal(read_row(&row, &err), -NF_EDATA);
	row = a_row();
	memset(row.doc, 'x', sizeof(row.doc));
	assert_int_equal(read_row(&row, &err), -NF_EDATA);
	row = a_row();
	strcpy(row.name, "a b");
	assert_int_equal(read_row(&row, &err), -NF_EDATA);
}

static void names_are_words_and_dots(void **state)
{
	static const char *const good[] = { "a", "sync.futex-wake", "x_1.y-2" };
	static const char *const bad[] = { "", ".", "a.", ".a", "a..b", "A", "a/b", "a b", "a\n" };
	char text[NF_BENCH_NAME_MAX + 2];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_true(nf_bench_name_ok(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(nf_bench_name_ok(bad[i]));
	memset(text, 'a', sizeof(text));
	text[NF_BENCH_NAME_MAX] = '\0';
	assert_true(nf_bench_name_ok(text));
	text[NF_BENCH_NAME_MAX] = 'a';
	text[NF_BENCH_NAME_MAX + 1] = '\0';
	assert_false(nf_bench_name_ok(text));
}

static void a_request_of_another_version_is_told_from_a_broken_one(void **state)
{
	struct nf_bench_request q = { .protocol = NF_BENCH_PROTOCOL, .ask = NF_BENCH_ASK_SET }, got;
	struct nf_frame f = { NF_FRAME_REQUEST, (const uint8_t *)&q, sizeof(q) };
	struct nf_err err = { 0 };

	(void)state;
	strcpy(q.name, "a.b");
	q.seed = 7;
	assert_int_equal(nf_frame_request(&f, &got, &err), 0);
	assert_memory_equal(&got, &q, sizeof(q));
	q.protocol = NF_BENCH_PROTOCOL + 1;
	f.len_bytes = sizeof(q) - 4; /* it may well have another length */
	assert_int_equal(nf_frame_request(&f, &got, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "version"));
	q.protocol = NF_BENCH_PROTOCOL;
	assert_int_equal(nf_frame_request(&f, &got, &err), -NF_EDATA);
	f.len_bytes = sizeof(q);
	q.ask = 9;
	assert_int_equal(nf_frame_request(&f, &got, &err), -NF_EDATA);
	q.ask = NF_BENCH_ASK_SET;
	memset(q.name, 'a', sizeof(q.name));
	assert_int_equal(nf_frame_request(&f, &got, &err), -NF_EDATA);
}

static void values_are_times(void **state)
{
	struct {
		struct nf_bench_values is;
		double ns[2];
	} a = { { 10, (double)NAN, 1, 2, 2 }, { 1.5, 2.5 } };
	struct nf_frame f = { NF_FRAME_VALUES, (const uint8_t *)&a, sizeof(a) };
	static const double bad[] = { 0, -1, (double)INFINITY, (double)NAN };
	struct nf_bench_values got;
	struct nf_err err = { 0 };
	const uint8_t *ns;
	double second;

	(void)state;
	assert_int_equal(nf_frame_values(&f, &got, &ns, &err), 0);
	assert_int_equal(got.operations, 10);
	memcpy(&second, ns + sizeof(second), sizeof(second));
	assert_true(second > 2.4 && second < 2.6);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		a.ns[1] = bad[i];
		assert_int_equal(nf_frame_values(&f, &got, &ns, &err), -NF_EDATA);
	}
	a.ns[1] = 1;
	a.is.warm_up_ns = -1;
	assert_int_equal(nf_frame_values(&f, &got, &ns, &err), -NF_EDATA);
	a.is.warm_up_ns = 1;
	a.is.operations = 0;
	assert_int_equal(nf_frame_values(&f, &got, &ns, &err), -NF_EDATA);
	a.is.operations = 1;
	a.is.n = UINT64_MAX / 8 + 2; /* times 8 it would fit again */
	assert_int_equal(nf_frame_values(&f, &got, &ns, &err), -NF_EDATA);
}

static void facts_are_named_numbers_or_words(void **state)
{
	struct nf_bench_fact good = { .value = 2.5, .name = "wake_ns" }, got;
	const struct nf_bench_fact bad[] = {
		{ .value = 1, .name = "" },
		{ .value = 1, .name = "Wake" },
		{ .value = 1, .name = "a b" },
		{ .value = (double)NAN, .name = "a" },
		{ .value = (double)INFINITY, .name = "a" },
		{ .value = 1, .name = "a", .text = "x\ny" },
		{ .value = 1, .name = "a", .text = "\xc3\xa9" },
	};
	struct nf_frame f = { NF_FRAME_FACT, (const uint8_t *)&good, sizeof(good) };
	struct nf_err err = { 0 };

	(void)state;
	assert_int_equal(nf_frame_fact(&f, &got, &err), 0);
	assert_string_equal(got.name, "wake_ns");
	assert_true(got.value > 2.4 && got.value < 2.6);
	f.len_bytes--;
	assert_int_equal(nf_frame_fact(&f, &got, &err), -NF_EDATA);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		f = (struct nf_frame){ NF_FRAME_FACT, (const uint8_t *)&bad[i], sizeof(bad[i]) };
		assert_int_equal(nf_frame_fact(&f, &got, &err), -NF_EDATA);
	}
	memset(good.name, 'a', sizeof(good.name)); /* no end */
	f = (struct nf_frame){ NF_FRAME_FACT, (const uint8_t *)&good, sizeof(good) };
	assert_int_equal(nf_frame_fact(&f, &got, &err), -NF_EDATA);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_list_comes_back_as_it_was),
	cmocka_unit_test(every_flipped_bit_is_noticed),
	cmocka_unit_test(rows_that_cannot_be_are_refused),
	cmocka_unit_test(names_are_words_and_dots),
	cmocka_unit_test(a_request_of_another_version_is_told_from_a_broken_one),
	cmocka_unit_test(values_are_times),
	cmocka_unit_test(facts_are_named_numbers_or_words),
};
NF_UNIT_MAIN(tests)
