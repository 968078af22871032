/* SPDX-License-Identifier: MIT */
#include "board/faults.h"

#include <ctype.h>
#include <string.h>

struct row {
	const char *name;
	const char *words; /* in lower case; what stands in the line in any case */
	bool at_start; /* blanks aside, and aside from a printk stamp */
};

/* The first that fits is the line's. */
/* clang-format off */
static const struct row rows[] = {
	{ "kernel panic",        "kernel panic",                        false },
	{ "cap fault",           "cap fault",                           false }, /* seL4 */
	{ "vm fault",            "vm fault",                            false },
	{ "user exception",      "user exception",                      false },
	{ "double fault",        "double fault",                        false },
	{ "oops",                "internal error: oops",                false },
	{ "oops",                "oops:",                               true },
	{ "kernel bug",          "kernel bug at",                       false },
	{ "kernel bug",          "bug: ",                               true },
	{ "bad access",          "unable to handle kernel",             false },
	{ "general protection",  "general protection fault",            false },
	{ "abort",               "synchronous abort",                   false },
	{ "abort",               "synchronous external abort",          false },
	{ "abort",               "serror interrupt",                    false },
	{ "abort",               "data abort",                          false },
	{ "abort",               "prefetch abort",                      false },
	{ "abort",               "undefined instruction",               true },
	{ "hard fault",          "hardfault",                           false },
	{ "hard fault",          "hard fault",                          false },
	{ "fatal exception",     "fatal exception",                     false },
	{ "fatal exception",     "guru meditation",                     false }, /* ESP-IDF */
	{ "fatal exception",     "zephyr fatal error",                  false },
	{ "unhandled exception", "unhandled exception",                 false },
	{ "unhandled fault",     "unhandled fault",                     false },
	{ "reset on error",      "### error ### please reset",          false }, /* U-Boot */
	{ "lockup",              "soft lockup",                         false },
	{ "lockup",              "hard lockup",                         false },
	{ "rcu stall",           "detected stall",                      false },
	{ "hung task",           "blocked for more than",               false },
	{ "out of memory",       "out of memory: kill",                 false },
	{ "segmentation fault",  "segmentation fault",                  false },
	{ "segmentation fault",  "segfault at",                         false },
	{ "stack smashing",      "stack smashing detected",             false },
	{ "assertion",           "assertion failed",                    false },
	{ "assertion",           "' failed.",                           false }, /* glibc's assert */
	{ "warning",             "warning: cpu:",                       true },
	{ "stack dump",          "with stack:",                         true }, /* seL4 */
	{ "stack dump",          "call trace:",                         true },
	{ "stack dump",          "backtrace:",                          true },
	{ "stack dump",          "stack dump",                          false },
};
/* clang-format on */
enum { DUMP_LINES = 3 };

static bool same_words(const char *text, size_t len, const char *words)
{
	size_t n = strlen(words);

	if (len < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (tolower((unsigned char)text[i]) != words[i])
			return false;
	return true;
}

static bool has_words(const char *text, size_t len, const char *words)
{
	for (size_t i = 0; i < len; i++)
		if (tolower((unsigned char)text[i]) == words[0] &&
		    same_words(text + i, len - i, words))
			return true;
	return false;
}

/* Past blanks and "[    1.234567]" with what printk may add in brackets. */
static size_t skip_stamp(const char *text, size_t len)
{
	size_t i = 0;

	for (;;) {
		while (i < len && isblank((unsigned char)text[i]))
			i++;
		if (i >= len || text[i] != '[')
			return i;
		const char *end = memchr(text + i, ']', len - i);
		if (!end)
			return i;
		i = (size_t)(end - text) + 1;
	}
}

static size_t hex(const char *text, size_t len)
{
	size_t i = 2;

	if (len < 3 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
		return 0;
	while (i < len && isxdigit((unsigned char)text[i]))
		i++;
	return i > 2 ? i : 0;
}

/* "0x10011920: 0x10011990" and no more. */
static bool is_dump_line(const char *text, size_t len)
{
	size_t a = hex(text, len);

	if (a == 0 || a >= len || text[a] != ':')
		return false;
	a++;
	while (a < len && text[a] == ' ')
		a++;
	size_t b = hex(text + a, len - a);
	return b > 0 && a + b == len;
}

const char *nf_fault_of_line(const char *text, size_t len, size_t *dump_lines)
{
	size_t start;

	if (is_dump_line(text, len)) {
		++*dump_lines;
		return *dump_lines == DUMP_LINES ? "stack dump" : NULL;
	}
	*dump_lines = 0;
	start = skip_stamp(text, len);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool hit = rows[i].at_start ? same_words(text + start, len - start, rows[i].words)
		                            : has_words(text, len, rows[i].words);

		if (!hit)
			continue;
		/* Its lines are the same dump. */
		if (strcmp(rows[i].name, "stack dump") == 0)
			*dump_lines = DUMP_LINES;
		return rows[i].name;
	}
	return NULL;
}
