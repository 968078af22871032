/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nf_unit.h"
#include "samples/stream.h"

static void a_stream_keeps_values_in_order_and_counts_what_does_not_fit(void **state)
{
	struct nf_stream s;

	(void)state;
	assert_int_equal(nf_stream_init(&s, "fwq.cpu3", 3, NULL), 0);
	assert_string_equal(s.name, "fwq.cpu3");
	assert_true(s.cpu == -1 && s.node == -1 && s.n == 0 && s.cap == 3 && !s.locked);
	nf_stream_put(&s, 5);
	nf_stream_put(&s, -7);
	nf_stream_put(&s, INT64_MAX);
	assert_false(nf_stream_incomplete(&s));
	nf_stream_put(&s, 1);
	nf_stream_put(&s, 2);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.n_dropped, 2);
	assert_true(s.value[0] == 5 && s.value[1] == -7 && s.value[2] == INT64_MAX);
	assert_true(nf_stream_incomplete(&s));
	nf_stream_fini(&s);
	assert_null(s.value);
	nf_stream_fini(&s);
}

static void every_kind_of_loss_makes_a_stream_incomplete(void **state)
{
	struct nf_stream a = { .n_dropped = 1 }, b = { .n_saturated = 1 }, c = { .n_missed = 1 },
	                 d = { .n_truncated = 1 }, none = { 0 };

	(void)state;
	assert_true(nf_stream_incomplete(&a));
	assert_true(nf_stream_incomplete(&b));
	assert_true(nf_stream_incomplete(&c));
	assert_true(nf_stream_incomplete(&d));
	assert_false(nf_stream_incomplete(&none));
}

static void prefaulting_maps_every_page_and_keeps_the_values(void **state)
{
	struct nf_stream s;
	unsigned char in[64];

	(void)state;
	assert_int_equal(nf_stream_init(&s, "x", 64 * 512, NULL), 0);
	assert_int_equal(mincore(s.value, 64 * 4096, in), 0);
	nf_stream_put(&s, 42);
	nf_stream_prefault(&s);
	assert_int_equal(mincore(s.value, 64 * 4096, in), 0);
	for (size_t i = 0; i < 64 * 4096 / (size_t)sysconf(_SC_PAGESIZE); i++)
		assert_int_equal(in[i] & 1, 1);
	assert_int_equal(s.value[0], 42);
	nf_stream_fini(&s);
}

static void names_and_capacities_outside_the_range_are_refused(void **state)
{
	struct nf_stream s = { .n = 99 };
	struct nf_err e = { 0 };
	char name[49];

	(void)state;
	memset(name, 'a', 48);
	name[48] = '\0';
	assert_int_equal(nf_stream_init(&s, name, 1, &e), -NF_EARG);
	assert_int_equal(nf_stream_init(&s, "", 1, &e), -NF_EARG);
	assert_int_equal(nf_stream_init(&s, NULL, 1, &e), -NF_EARG);
	assert_int_equal(nf_stream_init(&s, "x", 0, &e), -NF_EARG);
	assert_int_equal(nf_stream_init(&s, "x", ((size_t)1 << 37) + 1, &e), -NF_EARG);
	assert_int_equal(nf_stream_init(&s, "x", SIZE_MAX, &e), -NF_EARG);
	assert_int_equal(s.n, 99);
	name[47] = '\0';
	assert_int_equal(nf_stream_init(&s, name, 1, &e), 0);
	nf_stream_fini(&s);
}

static void values_convert_to_nanoseconds_by_their_unit(void **state)
{
	struct nf_stream s = { .unit = NF_UNIT_TICK, .tick_hz = 2e9 };

	(void)state;
	assert_true(nf_stream_ns(&s, 3) == 1.5);
	assert_true(nf_stream_ns(&s, -4) == -2.0);
	s.tick_hz = 0;
	assert_true(isnan(nf_stream_ns(&s, 3)));
	s.unit = NF_UNIT_NS;
	assert_true(nf_stream_ns(&s, 7) == 7.0);
	s.unit = NF_UNIT_COUNT;
	assert_true(nf_stream_ns(&s, 9) == 9.0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_stream_keeps_values_in_order_and_counts_what_does_not_fit),
	cmocka_unit_test(every_kind_of_loss_makes_a_stream_incomplete),
	cmocka_unit_test(prefaulting_maps_every_page_and_keeps_the_values),
	cmocka_unit_test(names_and_capacities_outside_the_range_are_refused),
	cmocka_unit_test(values_convert_to_nanoseconds_by_their_unit),
};

NF_UNIT_MAIN(tests)
