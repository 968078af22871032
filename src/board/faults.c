/* SPDX-License-Identifier: MIT */
#include "board/faults.h"

#include <ctype.h>
#include <string.h>

/* Where its words stand. */
enum place {
	ANYWHERE,
	START, /* blanks aside, and aside from a printk stamp */
	WHOLE, /* and nothing behind it */
};

struct row {
	const char *name;
	const char *
	        words; /* in lower case, which stands for both; '#' is a digit, '^' that the next letter is a capital */
	enum place place;
};

/* The forms in which programs report them, and no more: much is called after a fault that is none. The first that
 * fits is the line's. */
/* clang-format off */
static const struct row rows[] = {
	{ "kernel panic",        "kernel panic - not syncing",          ANYWHERE },
	{ "kernel panic",        "kernel panic: ",                      START },
	{ "cap fault",           "caught cap fault",                    ANYWHERE }, /* seL4 */
	{ "vm fault",            "vm fault on ",                        ANYWHERE },
	{ "vm fault",            "pagefault from [",                    ANYWHERE }, /* seL4 */
	{ "user exception",      "caught user exception",               ANYWHERE },
	{ "double fault",        "double fault: ",                      ANYWHERE },
	{ "double fault",        "double fault, gdb",                   ANYWHERE },
	{ "oops",                "internal error: oops",                ANYWHERE },
	{ "oops",                "oops: #",                             START },
	{ "oops",                "oops: exception in",                  START },
	{ "kernel bug",          "kernel bug at ",                      ANYWHERE },
	{ "kernel bug",          "^b^u^g: ",                            START },
	{ "bad access",          "unable to handle kernel",             ANYWHERE },
	{ "general protection",  "general protection fault",            START },
	{ "abort",               "synchronous abort\" handler",         ANYWHERE }, /* U-Boot */
	{ "abort",               "synchronous external abort: ",        ANYWHERE },
	{ "abort",               "serror interrupt on cpu",             ANYWHERE },
	{ "abort",               "data abort",                          WHOLE },
	{ "abort",               "prefetch abort",                      WHOLE },
	{ "abort",               "undefined instruction",               WHOLE },
	{ "hard fault",          "***** hard fault",                    ANYWHERE }, /* Zephyr */
	{ "hard fault",          "hardfault",                           WHOLE },
	{ "hard fault",          "hard fault",                          WHOLE },
	{ "fatal exception",     "fatal exception (",                   ANYWHERE },
	{ "fatal exception",     "guru meditation error",               ANYWHERE }, /* ESP-IDF */
	{ "fatal exception",     "zephyr fatal error #",                ANYWHERE },
	{ "unhandled exception", "unhandled exception",                 START },
	{ "unhandled fault",     "unhandled fault: ",                   ANYWHERE },
	{ "reset on error",      "### error ### please reset",          ANYWHERE }, /* U-Boot */
	{ "lockup",              "soft lockup - cpu#",                  ANYWHERE },
	{ "lockup",              "hard lockup on cpu",                  ANYWHERE },
	{ "rcu stall",           "detected stall",                      ANYWHERE },
	{ "hung task",           "blocked for more than #",             ANYWHERE },
	{ "out of memory",       "out of memory: kill",                 ANYWHERE },
	{ "segmentation fault",  "segmentation fault",                  START },
	{ "segmentation fault",  "segfault at #",                       ANYWHERE },
	{ "stack smashing",      "stack smashing detected",             ANYWHERE },
	{ "assertion",           "assertion failed: ",                  ANYWHERE },
	{ "assertion",           "assertion `",                         ANYWHERE }, /* glibc */
	{ "warning",             "warning: cpu: #",                     START },
	{ "stack dump",          "with stack:",                         START }, /* seL4 */
	{ "stack dump",          "call trace:",                         START },
	{ "stack dump",          "backtrace: 0x",                       START },
	{ "stack dump",          "backtrace:",                          WHOLE },
	{ "stack dump",          "stack dump:",                         START },
};
/* clang-format on */
enum { DUMP_LINES = 3 };

/* The words at the text's beginning; how many bytes they take, 0: they are not there. */
static size_t same_words(const char *text, size_t len, const char *words)
{
	size_t at = 0;

	for (const char *w = words; *w; w++, at++) {
		bool capital = *w == '^' && isalpha((unsigned char)w[1]);

		w += capital;
		if (at >= len)
			return 0;
		unsigned char c = (unsigned char)text[at];
		if (capital     ? c != toupper((unsigned char)*w)
		    : *w == '#' ? c != '#' && !isdigit(c)
		                : tolower(c) != *w)
			return 0;
	}
	return at;
}

static bool has_words(const char *text, size_t len, const char *words)
{
	for (size_t i = 0; i < len; i++)
		if (same_words(text + i, len - i, words))
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

static bool fits(const struct row *row, const char *text, size_t len, size_t start)
{
	size_t n;

	if (row->place == ANYWHERE)
		return has_words(text, len, row->words);
	n = same_words(text + start, len - start, row->words);
	while (row->place == WHOLE && n > 0 && start + n < len &&
	       isblank((unsigned char)text[start + n]))
		n++;
	return n > 0 && (row->place == START || start + n == len);
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
		if (!fits(&rows[i], text, len, start))
			continue;
		/* Its lines are the same dump. */
		if (strcmp(rows[i].name, "stack dump") == 0)
			*dump_lines = DUMP_LINES;
		return rows[i].name;
	}
	return NULL;
}
