/* SPDX-License-Identifier: MIT */
/* Files of samples that are cut, flipped, forged or not what they claim. */
#include "sample_file.h"

static void a_file_cut_anywhere_is_partial_and_keeps_its_whole_chunks(void **state)
{
	size_t n = small_file("a"), chunks = first_chunk();
	unsigned char *copy = malloc(n);

	(void)state;
	assert_non_null(copy);
	memcpy(copy, image, n);
	for (size_t len = 0; len < n; len++) {
		struct nf_samplefile f = { .n_streams = 99 };
		struct nf_err e = { 0 };
		int r;

		spit("b", copy, len);
		r = nf_samplefile_read(dirfd, "b", no_limit, &f, &e);
		if (len < chunks) {
			assert_int_equal(r, -NF_EDATA);
			assert_non_null(strstr(e.msg, "byte "));
			assert_int_equal(f.n_streams, 99);
			continue;
		}
		assert_int_equal(r, 0);
		assert_int_equal(f.state, NF_SAMPLEFILE_PARTIAL);
		assert_non_null(strstr(f.what, "byte "));
		/* Chunks end 48, 88, 128, 160 bytes on: 24 + 24, 24 + 16, 24 + 16, 24 + 8. */
		assert_int_equal(f.streams[0].n, len - chunks >= 128  ? 5
		                                 : len - chunks >= 48 ? 3
		                                                      : 0);
		assert_int_equal(f.streams[1].n, len - chunks >= 160  ? 4
		                                 : len - chunks >= 88 ? 3
		                                                      : 0);
		assert_memory_equal(f.streams[0].value ? f.streams[0].value : ticks, ticks,
		                    f.streams[0].n * 8);
		assert_int_equal(f.streams[0].n_dropped, 0);
		nf_samplefile_fini(&f);
	}
	free(copy);
	remove_file("a");
	remove_file("b");
}

static void a_flipped_bit_never_passes_as_complete(void **state)
{
	size_t n = small_file("a"), chunks = first_chunk();
	unsigned char *copy = malloc(n);

	(void)state;
	assert_non_null(copy);
	memcpy(copy, image, n);
	for (size_t at = chunks; at < n; at++)
		for (unsigned bit = 0; bit < 8; bit++) {
			struct nf_samplefile f;

			copy[at] ^= (unsigned char)(1u << bit);
			spit("b", copy, n);
			f = read_back("b");
			assert_int_not_equal(f.state, NF_SAMPLEFILE_COMPLETE);
			assert_non_null(strstr(f.what, "byte "));
			/* In the first chunk: nothing is kept, and wrong values are damage. */
			if (at < chunks + 48)
				assert_int_equal(f.streams[0].n + f.streams[1].n, 0);
			if (at >= chunks + 24 && at < chunks + 48)
				assert_int_equal(f.state, NF_SAMPLEFILE_DAMAGED);
			/* In the closing chunk: all values are kept. */
			if (at >= chunks + 160)
				assert_int_equal(f.streams[0].n + f.streams[1].n, 9);
			nf_samplefile_fini(&f);
			copy[at] ^= (unsigned char)(1u << bit);
		}
	free(copy);
	remove_file("a");
	remove_file("b");
}

static void expect(size_t n, enum nf_samplefile_state want, const char *what, size_t n0)
{
	struct nf_samplefile f;

	spit("b", image, n);
	f = read_back("b");
	if (f.state != want || !strstr(f.what, what) || f.streams[0].n != n0)
		fail_msg("state %d, '%s', %zu values", (int)f.state, f.what, f.streams[0].n);
	nf_samplefile_fini(&f);
	remove_file("b");
}

static void damage_is_told_from_a_torn_end(void **state)
{
	size_t n = small_file("a"), c = first_chunk();

	(void)state;
	/* Lost writes leave zeros. */
	memset(image + n, 0, 4096);
	expect(n + 8, NF_SAMPLEFILE_DAMAGED, "follows the closing", 5);
	memset(image + c + 128, 0, n - c - 128);
	expect(n, NF_SAMPLEFILE_PARTIAL, "zeros", 5);
	expect(n + 4096, NF_SAMPLEFILE_PARTIAL, "zeros", 5);
	image[n + 4000] = 1;
	expect(n + 4096, NF_SAMPLEFILE_DAMAGED, "not a chunk", 5);
	/* The third chunk's values: the last one there is, then not. */
	n = slurp("a");
	image[c + 112]++;
	expect(c + 128, NF_SAMPLEFILE_PARTIAL, "checksum", 3);
	expect(n, NF_SAMPLEFILE_DAMAGED, "checksum", 3);
	/* Its padding and reserved field; an index that does not continue; no such stream. */
	slurp("a");
	image[c + 48 + 36] = 1;
	expect(n, NF_SAMPLEFILE_DAMAGED, "padding", 3);
	slurp("a");
	image[c + 88 + 20] = 1;
	expect(n, NF_SAMPLEFILE_DAMAGED, "not a chunk", 3);
	slurp("a");
	image[c + 88 + 8] = 2;
	expect(n, NF_SAMPLEFILE_DAMAGED, "not a chunk", 3);
	slurp("a");
	image[c + 88] = 2;
	expect(n, NF_SAMPLEFILE_DAMAGED, "not a chunk", 3);
	slurp("a");
	put32(c + 88 + 4, 65537);
	expect(n, NF_SAMPLEFILE_DAMAGED, "not a chunk", 3);
	put32(c + 88 + 4, 0);
	expect(n, NF_SAMPLEFILE_DAMAGED, "not a chunk", 3);
	/* A chunk taken out whole. */
	slurp("a");
	memmove(image + c + 88, image + c + 128, n - c - 128);
	expect(n - 40, NF_SAMPLEFILE_DAMAGED, "other values", 3);
	remove_file("a");
}

static void closing(size_t at, const char *json)
{
	size_t len = strlen(json);

	memset(image + at, 0, 24 + len + 8);
	put32(at, 0xffffffff);
	put32(at + 4, (uint32_t)len);
	put32(at + 16, nf_crc32c(0, json, len));
	memcpy(image + at + 24, json, len);
}

static void losses_that_do_not_parse_are_damage(void **state)
{
	static const char one[] =
	        "{\"n\":5,\"dropped\":1,\"saturated\":\"2\",\"missed\":3,\"truncated\":4}";
	static const char *const tails[] = {
		"[%s]",
		"[%s,{\"n\":4,\"dropped\":-1,\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		"[%s,{\"n\":4,\"dropped\":1.5,\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		"[%s,{\"n\":4,\"dropped\":\"x\",\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		"[%s,{\"n\":4,\"dropped\":\"-1\",\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		("[%s,{\"n\":4,\"dropped\":\"99999999999999999999\",\"saturated\":0,\"missed\":0,"
		 "\"truncated\":0}]"),
		"[%s,{\"n\":4,\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		"[%s,{\"n\":3,\"dropped\":0,\"saturated\":0,\"missed\":0,\"truncated\":0}]",
		"[%s,4]",
		"[%s",
		"{}",
	};
	size_t c = (small_file("a"), first_chunk() + 160);
	char json[400];
	struct nf_samplefile f;

	(void)state;
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		const char *hole = strstr(tails[i], "%s");

		snprintf(json, sizeof(json), "%.*s%s%s", hole ? 1 : 0, "[", hole ? one : "",
		         hole ? hole + 2 : tails[i]);
		closing(c, json);
		spit("b", image, c + 24 + (strlen(json) + 7) / 8 * 8);
		f = read_back("b");
		assert_int_equal(f.state, NF_SAMPLEFILE_DAMAGED);
		assert_int_equal(f.streams[0].n_dropped + f.streams[0].n_missed, 0);
		assert_int_equal(f.streams[1].n, 4);
		nf_samplefile_fini(&f);
	}
	snprintf(json, sizeof(json),
	         "[%s,{\"more\":[],\"n\":4,\"dropped\":\"18446744073709551615\",\"saturated\":0,"
	         "\"missed\":0,\"truncated\":0}]",
	         one);
	closing(c, json);
	spit("b", image, c + 24 + (strlen(json) + 7) / 8 * 8);
	f = read_back("b");
	assert_int_equal(f.state, NF_SAMPLEFILE_COMPLETE);
	assert_int_equal(f.streams[0].n_saturated, 2);
	assert_true(f.streams[1].n_dropped == UINT64_MAX);
	nf_samplefile_fini(&f);
	remove_file("a");
	remove_file("b");
}

static void refuse_header(const char *json, const char *want)
{
	struct nf_samplefile f = { .n_streams = 99 };
	struct nf_err e = { 0 };
	size_t len = strlen(json);

	memcpy(image, "nfsmpl\r\n\x01\0\0\0", 12);
	put32(12, (uint32_t)len);
	memset(image + 16, 0, len + 8);
	memcpy(image + 16, json, len);
	spit("b", image, 16 + (len + 7) / 8 * 8);
	if (nf_samplefile_read(dirfd, "b", no_limit, &f, &e) != -NF_EDATA || !strstr(e.msg, want))
		fail_msg("%s: '%s' does not say '%s'", json, e.msg, want);
	assert_int_equal(f.n_streams, 99);
	remove_file("b");
}

#define MEMBERS(name, cpu, hz, unit, kind, width) \
	"{\"name\":" name ",\"cpu\":" cpu ",\"node\":null,\"clock\":\"\",\"tick_hz\":" hz \
	",\"unit\":" unit ",\"kind\":" kind ",\"origin\":\"\",\"width\":" width "}"

static void headers_that_do_not_parse_are_refused(void **state)
{
	(void)state;
	refuse_header("", "header is empty");
	refuse_header("[", "JSON");
	refuse_header("{}", "not an array");
	refuse_header("[]", "1..16384 streams");
	refuse_header("[1]", "stream 0: 'name'");
	refuse_header("[" MEMBERS("\"\"", "0", "0", "\"ns\"", "\"count\"", "8") "]", "empty");
	refuse_header("[" MEMBERS("\"a\\u0000b\"", "0", "0", "\"ns\"", "\"count\"", "8") "]",
	              "JSON");
	refuse_header("[" MEMBERS("\"012345678901234567890123456789012345678901234567\"", "0", "0",
	                          "\"ns\"", "\"count\"", "8") "]",
	              "'name'");
	refuse_header("[" MEMBERS("\"a\"", "-1", "0", "\"ns\"", "\"count\"", "8") "]", "'cpu'");
	refuse_header("[" MEMBERS("\"a\"", "2147483648", "0", "\"ns\"", "\"count\"", "8") "]",
	              "'cpu'");
	refuse_header("[" MEMBERS("\"a\"", "0", "\"1\"", "\"ns\"", "\"count\"", "8") "]",
	              "'tick_hz'");
	refuse_header("[" MEMBERS("\"a\"", "0", "5", "\"ns\"", "\"count\"", "8") "]",
	              "tick_hz is 5");
	refuse_header("[" MEMBERS("\"a\"", "0", "0", "\"tick\"", "\"count\"", "8") "]",
	              "tick_hz is 0");
	refuse_header("[" MEMBERS("\"a\"", "0", "-1", "\"tick\"", "\"count\"", "8") "]",
	              "tick_hz is -1");
	refuse_header("[" MEMBERS("\"a\"", "0", "1e999", "\"tick\"", "\"count\"", "8") "]", "JSON");
	refuse_header("[" MEMBERS("\"a\"", "0", "0", "\"s\"", "\"count\"", "8") "]", "'unit'");
	refuse_header("[" MEMBERS("\"a\"", "0", "0", "\"ns\"", "\"\"", "8") "]", "'kind'");
	refuse_header("[" MEMBERS("\"a\"", "0", "0", "\"ns\"", "\"count\"", "2") "]", "'width'");
	refuse_header("[" MEMBERS("\"a\"", "0", "0", "\"ns\"", "\"count\"", "8") "," MEMBERS(
	                      "\"b\"", "0", "0", "\"ns\"", "\"count\"",
	                      "8") "," MEMBERS("\"a\"", "1", "0", "\"ns\"", "\"count\"", "4") "]",
	              "two streams are called 'a'");
}

static void refuse_image(size_t n, const char *want)
{
	struct nf_samplefile f = { .n_streams = 99 };
	struct nf_err e = { 0 };

	spit("b", image, n);
	assert_int_equal(nf_samplefile_read(dirfd, "b", no_limit, &f, &e), -NF_EDATA);
	if (!strstr(e.msg, want))
		fail_msg("%s", e.msg);
	assert_int_equal(f.n_streams, 99);
	remove_file("b");
}

static void other_files_and_versions_are_refused(void **state)
{
	struct nf_samplefile f = { 0 };
	struct nf_err e = { 0 };
	size_t n = small_file("a");

	(void)state;
	image[8] = 2;
	refuse_image(n, "byte 8: version 2");
	slurp("a");
	image[6] = '\n'; /* what a line-end conversion leaves */
	refuse_image(n, "byte 0: not an .nfsamples");
	slurp("a");
	put32(12, (4 << 20) + 1);
	refuse_image(n, "longer than");
	put32(12, 0xffffffff);
	refuse_image(n, "longer than");
	put32(12, 4 << 20);
	refuse_image(n, "within its header");
	assert_int_equal(nf_samplefile_read(dirfd, "none", no_limit, &f, &e), -NF_EOS);
	assert_int_equal(nf_samplefile_read(dirfd, ".", no_limit, &f, &e), -NF_EDATA);
	assert_int_equal(mkfifoat(dirfd, "fifo", 0600), 0);
	assert_int_equal(nf_samplefile_read(dirfd, "fifo", no_limit, &f, &e), -NF_EDATA);
	remove_file("fifo");
	remove_file("a");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_file_cut_anywhere_is_partial_and_keeps_its_whole_chunks),
	cmocka_unit_test(a_flipped_bit_never_passes_as_complete),
	cmocka_unit_test(damage_is_told_from_a_torn_end),
	cmocka_unit_test(losses_that_do_not_parse_are_damage),
	cmocka_unit_test(headers_that_do_not_parse_are_refused),
	cmocka_unit_test(other_files_and_versions_are_refused),
};

NF_UNIT_MAIN_WITH(tests, open_folder, close_folder)
