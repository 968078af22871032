/* SPDX-License-Identifier: MIT */
#include "report/text_fit.h"

#include <string.h>

#include "base/columns.h"

enum { KEY_MAX = 24 /* columns of what stands before a second column */, CLIP_BYTES = 1 << 16 };

static void put_shown(struct nf_buf *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		size_t columns;
		bool hidden;
		size_t n = nf_columns_next(text + at, len - at, &columns, &hidden);

		for (size_t i = 0; hidden && i < n; i++)
			nf_buf_addf(out, "\\x%02x", (unsigned char)text[at + i]);
		if (!hidden)
			nf_buf_add(out, text + at, n);
		at += n;
	}
}

static void put_blanks(struct nf_buf *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		nf_buf_addc(out, ' ');
}

void nf_text_clip(struct nf_buf *out, const char *name, size_t width, bool fill)
{
	static const char gap[] = "...";
	size_t len = strlen(name), columns = nf_columns(name, len);

	if (columns > width) {
		size_t room = width - strlen(gap);
		size_t head = nf_columns_head(name, len, room / 2);
		size_t tail = nf_columns_tail(name, len, room - nf_columns(name, head));

		put_shown(out, name, head);
		nf_buf_adds(out, gap);
		put_shown(out, name + len - tail, tail);
		columns =
		        nf_columns(name, head) + strlen(gap) + nf_columns(name + len - tail, tail);
	} else {
		put_shown(out, name, len);
	}
	if (fill)
		put_blanks(out, width - columns);
}

void nf_text_right(struct nf_buf *out, size_t from, size_t width)
{
	if (out->failed)
		return;
	size_t len = out->len_bytes - from, columns = nf_columns(out->data + from, len);

	if (columns >= width)
		return;
	put_blanks(out, width - columns);
	if (out->failed)
		return;
	memmove(out->data + from + (width - columns), out->data + from, len);
	memset(out->data + from, ' ', width - columns);
}

/* Where a line goes on. */
static size_t indent_of(const char *line, size_t len)
{
	size_t lead = 0;

	while (lead < len && line[lead] == ' ')
		lead++;
	for (size_t i = lead; i + 2 < len && i < KEY_MAX; i++)
		if (line[i] == ' ' && line[i + 1] == ' ') {
			while (i < len && line[i] == ' ')
				i++;
			return i <= KEY_MAX ? i : lead;
		}
	return lead <= KEY_MAX ? lead : 0;
}

/* Bytes of what fits, up to a blank where there is one. */
static size_t piece(const char *text, size_t len, size_t columns)
{
	size_t head = nf_columns_head(text, len, columns), at = head;

	if (head == len)
		return len;
	while (at > 0 && text[at] != ' ')
		at--;
	return at > 0 ? at : head;
}

static void break_line(struct nf_buf *to, const char *line, size_t len, size_t deeper)
{
	size_t indent = indent_of(line, len), columns = NF_TEXT_COLUMNS - indent;
	size_t begin = indent;

	nf_buf_add(to, line, indent);
	for (;;) {
		size_t n = piece(line + begin, len - begin, columns);

		size_t shown = n;

		while (shown > 0 && line[begin + shown - 1] == ' ')
			shown--;
		nf_buf_add(to, line + begin, shown);
		begin += n;
		while (begin < len && line[begin] == ' ')
			begin++;
		if (begin >= len)
			return;
		nf_buf_addc(to, '\n');
		put_blanks(to, indent + deeper);
		columns = NF_TEXT_COLUMNS - indent - deeper;
	}
}

void nf_text_fit(struct nf_buf *out, size_t from, size_t deeper)
{
	struct nf_buf fits;

	if (out->failed || from >= out->len_bytes)
		return;
	nf_buf_init(&fits, out->max_bytes);
	for (size_t at = from; at < out->len_bytes;) {
		const char *line = out->data + at;
		const char *end = memchr(line, '\n', out->len_bytes - at);
		size_t len = end ? (size_t)(end - line) : out->len_bytes - at;

		if (nf_columns(line, len) <= NF_TEXT_COLUMNS)
			nf_buf_add(&fits, line, len);
		else
			break_line(&fits, line, len, deeper);
		if (end)
			nf_buf_addc(&fits, '\n');
		at += len + (end != NULL);
	}
	if (fits.failed) {
		out->failed = fits.failed;
	} else {
		out->data[from] = '\0';
		out->len_bytes = from;
		nf_buf_add(out, fits.data, fits.len_bytes);
	}
	nf_buf_fini(&fits);
}

void nf_text_names_number(struct nf_text_names *names, size_t width)
{
	struct nf_buf one, other;
	bool alike = false;

	names->digits = 0;
	nf_buf_init(&one, CLIP_BYTES);
	nf_buf_init(&other, CLIP_BYTES);
	for (size_t i = 0; i < names->n && !alike; i++) {
		nf_buf_clear(&one);
		nf_text_clip(&one, names->name(names->ctx, i), width, false);
		for (size_t k = 0; k < i && !alike; k++) {
			nf_buf_clear(&other);
			nf_text_clip(&other, names->name(names->ctx, k), width, false);
			alike = one.failed || other.failed || strcmp(one.data, other.data) == 0;
		}
	}
	nf_buf_fini(&one);
	nf_buf_fini(&other);
	for (size_t n = alike ? names->n : 0; n > 0; n /= 10)
		names->digits++;
}

void nf_text_names_put(struct nf_buf *out, const struct nf_text_names *names, size_t i,
                       size_t width, bool fill)
{
	const char *name = names->name(names->ctx, i);

	if (names->digits) {
		nf_buf_addf(out, "%*zu ", names->digits, i + 1);
		width -= (size_t)names->digits + 1;
	}
	nf_text_clip(out, name, width, fill);
}

void nf_text_names_legend(struct nf_buf *out, const struct nf_text_names *names,
                          const char *heading)
{
	if (!names->digits)
		return;
	nf_buf_addf(out, "\n%*s  %s\n", names->digits, "#", heading);
	for (size_t i = 0; i < names->n; i++) {
		nf_buf_addf(out, "%*zu  ", names->digits, i + 1);
		nf_text_clip(out, names->name(names->ctx, i), NF_TEXT_NAME_COLUMNS, false);
		nf_buf_addc(out, '\n');
	}
}
