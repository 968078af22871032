/* SPDX-License-Identifier: MIT */
/*
 * nf_unit - cmocka with a main that runs one case by name.
 *
 *   ./test_x            all cases
 *   ./test_x NAME       the case NAME (wildcards * and ?); a name that matches nothing is an error
 *
 * skip_unless(cond, name, why): a test that cannot run here says why; when NF_REQUIRE lists `name` it
 * fails instead.
 */
#ifndef NF_UNIT_H
#define NF_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fnmatch.h>

static inline bool nf_unit_required(const char *name)
{
	const char *all = getenv("NF_REQUIRE");
	size_t len = strlen(name);

	for (const char *p = all; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
		if (strncmp(p, name, len) == 0 && (p[len] == ',' || p[len] == '\0'))
			return true;
	return false;
}

#if defined(__has_feature)
#define NF_UNIT_FEATURE(x) __has_feature(x)
#else
#define NF_UNIT_FEATURE(x) 0
#endif
#if defined(__SANITIZE_THREAD__) || NF_UNIT_FEATURE(thread_sanitizer)
enum { NF_UNIT_THREAD_SANITIZED = 1 };
#else
enum { NF_UNIT_THREAD_SANITIZED = 0 };
#endif
#if defined(__SANITIZE_ADDRESS__) || NF_UNIT_FEATURE(address_sanitizer)
enum { NF_UNIT_ADDRESS_SANITIZED = 1 };
#else
enum { NF_UNIT_ADDRESS_SANITIZED = 0 };
#endif

static inline bool nf_unit_valgrind(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, "vgpreload");
}

/* Sanitizers and valgrind take their time: a test may do less of the same there. They fault pages in
 * for themselves, too. */
static inline bool nf_unit_instrumented(void)
{
	return NF_UNIT_ADDRESS_SANITIZED || NF_UNIT_THREAD_SANITIZED || nf_unit_valgrind();
}

#define skip_unless(cond, name, why) \
	do { \
		if (!(cond)) { \
			if (nf_unit_required(name)) \
				fail_msg("required but not possible: %s: %s", name, why); \
			printf("# SKIP %s: %s\n", name, why); \
			skip(); \
		} \
	} while (0)

/* cmocka 1.1 writes a skipped case as "not ok N # SKIP", which readers of TAP take for a failure: the
 * line is passed on as "ok N # SKIP". Lines come whole, as the stream is line-buffered. */
static inline ssize_t nf_unit_tap_write(void *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		const char *line = text + at, *end = memchr(line, '\n', len - at);
		size_t n = end ? (size_t)(end - line) + 1 : len - at;
		size_t skip = 0;

		if (line && n > 7 && memcmp(line, "not ok ", 7) == 0 &&
		    memmem(line, n, " # SKIP ", 8))
			skip = 4;
		if (fwrite(line + skip, 1, n - skip, out) != n - skip)
			return 0;
		at += n;
	}
	return fflush(out) == 0 ? (ssize_t)len : 0;
}

static inline void nf_unit_filter_tap(void)
{
	const char *format = getenv("CMOCKA_MESSAGE_OUTPUT");
	FILE *f;

	if (!format || strcmp(format, "TAP") != 0)
		return;
	f = fopencookie(stdout, "w", (cookie_io_functions_t){ .write = nf_unit_tap_write });
	if (!f)
		return;
	setvbuf(f, NULL, _IOLBF, BUFSIZ);
	stdout = f;
}

static inline int nf_unit_run(const struct CMUnitTest *tests, size_t n, int argc, char **argv,
                              int (*run_all)(void))
{
	if (argc > 1) {
		size_t hits = 0;

		for (size_t i = 0; i < n; i++)
			hits += fnmatch(argv[1], tests[i].name, 0) == 0;
		if (hits == 0) {
			fprintf(stderr, "no case matches '%s'\n", argv[1]);
			return 1;
		}
		cmocka_set_test_filter(argv[1]);
	}
	nf_unit_filter_tap();
	return run_all();
}

/* NF_UNIT_MAIN(tests): tests is a `static const struct CMUnitTest []`. _WITH: a cmocka group fixture
 * around all of them (NULL: none). */
#define NF_UNIT_MAIN_WITH(tests, setup, teardown) \
	static int nf_unit_all(void) \
	{ \
		return cmocka_run_group_tests(tests, setup, teardown); \
	} \
	int main(int argc, char **argv) \
	{ \
		return nf_unit_run(tests, sizeof(tests) / sizeof((tests)[0]), argc, argv, \
		                   nf_unit_all); \
	}
#define NF_UNIT_MAIN(tests) NF_UNIT_MAIN_WITH(tests, NULL, NULL)

#endif
