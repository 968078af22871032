/* SPDX-License-Identifier: MIT */
#include "board/baud.h"

#include "nf_unit.h"

static struct nf_baud_look look(const char *data, size_t n, size_t split)
{
	struct nf_baud_look l = { 0 };

	nf_baud_look(&l, data, split);
	nf_baud_look(&l, data + split, n - split);
	return l;
}

static void text_is_told_from_noise(void **state)
{
	static const struct {
		const char *data;
		size_t len;
		uint64_t text;
	} row[] = {
		{ "U-Boot 2023.01\r\n\t=> \a\b", 22, 22 },
		{ "\x1b[1mbold\x1b[0m\n", 13, 13 },
		{ "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80", 15, 15 },
		{ "a\0b\x01\x7f", 5, 2 },
		{ "\xff\xfe\x80\xc0\xe0 a", 7, 2 },
		{ "\xc2\x85"
		  "x",
		  3, 1 }, /* C1 */
		{ "\xed\xa0\x80", 3, 0 }, /* a surrogate */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		for (size_t split = 0; split <= row[i].len; split++) {
			struct nf_baud_look l = look(row[i].data, row[i].len, split);

			assert_int_equal(l.text_bytes, row[i].text);
			assert_int_equal(l.bytes + l.n_held, row[i].len);
		}
}

static void a_character_that_is_not_complete_counts_for_neither(void **state)
{
	struct nf_baud_look l = look("ab\xe2\x82", 4, 4);

	(void)state;
	assert_int_equal(l.bytes, 2);
	assert_int_equal(l.n_held, 2);
	nf_baud_look(&l, "\xac", 1);
	assert_int_equal(l.bytes, 5);
	assert_int_equal(l.text_bytes, 5);
	assert_int_equal(l.n_held, 0);
}

static void enough_of_enough_bytes_reads_as_text(void **state)
{
	static const struct {
		uint64_t bytes, text;
		bool is;
	} row[] = { { 0, 0, false },      { 15, 15, false },     { 16, 16, true },
		    { 16, 15, false },    { 20, 19, true },      { 20, 18, false },
		    { 100, 95, true },    { 100, 94, false },    { 1000, 950, true },
		    { 1000, 949, false }, { 12345, 12345, true } };

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct nf_baud_look l = { .bytes = row[i].bytes, .text_bytes = row[i].text };

		assert_int_equal(nf_baud_reads_as_text(&l), row[i].is);
	}
}

static void no_rate_is_listed_twice(void **state)
{
	size_t n = 0;

	(void)state;
	for (; nf_baud_rates[n]; n++)
		for (size_t i = 0; i < n; i++)
			assert_int_not_equal(nf_baud_rates[i], nf_baud_rates[n]);
	assert_int_equal(nf_baud_rates[0], 115200);
	assert_true(n > 5);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(text_is_told_from_noise),
	cmocka_unit_test(a_character_that_is_not_complete_counts_for_neither),
	cmocka_unit_test(enough_of_enough_bytes_reads_as_text),
	cmocka_unit_test(no_rate_is_listed_twice),
};
NF_UNIT_MAIN(tests)
