/* SPDX-License-Identifier: MIT */
#include "mpi/options.h"

#include "measure/kernels/kernels.h"

#include "nf_unit.h"

enum { ARGS = 12 };

static int parse(const char *const words[ARGS], struct nf_mpi_params *ret, struct nf_err *err)
{
	char *argv[ARGS + 1];
	int argc = 0;

	for (; words[argc]; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc];
	argv[argc] = NULL;
	return nf_mpi_options_parse(argc, argv, ret, err);
}

static void the_benchmarks_name_takes_the_benchmarks_options(void **state)
{
	static const char *const names[] = { "fwq-mpi", "/usr/libexec/noisefloor/fwq-mpi",
		                             "./fwq-mpi.mpich" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *const words[ARGS] = { names[i], "-n", "50", "-w", "16384",
			                          "-o",     "f",  "-d", "2.5" };
		struct nf_mpi_params p;

		assert_int_equal(parse(words, &p, NULL), 0);
		assert_true(p.as_fwq_mpi);
		assert_int_equal(p.samples, 50);
		assert_int_equal(p.work, 16384); /* iterations, not a power of two */
		assert_int_equal(p.kernel, NF_KERNEL_NOP); /* as fwq and fwq-th */
		assert_string_equal(p.output, "f");
		assert_int_equal(p.duration_ns, 2500000000);
		assert_true(p.duration_given);
	}
}

static void the_benchmarks_defaults_hold(void **state)
{
	const char *const words[ARGS] = { "fwq-mpi" };
	const char *const out[ARGS] = { "fwq-mpi", "-s" };
	struct nf_mpi_params p;

	(void)state;
	assert_int_equal(parse(words, &p, NULL), 0);
	assert_int_equal(p.samples, 10000);
	assert_string_equal(p.output, "fwq");
	assert_false(p.duration_given);
	assert_int_equal(parse(out, &p, NULL), 0);
	assert_true(p.to_stdout);
	assert_null(p.output);
}

static void the_programs_own_name_needs_the_command(void **state)
{
	const char *const words[ARGS] = { "noisefloor-mpi", "--runs", "r", "fwq", "-d", "3s",
		                          "--json" };
	struct nf_mpi_params p;

	(void)state;
	assert_int_equal(parse(words, &p, NULL), 0);
	assert_false(p.as_fwq_mpi);
	assert_string_equal(p.runs, "r");
	assert_int_equal(p.duration_ns, 3000000000);
	assert_true(p.json);
	assert_int_equal(p.work, 0);
	assert_null(p.output);
}

/* clang-format off */
static void what_is_not_allowed_is_said_in_one_line(void **state)
{
	static const struct {
		const char *words[ARGS];
		const char *says;
	} cases[] = {
		{ { "noisefloor-mpi" }, "command" },
		{ { "noisefloor-mpi", "ftq" }, "'ftq'" },
		{ { "noisefloor-mpi", "fwq", "more" }, "'more'" },
		{ { "noisefloor-mpi", "fwq", "-n", "0" }, "--samples" },
		{ { "noisefloor-mpi", "fwq", "-w", "abc" }, "--work" },
		{ { "noisefloor-mpi", "fwq", "--work", "5", "--quantum", "1ms" }, "--quantum" },
		{ { "noisefloor-mpi", "fwq", "--format", "llnl" }, "--format" },
		{ { "noisefloor-mpi", "fwq", "-s", "--format", "noisefloor" }, "--format" },
		{ { "noisefloor-mpi", "fwq", "--force" }, "--output" },
		{ { "noisefloor-mpi", "fwq", "-s", "-o", "x" }, "--stdout" },
		{ { "noisefloor-mpi", "fwq", "-s", "--json" }, "--json" },
		{ { "fwq-mpi", "fwq" }, "'fwq'" },
		{ { "fwq-mpi", "-d", "0" }, "-d" },
		{ { "fwq-mpi", "-d", "soon" }, "'soon'" },
		{ { "fwq-mpi", "-d", "1.2.3" }, "'1.2.3'" },
		{ { "fwq-mpi", "-d", "999999999" }, "168h" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nf_mpi_params p = { .samples = -7 };
		struct nf_err err = { 0 };

		if (parse(cases[i].words, &p, &err) != -NF_EARG || !strstr(err.msg, cases[i].says) || strchr(err.msg, '\n'))
			fail_msg("case %zu: %s", i, err.msg);
		assert_int_equal(p.samples, -7); /* untouched */
	}
}
/* clang-format on */

static void help_and_the_man_page_name_every_option(void **state)
{
	static const char *const names[] = { "samples", "work",   "quantum", "kernel", "duration",
		                             "output",  "format", "force",   "pin",    "single",
		                             "clock",   "tag",    "runs",    "json" };
	struct nf_buf help, man;

	(void)state;
	nf_buf_init(&help, 1 << 18);
	nf_buf_init(&man, 1 << 18);
	nf_mpi_options_help(false, &help);
	nf_mpi_options_man(&man);
	assert_int_equal(help.failed, NF_OK);
	assert_int_equal(man.failed, NF_OK);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_non_null(strstr(help.data, names[i]));
		assert_non_null(strstr(man.data, names[i]));
	}
	assert_null(strstr(help.data, "print-man"));
	nf_buf_fini(&help);
	nf_buf_fini(&man);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_benchmarks_name_takes_the_benchmarks_options),
	cmocka_unit_test(the_benchmarks_defaults_hold),
	cmocka_unit_test(the_programs_own_name_needs_the_command),
	cmocka_unit_test(what_is_not_allowed_is_said_in_one_line),
	cmocka_unit_test(help_and_the_man_page_name_every_option),
};

NF_UNIT_MAIN(tests)
