/* SPDX-License-Identifier: MIT */
#include "record/capture.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/utf8.h"

enum { REPLACEMENT = 0xfffd, CSI_MAX = 64 };

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct nf_slice nf_slice_trim(struct nf_slice s)
{
	while (s.n > 0 && is_blank(s.p[0]))
		s = (struct nf_slice){ s.p + 1, s.n - 1 };
	while (s.n > 0 && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool nf_slice_is(struct nf_slice s, const char *text)
{
	return s.n == strlen(text) && (s.n == 0 || strncasecmp(s.p, text, s.n) == 0);
}

const char *nf_slice_find(struct nf_slice s, const char *text)
{
	return s.n ? memmem(s.p, s.n, text, strlen(text)) : NULL;
}

struct nf_slice nf_slice_word(struct nf_slice s)
{
	size_t n = 0;

	while (n < s.n && !is_blank(s.p[n]))
		n++;
	return (struct nf_slice){ s.p, n };
}

/* Length of the terminal sequence at p, whose first byte is ESC. */
static size_t sequence(const char *p, size_t n)
{
	size_t i = 2;

	if (n < 2 || p[1] != '[')
		return 1;
	while (i < n && i < CSI_MAX && p[i] >= 0x20 && p[i] < 0x40)
		i++;
	return i < n && i < CSI_MAX && p[i] >= 0x40 && p[i] < 0x7f ? i + 1 : 1;
}

/* The bytes as lines of text: only LF ends one. */
static int clean(const char *data, size_t n, struct nf_buf *out, uint64_t *n_replaced)
{
	size_t i = 0;

	while (i < n && !out->failed) {
		int bad = 0;
		uint32_t cp = 0;
		size_t len = nf_utf8_next(data + i, n - i, &cp, &bad);

		if (cp == '\r' && i + 1 < n && data[i + 1] == '\n') {
			i++;
			continue;
		}
		if (cp == 0x1b)
			len = sequence(data + i, n - i);
		if (bad || (cp < 0x20 && cp != '\t' && cp != '\n') || (cp >= 0x7f && cp < 0xa0) ||
		    (cp >= 0xfdd0 && cp <= 0xfdef) || (cp & 0xfffe) == 0xfffe) {
			cp = REPLACEMENT;
			++*n_replaced;
		}
		(void)nf_utf8_put(out, cp);
		i += len;
	}
	return out->failed ? -(int)out->failed : 0;
}

/* "== NAME ==", "-- NAME --", "## NAME": the name, else an empty slice. */
static struct nf_slice heading_of(struct nf_slice line)
{
	static const char marks[] = "=-#";
	struct nf_slice s = nf_slice_trim(line), name;

	if (s.n < 4 || !strchr(marks, s.p[0]) || s.p[1] != s.p[0] || !is_blank(s.p[2]))
		return (struct nf_slice){ s.p, 0 };
	name = (struct nf_slice){ s.p + 3, s.n - 3 };
	while (name.n > 0 && (name.p[name.n - 1] == s.p[0] || is_blank(name.p[name.n - 1])))
		name.n--;
	return nf_slice_trim(name);
}

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* What stands in front of a key: signs and other scripts' marks. */
static struct nf_slice without_marks(struct nf_slice s)
{
	while (s.n > 0 && !is_word_char(s.p[0]) && s.p[0] != '/')
		s = (struct nf_slice){ s.p + 1, s.n - 1 };
	return s;
}

/* Without the replaced bytes around it: colours of a terminal. */
static struct nf_slice without_replaced(struct nf_slice s)
{
	static const char mark[] = "\xef\xbf\xbd";

	for (s = nf_slice_trim(s); s.n >= 3 && memcmp(s.p, mark, 3) == 0;)
		s = nf_slice_trim((struct nf_slice){ s.p + 3, s.n - 3 });
	while (s.n >= 3 && memcmp(s.p + s.n - 3, mark, 3) == 0)
		s = nf_slice_trim((struct nf_slice){ s.p, s.n - 3 });
	return s;
}

static void split_key(struct nf_capture_line *l)
{
	struct nf_slice s = without_marks(l->text);
	bool one_word = true;

	l->value = without_replaced(l->text);
	l->key = (struct nf_slice){ s.p, 0 };
	for (size_t i = 0; i < s.n; i++) {
		bool colon = s.p[i] == ':' && (i + 1 == s.n || is_blank(s.p[i + 1]));

		if (i > 0 && (colon || (s.p[i] == '=' && one_word))) {
			l->key = nf_slice_trim((struct nf_slice){ s.p, i });
			l->value = without_replaced((struct nf_slice){ s.p + i + 1, s.n - i - 1 });
			return;
		}
		one_word = one_word && is_word_char(s.p[i]);
	}
}

static size_t count_lines(const struct nf_buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len_bytes; i++)
		n += b->data[i] == '\n';
	return n + (b->len_bytes > 0 && b->data[b->len_bytes - 1] != '\n');
}

static void split_lines(const char *text, size_t len, struct nf_capture_line *line, size_t n)
{
	struct nf_slice section = { text, 0 };
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		const char *end = memchr(text + at, '\n', len - at);
		struct nf_capture_line *l = &line[i];
		struct nf_slice head;

		l->no = i + 1;
		l->text.p = text + at;
		l->text.n = end ? (size_t)(end - (text + at)) : len - at;
		head = heading_of(l->text);
		l->heading = head.n > 0;
		if (l->heading)
			section = head;
		l->section = section;
		if (l->heading)
			l->key = l->value = (struct nf_slice){ l->text.p, 0 };
		else
			split_key(l);
		at += l->text.n + 1;
	}
}

int nf_capture_split(const void *data, size_t len_bytes, struct nf_arena *a, struct nf_capture *ret,
                     struct nf_err *err)
{
	struct nf_capture c = { .n_replaced = 0 };
	struct nf_capture_line *line;
	struct nf_buf text;
	char *own;
	int rc = 0;

	if (len_bytes > NF_CAPTURE_BYTES)
		return nf_fail(err, NF_EDATA, "%zu bytes; a capture has at most %d", len_bytes,
		               NF_CAPTURE_BYTES);
	nf_buf_init(&text, 3 * (size_t)NF_CAPTURE_BYTES + 1);
	if (clean(data, len_bytes, &text, &c.n_replaced) < 0) {
		rc = nf_buf_failed(&text, "a capture", err);
		goto out;
	}
	c.n_lines = count_lines(&text);
	if (c.n_lines > NF_CAPTURE_LINES) {
		rc = nf_fail(err, NF_EDATA, "%zu lines; a capture has at most %d", c.n_lines,
		             NF_CAPTURE_LINES);
		goto out;
	}
	own = nf_arena_strndup(a, text.data, text.len_bytes);
	line = nf_arena_alloc(a, c.n_lines + 1, sizeof(*line));
	if (!own || !line) {
		rc = nf_arena_failed(a, "a capture", err);
		goto out;
	}
	split_lines(own, text.len_bytes, line, c.n_lines);
	c.line = line;
	*ret = c;
out:
	nf_buf_fini(&text);
	return rc;
}
