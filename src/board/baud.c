/* SPDX-License-Identifier: MIT */
#include "board/baud.h"

#include <string.h>

#include "base/utf8.h"

const uint32_t nf_baud_rates[] = { 115200, 1500000, 921600, 9600,   57600,   38400,   19200, 230400,
	                           460800, 1000000, 74880,  500000, 2000000, 3000000, 4800,  0 };

static bool is_text(uint32_t cp, int bad)
{
	static const char allowed[] = "\t\n\r\b\a\x1b";

	if (bad || cp == 0)
		return false;
	if (cp < 0x20)
		return strchr(allowed, (int)cp) != NULL;
	return cp < 0x7f || cp >= 0xa0;
}

/* How many bytes a character of this lead byte has; 1 also for what leads none. */
static size_t length_of(char lead)
{
	unsigned char c = (unsigned char)lead;

	return c >= 0xc2 && c < 0xe0   ? 2
	       : c >= 0xe0 && c < 0xf0 ? 3
	       : c >= 0xf0 && c < 0xf5 ? 4
	                               : 1;
}

void nf_baud_look(struct nf_baud_look *l, const void *data, size_t len_bytes)
{
	const char *p = data;

	for (size_t i = 0; i < len_bytes; i++) {
		l->held[l->n_held++] = p[i];
		while (l->n_held > 0 && l->n_held >= length_of(l->held[0])) {
			uint32_t cp = 0;
			int bad = 0;
			size_t n = nf_utf8_next(l->held, l->n_held, &cp, &bad);

			l->bytes += n;
			l->text_bytes += is_text(cp, bad) ? n : 0;
			l->n_held -= n;
			memmove(l->held, l->held + n, l->n_held);
		}
	}
}

bool nf_baud_reads_as_text(const struct nf_baud_look *l)
{
	return l->bytes >= NF_BAUD_BYTES_MIN &&
	       l->text_bytes >= l->bytes - l->bytes / 100 * (100 - NF_BAUD_TEXT_PERCENT) -
	                                l->bytes % 100 * (100 - NF_BAUD_TEXT_PERCENT) / 100;
}
