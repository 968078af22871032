/* SPDX-License-Identifier: MIT */
#include "board/import_stamp.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define NS_PER_S INT64_C(1000000000)
#define DAY_S INT64_C(86400)
/* To the year 2096; the distance of any two then fits in 64 bits of ns. */
#define SECONDS_MAX INT64_C(4000000000)
enum { SECOND_DIGITS = 10, FRACTION_DIGITS = 9 };

/* At most `most` digits; bytes used. */
static size_t digits(const char *text, size_t len, size_t most, int64_t *ret)
{
	size_t i = 0;
	int64_t v = 0;

	for (; i < len && i < most && isdigit((unsigned char)text[i]); i++)
		v = v * 10 + (text[i] - '0');
	*ret = v;
	return i;
}

/* ".123" or ",123", or nothing. More than nine digits are read and not used. */
static size_t fraction(const char *text, size_t len, int64_t *ret_ns, int64_t *ret_unit_ns)
{
	size_t i = 1, n = 0;
	int64_t v = 0, unit = NS_PER_S;

	*ret_ns = 0;
	*ret_unit_ns = NS_PER_S;
	if (len < 2 || (text[0] != '.' && text[0] != ',') || !isdigit((unsigned char)text[1]))
		return 0;
	for (; i < len && isdigit((unsigned char)text[i]); i++) {
		if (n++ < FRACTION_DIGITS) {
			v = v * 10 + (text[i] - '0');
			unit /= 10;
		}
	}
	*ret_ns = v * unit;
	*ret_unit_ns = unit;
	return i;
}

size_t nf_stamp_seconds(const char *text, size_t len, struct nf_stamp *ret)
{
	bool minus = len > 0 && text[0] == '-';
	size_t i = minus, n;
	int64_t s, ns, unit;

	n = digits(text + i, len - i, SECOND_DIGITS, &s);
	i += n;
	if (n == 0 || (i < len && isdigit((unsigned char)text[i])) || s > SECONDS_MAX)
		return 0;
	i += fraction(text + i, len - i, &ns, &unit);
	ns += s * NS_PER_S;
	*ret = (struct nf_stamp){ NF_STAMP_SECONDS, minus ? -ns : ns, unit };
	return i;
}

static size_t hms(const char *text, size_t len, int64_t *ret_s)
{
	int64_t part[3];
	size_t i = 0;

	for (size_t k = 0; k < 3; k++) {
		/* Hours since a start can be many. */
		size_t n = digits(text + i, len - i, k == 0 ? 5 : 2, &part[k]);

		if (n < 2 || (k > 0 && part[k] > (k == 1 ? 59 : 60)))
			return 0;
		i += n;
		if (k < 2 && (i >= len || text[i++] != ':'))
			return 0;
	}
	*ret_s = part[0] * 3600 + part[1] * 60 + part[2];
	return i;
}

size_t nf_stamp_clock(const char *text, size_t len, struct nf_stamp *ret)
{
	int64_t s, ns, unit;
	size_t i = hms(text, len, &s);

	if (i == 0)
		return 0;
	i += fraction(text + i, len - i, &ns, &unit);
	*ret = (struct nf_stamp){ NF_STAMP_CLOCK, s * NS_PER_S + ns, unit };
	return i;
}

/* Days from 1970-01-01 in the Gregorian calendar. y from 1970 on. */
static int64_t days_from_epoch(int64_t y, int64_t month, int64_t day)
{
	static const int16_t before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
	bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
	int64_t leaps =
	        (y - 1) / 4 - (y - 1) / 100 + (y - 1) / 400 - (1969 / 4 - 1969 / 100 + 1969 / 400);

	return 365 * (y - 1970) + leaps + before[month - 1] + (leap && month > 2) + day - 1;
}

/* "Z", "+01:00", "+0100", "+01", or nothing (0). */
static size_t zone(const char *text, size_t len, int64_t *ret_s)
{
	int64_t h, m = 0;
	size_t i = 1;

	*ret_s = 0;
	if (len > 0 && text[0] == 'Z')
		return 1;
	if (len < 3 || (text[0] != '+' && text[0] != '-') || digits(text + 1, len - 1, 2, &h) != 2)
		return 0;
	i += 2;
	size_t colon = i < len && text[i] == ':';
	if (digits(text + i + colon, len - i - colon, 2, &m) == 2)
		i += colon + 2;
	else
		m = 0;
	*ret_s = (h * 3600 + m * 60) * (text[0] == '-' ? -1 : 1);
	return i;
}

/* What follows the date: a blank or T, the time of day, a zone. Bytes used, 0: no. */
static size_t time_of_date(const char *text, size_t len, int64_t day, struct nf_stamp *ret)
{
	struct nf_stamp t;
	int64_t off;
	size_t n;

	if (len == 0 || (text[0] != ' ' && text[0] != 'T'))
		return 0;
	n = nf_stamp_clock(text + 1, len - 1, &t);
	if (n == 0 || t.ns >= (DAY_S + 1) * NS_PER_S)
		return 0;
	n++;
	n += zone(text + n, len - n, &off);
	ret->ns = t.ns + (day * DAY_S - off) * NS_PER_S;
	ret->unit_ns = t.unit_ns;
	return n;
}

static size_t iso_date(const char *text, size_t len, struct nf_stamp *ret)
{
	int64_t y, month, day;

	if (len < 11 || digits(text, len, 4, &y) != 4 || text[4] != '-' ||
	    digits(text + 5, 2, 2, &month) != 2 || text[7] != '-' ||
	    digits(text + 8, 2, 2, &day) != 2)
		return 0;
	if (y < 1970 || y > 2200 || month < 1 || month > 12 || day < 1 || day > 31)
		return 0;
	size_t n = time_of_date(text + 10, len - 10, days_from_epoch(y, month, day), ret);
	ret->kind = NF_STAMP_DATE;
	return n ? 10 + n : 0;
}

/* "Nov 30 13:14:15", "Nov  3 ..."; days are counted in a leap year. */
static size_t month_day(const char *text, size_t len, struct nf_stamp *ret)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	int64_t day;
	size_t i = 4, month = 0, n;

	if (len < 6 || text[3] != ' ')
		return 0;
	while (month < 12 && strncasecmp(text, months + 3 * month, 3) != 0)
		month++;
	if (month == 12)
		return 0;
	i += text[4] == ' ';
	n = digits(text + i, len - i, 2, &day);
	if (n == 0 || day < 1 || day > 31)
		return 0;
	i += n;
	n = time_of_date(text + i, len - i, days_from_epoch(2000, (int64_t)month + 1, day), ret);
	ret->kind = NF_STAMP_YEARLESS;
	return n ? i + n : 0;
}

size_t nf_stamp_date(const char *text, size_t len, struct nf_stamp *ret)
{
	struct nf_stamp s = { 0 };
	size_t n = iso_date(text, len, &s);

	if (n == 0)
		n = month_day(text, len, &s);
	if (n > 0)
		*ret = s;
	return n;
}

size_t nf_stamp_any(const char *text, size_t len, struct nf_stamp *ret)
{
	size_t n = nf_stamp_date(text, len, ret);

	if (n == 0)
		n = nf_stamp_clock(text, len, ret);
	return n ? n : nf_stamp_seconds(text, len, ret);
}
