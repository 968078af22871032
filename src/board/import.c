/* SPDX-License-Identifier: MIT */
#include "board/import.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "board/printk.h"

#define NS_PER_S INT64_C(1000000000)
#define HALF_DAY_NS (12 * 3600 * NS_PER_S)
#define HALF_YEAR_NS (180 * 86400 * NS_PER_S)
/* Beyond this from the first stamp is no time of a log: the distance of any two fits in 64 bits. */
#define FARTHEST_NS (INT64_C(4000000000) * NS_PER_S)
#define EPOCH_NS (INT64_C(100000000) * NS_PER_S)
enum {
	LOOK_BYTES = 1 << 16, /* from which the form is found */
	LOOK_LINES = 500,
	PREFIX = 160, /* longest stamp with what separates it; lines "# ..." are read so far */
};

struct nf_import {
	nf_import_fn *fn;
	void *ctx;
	char what[160];
	struct nf_import_facts facts;
	struct nf_buf look; /* the beginning, until the form is known */
	struct nf_lines lines;
	bool begun; /* the mark of the byte order, if any, is passed */
	char prefix[PREFIX];
	size_t n_prefix;
	bool in_text; /* the prefix is judged: what comes is text */
	bool skipping; /* ... of a line that is left out */
	bool stamped; /* the present line */
	uint64_t text_bytes; /* of the present line */
	char last_byte;
	uint64_t raw_offset;
	bool any_stamp;
	int64_t base_ns, carry_ns, stamp_ns, now_ns;
};

int nf_import_new(const struct nf_import_form *form, const char *what, nf_import_fn *fn, void *ctx,
                  struct nf_import **ret, struct nf_err *err)
{
	struct nf_import *im = calloc(1, sizeof(*im));
	int r;

	if (!im)
		return nf_fail_nomem(err, "a log", sizeof(*im));
	im->fn = fn;
	im->ctx = ctx;
	im->facts.form = form;
	im->facts.unit_ns = NS_PER_S;
	snprintf(im->what, sizeof(im->what), "%s", what);
	nf_buf_init(&im->look, LOOK_BYTES);
	r = nf_line_init(&im->lines, NF_LINE_LIMIT, err);
	if (r < 0) {
		nf_import_free(im);
		return r;
	}
	*ret = im;
	return 0;
}

void nf_import_free(struct nf_import *im)
{
	if (!im)
		return;
	nf_buf_fini(&im->look);
	nf_line_fini(&im->lines);
	free(im);
}

const struct nf_import_facts *nf_import_facts(const struct nf_import *im)
{
	return &im->facts;
}

/* --- which form --- */

struct look {
	size_t lines; /* that are not empty and no comment */
	size_t printk; /* begin as the kernel's own do */
	size_t hits[16]; /* by form */
};

static void look_at(const char *line, size_t len, struct look *k)
{
	struct nf_stamp s;
	int64_t ns;
	size_t at;

	if (len == 0 || line[0] == '#' || (len == 1 && line[0] == '\r'))
		return;
	k->lines++;
	k->printk += nf_printk_stamp(line, len, &ns, &at) && at == 0;
	for (size_t i = 0; nf_import_forms[i].name; i++)
		k->hits[i] += !nf_import_forms[i].named_only &&
		              nf_import_forms[i].stamp(line, len, &s) > 0;
}

static int unknown_form(const struct nf_import *im, const struct look *k, struct nf_err *err)
{
	char list[256] = "";
	size_t n = 0;

	for (const struct nf_import_form *f = nf_import_forms; f->name; f++) {
		int w = snprintf(list + n, sizeof(list) - n, "%s%s", n ? ", " : "", f->name);

		if (w > 0 && (size_t)w < sizeof(list) - n)
			n += (size_t)w;
	}
	if (2 * k->printk >= k->lines && k->lines > 0)
		return nf_fail(
		        err, NF_EDATA,
		        "%s: the only times in it are the kernel's own (printk), which are no "
		        "host's clock; if the host made them, name the form: "
		        "grabserial-nodelta",
		        im->what);
	return nf_fail(err, NF_EDATA,
	               "%s: its lines begin with no known stamp; allowed: %s, or a capture of "
	               "noisefloor",
	               im->what, list);
}

static int find_form(struct nf_import *im, struct nf_err *err)
{
	const char *p = im->look.data, *end = p + im->look.len_bytes;
	struct look k = { 0 };
	size_t best = 0;

	_Static_assert(sizeof(k.hits) / sizeof(k.hits[0]) >= 8, "a counter a form");
	while (p < end && k.lines < LOOK_LINES) {
		const char *lf = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((lf ? lf : end) - p);

		look_at(p, len < PREFIX ? len : PREFIX, &k);
		p += len + 1;
	}
	for (size_t i = 0; nf_import_forms[i].name; i++)
		if (k.hits[i] > k.hits[best])
			best = i;
	if (k.hits[best] == 0 || 2 * k.hits[best] < k.lines)
		return unknown_form(im, &k, err);
	im->facts.form = &nf_import_forms[best];
	return 0;
}

/* --- times --- */

static int64_t bounded(int64_t ns)
{
	if (ns > FARTHEST_NS)
		return FARTHEST_NS;
	return ns < -FARTHEST_NS ? -FARTHEST_NS : ns;
}

static void next_time(struct nf_import *im, const struct nf_stamp *s)
{
	int64_t ns = s->ns;

	if (s->unit_ns < im->facts.unit_ns)
		im->facts.unit_ns = s->unit_ns;
	if (!im->any_stamp) {
		im->any_stamp = true;
		im->facts.kind = s->kind;
		if (!im->facts.form->incremental && (s->kind != NF_STAMP_SECONDS || ns >= EPOCH_NS))
			im->base_ns = ns;
		im->stamp_ns = ns;
	}
	if (im->facts.form->incremental) {
		/* Both are within 4e18. */
		im->now_ns = bounded(im->now_ns + ns);
		return;
	}
	if (s->kind == NF_STAMP_CLOCK && im->stamp_ns - ns > HALF_DAY_NS) {
		im->carry_ns += 2 * HALF_DAY_NS;
		im->facts.midnights++;
	} else if (s->kind == NF_STAMP_YEARLESS && im->stamp_ns - ns > HALF_YEAR_NS) {
		im->carry_ns += 366 * 2 * HALF_DAY_NS;
	}
	im->stamp_ns = ns;
	if (__builtin_sub_overflow(ns, im->base_ns, &ns) ||
	    __builtin_add_overflow(ns, im->carry_ns, &ns))
		ns = im->now_ns;
	im->now_ns = bounded(ns);
}

/* --- lines --- */

static void take_word(const char *key, const char *word, size_t len, char *to, size_t size)
{
	size_t n = strlen(key);

	if (to[0] || len <= n || strncmp(word, key, n) != 0)
		return;
	len -= n;
	len = len < size ? len : size - 1;
	memcpy(to, word + n, len);
	to[len] = '\0';
}

static void read_comment(struct nf_import *im, const char *text, size_t len)
{
	struct nf_import_head *h = &im->facts.head;

	for (size_t i = 0; i < len;) {
		size_t from = i;

		while (i < len && !isspace((unsigned char)text[i]))
			i++;
		take_word("config=", text + from, i - from, h->config, sizeof(h->config));
		take_word("run=", text + from, i - from, h->run, sizeof(h->run));
		take_word("status=", text + from, i - from, h->status, sizeof(h->status));
		while (i < len && isspace((unsigned char)text[i]))
			i++;
	}
}

static int give_line(void *ctx, const struct nf_line *from, struct nf_err *err)
{
	struct nf_import *im = ctx;
	struct nf_line l = *from;

	l.raw_offset = im->raw_offset;
	l.raw_bytes = im->text_bytes - (im->last_byte == '\r') + 2;
	l.first_lo_ns = l.first_hi_ns = l.last_lo_ns = l.last_hi_ns = im->now_ns;
	l.waiting = false;
	im->raw_offset += l.raw_bytes;
	return im->fn(im->ctx, &l, im->stamped, err);
}

static int feed_text(struct nf_import *im, const char *data, size_t len, struct nf_err *err)
{
	const struct nf_line_time t = { im->now_ns, im->now_ns, im->now_ns, false };

	if (im->skipping || len == 0)
		return 0;
	im->text_bytes += len;
	im->last_byte = data[len - 1];
	return nf_line_feed(&im->lines, data, len, &t, give_line, im, err);
}

/* What the line begins with is known, as far as it matters. */
static int judge_prefix(struct nf_import *im, struct nf_err *err)
{
	struct nf_stamp s;
	size_t n = im->facts.form->stamp(im->prefix, im->n_prefix, &s);

	im->in_text = true;
	im->skipping = false;
	im->text_bytes = 0;
	im->last_byte = '\0';
	if (n > 0 && im->any_stamp && s.kind != im->facts.kind) {
		im->facts.other_kind++;
		n = 0;
	}
	im->stamped = n > 0;
	if (im->stamped) {
		im->facts.stamped++;
		next_time(im, &s);
	} else if (!im->any_stamp) {
		im->facts.preamble++;
		im->skipping = true;
		if (im->n_prefix > 0 && im->prefix[0] == '#')
			read_comment(im, im->prefix, im->n_prefix);
	} else if (im->n_prefix == 0 || (im->n_prefix == 1 && im->prefix[0] == '\r')) {
		im->facts.blank++;
		im->skipping = true;
	} else {
		im->facts.unstamped++;
	}
	return feed_text(im, im->prefix + n, im->n_prefix - n, err);
}

static int end_line(struct nf_import *im, struct nf_err *err)
{
	const struct nf_line_time t = { im->now_ns, im->now_ns, im->now_ns, false };
	int r = im->in_text ? 0 : judge_prefix(im, err);

	if (r == 0 && !im->skipping)
		r = nf_line_feed(&im->lines, "\n", 1, &t, give_line, im, err);
	im->in_text = false;
	im->n_prefix = 0;
	return r;
}

/* Up to the next LF. */
static int take_part(struct nf_import *im, const char *p, size_t len, struct nf_err *err)
{
	while (len > 0 && !im->in_text) {
		size_t n = PREFIX - im->n_prefix < len ? PREFIX - im->n_prefix : len;

		memcpy(im->prefix + im->n_prefix, p, n);
		im->n_prefix += n;
		p += n;
		len -= n;
		int r = im->n_prefix == PREFIX ? judge_prefix(im, err) : 0;
		if (r < 0)
			return r;
	}
	return feed_text(im, p, len, err);
}

static int take(struct nf_import *im, const char *p, size_t len, struct nf_err *err)
{
	while (len > 0) {
		const char *lf = memchr(p, '\n', len);
		size_t n = lf ? (size_t)(lf - p) : len;
		int r = take_part(im, p, n, err);

		if (r == 0 && lf)
			r = end_line(im, err);
		if (r < 0)
			return r;
		p += n + (lf != NULL);
		len -= n + (lf != NULL);
	}
	return 0;
}

/* --- the beginning --- */

static int begin(struct nf_import *im, struct nf_err *err)
{
	const unsigned char *p = (const unsigned char *)im->look.data;
	size_t n = im->look.len_bytes, skip = n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	int r = 0;

	im->begun = true;
	if (n >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff)))
		return nf_fail(err, NF_EDATA, "%s: a text in UTF-16; allowed: UTF-8 or plain bytes",
		               im->what);
	if (skip) {
		memmove(im->look.data, im->look.data + skip, n - skip);
		im->look.len_bytes = n -= skip;
	}
	if (!im->facts.form)
		r = find_form(im, err);
	return r < 0 ? r : take(im, im->look.data, n, err);
}

int nf_import_feed(struct nf_import *im, const void *data, size_t len_bytes, struct nf_err *err)
{
	const char *p = data;

	if (!im->begun) {
		size_t room = LOOK_BYTES - im->look.len_bytes;
		size_t n = len_bytes < room ? len_bytes : room;

		(void)nf_buf_add(&im->look, p, n);
		int r = nf_buf_failed(&im->look, "a log", err);
		if (r == 0 && im->look.len_bytes == LOOK_BYTES)
			r = begin(im, err);
		if (r < 0 || n == len_bytes)
			return r;
		p += n;
		len_bytes -= n;
	}
	return take(im, p, len_bytes, err);
}

int nf_import_finish(struct nf_import *im, struct nf_err *err)
{
	int r = im->begun ? 0 : begin(im, err);

	if (r == 0 && (im->in_text || im->n_prefix > 0)) {
		im->facts.unterminated = true;
		r = end_line(im, err);
	}
	if (r == 0 && im->facts.stamped == 0)
		r = nf_fail(err, NF_EDATA, "%s: not one line begins as %s writes them (%s)",
		            im->what, im->facts.form->name, im->facts.form->text);
	return r;
}
