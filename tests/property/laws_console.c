/* SPDX-License-Identifier: MIT */
/* Consoles: lines, patterns, captures and what reaches a terminal, however bytes are split. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "board/capture.h"
#include "board/match.h"
#include "board/screen.h"
#include "laws.h"

enum { LIMIT = 24, TEXT = 1 << 16 };

static void fini_buf(void *b)
{
	nf_buf_fini(b);
}

static struct nf_buf *new_buf(struct pt_case *t)
{
	struct nf_buf *b = pt_alloc(t, sizeof(*b));

	nf_buf_init(b, TEXT);
	pt_cleanup(t, fini_buf, b);
	return b;
}

static void fini_lines(void *s)
{
	nf_line_fini(s);
}

static void free_match(void *m)
{
	nf_match_free(m);
}

/* What consoles send, and what noise is. */
static void draw_bytes(struct pt_case *t, struct nf_buf *out)
{
	static const char *const words[] = {
		"abc",
		"\n",
		"\r\n",
		"\r",
		"\n\r",
		"\r\r\n",
		"\b",
		"\b \b",
		"\t",
		"\a",
		"\033[1;31m",
		"\033[K",
		"\033[2K",
		"\033[2D",
		"\033[G",
		"\033[?25l",
		"\033]0;t\a",
		"\033]52;",
		"\033\\",
		"\033P1$q",
		"\033(B",
		"\033c",
		"\033",
		"\xc3\xa9",
		"\xe2\x82\xac",
		"\xc2\x9b",
		"\xc2\x9d",
		"\xc2\x9c",
		"\xf0\x9f\x98\x80",
		"\xe2\x82",
		"\x9b",
		"\xff",
		"\xc2",
		"0123456789012345678901234567890",
	};
	struct pt_loop l = { .max = 40 };

	while (pt_more(t, &l)) {
		size_t i = pt_draw_pick(t, sizeof(words) / sizeof(*words) + 3);

		if (i < sizeof(words) / sizeof(*words))
			(void)nf_buf_adds(out, words[i]);
		else
			(void)nf_buf_addc(out, (char)pt_draw_int(t, 0, 255));
	}
}

static bool has_control(const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		uint32_t cp;
		int bad;
		size_t n = nf_utf8_next(text + i, len - i, &cp, &bad);

		if (!bad && ((cp < 0x20 && cp != '\t') || (cp >= 0x7f && cp < 0xa0)))
			return true;
		i += n;
	}
	return false;
}

struct told {
	struct nf_buf *out;
	uint64_t text_bytes, next;
	bool holds;
};

static int tell(void *ctx, const struct nf_line *l, struct nf_err *err)
{
	struct told *d = ctx;

	(void)err;
	d->holds = d->holds && l->raw_offset >= d->next && l->len <= LIMIT &&
	           l->first_lo_ns <= l->first_hi_ns && l->first_hi_ns <= l->last_hi_ns &&
	           l->last_lo_ns <= l->last_hi_ns && !has_control(l->text, l->len);
	d->next = l->raw_offset + l->raw_bytes;
	d->text_bytes += l->len;
	(void)nf_buf_addf(d->out, "%llu+%llu %d %d %llu %u %u %u <",
	                  (unsigned long long)l->raw_offset, (unsigned long long)l->raw_bytes,
	                  (int)l->ending, l->replaced, (unsigned long long)l->cut_bytes, l->n_nul,
	                  l->n_bad_utf8, l->n_controls);
	(void)nf_buf_add(d->out, l->text, l->len);
	(void)nf_buf_adds(d->out, ">\n");
	return 0;
}

static bool assemble(struct pt_case *t, const struct nf_buf *data, bool split, struct told *d,
                     struct nf_line_counts *counts)
{
	struct nf_lines *s = pt_alloc(t, sizeof(*s));
	size_t at = 0;
	int64_t now = 0;

	*d = (struct told){ .out = new_buf(t), .holds = true };
	if (nf_line_init(s, LIMIT, NULL) < 0)
		return false;
	pt_cleanup(t, fini_lines, s);
	while (at < data->len_bytes) {
		size_t left = data->len_bytes - at, n = split ? pt_draw_size(t, 1, left) : left;
		struct nf_line_time time = { now, now + 3, now + 5, false };

		if (nf_line_feed(s, data->data + at, n, &time, tell, d, NULL) < 0)
			return false;
		at += n;
		now += 10;
	}
	if (nf_line_finish(s, tell, d, NULL) < 0)
		return false;
	*counts = s->counts;
	return true;
}

static bool lines_split(struct pt_case *t, void *arg)
{
	struct nf_buf *data = new_buf(t);
	struct nf_line_counts a, b;
	struct told whole, parts;

	(void)arg;
	draw_bytes(t, data);
	PT_ASSERT(t, assemble(t, data, false, &whole, &a));
	PT_ASSERT(t, assemble(t, data, true, &parts, &b));
	PT_ASSERT(t, whole.holds && parts.holds);
	return whole.out->len_bytes == parts.out->len_bytes &&
	       memcmp(whole.out->data, parts.out->data, whole.out->len_bytes) == 0 &&
	       memcmp(&a, &b, sizeof(a)) == 0;
}

static bool lines_account(struct pt_case *t, void *arg)
{
	struct nf_buf *data = new_buf(t);
	struct nf_line_counts c;
	struct told d;
	uint64_t n_ends = 0;

	(void)arg;
	draw_bytes(t, data);
	for (size_t i = 0; i < data->len_bytes; i++)
		n_ends += data->data[i] == '\n' || data->data[i] == '\r';
	PT_ASSERT(t, assemble(t, data, true, &d, &c));
	PT_ASSERT(t, c.raw_bytes == data->len_bytes);
	pt_cover(t, c.cut_bytes > 0, 5, "cut");
	pt_cover(t, c.replaced_bytes > 0, 5, "replaced");
	return c.raw_bytes ==
	       d.text_bytes + n_ends + c.n_nul + c.control_bytes + c.replaced_bytes + c.cut_bytes;
}

/* --- patterns --- */

static void draw_pattern(struct pt_case *t, struct nf_buf *out)
{
	static const char *const atoms[] = { "a",      "b",        "c",        ".",      "[ab]",
		                             "\\b",    "^",        "$",        "(?<=a)", "(?<!b)",
		                             "(a|ab)", "(?=c)",    "(?:b|bc)", "(?!a)",  "\\w",
		                             "# $",    "(?:(a)?)", "c\\Kb" };
	static const char *const times[] = { "", "", "", "*", "+", "?", "*?", "{2}" };
	struct pt_loop l = { .min = 1, .max = 5 };

	while (pt_more(t, &l)) {
		const char *atom = atoms[pt_draw_pick(t, sizeof(atoms) / sizeof(*atoms))];
		const char *n = times[pt_draw_pick(t, sizeof(times) / sizeof(*times))];

		(void)nf_buf_adds(out, atom);
		if (atom[0] != '^' && atom[0] != '$' && atom[0] != '#' && atom[1] != 'b' &&
		    strncmp(atom, "(?<", 3) != 0 && strncmp(atom, "(?=", 3) != 0 &&
		    strncmp(atom, "(?!", 3) != 0)
			(void)nf_buf_adds(out, n);
	}
}

static bool match_tail(struct pt_case *t, void *arg)
{
	struct nf_buf *pattern = new_buf(t);
	const char *text = pt_draw(t, "text", pt_text(pt_case_mem(t), 0, 20, "abc# ")).text;
	struct nf_match *m = NULL, *once = NULL;
	size_t len = strlen(text), at = 0, before = 0, s1 = 0, n1 = 0, s2 = 0, n2 = 0;
	int found = NF_MATCH_NO, expected;

	(void)arg;
	draw_pattern(t, pattern);
	PT_ASSERT(t, nf_match_new(pattern->data, &m, NULL) == 0);
	pt_cleanup(t, free_match, m);
	PT_ASSERT(t, nf_match_new(pattern->data, &once, NULL) == 0);
	pt_cleanup(t, free_match, once);
	expected = nf_match_line(once, text, len, NULL);
	PT_ASSERT(t, expected == NF_MATCH_YES || expected == NF_MATCH_NO);
	while (at < len && found != NF_MATCH_YES) {
		size_t resume = nf_match_resume(m);

		PT_ASSERT(t, resume >= before); /* nothing is sought twice */
		before = resume;
		at += pt_draw_size(t, 1, len - at);
		found = nf_match_tail(m, text, at, before ? at : 0, NULL);
		PT_ASSERT(t, found >= 0);
	}
	pt_cover(t, found == NF_MATCH_YES, 5, "decided before the end");
	pt_cover(t, expected == NF_MATCH_YES, 20, "found");
	if (found != NF_MATCH_YES)
		found = nf_match_silence(m, text, len, NULL);
	PT_ASSERT_INT_EQ(t, found, expected);
	if (found != NF_MATCH_YES)
		return true;
	for (uint32_t i = 0; i < nf_match_n_groups(m); i++) {
		bool a = nf_match_group(m, i, &s1, &n1), b = nf_match_group(once, i, &s2, &n2);

		if (a != b || (a && (s1 != s2 || n1 != n2)))
			return false;
	}
	return true;
}

/* --- the user's terminal --- */

/* What is left is text, and sequences of the few kinds that are let through. */
static bool is_tame(const struct nf_buf *b)
{
	for (size_t i = 0; i < b->len_bytes;) {
		uint32_t cp;
		int bad;
		size_t n = nf_utf8_next(b->data + i, b->len_bytes - i, &cp, &bad);

		if (bad || (cp >= 0x7f && cp < 0xa0))
			return false;
		i += n;
		if (cp >= 0x20 || (cp >= 7 && cp <= 10) || cp == 13)
			continue;
		if (cp != 0x1b || i >= b->len_bytes || b->data[i++] != '[')
			return false;
		while (i < b->len_bytes && strchr("0123456789;?", b->data[i]))
			i++;
		if (i >= b->len_bytes || !strchr("ABCDEFGHJKPX@LMdfmhl", b->data[i++]))
			return false;
	}
	return true;
}

static bool screen_split(struct pt_case *t, void *arg)
{
	struct nf_buf *data = new_buf(t), *whole = new_buf(t), *parts = new_buf(t);
	struct nf_screen a = { 0 }, b = { 0 };
	size_t at = 0;

	(void)arg;
	draw_bytes(t, data);
	PT_ASSERT(t, nf_screen_filter(&a, data->data, data->len_bytes, whole) == 0);
	while (at < data->len_bytes) {
		size_t n = pt_draw_size(t, 1, data->len_bytes - at);

		PT_ASSERT(t, nf_screen_filter(&b, data->data + at, n, parts) == 0);
		at += n;
	}
	PT_ASSERT(t, is_tame(whole));
	return a.n_dropped == b.n_dropped && whole->len_bytes == parts->len_bytes &&
	       memcmp(whole->data, parts->data, whole->len_bytes) == 0;
}

/* --- captures --- */

static void fini_reader(void *r)
{
	nf_capture_reader_fini(r);
}

static bool capture_back(struct pt_case *t, void *arg)
{
	char path[] = "/tmp/nf-capture-XXXXXX";
	int dir = mkdtemp(path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	struct nf_capture_head head = { .kind = (enum nf_port_kind)pt_draw_pick(t, 4),
		                        .baud = (uint32_t)pt_draw_int(t, 0, 4000000),
		                        .delay_ns = pt_draw_int(t, -1, 20000000),
		                        .epoch_utc_ns = pt_draw_int(t, 0, INT64_MAX) };
	struct nf_capture_reader *r = pt_alloc(t, sizeof(*r));
	struct nf_capture_read sent[20], got;
	const char *port =
	        pt_draw(t, "port", pt_text(pt_case_mem(t), 0, 40, "/a% \n\x01\xc3\xa9:")).text;
	struct pt_loop l = { .max = 20 };
	struct nf_capture c;
	const void *data;
	char bytes[64];
	size_t n = 0;
	int64_t now = 0;
	bool same = true;

	(void)arg;
	strcpy(head.port, port);
	PT_ASSERT(t, dir >= 0 && nf_capture_create(&c, dir, "c", &head, NULL) == 0);
	while (pt_more(t, &l)) {
		struct nf_capture_read one = { .bytes = (uint32_t)pt_draw_int(t, 1, 64) };

		now += pt_draw_int(t, 0, 1000000000000);
		one.t_ns = now;
		one.lo_ns = now - pt_draw_int(t, 0, 100000);
		one.done_ns = now + pt_draw_int(t, 0, 10000000);
		one.waiting = pt_draw_bool(t, 0.2);
		one.offset = c.raw_bytes;
		memset(bytes, (int)n, sizeof(bytes));
		same = same && nf_capture_append(&c, bytes, &one, NULL) == 0;
		sent[n++] = one;
	}
	same = same && nf_capture_close(&c, NULL) == 0 && nf_capture_open(r, dir, "c", NULL) == 0;
	if (same)
		pt_cleanup(t, fini_reader, r);
	for (size_t i = 0; same && i < n; i++) {
		same = nf_capture_next(r, &got, &data, NULL) == 1 && got.offset == sent[i].offset &&
		       got.bytes == sent[i].bytes && got.lo_ns == sent[i].lo_ns &&
		       got.t_ns == sent[i].t_ns && got.done_ns == sent[i].done_ns &&
		       got.waiting == sent[i].waiting && ((const char *)data)[0] == (char)i;
	}
	same = same && nf_capture_next(r, &got, &data, NULL) == 0 && r->head.kind == head.kind &&
	       r->head.baud == head.baud && r->head.delay_ns == head.delay_ns &&
	       r->head.epoch_utc_ns == head.epoch_utc_ns && strcmp(r->head.port, port) == 0;
	(void)unlinkat(dir, "c.raw", 0);
	(void)unlinkat(dir, "c.idx", 0);
	close(dir);
	(void)rmdir(path);
	return same;
}

const struct law laws_console[] = {
	{ "console lines",
	  "However console bytes are split into reads, lines, endings, offsets and counts are the "
	  "same; no text "
	  "holds a control character but TAB.",
	  lines_split, NULL },
	{ "console bytes",
	  "Every byte of a console is text of a line, an ending, or counted as dropped, cut or "
	  "replaced.",
	  lines_account, NULL },
	{ "pattern in a tail",
	  "A pattern that is sought in a line as it grows is found where one search of the whole "
	  "line finds it.",
	  match_tail, NULL },
	{ "tame screen",
	  "However a console's bytes are split, the same of them reaches a terminal: text, and "
	  "sequences of the "
	  "kinds that are let through.",
	  screen_split, NULL },
	{ "capture", "A capture gives back its bytes, their times and its head.", capture_back,
	  NULL },
	{ NULL, NULL, NULL, NULL },
};
