/* SPDX-License-Identifier: MIT */
#include "cli/color.h"

#include <string.h>

static const struct {
	const char *word;
	const char *begin;
} colors[] = { { "REGRESSED", "\033[31m" }, { "IMPROVED", "\033[32m" } };

static void add_line(const char *line, size_t len, struct nf_buf *out)
{
	for (size_t i = 0; i < sizeof(colors) / sizeof(*colors); i++) {
		size_t n = strlen(colors[i].word);

		if (len <= n || line[len - n - 1] != ' ' ||
		    memcmp(line + len - n, colors[i].word, n) != 0)
			continue;
		(void)nf_buf_add(out, line, len - n);
		(void)nf_buf_addf(out, "%s%s\033[0m", colors[i].begin, colors[i].word);
		return;
	}
	(void)nf_buf_add(out, line, len);
}

void nf_color_verdicts(const char *text, struct nf_buf *out)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		add_line(text, len, out);
		text += len;
		if (*text)
			(void)nf_buf_addc(out, *text++);
	}
}
