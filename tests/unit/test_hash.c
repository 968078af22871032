/* SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "nf_unit.h"

static void sha256_matches_the_standards_examples(void **state)
{
	static const struct {
		const char *in, *hex;
	} cases[] = {
		{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t digest[NF_SHA256_BYTES];
		char hex[NF_SHA256_HEX];
		struct nf_sha256 s;

		nf_sha256_init(&s);
		nf_sha256_add(&s, cases[i].in, strlen(cases[i].in));
		nf_sha256_done(&s, digest);
		nf_sha256_hex(digest, hex);
		assert_string_equal(hex, cases[i].hex);
	}
}

static void crc32c_of_the_check_string_is_the_published_value(void **state)
{
	(void)state;
	assert_int_equal(nf_crc32c(0, "123456789", 9), 0xe3069283);
	assert_int_equal(nf_crc32c(nf_crc32c(0, "1234", 4), "56789", 5), 0xe3069283);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sha256_matches_the_standards_examples),
	cmocka_unit_test(crc32c_of_the_check_string_is_the_published_value),
};

NF_UNIT_MAIN(tests)
