/* SPDX-License-Identifier: MIT */
#include "bench/region_page.h"

#include "nf_unit.h"

static const char text[] = "rchar: 6976\nwchar: 12\nsyscr: 10\nsyscw: 1\nread_bytes: 4096\n"
                           "write_bytes: 8192\ncancelled_write_bytes: 3\n";

static void the_kernels_lines_become_counts(void **state)
{
	struct nf_region_io io;
	struct nf_err err;

	(void)state;
	assert_int_equal(nf_region_io_parse(text, sizeof(text) - 1, &io, &err), 0);
	assert_int_equal(io.rchar, 6976);
	assert_int_equal(io.wchar, 12);
	assert_int_equal(io.syscr, 10);
	assert_int_equal(io.syscw, 1);
	assert_int_equal(io.read_bytes, 4096);
	assert_int_equal(io.write_bytes, 8192);
	assert_int_equal(io.cancelled_write_bytes, 3);
}

static void a_text_that_is_cut_anywhere_is_refused(void **state)
{
	const struct nf_region_io untouched = { .rchar = 77, .wchar = 78 };

	(void)state;
	for (size_t cut = 0; cut < sizeof(text) - 1; cut++) {
		struct nf_region_io io = untouched;
		struct nf_err err = { 0 };

		assert_int_equal(nf_region_io_parse(text, cut, &io, &err), -NF_EDATA);
		assert_memory_equal(&io, &untouched, sizeof(io));
		assert_non_null(strstr(err.msg, "allowed: "));
	}
}

static void what_is_no_number_is_refused(void **state)
{
	static const char *const bad[] = { "rchar: \n",
		                           "rchar: -1\n",
		                           "rchar:  1\n",
		                           "rchar: 1 \n",
		                           "rchar: 18446744073709551616\n",
		                           "wchar: 1\n" };
	struct nf_region_io io;
	struct nf_err err;
	char whole[512];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(whole, sizeof(whole), "%s%s", bad[i], strchr(text, '\n') + 1);
		assert_int_equal(nf_region_io_parse(whole, strlen(whole), &io, &err), -NF_EDATA);
		assert_non_null(strstr(err.msg, "'rchar: '"));
	}
	snprintf(whole, sizeof(whole), "rchar: 18446744073709551615\n%s", strchr(text, '\n') + 1);
	assert_int_equal(nf_region_io_parse(whole, strlen(whole), &io, &err), 0);
	assert_true(io.rchar == UINT64_MAX);
}

static void a_page_gives_its_named_regions_only(void **state)
{
	static struct nf_region_page page, got;
	struct nf_err err;

	(void)state;
	nf_region_page_init(&page, false);
	page.slot[3] =
	        (struct nf_region_slot){ .state = NF_REGION_NAMED, .name = "a", .sums.ended = 2 };
	page.slot[7].state = NF_REGION_BEING_NAMED; /* its process was killed */
	page.slot[NF_REGION_SLOTS - 1] = (struct nf_region_slot){ .state = NF_REGION_NAMED };
	memset(page.slot[NF_REGION_SLOTS - 1].name, 'b', NF_REGION_NAME_BYTES);
	page.slot[NF_REGION_SLOTS - 1].sums.wall_ns = UINT64_MAX;
	page.stray_ends = 5;
	assert_int_equal(nf_region_page_read(&page, &got, &err), 0);
	assert_int_equal(got.stray_ends, 5);
	assert_string_equal(got.slot[0].name, "a");
	assert_int_equal(got.slot[0].sums.ended, 2);
	assert_int_equal(strlen(got.slot[1].name), NF_REGION_NAME_BYTES - 1);
	assert_true(got.slot[1].sums.wall_ns == (UINT64_C(1) << 53) - 1);
	assert_int_equal(got.slot[2].state, NF_REGION_FREE);

	/* In place, too. */
	assert_int_equal(nf_region_page_read(&page, &page, &err), 0);
	assert_memory_equal(&page, &got, sizeof(got));
}

static void a_page_that_was_overwritten_is_refused(void **state)
{
	static struct nf_region_page page, got, untouched;
	struct nf_err err;

	(void)state;
	nf_region_page_init(&page, true);
	assert_int_equal(nf_region_page_read(&page, &got, &err), 0);
	assert_int_equal(got.traced, 1);
	memset(&got, 0x55, sizeof(got));
	memset(&untouched, 0x55, sizeof(got));
	page.magic ^= 1;
	assert_int_equal(nf_region_page_read(&page, &got, &err), -NF_EDATA);
	page.magic ^= 1;
	page.size_bytes--;
	assert_int_equal(nf_region_page_read(&page, &got, &err), -NF_EDATA);
	assert_memory_equal(&got, &untouched, sizeof(got));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_kernels_lines_become_counts),
	cmocka_unit_test(a_text_that_is_cut_anywhere_is_refused),
	cmocka_unit_test(what_is_no_number_is_refused),
	cmocka_unit_test(a_page_gives_its_named_regions_only),
	cmocka_unit_test(a_page_that_was_overwritten_is_refused),
};

NF_UNIT_MAIN(tests)
