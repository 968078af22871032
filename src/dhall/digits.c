/* SPDX-License-Identifier: MIT */
/* Natural numbers of any size: digits and bytes. Quadratic in their length, which is limited. */
#include <string.h>

#include "dhall/session.h"

/* digits in `base` (checked by the caller) as big-endian bytes without leading zeros. */
struct nf_dstr nf_dhall_digits_to_bytes(struct nf_dhall *d, struct nf_dstr digits, int base)
{
	struct nf_dstr none = { NULL, 0 };
	uint8_t *bytes = nf_dhall_alloc(d, digits.n + 1, 1); /* little-endian while growing */
	size_t n = 0;

	if (!bytes)
		return none;
	for (size_t i = 0; i < digits.n; i++) {
		char c = digits.p[i];
		unsigned carry = c <= '9' ? (unsigned)(c - '0') : ((unsigned)c | 0x20) - 'a' + 10;

		for (size_t k = 0; k < n; k++) {
			carry += bytes[k] * (unsigned)base;
			bytes[k] = (uint8_t)carry;
			carry >>= 8;
		}
		if (carry)
			bytes[n++] = (uint8_t)carry;
	}
	for (size_t k = 0; k < n / 2; k++) {
		uint8_t swap = bytes[k];

		bytes[k] = bytes[n - 1 - k];
		bytes[n - 1 - k] = swap;
	}
	return (struct nf_dstr){ (const char *)bytes, n };
}

/* Big-endian bytes as decimal digits; "0" for none. */
struct nf_dstr nf_dhall_digits_from_bytes(struct nf_dhall *d, const uint8_t *bytes, size_t n)
{
	struct nf_dstr none = { NULL, 0 };
	size_t cap, len = 1;
	char *out; /* values 0 to 9, the lowest first, then characters */

	/* A byte is 2.41 digits. */
	if (n > NF_DHALL_DIGITS)
		return nf_dhall_fail_code(d, NF_EDATA, "a number of more than %d bytes",
		                          (int)NF_DHALL_DIGITS),
		       none;
	cap = n * 5 / 2 + 2;
	out = nf_dhall_alloc(d, cap, 1);
	if (!out)
		return none;
	for (size_t i = 0; i < n; i++) {
		unsigned carry = bytes[i];

		for (size_t k = 0; k < len; k++) {
			carry += (unsigned)out[k] * 256;
			out[k] = (char)(carry % 10);
			carry /= 10;
		}
		for (; carry && len < cap; carry /= 10)
			out[len++] = (char)(carry % 10);
	}
	for (size_t k = 0; k < len; k++)
		out[k] = (char)(out[k] + '0');
	for (size_t k = 0; k < len / 2; k++) {
		char swap = out[k];

		out[k] = out[len - 1 - k];
		out[len - 1 - k] = swap;
	}
	return (struct nf_dstr){ out, len };
}
