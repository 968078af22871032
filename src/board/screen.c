/* SPDX-License-Identifier: MIT */
#include "board/screen.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

enum state { TEXT, AFTER_ESC, ESC_MORE, CSI, CSI_SKIP, STRING, STRING_ESC, CHARACTER };
enum { BEL = 7, BS = 8, CAN = 0x18, SUB = 0x1a, ESC = 0x1b, DEL = 0x7f };

static void drop(struct nf_screen *s, enum state next)
{
	s->n_dropped++;
	s->n = 0;
	s->state = (int)next;
}

static bool csi_is_allowed(const struct nf_screen *s, uint8_t final)
{
	static const char finals[] = "ABCDEFGHJKPX@LMdfm";
	bool cursor = s->n == 5 && memcmp(s->held + 2, "?25", 3) == 0;

	for (size_t i = 2; i < s->n; i++)
		if (!cursor && s->held[i] != ';' && (s->held[i] < '0' || s->held[i] > '9'))
			return false;
	return cursor ? final == 'h' || final == 'l'
	              : memchr(finals, final, sizeof(finals) - 1) != NULL;
}

static void take_csi(struct nf_screen *s, uint8_t c, struct nf_buf *out)
{
	if (c < 0x20 || c >= DEL) {
		drop(s, TEXT);
	} else if (c >= 0x40) {
		if (s->state == CSI && csi_is_allowed(s, c)) {
			(void)nf_buf_add(out, s->held, s->n);
			(void)nf_buf_addc(out, (char)c);
		} else {
			s->n_dropped++;
		}
		s->n = 0;
		s->state = TEXT;
	} else if (s->n + 1 >= NF_SCREEN_CSI_MAX) {
		s->state = CSI_SKIP;
	} else {
		s->held[s->n++] = (char)c;
	}
}

static void take_after_esc(struct nf_screen *s, uint8_t c)
{
	if (c == '[') {
		s->held[0] = ESC;
		s->held[1] = '[';
		s->n = 2;
		s->state = CSI;
	} else if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_') {
		drop(s, STRING);
	} else {
		drop(s, c >= 0x20 && c < 0x30 ? ESC_MORE : TEXT);
	}
}

/* The held bytes of a character: shown, dropped, or not complete yet. Returns how many are done with. */
static size_t take_character(struct nf_screen *s, struct nf_buf *out)
{
	uint32_t cp;
	int bad;
	size_t n = nf_utf8_next(s->held, s->n, &cp, &bad);
	uint8_t lead = (uint8_t)s->held[0];
	size_t need = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;

	if (bad && n == s->n && lead >= 0xc2 && lead <= 0xf4 && s->n < need)
		return 0; /* what is there is no error yet */
	if (!bad && cp == 0x9b) { /* C1: as what it stands for */
		s->n = 0;
		s->state = CSI_SKIP; /* counted at its end */
		return n;
	}
	if (!bad && cp >= 0x80 && cp < 0xa0) {
		drop(s, cp == 0x90 || cp == 0x98 || cp >= 0x9d ? STRING : TEXT);
		return n;
	}
	(void)nf_utf8_put(out, bad ? 0xfffd : cp);
	return n;
}

static void take_text(struct nf_screen *s, uint8_t c, struct nf_buf *out)
{
	if (c == ESC) {
		s->state = AFTER_ESC;
	} else if (c >= 0x80) {
		s->held[0] = (char)c;
		s->n = 1;
		s->state = CHARACTER;
		if (take_character(s, out)) {
			s->n = 0;
			if (s->state == CHARACTER)
				s->state = TEXT;
		}
	} else if (c >= 0x20 ? c != DEL : (c >= BEL && c <= '\n') || c == '\r') {
		(void)nf_buf_addc(out, (char)c);
	} else if (c) { /* NUL is padding */
		s->n_dropped++;
	}
}

static void take(struct nf_screen *s, uint8_t c, struct nf_buf *out)
{
	switch ((enum state)s->state) {
	case AFTER_ESC:
		if (c < 0x20 || c >= DEL) {
			drop(s, TEXT);
			take_text(s, c, out);
		} else {
			take_after_esc(s, c);
		}
		return;
	case ESC_MORE:
		if (c >= 0x30 || c < 0x20)
			s->state = TEXT;
		if (c < 0x20 || c >= DEL)
			take_text(s, c, out);
		return;
	case CSI:
	case CSI_SKIP:
		take_csi(s, c, out);
		if (c < 0x20 || c >= DEL)
			take_text(s, c, out);
		return;
	case STRING:
	case STRING_ESC:
		if (c == BEL || c == CAN || c == SUB || c == '\r' || c == '\n' ||
		    (s->state == STRING_ESC && c == '\\'))
			s->state = TEXT;
		else
			s->state = c == ESC ? STRING_ESC : STRING;
		if (c == '\r' || c == '\n')
			take_text(s, c, out);
		return;
	case CHARACTER:
		if ((c & 0xc0) == 0x80) {
			s->held[s->n++] = (char)c;
			size_t done = take_character(s, out);
			bool other = s->state != CHARACTER;

			if (!done)
				return;
			/* A broken part ends before this byte: it stands by itself. */
			if (!other && done < s->n)
				(void)nf_utf8_put(out, 0xfffd);
			s->n = 0;
			if (!other)
				s->state = TEXT;
			return;
		}
		(void)nf_utf8_put(out, 0xfffd);
		s->n = 0;
		s->state = TEXT;
		take_text(s, c, out);
		return;
	case TEXT:
		take_text(s, c, out);
	}
}

int nf_screen_filter(struct nf_screen *s, const void *data, size_t len_bytes, struct nf_buf *out)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < len_bytes; i++)
		take(s, p[i], out);
	return -(int)out->failed;
}
