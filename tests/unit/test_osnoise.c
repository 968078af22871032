/* SPDX-License-Identifier: MIT */
/* What the osnoise module reads, without the kernel: records of its events. The tracers themselves are tried on
 * real kernels in tests/integration/qemu. */
#include "machine/osnoise.h"
#include "machine/tracer_parse.h"
#include "nf_unit.h"
#include "osnoise_layouts.h"

enum { OSNOISE, TIMERLAT, THREAD, SOFTIRQ, IRQ, NMI, SAMPLE };

struct fixture {
	struct tep_handle *tep;
	unsigned char data[256];
	struct tep_record rec;
};

static int make(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	f->tep = osnoise_tep();
	f->rec = (struct tep_record){ .ts = 5000000123, .data = f->data };
	*state = f;
	return f->tep ? 0 : -1;
}

static int clean(void **state)
{
	struct fixture *f = *state;

	tep_free(f->tep);
	free(f);
	return 0;
}

static void put(struct fixture *f, size_t at, uint64_t value, size_t size)
{
	memcpy(f->data + at, &value, size); /* little-endian, as the recordings are */
	if ((int)(at + size) > f->rec.size)
		f->rec.size = (int)(at + size);
}

static int decode(struct fixture *f, size_t event, struct nf_osnoise_report *ret)
{
	struct nf_err err = { 0 };

	return nf_osnoise_decode(osnoise_event(f->tep, event), &f->rec, 3, 5000000000, ret, &err);
}

static void a_period_is_in_nanoseconds_with_its_counts(void **state)
{
	struct fixture *f = *state;
	struct nf_osnoise_report r;

	put(f, 8, 120, 8);
	put(f, 16, 1000000, 8);
	put(f, 24, 40, 8);
	for (size_t i = 0; i < 5; i++)
		put(f, 32 + 4 * i, 11 + i, 4);
	assert_int_equal(decode(f, OSNOISE, &r), 0);
	assert_int_equal(r.what, NF_OSNOISE_PERIOD);
	assert_int_equal(r.cpu, 3);
	assert_int_equal(r.t_ns, 123);
	assert_int_equal(r.period.noise_ns, 120000);
	assert_int_equal(r.period.runtime_ns, 1000000000);
	assert_int_equal(r.period.longest_ns, 40000);
	assert_int_equal(r.period.count[NF_OSNOISE_HARDWARE], 11);
	assert_int_equal(r.period.count[NF_OSNOISE_NMI], 12);
	assert_int_equal(r.period.count[NF_OSNOISE_IRQ], 13);
	assert_int_equal(r.period.count[NF_OSNOISE_SOFTIRQ], 14);
	assert_int_equal(r.period.count[NF_OSNOISE_THREAD], 15);
}

static void an_activation_has_its_number_and_context(void **state)
{
	struct fixture *f = *state;
	struct nf_osnoise_report r = { .cpu = -7 };

	put(f, 8, 99, 4);
	put(f, 12, 1, 4);
	put(f, 16, 4321, 8);
	assert_int_equal(decode(f, TIMERLAT, &r), 0);
	assert_int_equal(r.what, NF_OSNOISE_LATENCY);
	assert_int_equal(r.latency.activation, 99);
	assert_int_equal(r.latency.context, NF_TIMERLAT_THREAD);
	assert_int_equal(r.latency.latency_ns, 4321);
	put(f, 12, 2, 4);
	assert_int_equal(decode(f, TIMERLAT, &r), 0);
	assert_int_equal(r.latency.context, NF_TIMERLAT_USER);
	r.cpu = -7;
	put(f, 12, 3, 4);
	assert_int_equal(decode(f, TIMERLAT, &r), -NF_EDATA);
	assert_int_equal(r.cpu, -7);
}

static void what_interrupted_has_a_name(void **state)
{
	struct fixture *f = *state;
	struct nf_osnoise_report r;

	memcpy(f->data + 8, "kworker/0:1", 12);
	put(f, 32, 777, 8);
	put(f, 40, 27, 4);
	assert_int_equal(decode(f, THREAD, &r), 0);
	assert_int_equal(r.what, NF_OSNOISE_CAUSE);
	assert_int_equal(r.cause.source, NF_OSNOISE_THREAD);
	assert_string_equal(r.cause.name, "kworker/0:1-27");
	assert_int_equal(r.cause.duration_ns, 777);

	put(f, 16, 55, 8);
	put(f, 24, 1, 4);
	assert_int_equal(decode(f, SOFTIRQ, &r), 0);
	assert_int_equal(r.cause.source, NF_OSNOISE_SOFTIRQ);
	assert_string_equal(r.cause.name, "TIMER");
	put(f, 24, 44, 4);
	assert_int_equal(decode(f, SOFTIRQ, &r), 0);
	assert_string_equal(r.cause.name, "44");

	put(f, 24, 32 | 12 << 16, 4); /* twelve bytes from 32 on */
	put(f, 28, 236, 4);
	memcpy(f->data + 32, "local_timer", 12);
	f->rec.size = 44;
	assert_int_equal(decode(f, IRQ, &r), 0);
	assert_int_equal(r.cause.source, NF_OSNOISE_IRQ);
	assert_string_equal(r.cause.name, "local_timer");

	assert_int_equal(decode(f, NMI, &r), 0);
	assert_int_equal(r.cause.source, NF_OSNOISE_NMI);
	assert_string_equal(r.cause.name, "");
	assert_int_equal(r.cause.duration_ns, 55);
}

static void a_name_that_points_outside_its_record_is_none(void **state)
{
	struct fixture *f = *state;
	struct nf_osnoise_report r;

	put(f, 16, 55, 8);
	put(f, 28, 236, 4);
	f->rec.size = 40;
	const uint32_t where[] = { 32 | 9 << 16, 41 | 1 << 16, UINT32_MAX, 65535, 0xffff0000 };
	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		put(f, 24, where[i], 4);
		assert_int_equal(decode(f, IRQ, &r), 0);
		assert_string_equal(r.cause.name, "236"); /* its vector instead */
	}
}

static void names_are_printable_and_cut(void **state)
{
	struct fixture *f = *state;
	struct nf_osnoise_report r;

	memcpy(f->data + 8, "\033[2J\x80 0123456789", 16);
	put(f, 32, 1, 8);
	put(f, 40, 2147483647, 4);
	assert_int_equal(decode(f, THREAD, &r), 0);
	assert_string_equal(r.cause.name, "?[2J? 0123456789-2147483647");

	char small[4];
	nf_tracer_text(osnoise_event(f->tep, THREAD), &f->rec, "comm", small, sizeof(small));
	assert_string_equal(small, "?[2");
	nf_tracer_text(osnoise_event(f->tep, THREAD), &f->rec, "nothing", small, sizeof(small));
	assert_string_equal(small, "");
}

static void noise_in_which_nothing_else_ran_is_the_hardwares(void **state)
{
	struct fixture *f = *state;
	struct nf_osnoise_report r;

	put(f, 16, 8000, 8);
	put(f, 24, 0, 8);
	assert_int_equal(decode(f, SAMPLE, &r), 0);
	assert_int_equal(r.cause.source, NF_OSNOISE_HARDWARE);
	assert_int_equal(r.cause.duration_ns, 8000);
	put(f, 24, 2, 8);
	assert_int_equal(decode(f, SAMPLE, &r), 1);
}

static void a_record_shorter_than_its_layout_is_refused_at_every_length(void **state)
{
	static const int needs[OSNOISE_LAYOUTS] = { 52, 24, 40, 24, 24, 24, 32 };
	struct fixture *f = *state;
	struct nf_osnoise_report r = { .cpu = -7 };

	for (size_t event = 0; event < OSNOISE_LAYOUTS; event++)
		for (f->rec.size = 0; f->rec.size < needs[event]; f->rec.size++) {
			assert_int_equal(decode(f, event, &r), -NF_EDATA);
			assert_int_equal(r.cpu, -7);
		}
}

static void numbers_out_of_range_are_refused(void **state)
{
	struct fixture *f = *state;
	struct nf_osnoise_report r = { .cpu = -7 };

	put(f, 48, 0, 4);
	put(f, 8, UINT64_MAX, 8);
	assert_int_equal(decode(f, OSNOISE, &r), -NF_EDATA);
	put(f, 8, INT64_MAX / 1000 + 1, 8);
	assert_int_equal(decode(f, OSNOISE, &r), -NF_EDATA);
	put(f, 8, 1, 8);
	f->rec.ts = UINT64_MAX;
	assert_int_equal(decode(f, OSNOISE, &r), -NF_EDATA);
	assert_int_equal(r.cpu, -7);
	f->rec.ts = 1;
	assert_int_equal(decode(f, OSNOISE, &r), 0);
	assert_true(r.t_ns < 0); /* kept as it is */
}

static void another_event_is_none_of_these(void **state)
{
	static const char other[] =
	        "name: print\nID: 5\nformat:\n"
	        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	        "\tfield:u64 ip;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";
	struct fixture *f = *state;
	struct nf_osnoise_report r;
	struct nf_err err = { 0 };

	assert_int_equal(tep_parse_event(f->tep, other, sizeof(other) - 1, "ftrace"), 0);
	assert_int_equal(nf_osnoise_decode(tep_find_event_by_name(f->tep, "ftrace", "print"),
	                                   &f->rec, 0, 0, &r, &err),
	                 1);
}

static void bad_settings_and_a_captured_host_start_nothing(void **state)
{
	struct nf_osnoise_settings got;
	struct nf_osnoise *o = NULL;
	struct nf_rootfs captured;
	struct nf_cpuset none;
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_rootfs_open(&captured, "/tmp", &e), 0);
	struct nf_osnoise_cfg cfg = { .period_us = -1 };
	assert_int_equal(nf_osnoise_start(&captured, NULL, NF_TRACER_OSNOISE, &cfg, &o, &got, &e),
	                 -NF_EARG);
	cfg = (struct nf_osnoise_cfg){ .stop_total_us = -1 };
	assert_int_equal(nf_osnoise_start(&captured, NULL, NF_TRACER_TIMERLAT, &cfg, &o, &got, &e),
	                 -NF_EARG);
	nf_cpuset_init(&none);
	cfg = (struct nf_osnoise_cfg){ .cpus = &none };
	assert_int_equal(nf_osnoise_start(&captured, NULL, NF_TRACER_OSNOISE, &cfg, &o, &got, &e),
	                 -NF_EARG);
	cfg.cpus = NULL;
	assert_int_equal(nf_osnoise_start(&captured, NULL, NF_TRACER_OSNOISE, &cfg, &o, &got, &e),
	                 -NF_EUNSUPPORTED);
	assert_null(o);
	nf_cpuset_fini(&none);
	nf_rootfs_close(&captured);
}

static void this_host_has_the_tracers_or_says_why_not(void **state)
{
	struct nf_rootfs live;
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_rootfs_open(&live, NULL, &e), 0);
	for (int which = NF_TRACER_OSNOISE; which <= NF_TRACER_TIMERLAT; which++) {
		int r = nf_osnoise_check(&live, (enum nf_osnoise_tracer)which, &e);

		assert_true(r == 0 || (r == -NF_EUNSUPPORTED && strlen(e.msg) > 20));
	}
	nf_rootfs_close(&live);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make, clean)
static const struct CMUnitTest tests[] = {
	CASE(a_period_is_in_nanoseconds_with_its_counts),
	CASE(an_activation_has_its_number_and_context),
	CASE(what_interrupted_has_a_name),
	CASE(a_name_that_points_outside_its_record_is_none),
	CASE(names_are_printable_and_cut),
	CASE(noise_in_which_nothing_else_ran_is_the_hardwares),
	CASE(a_record_shorter_than_its_layout_is_refused_at_every_length),
	CASE(numbers_out_of_range_are_refused),
	CASE(another_event_is_none_of_these),
	cmocka_unit_test(bad_settings_and_a_captured_host_start_nothing),
	cmocka_unit_test(this_host_has_the_tracers_or_says_why_not),
};
NF_UNIT_MAIN(tests)
