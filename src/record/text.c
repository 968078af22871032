/* SPDX-License-Identifier: MIT */
#include "record/text.h"

#include <string.h>

#include "base/utf8.h"

void nf_text_take_back(struct nf_buf *out, size_t start)
{
	if (out->len_bytes > start) {
		out->len_bytes = start;
		out->data[start] = '\0';
	}
}

static bool needs_escape(unsigned char c)
{
	return c < 0x20 || c == '"' || c == '\\' || c == '$';
}

void nf_dhall_text(struct nf_buf *out, const char *s, size_t len_bytes, uint64_t *n_replaced)
{
	size_t i = 0;

	nf_buf_addc(out, '"');
	while (i < len_bytes) {
		size_t run = i;

		while (run < len_bytes && !needs_escape((unsigned char)s[run]))
			run++;
		if (run > i)
			nf_utf8_clean(out, s + i, run - i, n_replaced);
		if (run < len_bytes) {
			unsigned char c = (unsigned char)s[run];

			if (c == '"' || c == '\\')
				nf_buf_addf(out, "\\%c", c);
			else if (c == '\n')
				nf_buf_adds(out, "\\n");
			else if (c == '\t')
				nf_buf_adds(out, "\\t");
			else
				nf_buf_addf(out, "\\u%04X", c);
			run++;
		}
		i = run;
	}
	nf_buf_addc(out, '"');
}

/* Keywords of the grammar of standard v23.1.0. */
static const char *const keywords[] = {
	"if",
	"then",
	"else",
	"let",
	"in",
	"using",
	"missing",
	"as",
	"Infinity",
	"NaN",
	"merge",
	"Some",
	"toMap",
	"assert",
	"forall",
	"with",
	"showConstructor",
};

static bool is_letter(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void nf_dhall_label(struct nf_buf *out, const char *label)
{
	const unsigned char *c = (const unsigned char *)label;
	bool bare = is_letter(*c) || *c == '_';

	for (; *c && bare; c++)
		bare = is_letter(*c) || (*c >= '0' && *c <= '9') || *c == '_' || *c == '-' ||
		       *c == '/';
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		bare = bare && strcmp(label, keywords[i]) != 0;
	if (bare)
		nf_buf_adds(out, label);
	else
		nf_buf_addf(out, "`%s`", label);
}

void nf_csv_text(struct nf_buf *out, const char *s, size_t len_bytes)
{
	const char *end = s + len_bytes;
	bool quoted = len_bytes == 0;

	for (const char *p = s; p < end && !quoted; p++)
		quoted = *p == ',' || *p == '"' || *p == '\r' || *p == '\n';
	if (!quoted) {
		nf_utf8_clean(out, s, len_bytes, NULL);
		return;
	}
	nf_buf_addc(out, '"');
	while (s < end) {
		const char *quote = memchr(s, '"', (size_t)(end - s));

		nf_utf8_clean(out, s, (size_t)((quote ? quote : end) - s), NULL);
		if (!quote)
			break;
		nf_buf_adds(out, "\"\"");
		s = quote + 1;
	}
	nf_buf_addc(out, '"');
}
