/* SPDX-License-Identifier: MIT */
#include "base/duration.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct unit {
	const char *name;
	int64_t ns;
	int max_decimals; /* that nf_duration_print() shows */
	const char *short_name; /* of nf_duration_print_short() */
} units[] = {
	/* clang-format off */
	{ "h",  3600000000000, 0, "h"   },
	{ "m",    60000000000, 0, "min" },
	{ "s",     1000000000, 3, "s"   },
	{ "ms",       1000000, 3, "ms"  },
	{ "us",          1000, 3, "us"  },
	{ "ns",             1, 0, "ns"  },
	/* clang-format on */
};
__extension__ typedef unsigned __int128 u128;

enum { N_UNITS = sizeof(units) / sizeof(units[0]) };

#define FORM "want a number and one of ns us ms s m h, e.g. 2.5s"

/* int64 holds 19 digits; a fraction with more than these is never a whole number of ns. */
enum { MAX_DIGITS = 19 };

/* Digits at *p as a number; *p moves behind them. false: none, or more than MAX_DIGITS
 * (leading zeros not counted). */
static bool digits(const char **p, uint64_t *ret, bool *ret_too_long)
{
	const char *start = *p;
	uint64_t v = 0;
	int n = 0;

	for (; **p >= '0' && **p <= '9'; ++*p) {
		n += n > 0 || **p != '0';
		if (n <= MAX_DIGITS)
			v = v * 10 + (uint64_t)(**p - '0');
	}
	*ret = v;
	*ret_too_long = n > MAX_DIGITS;
	return *p != start;
}

static const struct unit *find_unit(const char *name)
{
	for (int i = 0; i < N_UNITS; i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

/* The digits behind the point, without trailing zeros, as *ret / *ret_scale. false: too many. */
static bool fraction(const char *p, size_t n, uint64_t *ret, uint64_t *ret_scale)
{
	*ret = 0;
	*ret_scale = 1;
	while (n > 0 && p[n - 1] == '0')
		n--;
	if (n >= MAX_DIGITS)
		return false;
	for (size_t i = 0; i < n; i++) {
		*ret = *ret * 10 + (uint64_t)(p[i] - '0');
		*ret_scale *= 10;
	}
	return true;
}

int nf_duration_parse(const char *text, int64_t *ret_ns, struct nf_err *err)
{
	const char *p = text, *frac = NULL;
	size_t n_frac = 0;
	uint64_t whole, den = 1, part = 0, scale = 1;
	bool too_long, ratio = false;
	const struct unit *unit;
	u128 ns;

	if (!digits(&p, &whole, &too_long))
		goto malformed;
	if (too_long)
		goto too_large;
	if (*p == '.') {
		frac = ++p;
		while (*p >= '0' && *p <= '9')
			p++;
		n_frac = (size_t)(p - frac);
		if (n_frac == 0)
			goto malformed;
	} else if (*p == '/') {
		ratio = true;
		p++;
		if (!digits(&p, &den, &too_long))
			goto malformed;
		if (too_long)
			return nf_fail(err, NF_EARG, "'%.100s' has too many digits", text);
		if (den == 0)
			return nf_fail(err, NF_EARG, "'%.100s' divides by zero", text);
	}
	unit = find_unit(p);
	if (!unit)
		return nf_fail(err, NF_EARG,
		               *p ? "'%.100s' has an unknown unit (" FORM ")"
		                  : "'%.100s' has no unit (" FORM ")",
		               text);
	/* At most 10^19 * 3.6 * 10^12 here, and twice that below: 128 bits hold it. */
	ns = (u128)whole * (uint64_t)unit->ns;
	if (ratio) {
		ns = (2 * ns + den) / ((u128)2 * den);
	} else if (n_frac) {
		u128 f;

		if (!fraction(frac, n_frac, &part, &scale))
			goto not_whole;
		f = (u128)part * (uint64_t)unit->ns;
		if (f % scale != 0)
			goto not_whole;
		ns += f / scale;
	}
	if (ns > INT64_MAX)
		goto too_large;
	*ret_ns = (int64_t)ns;
	return 0;

malformed:
	return nf_fail(err, NF_EARG, "'%.100s' is not a duration (" FORM ")", text);
not_whole:
	return nf_fail(err, NF_EARG, "'%.100s' is not a whole number of ns", text);
too_large:
	return nf_fail(err, NF_EARG, "'%.100s' is too long (at most %" PRId64 "ns, 292 years)",
	               text, INT64_MAX);
}

int nf_duration_print(int64_t ns, struct nf_buf *out)
{
	static const int64_t pow10[] = { 1, 10, 100, 1000 };

	if (ns <= 0)
		return nf_buf_adds(out, "0s");
	for (int i = 0; i < N_UNITS; i++) {
		const struct unit *u = &units[i];
		int64_t rest = ns % u->ns;

		if (ns < u->ns)
			continue;
		for (int d = 0; d <= u->max_decimals; d++) {
			int64_t step = u->ns / pow10[d];

			if (rest % step != 0)
				continue;
			if (d == 0)
				return nf_buf_addf(out, "%" PRId64 "%s", ns / u->ns, u->name);
			return nf_buf_addf(out, "%" PRId64 ".%0*" PRId64 "%s", ns / u->ns, d,
			                   rest / step, u->name);
		}
	}
	return nf_buf_addf(out, "%" PRId64 "ns", ns);
}

/* |v| to three significant digits. */
static double three_digits(double v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2e", fabs(v));
	return strtod(text, NULL);
}

int nf_duration_print_short(double ns, struct nf_buf *out)
{
	const struct unit *u = units;
	double v, shown;

	if (!isfinite(ns))
		return nf_buf_add_double(out, ns); /* remembers the failure */
	if (ns == 0)
		return nf_buf_adds(out, "0 ns");
	/* The largest unit that shows at least 1 after rounding: 999.9 us is 1.00 ms, not 1000 us. */
	while (u < &units[N_UNITS - 1] && three_digits(ns / (double)u->ns) < 1)
		u++;
	v = ns / (double)u->ns;
	shown = three_digits(v);
	if (shown < 1)
		return nf_buf_addf(out, "%.3g %s", v, u->short_name);
	return nf_buf_addf(out, "%.*f %s",
	                   shown >= 100  ? 0
	                   : shown >= 10 ? 1
	                                 : 2,
	                   v, u->short_name);
}
