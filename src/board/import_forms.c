/* SPDX-License-Identifier: MIT */
/* import_forms - THE table: how tools stamp the lines of a console. */
#include <string.h>

#include "board/import.h"

/* Numbers that can only be seconds since 1970: a text does not begin so by chance. */
#define EPOCH_NS (INT64_C(100000000) * 1000000000)

static size_t blanks(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && text[i] == ' ')
		i++;
	return i;
}

/* Bytes with the character c behind, 0: another one stands there. */
static size_t followed_by(const char *text, size_t len, size_t n, char c)
{
	return n > 0 && n < len && text[n] == c ? n + 1 : 0;
}

/* "   0.1002<TAB>text" */
static size_t tab(const char *line, size_t len, struct nf_stamp *ret)
{
	size_t at = blanks(line, len), n = nf_stamp_any(line + at, len - at, ret);

	return followed_by(line, len, n ? at + n : 0, '\t');
}

/* "[   0.000002] text", and with a second number: since the line before. ret_delta: it has one. */
static size_t bracket(const char *line, size_t len, struct nf_stamp *ret, bool *ret_delta)
{
	struct nf_stamp delta;
	size_t at = 1, n;

	*ret_delta = false;
	if (len == 0 || line[0] != '[')
		return 0;
	at += blanks(line + at, len - at);
	n = nf_stamp_any(line + at, len - at, ret);
	if (n == 0)
		return 0;
	at += n;
	n = blanks(line + at, len - at);
	if (n > 0) {
		size_t d = nf_stamp_seconds(line + at + n, len - at - n, &delta);

		*ret_delta = d > 0;
		at += d ? n + d : 0;
	}
	at = followed_by(line, len, at, ']');
	return followed_by(line, len, at, ' ');
}

static size_t grabserial(const char *line, size_t len, struct nf_stamp *ret)
{
	bool delta;
	size_t n = bracket(line, len, ret, &delta);

	return delta ? n : 0;
}

static size_t grabserial_nodelta(const char *line, size_t len, struct nf_stamp *ret)
{
	bool delta;
	size_t n = bracket(line, len, ret, &delta);

	return delta ? 0 : n;
}

/* "[13:14:15.123] text", "[2026-11-30T13:14:15.123] text", seconds since 1970 */
static size_t tio(const char *line, size_t len, struct nf_stamp *ret)
{
	size_t n = grabserial_nodelta(line, len, ret);

	if (n > 0 && (line[1] == ' ' || (ret->kind == NF_STAMP_SECONDS && ret->ns < EPOCH_NS)))
		return 0;
	return n;
}

/* "Nov 30 13:14:15 text", "00:00:01 text", "0.123456 text", "1700000000.123456 text" and others */
static size_t ts(const char *line, size_t len, struct nf_stamp *ret)
{
	size_t n = nf_stamp_any(line, len, ret);

	/* A whole number begins many a text. */
	if (n > 0 && ret->kind == NF_STAMP_SECONDS && ret->unit_ns == 1000000000 &&
	    ret->ns < EPOCH_NS)
		return 0;
	if (n > 0 && n == len)
		return n; /* an empty line without its blank */
	return followed_by(line, len, n, ' ');
}

/* clang-format off */
const struct nf_import_form nf_import_forms[] = {
	{ "tab",                "seconds, a tab, the line",                        tab,                false, false },
	{ "grabserial",         "grabserial -t or -T: [seconds delta] line",       grabserial,         false, false },
	{ "tio",                "tio and others: [time] line",                     tio,                false, false },
	{ "ts",                 "moreutils' ts: date, time or seconds, a blank, the line", ts,         false, false },
	{ "grabserial-nodelta", "grabserial -t --nodelta: [seconds] line",         grabserial_nodelta, false, true },
	{ "tio-delta",          "tio's 24hour-delta: [time since the line before] line", tio,          true,  true },
	{ "ts-i",               "ts -i: time since the line before, a blank, the line", ts,            true,  true },
	{ NULL, NULL, NULL, false, false },
};
/* clang-format on */

const struct nf_import_form *nf_import_form_find(const char *name)
{
	for (const struct nf_import_form *f = nf_import_forms; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}
