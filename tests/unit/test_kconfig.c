/* SPDX-License-Identifier: MIT */
/* The kernel's configuration, and gzip, which it may come in. */
#include "machine/kconfig.h"

#include "host_tree.h"
#include "machine/gunzip.h"

/* Made with zlib: a stored block, fixed codes, dynamic codes after a header with every option. */
/* clang-format off */
static const unsigned char stored_gz[] = {
	0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x01, 0x0e, 0x00, 0xf1, 0xff, 0x43,
	0x4f, 0x4e, 0x46, 0x49, 0x47, 0x5f, 0x48, 0x5a, 0x3d, 0x31, 0x30, 0x30, 0x0a, 0xfe, 0x32, 0x44,
	0x15, 0x0e, 0x00, 0x00, 0x00,
};
static const unsigned char fixed_gz[] = {
	0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x73, 0xf6, 0xf7, 0x73, 0xf3, 0x74,
	0x8f, 0xf7, 0x88, 0xb2, 0x35, 0x32, 0x35, 0xe0, 0x72, 0x46, 0xe1, 0x01, 0x00, 0x50, 0xdb, 0x74,
	0x36, 0x1c, 0x00, 0x00, 0x00,
};
static const unsigned char dynamic_gz[] = {
	0x1f, 0x8b, 0x08, 0x1e, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x03, 0x00, 0x61, 0x62, 0x63, 0x6e,
	0x61, 0x6d, 0x65, 0x00, 0x63, 0x6f, 0x6d, 0x6d, 0x65, 0x6e, 0x74, 0x00, 0x12, 0x34, 0x6d, 0x92,
	0x39, 0x0e, 0xc2, 0x50, 0x0c, 0x05, 0x7b, 0x4e, 0xf3, 0xbd, 0x7c, 0x2f, 0x45, 0xaa, 0x48, 0xa0,
	0x34, 0x84, 0x82, 0x9e, 0x13, 0x40, 0xcf, 0xed, 0x11, 0x25, 0x19, 0xda, 0x27, 0x8d, 0xec, 0x91,
	0x66, 0xdd, 0xaf, 0xe7, 0xed, 0xf2, 0xd8, 0x6f, 0xf7, 0x6d, 0xbf, 0x3e, 0xc6, 0xf2, 0x3e, 0xad,
	0x3f, 0x4b, 0x4b, 0x2f, 0xcf, 0xc3, 0x56, 0x56, 0xcb, 0xeb, 0xb0, 0xe5, 0x4c, 0xb0, 0x91, 0x01,
	0x76, 0xf6, 0x04, 0x3b, 0xc5, 0xc1, 0xba, 0x19, 0x58, 0x9b, 0x0a, 0x56, 0x53, 0xc0, 0x4a, 0x0f,
	0xb0, 0x32, 0x9a, 0x6c, 0x51, 0xd7, 0x93, 0xba, 0x11, 0xd4, 0xad, 0x09, 0x36, 0x87, 0x83, 0x0d,
	0x35, 0xea, 0xba, 0x52, 0x37, 0x84, 0xba, 0x35, 0xf8, 0x72, 0x37, 0x58, 0x95, 0xa2, 0xae, 0x25,
	0xef, 0x06, 0x75, 0x73, 0x52, 0xb7, 0x1d, 0x68, 0x89, 0x51, 0xd7, 0x94, 0xba, 0x53, 0x78, 0x36,
	0x59, 0x95, 0x17, 0xab, 0xf2, 0xc1, 0xaa, 0x4c, 0x59, 0x95, 0x3a, 0xab, 0x92, 0x60, 0x55, 0xc5,
	0xa8, 0x98, 0x54, 0xab, 0xfe, 0x01, 0xbf, 0x49, 0x7d, 0x00, 0xbd, 0x19, 0x1a, 0xfe, 0x19, 0x03,
	0x00, 0x00,
};
/* clang-format on */

static void expect(const void *data, size_t n, struct nf_buf *out)
{
	struct nf_err e = { 0 };

	if (nf_gunzip(data, n, out, &e) != 0)
		fail_msg("%s", e.msg);
}

static void every_kind_of_block_is_decompressed(void **state)
{
	struct nf_buf out, want;

	(void)state;
	nf_buf_init(&out, 4096);
	nf_buf_init(&want, 4096);
	expect(stored_gz, sizeof(stored_gz), &out);
	assert_string_equal(out.data, "CONFIG_HZ=100\n");
	/* Appends: distances must not reach what was there before. */
	expect(fixed_gz, sizeof(fixed_gz), &out);
	assert_string_equal(out.data, "CONFIG_HZ=100\nCONFIG_HZ=250\nCONFIG_HZ=250\n");
	nf_buf_clear(&out);
	expect(dynamic_gz, sizeof(dynamic_gz), &out);
	for (unsigned i = 0; i < 40; i++)
		nf_buf_addf(&want, "CONFIG_OPTION_%u=%c\n", i * 7919 % 1000, "ymn"[i % 3]);
	assert_string_equal(out.data, want.data);
	nf_buf_fini(&want);
	nf_buf_fini(&out);
}

/* Every cut and every changed bit either fails or still gives the same bytes (header fields). */
static void damaged(const unsigned char *gz, size_t n)
{
	struct nf_buf whole, out;
	unsigned char copy[1024];
	struct nf_err e = { 0 };
	size_t failures = 0;

	nf_buf_init(&whole, 65536);
	nf_buf_init(&out, 65536);
	expect(gz, n, &whole);
	for (size_t cut = 0; cut < n; cut++) {
		nf_buf_clear(&out);
		assert_int_equal(nf_gunzip(gz, cut, &out, &e), -NF_EDATA);
	}
	assert_true(n <= sizeof(copy));
	for (size_t bit = 0; bit < 8 * n; bit++) {
		memcpy(copy, gz, n);
		copy[bit / 8] = (unsigned char)(copy[bit / 8] ^ 1u << bit % 8);
		nf_buf_clear(&out);
		if (nf_gunzip(copy, n, &out, &e) != 0) {
			failures++;
			continue;
		}
		assert_int_equal(out.len_bytes, whole.len_bytes);
		assert_memory_equal(out.data, whole.data, whole.len_bytes);
	}
	assert_true(failures > 4 * n);
	nf_buf_fini(&out);
	nf_buf_fini(&whole);
}

static void damage_is_found(void **state)
{
	(void)state;
	damaged(stored_gz, sizeof(stored_gz));
	damaged(fixed_gz, sizeof(fixed_gz));
	damaged(dynamic_gz, sizeof(dynamic_gz));
}

static void the_ceiling_holds(void **state)
{
	struct nf_err e = { 0 };
	struct nf_buf out;

	(void)state;
	nf_buf_init(&out, 20);
	assert_int_equal(nf_gunzip(dynamic_gz, sizeof(dynamic_gz), &out, &e), -NF_EDATA);
	nf_buf_fini(&out);
}

static char tree[256];
static struct nf_rootfs root;
static struct nf_buf config;
static char source[NF_KCONFIG_SOURCE_BYTES];

static int make(void **state)
{
	(void)state;
	make_tree(tree, sizeof(tree));
	nf_buf_init(&config, NF_KCONFIG_MAX_BYTES);
	source[0] = '\0';
	return nf_rootfs_open(&root, tree, NULL);
}

static int unmake(void **state)
{
	(void)state;
	nf_buf_fini(&config);
	nf_rootfs_close(&root);
	remove_tree(tree);
	return 0;
}

static void the_running_kernels_own_copy_comes_first(void **state)
{
	struct nf_err e = { 0 };
	struct nf_span v;

	(void)state;
	assert_int_equal(nf_kconfig_load(&root, "6.1", &config, source, &e), -NF_ENODATA);
	assert_string_equal(source, "");
	put(tree, "lib/modules/6.1/config", "CONFIG_HZ=1000\n");
	assert_int_equal(nf_kconfig_load(&root, "6.1", &config, source, &e), 0);
	assert_string_equal(source, "lib/modules/6.1/config");
	nf_buf_clear(&config);
	put(tree, "boot/config-6.1", "CONFIG_HZ=300\n");
	assert_int_equal(nf_kconfig_load(&root, "6.1", &config, source, &e), 0);
	assert_string_equal(source, "boot/config-6.1");
	nf_buf_clear(&config);
	put_bytes(tree, "proc/config.gz", fixed_gz, sizeof(fixed_gz));
	assert_int_equal(nf_kconfig_load(&root, "6.1", &config, source, &e), 0);
	assert_string_equal(source, "proc/config.gz");
	assert_true(nf_kconfig_get(&config, "HZ", &v));
	assert_true(nf_span_is(v, "250"));
}

static void a_damaged_copy_is_an_error_that_names_it(void **state)
{
	struct nf_err e = { 0 };

	(void)state;
	put(tree, "boot/config-6.1", "CONFIG_HZ=300\n");
	put_bytes(tree, "proc/config.gz", fixed_gz, sizeof(fixed_gz) - 9);
	assert_int_equal(nf_kconfig_load(&root, "6.1", &config, source, &e), -NF_EDATA);
	assert_string_equal(source, "proc/config.gz");
}

static void a_release_with_a_slash_names_no_file(void **state)
{
	struct nf_err e = { 0 };

	(void)state;
	put(tree, "boot/config-x/y", "CONFIG_HZ=300\n");
	assert_int_equal(nf_kconfig_load(&root, "x/y", &config, source, &e), -NF_ENODATA);
	assert_int_equal(nf_kconfig_load(&root, NULL, &config, source, &e), -NF_ENODATA);
}

static void options_have_values_or_are_not_set(void **state)
{
	struct nf_span v;

	(void)state;
	nf_buf_adds(&config, "# comment\nCONFIG_A=y\nCONFIG_AB=m\n# CONFIG_B is not set\n"
	                     "CONFIG_S=\"a=b\"\nCONFIG_NOTHING\n# CONFIG_C is set\nCONFIG_LAST=5");
	assert_true(nf_kconfig_get(&config, "A", &v) && nf_span_is(v, "y"));
	assert_true(nf_kconfig_get(&config, "AB", &v) && nf_span_is(v, "m"));
	assert_true(nf_kconfig_get(&config, "B", &v) && nf_span_is(v, "n"));
	assert_true(nf_kconfig_get(&config, "S", &v) && nf_span_is(v, "\"a=b\""));
	assert_true(nf_kconfig_get(&config, "LAST", &v) && nf_span_is(v, "5"));
	assert_false(nf_kconfig_get(&config, "C", &v));
	assert_false(nf_kconfig_get(&config, "NOTHING", &v));
	assert_false(nf_kconfig_get(&config, "", &v));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_kind_of_block_is_decompressed),
	cmocka_unit_test(damage_is_found),
	cmocka_unit_test(the_ceiling_holds),
	cmocka_unit_test_setup_teardown(the_running_kernels_own_copy_comes_first, make, unmake),
	cmocka_unit_test_setup_teardown(a_damaged_copy_is_an_error_that_names_it, make, unmake),
	cmocka_unit_test_setup_teardown(a_release_with_a_slash_names_no_file, make, unmake),
	cmocka_unit_test_setup_teardown(options_have_values_or_are_not_set, make, unmake),
};

NF_UNIT_MAIN(tests)
