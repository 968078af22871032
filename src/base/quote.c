/* SPDX-License-Identifier: MIT */
#include "base/quote.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { KEEPS = 60, UTF8_REST = 3 };

void nf_quote(const char *text, char ret[NF_QUOTED])
{
	size_t n = 0;

	ret[n++] = '\'';
	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;
		bool within = (c & 0xc0) == 0x80 && n < KEEPS + UTF8_REST; /* of a character */

		if (n >= KEEPS && p[1] && !within) {
			memcpy(ret + n, "...", 3);
			n += 3;
			break;
		}
		if (c < 0x20 || c == 0x7f)
			n += (size_t)snprintf(ret + n, 5, "\\x%02x", (unsigned)c);
		else
			ret[n++] = *p;
	}
	ret[n++] = '\'';
	ret[n] = '\0';
}
