/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"
#include "nf_unit.h"

#define R "\xef\xbf\xbd"

static void broken_sequences_are_replaced_by_maximal_parts(void **state)
{
	static const struct {
		const char *in, *out;
		uint64_t n;
	} cases[] = {
		{ "plain", "plain", 0 },
		{ "", "", 0 },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x90\x8d\x88", "\xc3\xa9\xe2\x82\xac\xf0\x90\x8d\x88",
		  0 },
		/* Unicode 15, tables 3-8 to 3-11. */
		{ "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", R R R R R R R R "A", 8 },
		{ "\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", R R R R R R R R "A", 8 },
		{ "\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", R R R R R "A" R R "B", 7 },
		{ "\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", R R R R "A", 4 },
		{ "x\xe2\x82", "x" R, 1 },
		{ "\xf0\x90\x8d", R, 1 },
		/* Non-characters. */
		{ "\xef\xb7\x90|\xef\xb7\xaf|\xef\xb7\x8f", R "|" R "|\xef\xb7\x8f", 2 },
		{ "\xef\xbf\xbe\xef\xbf\xbf\xf0\x9f\xbf\xbe\xf4\x8f\xbf\xbf", R R R R, 4 },
		/* A replacement character that was there is not one of ours. */
		{ R, R, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_buf b;
		uint64_t n = 100;

		nf_buf_init(&b, 1000);
		assert_int_equal(nf_utf8_clean(&b, cases[i].in, strlen(cases[i].in), &n), 0);
		assert_string_equal(b.data, cases[i].out);
		assert_int_equal(n - 100, cases[i].n);
		nf_buf_clear(&b);
		assert_int_equal(nf_utf8_clean(&b, cases[i].in, strlen(cases[i].in), NULL), 0);
		assert_string_equal(b.data, cases[i].out);
		nf_buf_fini(&b);
	}
}

static void every_scalar_value_encodes_and_decodes(void **state)
{
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 4);
	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		uint32_t got = 1;
		int bad = 1;

		if (cp == 0xd800)
			cp = 0xe000;
		nf_buf_clear(&b);
		nf_utf8_put(&b, cp);
		if (nf_utf8_next(b.data, b.len_bytes, &got, &bad) != b.len_bytes || got != cp ||
		    bad)
			fail_msg("U+%04X", (unsigned)cp);
	}
	nf_buf_fini(&b);
}

static void what_is_no_scalar_value_becomes_the_replacement(void **state)
{
	static const uint32_t bad[] = { 0xd800, 0xdfff, 0x110000, UINT32_MAX };
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 100);
	for (size_t i = 0; i < 4; i++) {
		nf_buf_clear(&b);
		assert_int_equal(nf_utf8_put(&b, bad[i]), 0);
		assert_string_equal(b.data, R);
	}
	nf_buf_fini(&b);
}

static void nul_stays_and_the_ceiling_is_kept(void **state)
{
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 5);
	assert_int_equal(nf_utf8_clean(&b, "a\0b", 3, NULL), 0);
	assert_memory_equal(b.data, "a\0b", 4);
	assert_int_equal(nf_utf8_clean(&b, "\xff", 1, NULL), -NF_EDATA);
	nf_buf_fini(&b);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(broken_sequences_are_replaced_by_maximal_parts),
	cmocka_unit_test(every_scalar_value_encodes_and_decodes),
	cmocka_unit_test(what_is_no_scalar_value_becomes_the_replacement),
	cmocka_unit_test(nul_stays_and_the_ceiling_is_kept),
};

NF_UNIT_MAIN(tests)
