/* SPDX-License-Identifier: MIT */
#include "measure/tick.h"
#include "measure/tick_arch.h"
#include "measure/tick_calibrate.h"
#include "measure/tick_facts.h"
#include "nf_unit.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the decision --- */

static struct nf_tick_facts good(void)
{
	return (struct nf_tick_facts){ .counter = NF_TICK_TSC,
		                       .invariant_known = true,
		                       .invariant = true,
		                       .clocksource = "tsc",
		                       .clocksource_wanted = "tsc" };
}

static void a_trusted_counter_is_chosen_without_a_reason(void **state)
{
	struct nf_tick_facts f = good();
	struct nf_tick_choice c;
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_tick_decide(&f, NF_TICK_AUTO, &c, &e), 0);
	assert_int_equal(c.source, NF_TICK_TSC);
	assert_string_equal(c.reason, "");
	assert_int_equal(nf_tick_decide(&f, NF_TICK_WANT_COUNTER, &c, &e), 0);
	assert_int_equal(c.source, NF_TICK_TSC);
	f.counter = NF_TICK_CNTVCT;
	f.clocksource_wanted = "arch_sys_counter";
	snprintf(f.clocksource, sizeof(f.clocksource), "arch_sys_counter");
	assert_int_equal(nf_tick_decide(&f, NF_TICK_AUTO, &c, &e), 0);
	assert_int_equal(c.source, NF_TICK_CNTVCT);
}

static void monotonic_on_request_needs_no_reason(void **state)
{
	struct nf_tick_facts f = good();
	struct nf_tick_choice c;
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_tick_decide(&f, NF_TICK_WANT_MONOTONIC, &c, &e), 0);
	assert_int_equal(c.source, NF_TICK_MONOTONIC_RAW);
	assert_string_equal(c.reason, "");
	f.invariant = false;
	assert_int_equal(nf_tick_decide(&f, NF_TICK_WANT_MONOTONIC, &c, &e), 0);
	assert_string_equal(c.reason, "");
}

static void every_doubt_falls_back_with_its_reason_or_refuses_the_counter(void **state)
{
	static const char *const says[] = { "RDTSCP", "unknown", "not invariant",
		                            "clocksource is unknown", "hpet, not tsc" };
	struct nf_tick_choice c;

	(void)state;
	for (size_t i = 0; i < sizeof(says) / sizeof(says[0]); i++) {
		struct nf_tick_choice untouched = { .source = NF_TICK_CNTVCT };
		struct nf_tick_facts f = good();
		struct nf_err e = { 0 };

		if (i == 0)
			snprintf(f.unreadable, sizeof(f.unreadable), "this CPU has no RDTSCP");
		if (i == 1)
			f.invariant_known = false;
		if (i == 2)
			f.invariant = false;
		if (i == 3)
			f.clocksource[0] = '\0';
		if (i == 4)
			snprintf(f.clocksource, sizeof(f.clocksource), "hpet");
		assert_int_equal(nf_tick_decide(&f, NF_TICK_AUTO, &c, &e), 0);
		assert_int_equal(c.source, NF_TICK_MONOTONIC_RAW);
		assert_non_null(strstr(c.reason, says[i]));
		assert_int_equal(nf_tick_decide(&f, NF_TICK_WANT_COUNTER, &untouched, &e),
		                 -NF_EUNSUPPORTED);
		assert_non_null(strstr(e.msg, says[i]));
		assert_int_equal(untouched.source, NF_TICK_CNTVCT);
	}
}

static void flags_count_only_when_every_cpu_has_them_as_whole_words(void **state)
{
	static const char *const words[] = { "constant_tsc", "nonstop_tsc", NULL };
	bool known;

	(void)state;
	assert_true(nf_tick_flags_have("flags\t\t: fpu constant_tsc nonstop_tsc\n", words, &known));
	assert_true(known);
	assert_true(
	        nf_tick_flags_have("model : x\nflags : nonstop_tsc constant_tsc", words, &known));
	assert_false(nf_tick_flags_have("flags : constant_tsc nonstop_tsc\nflags : constant_tsc\n",
	                                words, &known));
	assert_true(known);
	assert_false(nf_tick_flags_have("flags : constant_tsc nonstop_tsc_s3\n", words, &known));
	assert_false(nf_tick_flags_have("flags : xconstant_tsc nonstop_tsc\n", words, &known));
	assert_false(nf_tick_flags_have("vmx flags : constant_tsc nonstop_tsc\n", words, &known));
	assert_false(known);
	assert_false(nf_tick_flags_have("", words, &known));
	assert_false(known);
	assert_false(nf_tick_flags_have("flags", words, &known));
}

/* --- the fit --- */

enum { N = 50 };

/* Windows of a counter at hz, 1 ms apart, 40 ticks wide. */
static void make_windows(struct nf_tick_window *w, double hz)
{
	for (size_t i = 0; i < N; i++) {
		int64_t ns = INT64_C(123456789000) + (int64_t)i * 1000000;
		uint64_t mid = UINT64_C(0xfffffffffff00000) +
		               (uint64_t)llround((double)i * 1e6 * hz / 1e9);

		w[i] = (struct nf_tick_window){ .before_ticks = mid - 20,
			                        .after_ticks = mid + 20,
			                        .raw_ns = ns };
	}
}

static void the_rate_is_found_without_rounding_and_across_a_wrap(void **state)
{
	static const double rates[] = { 2599999123.0, 1e9, 62500000.0, 24000000.0 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct nf_tick_window w[N];
		struct nf_tick_fit fit;
		struct nf_err e = { 0 };

		make_windows(w, rates[i]);
		assert_int_equal(nf_tick_fit_windows(w, N, &fit, &e), 0);
		/* Half a tick of rounding over a span of 49 ms. */
		assert_true(fabs(fit.hz - rates[i]) < 0.5 / 0.049 * 2);
		assert_true(fit.hz_error_ppm >= 0 && fit.hz_error_ppm < 2);
		assert_int_equal(fit.n_kept + fit.n_rejected, N);
		assert_int_equal(fit.n_rejected, 0);
	}
}

static void interrupted_windows_and_outliers_are_rejected(void **state)
{
	struct nf_tick_window w[N];
	struct nf_tick_fit fit;
	struct nf_err e = { 0 };

	(void)state;
	make_windows(w, 2.6e9);
	w[3].after_ticks += 100000; /* interrupted between the two reads */
	w[30].before_ticks -= 5000;
	w[20].raw_ns += 40000; /* off the line, as narrow as the others */
	w[45].raw_ns -= 10000;
	assert_int_equal(nf_tick_fit_windows(w, N, &fit, &e), 0);
	assert_int_equal(fit.n_rejected, 4);
	assert_true(fabs(fit.hz - 2.6e9) < 100);
}

static void the_stated_error_grows_with_the_noise(void **state)
{
	struct nf_tick_window w[N];
	struct nf_tick_fit quiet;
	struct nf_tick_fit noisy;
	struct nf_err e = { 0 };

	(void)state;
	make_windows(w, 2.6e9);
	assert_int_equal(nf_tick_fit_windows(w, N, &quiet, &e), 0);
	make_windows(w, 2.6e9);
	for (size_t i = 0; i < N; i++)
		w[i].raw_ns += (int64_t)(i * 7919 % 101) - 50;
	assert_int_equal(nf_tick_fit_windows(w, N, &noisy, &e), 0);
	assert_true(noisy.hz_error_ppm > quiet.hz_error_ppm);
	assert_true(fabs(noisy.hz / 2.6e9 - 1) * 1e6 < 5 * noisy.hz_error_ppm);
}

static void too_few_windows_or_no_span_have_no_rate(void **state)
{
	struct nf_tick_fit fit = { .hz = -7 };
	struct nf_tick_window w[N];
	struct nf_err e = { 0 };

	(void)state;
	make_windows(w, 1e9);
	assert_int_equal(nf_tick_fit_windows(w, 0, &fit, &e), -NF_ENODATA);
	assert_int_equal(nf_tick_fit_windows(w, 2, &fit, &e), -NF_ENODATA);
	for (size_t i = 0; i < N; i++)
		w[i].raw_ns = 5;
	assert_int_equal(nf_tick_fit_windows(w, N, &fit, &e), -NF_ENODATA);
	make_windows(w, 1e9);
	for (size_t i = 0; i < N; i++) /* a counter that stands still */
		w[i].before_ticks = w[i].after_ticks = 1000;
	assert_int_equal(nf_tick_fit_windows(w, N, &fit, &e), -NF_ENODATA);
	assert_true(fit.hz == -7);
}

static void the_step_is_the_greatest_common_divisor(void **state)
{
	int64_t scratch[8];
	const uint64_t by26[] = { 0, 26, 78, 78, 130, 1430, 1456 };
	const uint64_t coprime[] = { 10, 14, 20, 23 };
	const uint64_t still[] = { 5, 5, 5 };
	const uint64_t wrap[] = { UINT64_MAX - 3, 2, 8 };
	struct nf_tick_steps s;

	(void)state;
	s = nf_tick_steps_of(by26, 7, scratch);
	assert_int_equal(s.step_ticks, 26);
	assert_true(s.min_ticks == 0 && s.median_ticks == 39);
	assert_int_equal(nf_tick_steps_of(coprime, 4, scratch).step_ticks, 1);
	assert_int_equal(nf_tick_steps_of(still, 3, scratch).step_ticks, 0);
	s = nf_tick_steps_of(wrap, 3, scratch);
	assert_int_equal(s.step_ticks, 6);
	assert_true(s.min_ticks == 6);
}

/* --- this host --- */

static void the_clock_of_this_host_opens_and_counts(void **state)
{
	static const enum nf_tick_want wants[] = { NF_TICK_AUTO, NF_TICK_WANT_MONOTONIC };
	struct nf_rootfs root;
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_rootfs_open(&root, NULL, &e), 0);
	for (size_t i = 0; i < 2; i++) {
		struct nf_tick_clock c;
		uint64_t a;
		uint64_t b;

		if (nf_tick_open(&root, wants[i], &c, &e) != 0)
			fail_msg("%s", e.msg);
		printf("# %s %.0f Hz +- %.3f ppm, step %lld, read %.0f/%.0f ticks, %zu windows "
		       "kept, "
		       "%zu rejected %s\n",
		       nf_tick_name(c.source), c.hz, c.hz_error_ppm, (long long)c.step_ticks,
		       c.read_min_ticks, c.read_median_ticks, c.n_windows, c.n_rejected,
		       c.fallback_reason);
		assert_true(c.hz > 1e6);
		assert_true(c.step_ticks > 0);
		assert_true(c.read_min_ticks >= 0 && c.read_min_ticks <= c.read_median_ticks);
		if (wants[i] == NF_TICK_WANT_MONOTONIC) {
			assert_int_equal(c.source, NF_TICK_MONOTONIC_RAW);
			assert_true(c.hz == 1e9 && c.hz_error_ppm == 0);
			assert_string_equal(c.fallback_reason, "");
		} else if (c.source != NF_TICK_MONOTONIC_RAW) {
			assert_true(c.hz_error_ppm > 0);
			assert_true(c.n_windows >= 3);
		}
		a = nf_tick_start(&c);
		b = nf_tick_end(&c);
		assert_true(b >= a);
		assert_true(fabs(nf_tick_to_ns(&c, c.hz) - 1e9) < 1e-3);
	}
	nf_rootfs_close(&root);
}

static void write_text(const char *dir, const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	for (char *p = full + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0700);
		*p = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void a_host_with_another_clocksource_falls_back_and_says_why(void **state)
{
	char dir[] = "/tmp/nf-tick-XXXXXX";
	char command[64];
	struct nf_tick_clock c;
	struct nf_rootfs root;
	struct nf_err e = { 0 };

	(void)state;
	assert_non_null(mkdtemp(dir));
	write_text(dir, "proc/cpuinfo", "flags : constant_tsc nonstop_tsc\n");
	write_text(dir, "sys/devices/system/clocksource/clocksource0/current_clocksource",
	           "kvm-clock\n");
	assert_int_equal(nf_rootfs_open(&root, dir, &e), 0);
	assert_int_equal(nf_tick_open(&root, NF_TICK_AUTO, &c, &e), 0);
	assert_int_equal(c.source, NF_TICK_MONOTONIC_RAW);
	if (nf_tick_arch_reads[0].name)
		assert_non_null(strstr(c.fallback_reason, "kvm-clock"));
	else
		assert_string_not_equal(c.fallback_reason, "");
	assert_int_equal(nf_tick_open(&root, NF_TICK_WANT_COUNTER, &c, &e), -NF_EUNSUPPORTED);
	nf_rootfs_close(&root);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	assert_int_equal(system(command), 0);
}

static void skew_has_a_reference_and_bounds_for_each_cpu(void **state)
{
	struct nf_topology *topo;
	const struct nf_cpuset *cpus;
	struct nf_tick_skew *skew;
	struct nf_tick_clock c;
	struct nf_rootfs root;
	struct nf_err e = { 0 };
	size_t room;
	size_t n;
	size_t none = 0;

	(void)state;
	assert_int_equal(nf_rootfs_open(&root, NULL, &e), 0);
	assert_int_equal(nf_topology_load(&root, &topo, &e), 0);
	assert_int_equal(nf_tick_open(&root, NF_TICK_AUTO, &c, &e), 0);
	cpus = nf_topology_allowed(topo);
	n = room = nf_cpuset_count(cpus);
	skew = calloc(room, sizeof(*skew));
	assert_non_null(skew);
	if (nf_tick_skew(&c, topo, cpus, skew, &n, NULL, &e) != 0)
		fail_msg("%s", e.msg);
	assert_true(n >= 1 && n <= room);
	assert_int_equal(skew[0].cpu, nf_cpuset_next(cpus, -1));
	assert_true(skew[0].offset_ticks == 0 && skew[0].uncertainty_ticks == 0);
	for (size_t i = 1; i < n; i++) {
		printf("# CPU %d: %.1f +- %.1f ticks\n", skew[i].cpu, skew[i].offset_ticks,
		       skew[i].uncertainty_ticks);
		assert_true(skew[i].uncertainty_ticks > 0);
		/* A clock that the kernel trusts agrees between CPUs within the bounds, and what one
		 * read takes on either side. */
		assert_true(fabs(skew[i].offset_ticks) <=
		            skew[i].uncertainty_ticks + c.read_median_ticks * 2);
	}
	assert_int_equal(nf_tick_skew(&c, topo, cpus, skew, &none, NULL, &e), -NF_EARG);
	free(skew);
	nf_topology_free(topo);
	nf_rootfs_close(&root);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_trusted_counter_is_chosen_without_a_reason),
	cmocka_unit_test(monotonic_on_request_needs_no_reason),
	cmocka_unit_test(every_doubt_falls_back_with_its_reason_or_refuses_the_counter),
	cmocka_unit_test(flags_count_only_when_every_cpu_has_them_as_whole_words),
	cmocka_unit_test(the_rate_is_found_without_rounding_and_across_a_wrap),
	cmocka_unit_test(interrupted_windows_and_outliers_are_rejected),
	cmocka_unit_test(the_stated_error_grows_with_the_noise),
	cmocka_unit_test(too_few_windows_or_no_span_have_no_rate),
	cmocka_unit_test(the_step_is_the_greatest_common_divisor),
	cmocka_unit_test(the_clock_of_this_host_opens_and_counts),
	cmocka_unit_test(a_host_with_another_clocksource_falls_back_and_says_why),
	cmocka_unit_test(skew_has_a_reference_and_bounds_for_each_cpu),
};

NF_UNIT_MAIN(tests)
