/* SPDX-License-Identifier: MIT */
/* Number literals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dhall/lex.h"

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t run_of_digits(const struct nf_dparser *p, size_t from)
{
	size_t end = from;

	while (end < p->n && digit(p->text[end]))
		end++;
	return end - from;
}

/* Length of a double literal at `at` (after its sign); 0: it is none. */
static size_t double_length(const struct nf_dparser *p, size_t at)
{
	size_t end = at + run_of_digits(p, at), exponent;
	bool dot = false;

	if (end == at)
		return 0;
	if (end < p->n && p->text[end] == '.' && run_of_digits(p, end + 1) > 0) {
		end += 1 + run_of_digits(p, end + 1);
		dot = true;
	}
	exponent = end;
	if (exponent < p->n && (p->text[exponent] == 'e' || p->text[exponent] == 'E')) {
		exponent++;
		if (exponent < p->n && (p->text[exponent] == '+' || p->text[exponent] == '-'))
			exponent++;
		if (run_of_digits(p, exponent) > 0)
			return exponent + run_of_digits(p, exponent) - at;
	}
	return dot ? end - at : 0;
}

static const struct nf_dexpr *double_literal(struct nf_dparser *p, size_t len)
{
	struct nf_dplace place = nf_dlex_place(p);
	struct nf_dstr copy;
	double v;

	if (len > NF_DHALL_DIGITS)
		return nf_dhall_fail_at(p->d, place, "a number of more than %d digits",
		                        (int)NF_DHALL_DIGITS);
	copy = nf_dstr_copy(p->d, p->text + p->pos, len);
	if (!copy.p)
		return NULL;
	v = strtod(copy.p, NULL);
	if (!isfinite(v))
		return nf_dhall_fail_at(p->d, place, "the number is outside what a Double holds");
	p->pos += len;
	return nf_dx_double(p->d, place, v);
}

static int hex_value(char c)
{
	if (digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* Digits after 0x or 0b, as decimal ones. */
static struct nf_dstr based(struct nf_dparser *p, int base)
{
	struct nf_dstr none = { NULL, 0 }, bytes, raw = { p->text + p->pos, 0 };

	while (p->pos < p->n && hex_value(p->text[p->pos]) < base) {
		p->pos++;
		raw.n++;
	}
	if (raw.n == 0) {
		nf_dlex_expected(p, "a digit");
		return none;
	}
	if (raw.n > NF_DHALL_DIGITS) {
		nf_dhall_fail_at(p->d, nf_dlex_place(p), "a number of more than %d digits",
		                 (int)NF_DHALL_DIGITS);
		return none;
	}
	bytes = nf_dhall_digits_to_bytes(p->d, raw, base);
	return bytes.p ? nf_dhall_digits_from_bytes(p->d, (const uint8_t *)bytes.p, bytes.n) : none;
}

const struct nf_dexpr *nf_dparse_number(struct nf_dparser *p)
{
	struct nf_dplace place = nf_dlex_place(p);
	char sign = p->pos < p->n ? p->text[p->pos] : '\0';
	bool has_sign = sign == '+' || sign == '-';
	size_t at = p->pos + has_sign, len;
	struct nf_dstr digits;

	if (sign == '-' && nf_dlex_take_word(p, "-Infinity"))
		return nf_dx_double(p->d, place, -(double)INFINITY);
	if (nf_dlex_take_word(p, "Infinity"))
		return nf_dx_double(p->d, place, (double)INFINITY);
	if (nf_dlex_take_word(p, "NaN"))
		return nf_dx_double(p->d, place, (double)NAN);
	if (at >= p->n || !digit(p->text[at]))
		return NULL;
	len = double_length(p, at);
	if (len)
		return double_literal(p, len + has_sign);
	len = run_of_digits(p, at);
	if (!has_sign &&
	    ((len == 4 && p->n - at > 5 && p->text[at + 4] == '-' && digit(p->text[at + 5])) ||
	     (len == 2 && p->n - at > 3 && p->text[at + 2] == ':' && digit(p->text[at + 3]))))
		return nf_dhall_fail_at(
		        p->d, place,
		        "dates and times: outside the part of Dhall that is read here");
	p->pos = at;
	if (p->text[at] == '0' && at + 1 < p->n &&
	    (p->text[at + 1] == 'x' || p->text[at + 1] == 'b')) {
		bool hex = p->text[at + 1] == 'x';

		p->pos += 2;
		if (hex && nf_dlex_at(p, "\""))
			return nf_dhall_fail_at(
			        p->d, place, "bytes: outside the part of Dhall that is read here");
		digits = based(p, hex ? 16 : 2);
	} else {
		if (p->text[at] == '0' && len > 1)
			return nf_dhall_fail_at(p->d, place, "a number starts with 0");
		if (len > NF_DHALL_DIGITS)
			return nf_dhall_fail_at(p->d, place, "a number of more than %d digits",
			                        (int)NF_DHALL_DIGITS);
		p->pos = at + len;
		digits = (struct nf_dstr){ p->text + at, len };
	}
	return nf_dx_number(p->d, place, digits, has_sign, sign == '-');
}
