/* SPDX-License-Identifier: MIT */
#include "remote/said.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

void nf_said_add(struct nf_said *s, const void *data, size_t len_bytes)
{
	const char *p = data;

	if (len_bytes >= sizeof(s->kept)) {
		p += len_bytes - sizeof(s->kept);
		len_bytes = sizeof(s->kept);
	}
	size_t room = sizeof(s->kept) - s->len_bytes;
	if (len_bytes > room) {
		size_t drop = len_bytes - room;

		memmove(s->kept, s->kept + drop, s->len_bytes - drop);
		s->len_bytes -= drop;
	}
	if (len_bytes > 0)
		memcpy(s->kept + s->len_bytes, p, len_bytes);
	s->len_bytes += len_bytes;
}

static bool is_end(char c)
{
	return c == '\n' || c == '\r';
}

void nf_said_line(const struct nf_said *s, char ret[NF_SAID_LINE])
{
	size_t end = s->len_bytes;

	while (end > 0 && (is_end(s->kept[end - 1]) || s->kept[end - 1] == ' '))
		end--;
	size_t begin = end, n = 0;
	while (begin > 0 && !is_end(s->kept[begin - 1]))
		begin--;
	for (size_t i = begin; i < end && n < NF_SAID_LINE - 4; i++)
		ret[n++] = s->kept[i] >= 0x20 && s->kept[i] < 0x7f ? s->kept[i] : '?';
	if (end - begin > n) {
		memcpy(ret + n, "...", 3);
		n += 3;
	}
	ret[n] = '\0';
}

/* Unicode's controls and what reorders or hides text (general categories Cc, Cf, Zl, Zp of what terminals know). */
static bool shows(uint32_t cp)
{
	if (cp == '\n' || cp == '\t')
		return true;
	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0xad)
		return false;
	if ((cp >= 0x200b && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e))
		return false;
	if ((cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff || (cp >= 0xfff0 && cp <= 0xfffb))
		return false;
	return cp < 0xe0000 && !nf_utf8_is_noncharacter(cp);
}

size_t nf_said_text(const char *text, size_t len_bytes, struct nf_buf *out)
{
	size_t replaced = 0;

	for (size_t at = 0; at < len_bytes;) {
		uint32_t cp = 0;
		int bad = 0;
		size_t n = nf_utf8_next(text + at, len_bytes - at, &cp, &bad);

		if (!bad && shows(cp)) {
			(void)nf_buf_add(out, text + at, n);
		} else {
			(void)nf_buf_addc(out, '?');
			replaced++;
		}
		at += n;
	}
	return replaced;
}
