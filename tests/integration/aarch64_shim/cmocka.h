/* SPDX-License-Identifier: MIT */
/* cmocka - as much of it as the unit tests of the actor runtime use, for a processor whose cmocka is not
 * installed. A failed assertion ends the program. */
#ifndef NF_AARCH64_CMOCKA_H
#define NF_AARCH64_CMOCKA_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*test_func)(void **state);
};

/* clang-format off */
#define cmocka_unit_test(f) { #f, f }
/* clang-format on */

static jmp_buf shim_end;
static int shim_skipped;
static const char *shim_filter;

static inline void shim_fail(const char *file, int line, const char *what)
{
	printf("%s:%d: %s\n", file, line, what);
	exit(1);
}

#define SHIM(cond) ((cond) ? (void)0 : shim_fail(__FILE__, __LINE__, #cond))
#define assert_true(c) SHIM(c)
#define assert_false(c) SHIM(!(c))
#define assert_null(p) SHIM((p) == NULL)
#define assert_non_null(p) SHIM((p) != NULL)
#define assert_int_equal(a, b) SHIM((a) == (b))
#define assert_int_not_equal(a, b) SHIM((a) != (b))
#define assert_ptr_equal(a, b) SHIM((const void *)(a) == (const void *)(b))
#define assert_string_equal(a, b) SHIM(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) SHIM(strcmp(a, b) != 0)
#define assert_in_range(v, lo, hi) SHIM((v) >= (lo) && (v) <= (hi))
#define fail_msg(...) (printf(__VA_ARGS__), shim_fail(__FILE__, __LINE__, "failed"))
#define skip() (shim_skipped = 1, longjmp(shim_end, 1))

static inline void cmocka_set_test_filter(const char *pattern)
{
	shim_filter = pattern;
}

#define cmocka_run_group_tests(tests, setup, teardown) \
	shim_run(tests, sizeof(tests) / sizeof((tests)[0]))

static inline int shim_run(const struct CMUnitTest *tests, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		void *state = NULL;

		shim_skipped = 0;
		if (setjmp(shim_end) == 0)
			tests[i].test_func(&state);
		printf("%s %zu - %s\n", shim_skipped ? "skipped" : "ok", i + 1, tests[i].name);
		fflush(stdout);
	}
	return 0;
}

#endif
