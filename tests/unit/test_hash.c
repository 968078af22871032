/* SPDX-License-Identifier: MIT */
#include "base/crc32c_arch.h"
#include "base/hash.h"

#include <unistd.h>

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

/* The table's way is what CPUs without the instruction take. */
static void the_instruction_and_the_table_give_the_same_checksum(void **state)
{
	uint8_t data[100];

	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * i * 7 + 5);
	assert_int_equal(nf_crc32c_plain(0, "123456789", 9), 0xe3069283);
	for (size_t from = 0; from < 9; from++)
		for (size_t n = 0; n <= sizeof(data) - from; n++)
			assert_int_equal(nf_crc32c_plain((uint32_t)n, data + from, n),
			                 nf_crc32c((uint32_t)n, data + from, n));
}

static void checksums_of_parts_combine_to_that_of_the_whole(void **state)
{
	uint8_t data[300];

	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 11 + 3);
	for (size_t cut = 0; cut <= sizeof(data); cut++) {
		uint32_t a = nf_crc32c(0, data, cut);
		uint32_t b = nf_crc32c(0, data + cut, sizeof(data) - cut);

		assert_int_equal(nf_crc32c_combine(a, b, sizeof(data) - cut),
		                 nf_crc32c(0, data, sizeof(data)));
	}
	/* In any grouping, with parts that are empty. */
	uint32_t x = nf_crc32c(0, data, 100), y = nf_crc32c(0, data + 100, 50),
	         z = nf_crc32c(0, data + 150, 150);
	assert_int_equal(nf_crc32c_combine(nf_crc32c_combine(x, y, 50), z, 150),
	                 nf_crc32c_combine(x, nf_crc32c_combine(y, z, 150), 200));
	assert_int_equal(nf_crc32c_combine(0, x, 100), x);
	assert_int_equal(nf_crc32c_combine(x, 0, 0), x);
}

static void splitting_the_input_anywhere_changes_nothing(void **state)
{
	uint8_t data[300], whole[NF_SHA256_BYTES], split[NF_SHA256_BYTES];
	struct nf_sha256 s;

	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7);
	nf_sha256_init(&s);
	nf_sha256_add(&s, data, sizeof(data));
	nf_sha256_done(&s, whole);
	for (size_t cut = 0; cut <= sizeof(data); cut++) {
		nf_sha256_init(&s);
		nf_sha256_add(&s, data, cut);
		nf_sha256_add(&s, data + cut, sizeof(data) - cut);
		nf_sha256_done(&s, split);
		assert_memory_equal(whole, split, sizeof(whole));
		assert_int_equal(nf_crc32c(nf_crc32c(0, data, cut), data + cut, sizeof(data) - cut),
		                 nf_crc32c(0, data, sizeof(data)));
	}
}

static void a_million_letters_hash_as_published(void **state)
{
	struct nf_sha256 s;
	uint8_t digest[NF_SHA256_BYTES];
	char hex[NF_SHA256_HEX];

	(void)state;
	nf_sha256_init(&s);
	for (int i = 0; i < 1000000; i++)
		nf_sha256_add(&s, "a", 1);
	nf_sha256_done(&s, digest);
	nf_sha256_hex(digest, hex);
	assert_string_equal(hex,
	                    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* RFC 4231, cases 1, 2 and 6. */
static void hmac_matches_the_rfc(void **state)
{
	uint8_t key[131], mac[NF_SHA256_BYTES];
	char hex[NF_SHA256_HEX];

	(void)state;
	memset(key, 0x0b, 20);
	nf_hmac_sha256(key, 20, "Hi There", 8, mac);
	nf_sha256_hex(mac, hex);
	assert_string_equal(hex,
	                    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	nf_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, mac);
	nf_sha256_hex(mac, hex);
	assert_string_equal(hex,
	                    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	memset(key, 0xaa, sizeof(key));
	nf_hmac_sha256(key, sizeof(key), "Test Using Larger Than Block-Size Key - Hash Key First",
	               54, mac);
	nf_sha256_hex(mac, hex);
	assert_string_equal(hex,
	                    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void the_rest_of_a_file_is_hashed(void **state)
{
	char hex[NF_SHA256_HEX] = "untouched", path[] = "/tmp/nf-test-hash-XXXXXX";
	struct nf_err e = { 0 };
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(write(fd, "xxabc", 5), 5);
	assert_int_equal(lseek(fd, 2, SEEK_SET), 2);
	assert_int_equal(nf_sha256_fd(fd, "x", hex, &e), 0);
	assert_string_equal(hex,
	                    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	close(fd);
	assert_int_equal(nf_sha256_fd(-1, "the kernel", hex, &e), -NF_EOS);
	assert_non_null(strstr(e.msg, "cannot read the kernel"));
}

static uint32_t bit_by_bit(const uint8_t *p, size_t n)
{
	uint32_t crc = ~0u;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

static void crc32c_agrees_with_the_definition(void **state)
{
	uint8_t data[64];
	uint32_t x = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		for (size_t i = 0; i < sizeof(data); i++) {
			x = x * 1664525 + 1013904223;
			data[i] = (uint8_t)(x >> 24);
		}
		size_t n = (size_t)round % sizeof(data), from = sizeof(data) - 1 - n;

		assert_int_equal(nf_crc32c(0, data + from, n), bit_by_bit(data + from, n));
	}
	/* RFC 3720, B.4. */
	memset(data, 0, 32);
	assert_int_equal(nf_crc32c(0, data, 32), 0x8a9136aa);
	memset(data, 0xff, 32);
	assert_int_equal(nf_crc32c(0, data, 32), 0x62a8ab43);
	for (int i = 0; i < 32; i++)
		data[i] = (uint8_t)i;
	assert_int_equal(nf_crc32c(0, data, 32), 0x46dd794e);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sha256_matches_the_standards_examples),
	cmocka_unit_test(crc32c_of_the_check_string_is_the_published_value),
	cmocka_unit_test(the_instruction_and_the_table_give_the_same_checksum),
	cmocka_unit_test(checksums_of_parts_combine_to_that_of_the_whole),
	cmocka_unit_test(splitting_the_input_anywhere_changes_nothing),
	cmocka_unit_test(a_million_letters_hash_as_published),
	cmocka_unit_test(hmac_matches_the_rfc),
	cmocka_unit_test(the_rest_of_a_file_is_hashed),
	cmocka_unit_test(crc32c_agrees_with_the_definition),
};

NF_UNIT_MAIN(tests)
