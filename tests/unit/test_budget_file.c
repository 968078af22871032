/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <unistd.h>

#include "job/job.h"
#include "nf_unit.h"

static int read_text(const char *text, size_t len, struct nf_job_budget *ret, struct nf_err *err)
{
	char path[] = "/tmp/nf-budget-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
	int r = nf_job_budget_read(path, ret, err);
	unlink(path);
	return r;
}

static void defaults_are_the_published_budget_without_other_limits(void **state)
{
	struct nf_job_budget b = nf_job_budget_default();

	(void)state;
	assert_int_equal(b.timing.period_ns, 4000000);
	assert_int_equal(b.timing.max_jitter_ns, 1000000);
	assert_int_equal(b.timing.max_latency_ns, 5000000);
	assert_false(b.has_max_smi || b.has_max_hwlat_ns || b.has_max_noise_ratio ||
	             b.has_max_detour_ns);
}

static void every_limit_can_be_set_and_the_rest_keeps_its_default(void **state)
{
	static const char text[] = "# audio\nperiod = 128/48000s\r\nmax_jitter=200us # tight\n\n"
	                           "\tmax_smi = 0\nmax_hwlat = 20us\nmax_noise = 0.5%\n"
	                           "max_detour = 1ms";
	struct nf_job_budget b = { 0 };

	(void)state;
	assert_int_equal(read_text(text, sizeof(text) - 1, &b, NULL), 0);
	assert_int_equal(b.timing.period_ns, 2666667);
	assert_int_equal(b.timing.max_jitter_ns, 200000);
	assert_int_equal(b.timing.max_latency_ns, 5000000);
	assert_true(b.has_max_smi);
	assert_int_equal(b.max_smi, 0);
	assert_int_equal(b.max_hwlat_ns, 20000);
	assert_true(b.has_max_noise_ratio);
	assert_true(b.max_noise_ratio > 0.00499 && b.max_noise_ratio < 0.00501);
	assert_int_equal(b.max_detour_ns, 1000000);
}

static void faults_name_file_line_and_column(void **state)
{
	static const struct {
		const char *text, *where, *what;
	} cases[] = {
		{ "period = 4\n", ":1:10:", "duration with a unit" },
		{ "\n\n  max_smi = -1\n", ":3:13:", "whole number" },
		{ "max_noise = 150%\n", ":1:13:", "percentage" },
		{ "max_noise = nan\n", ":1:13:", "percentage" },
		{ "perod = 4ms\n", ":1:1:", "unknown limit 'perod'" },
		{ "period 4ms\n", ":1:1:", "want NAME = VALUE" },
		{ "period = 4ms\nperiod = 5ms\n", ":2:1:", "set twice" },
		{ "period = 0ms\n", "", "above 0" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_job_budget b = { .max_smi = 77 };
		struct nf_err e = { 0 };

		assert_int_equal(read_text(cases[i].text, strlen(cases[i].text), &b, &e),
		                 -NF_EDATA);
		assert_non_null(strstr(e.msg, cases[i].where));
		assert_non_null(strstr(e.msg, cases[i].what));
		assert_int_equal(b.max_smi, 77);
	}
}

static void binary_files_and_missing_files_are_refused(void **state)
{
	struct nf_job_budget b = { 0 };
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(read_text("period\0= 4ms", 12, &b, &e), -NF_EDATA);
	assert_non_null(strstr(e.msg, "NUL"));
	assert_int_equal(nf_job_budget_read("/nonexistent/budget", &b, &e), -NF_EARG);
	assert_non_null(strstr(e.msg, "No such file"));
	assert_int_equal(nf_job_budget_read("/tmp", &b, &e), -NF_EARG);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(defaults_are_the_published_budget_without_other_limits),
	cmocka_unit_test(every_limit_can_be_set_and_the_rest_keeps_its_default),
	cmocka_unit_test(faults_name_file_line_and_column),
	cmocka_unit_test(binary_files_and_missing_files_are_refused),
};

NF_UNIT_MAIN(tests)
