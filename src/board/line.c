/* SPDX-License-Identifier: MIT */
#include "board/line.h"

#include <stdlib.h>
#include <string.h>

enum { NUL = 0, BEL = 7, BS = 8, TAB = 9, LF = 10, CR = 13, CAN = 0x18, SUB = 0x1a, ESC = 0x1b };
enum { DEL = 0x7f, C1_ST = 0x9c, C1_CSI = 0x9b };
enum { CSI_MAX = 64 };

int nf_line_init(struct nf_lines *ret, size_t limit, struct nf_err *err)
{
	if (limit < NF_LINE_LIMIT_MIN || limit > NF_LINE_LIMIT_MAX)
		return nf_fail(err, NF_EARG, "line limit: %d..%d bytes, not %zu", NF_LINE_LIMIT_MIN,
		               NF_LINE_LIMIT_MAX, limit);

	char *text = malloc(limit + 1);

	if (!text)
		return nf_fail_nomem(err, "a line", limit + 1);
	text[0] = '\0';
	*ret = (struct nf_lines){ .text = text, .limit = limit };
	return 0;
}

void nf_line_fini(struct nf_lines *s)
{
	free(s->text);
	*s = (struct nf_lines){ 0 };
}

const char *nf_line_ending_name(enum nf_line_ending ending)
{
	static const char *const names[] = {
		[NF_LINE_UNTERMINATED] = "none",
		[NF_LINE_LF] = "LF",
		[NF_LINE_CRLF] = "CRLF",
		[NF_LINE_CRCRLF] = "CRCRLF",
	};

	return (unsigned)ending < NF_LINE_N_ENDINGS ? names[ending] : "none";
}

/* What one read brings: its times, and how far it is fed. */
struct feed {
	struct nf_lines *s;
	const struct nf_line_time *time;
	const uint8_t *data;
	size_t at; /* of the byte that is taken */
};

static int64_t hi_of(const struct feed *f)
{
	return f->at == 0 ? f->time->first_hi_ns : f->time->hi_ns;
}

static void count(uint32_t *n)
{
	*n += *n < UINT32_MAX;
}

static void note_control(struct nf_lines *s)
{
	count(&s->line.n_controls);
	s->counts.n_controls++;
}

static void note_bad(struct nf_lines *s)
{
	count(&s->line.n_bad_utf8);
	s->counts.n_bad_utf8++;
}

/* The character that has begun will not be completed. */
static void break_character(struct nf_lines *s)
{
	if (s->utf8_more)
		note_bad(s);
	s->utf8_more = 0;
	s->utf8_have = 0;
}

static void mark_first(struct feed *f)
{
	f->s->line.first_lo_ns = f->time->lo_ns;
	f->s->line.first_hi_ns = hi_of(f);
	f->s->line.waiting = f->time->waiting;
}

/* Text is about to come: what stood behind the place that was moved back to goes. */
static void replace(struct nf_lines *s)
{
	if (s->keep < s->len) {
		s->counts.n_replaced++;
		s->counts.replaced_bytes += s->len - s->keep;
		s->line.replaced = true;
		s->len = s->keep;
		if (s->stable > s->len)
			s->stable = s->len;
	}
	if (s->returned)
		s->over = false;
	s->returned = false;
	s->n_cr = 0;
	s->lead_cr = false;
}

/* n bytes of text as they are. */
static void put(struct feed *f, const uint8_t *p, size_t n)
{
	struct nf_lines *s = f->s;

	if (s->returned || s->keep < s->len)
		replace(s);
	if (s->len == 0)
		mark_first(f);
	if (s->over || n > s->limit - s->len) {
		size_t fits = s->over ? 0 : s->limit - s->len;

		memcpy(s->text + s->len, p, fits);
		s->len += fits;
		s->line.cut_bytes += n - fits;
		s->counts.cut_bytes += n - fits;
		s->over = true;
	} else {
		memcpy(s->text + s->len, p, n);
		s->len += n;
	}
	s->keep = s->len;
}

/* A byte of a character of more than one; one that the limit would cut in two goes as a whole. */
static void put_part(struct feed *f, uint8_t c)
{
	struct nf_lines *s = f->s;
	bool was_over = s->over;

	put(f, &c, 1);
	if (!s->over) {
		s->utf8_have++;
		return;
	}
	if (!was_over && s->utf8_have) {
		s->len -= s->utf8_have;
		s->keep = s->len;
		s->line.cut_bytes += s->utf8_have;
		s->counts.cut_bytes += s->utf8_have;
	}
	s->utf8_have = 0;
}

/* n characters back. */
static void move_back(struct nf_lines *s, uint32_t n)
{
	const uint8_t *t = (const uint8_t *)s->text;

	if (s->over)
		return;
	while (n-- && s->keep) {
		size_t k = s->keep - 1;

		/* A stray continuation byte is a character of its own. */
		for (int i = 0; i < 3 && k && (t[k] & 0xc0) == 0x80; i++)
			k--;
		s->keep = t[k] >= 0xc0 ? k : s->keep - 1;
	}
}

static void erase_from(struct nf_lines *s, size_t keep)
{
	if (keep < s->len) {
		s->counts.n_replaced++;
		s->counts.replaced_bytes += s->len - keep;
		s->line.replaced = true;
		s->len = keep;
		if (s->stable > keep)
			s->stable = keep;
	}
	s->keep = s->len;
	if (keep == 0)
		s->over = false;
}

static void start_line(struct nf_lines *s)
{
	s->len = 0;
	s->keep = 0;
	s->stable = 0;
	s->over = false;
	s->returned = false;
	s->n_cr = 0;
	s->lead_cr = false;
	s->any = false;
	s->state = NF_LINE_TEXT;
	s->line = (struct nf_line){ .raw_offset = s->counts.raw_bytes };
}

/* Gives the present line, which ends before the next byte. */
static int give(struct nf_lines *s, enum nf_line_ending ending, nf_line_fn *fn, void *ctx,
                struct nf_err *err)
{
	struct nf_line line = s->line;

	s->text[s->len] = '\0';
	line.text = s->text;
	line.len = s->len;
	line.ending = ending;
	s->counts.n_lines++;
	s->counts.n_ending[ending]++;
	s->counts.n_cut += line.cut_bytes > 0;
	int r = fn(ctx, &line, err);
	start_line(s);
	return r;
}

static void begin_control(struct nf_lines *s, enum nf_line_state state)
{
	break_character(s);
	note_control(s);
	s->state = state;
	s->control_len = 0;
	s->csi_value = 0;
	s->csi_more = false;
}

static void take_c1(struct nf_lines *s, uint8_t c)
{
	begin_control(s, NF_LINE_TEXT);
	s->counts.control_bytes += 2;
	if (c == C1_CSI)
		s->state = NF_LINE_CSI;
	else if (c == 0x90 || c == 0x98 || c == 0x9d || c == 0x9e || c == 0x9f)
		s->state = NF_LINE_STRING;
}

/* A byte of 80..ff where text is. */
static void take_high(struct feed *f, uint8_t c)
{
	struct nf_lines *s = f->s;

	if (s->utf8_more && c >= s->utf8_lo && c <= s->utf8_hi) {
		put_part(f, c);
		s->utf8_more--;
		s->utf8_lo = 0x80;
		s->utf8_hi = 0xbf;
		if (!s->utf8_more)
			s->utf8_have = 0;
		return;
	}
	break_character(s);
	if (c == 0xc2) {
		s->state = NF_LINE_C2; /* held: it may begin a C1 control */
		s->c2_lo_ns = f->time->lo_ns;
		s->c2_hi_ns = hi_of(f);
		return;
	}
	/* What was dropped between the two must not make a C1 control of them. */
	if (c < 0xa0 && s->keep && (uint8_t)s->text[s->keep - 1] == 0xc2 && !s->over) {
		note_control(s);
		s->counts.control_bytes++;
		return;
	}
	if (c < 0xc2 || c > 0xf4) {
		put(f, &c, 1);
		note_bad(s);
		return;
	}
	/* Ranges of the second byte: Unicode 15, table 3-7. */
	s->utf8_more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
	s->utf8_lo = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
	s->utf8_hi = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
	put_part(f, c);
}

static void take_low_control(struct feed *f, uint8_t c)
{
	struct nf_lines *s = f->s;

	break_character(s);
	switch (c) {
	case NUL:
		count(&s->line.n_nul);
		s->counts.n_nul++;
		return;
	case TAB:
		put(f, &c, 1);
		return;
	case CR:
		s->lead_cr = s->lead_cr && s->n_cr == 0;
		s->keep = 0;
		s->returned = true;
		s->n_cr += s->n_cr < 2;
		return;
	case ESC:
		begin_control(s, NF_LINE_ESC);
		s->counts.control_bytes++;
		return;
	default:
		if (c == BS)
			move_back(s, 1);
		note_control(s);
		s->counts.control_bytes++;
	}
}

/* What a finished CSI does to the line; all others do nothing to it. */
static void do_csi(struct nf_lines *s, uint8_t final)
{
	if (s->csi_more)
		return;
	if (final == 'D')
		move_back(s, s->csi_value ? s->csi_value : 1);
	else if (final == 'G' && s->csi_value <= 1 && !s->over)
		s->keep = 0;
	else if (final == 'K' && s->csi_value == 0 && (!s->over || s->returned))
		erase_from(s, s->keep);
	else if (final == 'K' && s->csi_value == 2)
		erase_from(s, 0);
}

/* A byte inside a sequence. False: it is none of it, the sequence is over. */
static bool take_in_sequence(struct nf_lines *s, uint8_t c)
{
	if (c < 0x20 || c >= 0x7f)
		return false; /* also another ESC */
	switch ((int)s->state) {
	case NF_LINE_ESC:
		if (c == '[')
			s->state = NF_LINE_CSI;
		else if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_')
			s->state = NF_LINE_STRING;
		else
			s->state = c < 0x30 ? NF_LINE_ESC_MORE : NF_LINE_TEXT;
		break;
	case NF_LINE_ESC_MORE:
		if (c >= 0x30)
			s->state = NF_LINE_TEXT;
		break;
	default: /* CSI */
		if (c >= 0x40) {
			s->state = NF_LINE_TEXT;
			do_csi(s, c);
		} else if (c >= '0' && c <= '9') {
			if (s->csi_value < 100000)
				s->csi_value = s->csi_value * 10 + (uint32_t)(c - '0');
		} else {
			s->csi_more = true;
		}
	}
	if (s->state != NF_LINE_STRING && ++s->control_len >= CSI_MAX)
		s->state = NF_LINE_TEXT;
	return true;
}

/* A byte inside OSC, DCS and the like. False: the string is over and the byte not of it. */
static bool take_in_string(struct nf_lines *s, uint8_t c)
{
	enum nf_line_state was = s->state;

	if (c == LF || c == CR)
		return false;
	s->state = NF_LINE_STRING;
	if (c == BEL || c == CAN || c == SUB || (was == NF_LINE_STRING_ESC && c == '\\') ||
	    (was == NF_LINE_STRING_C2 && c == C1_ST) || ++s->control_len >= NF_LINE_CONTROL_MAX)
		s->state = NF_LINE_TEXT;
	else if (c == ESC)
		s->state = NF_LINE_STRING_ESC;
	else if (c == 0xc2)
		s->state = NF_LINE_STRING_C2;
	return true;
}

/* c2 was held. */
static bool take_after_c2(struct feed *f, uint8_t c)
{
	static const uint8_t c2 = 0xc2;
	struct nf_lines *s = f->s;

	s->state = NF_LINE_TEXT;
	if (c >= 0x80 && c < 0xa0) {
		take_c1(s, c);
		return true;
	}
	s->utf8_have = 0;
	put_part(f, c2);
	if (s->len == 1) {
		s->line.first_lo_ns = s->c2_lo_ns;
		s->line.first_hi_ns = s->c2_hi_ns;
	}
	if (c >= 0xa0 && c <= 0xbf) {
		put_part(f, c);
		s->utf8_have = 0;
		return true;
	}
	s->utf8_have = 0;
	note_bad(s);
	return false;
}

/* True: the byte went into a sequence or was held. */
static bool take_in_state(struct feed *f, uint8_t c)
{
	struct nf_lines *s = f->s;
	bool taken;

	if (s->state == NF_LINE_C2)
		return take_after_c2(f, c);
	taken = s->state >= NF_LINE_STRING ? take_in_string(s, c) : take_in_sequence(s, c);
	if (taken)
		s->counts.control_bytes++;
	else
		s->state = NF_LINE_TEXT;
	return taken;
}

static int end_line(struct feed *f, nf_line_fn *fn, void *ctx, struct nf_err *err)
{
	static const enum nf_line_ending endings[] = { NF_LINE_LF, NF_LINE_CRLF, NF_LINE_CRCRLF };
	struct nf_lines *s = f->s;

	break_character(s);
	if (s->lead_cr && s->n_cr == 1)
		s->counts.n_lfcr--; /* LF CR LF: an empty line that ends in CR LF */
	int r = give(s, endings[s->n_cr], fn, ctx, err);
	s->after_lf = true;
	return r;
}

static void take_byte(struct feed *f, uint8_t c)
{
	struct nf_lines *s = f->s;

	if (c == CR && s->after_lf) {
		s->lead_cr = true;
		s->counts.n_lfcr++;
	}
	s->after_lf = false;
	if (c >= 0x80) {
		take_high(f, c);
	} else if (c < 0x20) {
		take_low_control(f, c);
	} else if (c == DEL) {
		break_character(s);
		note_control(s);
		s->counts.control_bytes++;
	} else {
		break_character(s);
		put(f, &c, 1);
	}
}

/* How many bytes from p are plain text. */
static size_t plain(const uint8_t *p, size_t n)
{
	size_t i = 0;

	while (i < n && (uint8_t)(p[i] - 0x20) < DEL - 0x20)
		i++;
	return i;
}

static void note_byte(struct feed *f, size_t n)
{
	struct nf_lines *s = f->s;

	if (!s->any) {
		s->any = true;
		mark_first(f);
	}
	s->line.raw_bytes += n;
	s->counts.raw_bytes += n;
}

int nf_line_feed(struct nf_lines *s, const void *data, size_t len_bytes,
                 const struct nf_line_time *time, nf_line_fn *fn, void *ctx, struct nf_err *err)
{
	struct feed f = { .s = s, .time = time, .data = data };

	while (f.at < len_bytes) {
		uint8_t c = f.data[f.at];
		size_t n = s->state == NF_LINE_TEXT ? plain(f.data + f.at, len_bytes - f.at) : 0;

		note_byte(&f, n ? n : 1);
		if (n) {
			s->after_lf = false;
			break_character(s);
			put(&f, f.data + f.at, n);
			f.at += n - 1;
		} else if (s->state == NF_LINE_TEXT || !take_in_state(&f, c)) {
			if (c != LF)
				take_byte(&f, c);
		} else {
			c = NUL; /* taken */
		}
		s->line.last_lo_ns = time->lo_ns;
		s->line.last_hi_ns = hi_of(&f);
		if (!n && c == LF) {
			int r = end_line(&f, fn, ctx, err);

			if (r != 0)
				return r;
		}
		f.at++;
	}
	return 0;
}

int nf_line_finish(struct nf_lines *s, nf_line_fn *fn, void *ctx, struct nf_err *err)
{
	static const uint8_t c2 = 0xc2;
	struct nf_line_time time = { .lo_ns = s->line.last_lo_ns,
		                     .first_hi_ns = s->line.last_hi_ns,
		                     .hi_ns = s->line.last_hi_ns };
	struct feed f = { .s = s, .time = &time };
	int r = 0;

	if (s->state == NF_LINE_C2) {
		s->state = NF_LINE_TEXT;
		put(&f, &c2, 1);
		note_bad(s);
	}
	break_character(s);
	if (s->any && !(s->lead_cr && s->line.raw_bytes == 1))
		r = give(s, NF_LINE_UNTERMINATED, fn, ctx, err);
	start_line(s);
	s->after_lf = false;
	return r;
}

size_t nf_line_tail(struct nf_lines *s, struct nf_line *ret)
{
	size_t len = s->len - (s->utf8_more ? s->utf8_have : 0), stable = s->stable;

	*ret = s->line;
	ret->text = s->text;
	ret->len = len;
	ret->ending = NF_LINE_UNTERMINATED;
	s->stable = len;
	return stable < len ? stable : len;
}
