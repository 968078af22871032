/* SPDX-License-Identifier: MIT */
/* Files under a schema: what was written is read, and what was damaged is refused where it is. */
#include <inttypes.h>
#include <string.h>

#include "base/duration.h"
#include "conf_sample.h"
#include "laws.h"

enum { TEXT_BYTES = 1 << 16, WORDS = 5, STEPS = 4 };

/* What is written, and what is to be read from it. */
struct drawn {
	const char *name;
	int64_t runs, wait_ns;
	bool loud, has_timeout;
	size_t n_words, n_steps;
	const char *word[WORDS];
	const char *match[STEPS];
	int64_t unit[STEPS];
};

static void fini_buf(void *b)
{
	nf_buf_fini(b);
}

static void fini_conf(void *c)
{
	nf_conf_fini(c);
}

static const char *draw_text(struct pt_case *t)
{
	return pt_draw(t, "text", pt_unicode(pt_case_mem(t), 1, 12, 1, 0x2ff)).text;
}

static void draw(struct pt_case *t, struct drawn *d)
{
	d->name = draw_text(t);
	d->runs = pt_draw_int(t, -3, 100);
	d->wait_ns = pt_draw_int(t, 1000, 60000000000);
	d->loud = pt_draw_bool(t, 0.5);
	d->has_timeout = pt_draw_bool(t, 0.5);
	d->n_words = pt_draw_size(t, 1, WORDS);
	for (size_t i = 0; i < d->n_words; i++)
		d->word[i] = draw_text(t);
	d->n_steps = pt_draw_size(t, 0, STEPS);
	for (size_t i = 0; i < d->n_steps; i++) {
		d->match[i] = draw_text(t);
		if (d->match[i][0] == '*')
			d->match[i] = "x";
		d->unit[i] = pt_draw_int(t, 0, 1);
	}
}

/* In double quotes; what is not printable there as its number. */
static void add_text(struct nf_buf *out, const char *text)
{
	(void)nf_buf_addc(out, '"');
	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;
		bool c1 = c == 0xc2 && (unsigned char)p[1] < 0xa0;

		if (c1)
			(void)nf_buf_addf(out, "\\x%02x", (unsigned)(unsigned char)*++p);
		else if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
			(void)nf_buf_addf(out, "\\x%02x", (unsigned)c);
		else
			(void)nf_buf_addc(out, *p);
	}
	(void)nf_buf_addc(out, '"');
}

/* In blocks or in one line, the keys in either order. */
static void write_steps(struct nf_buf *out, const struct drawn *d, bool block)
{
	(void)nf_buf_adds(out, block && d->n_steps ? "steps:\n" : "steps: [");
	for (size_t i = 0; i < d->n_steps; i++) {
		(void)nf_buf_addf(out,
		                  block ? "  - unit: %s\n    match: " : "%s{ unit: %s, match: ",
		                  block    ? sample_units[d->unit[i]]
		                  : i == 0 ? ""
		                           : ", ",
		                  sample_units[d->unit[i]]);
		add_text(out, d->match[i]);
		(void)nf_buf_adds(out, block ? "\n" : " }");
	}
	(void)nf_buf_adds(out, block && d->n_steps ? "" : "]\n");
}

static void write_drawn(struct nf_buf *out, const struct drawn *d, bool block)
{
	(void)nf_buf_addf(out, "runs: %" PRId64 "\nwait: ", d->runs);
	(void)nf_duration_print(d->wait_ns, out);
	(void)nf_buf_addf(out, "\nloud: %s\nwords:%s", d->loud ? "true" : "false",
	                  block ? "\n" : " [");
	for (size_t i = 0; i < d->n_words; i++) {
		(void)nf_buf_adds(out, block ? "- " : i ? ", " : "");
		add_text(out, d->word[i]);
		(void)nf_buf_adds(out, block ? "\n" : "");
	}
	(void)nf_buf_adds(out, block ? "name: " : "]\nname: ");
	add_text(out, d->name);
	(void)nf_buf_addc(out, '\n');
	write_steps(out, d, block);
	if (d->has_timeout)
		(void)nf_buf_adds(out, "timeout: { load: 2s }\n");
}

static struct nf_buf *draw_file(struct pt_case *t, struct drawn *d)
{
	struct nf_buf *file = pt_alloc(t, sizeof(*file));

	nf_buf_init(file, TEXT_BYTES);
	pt_cleanup(t, fini_buf, file);
	draw(t, d);
	write_drawn(file, d, pt_draw_bool(t, 0.5));
	PT_ASSERT(t, !file->failed);
	return file;
}

static bool what_was_written_is_read(struct pt_case *t, void *arg)
{
	struct drawn d = { 0 };
	const struct nf_buf *file = draw_file(t, &d);
	struct nf_conf *c = pt_alloc(t, sizeof(*c));
	struct nf_err err = { 0 };

	(void)arg;
	pt_cleanup(t, fini_conf, c);
	if (nf_conf_read(&sample_type, "f.yaml", file->data, file->len_bytes, NULL, c, &err) < 0)
		PT_FAIL(t, "%s in %s", err.msg, file->data);
	const struct sample *s = c->root;
	const struct nf_conf_text *word = s->words.items;
	const struct sample_step *step = s->steps.items;
	PT_ASSERT(t, strcmp(s->name.v, d.name) == 0);
	PT_ASSERT_INT_EQ(t, s->runs.v, d.runs);
	PT_ASSERT_INT_EQ(t, s->wait.v, d.wait_ns);
	PT_ASSERT(t, s->loud.v == d.loud);
	PT_ASSERT_INT_EQ(t, s->words.n, d.n_words);
	PT_ASSERT_INT_EQ(t, s->steps.n, d.n_steps);
	for (size_t i = 0; i < d.n_words; i++)
		PT_ASSERT(t, strcmp(word[i].v, d.word[i]) == 0);
	for (size_t i = 0; i < d.n_steps; i++) {
		PT_ASSERT(t, strcmp(step[i].match.v, d.match[i]) == 0);
		PT_ASSERT_INT_EQ(t, step[i].unit.v, d.unit[i]);
	}
	PT_ASSERT_INT_EQ(t, s->timeout.load.v, d.has_timeout ? 2000000000 : 0);
	PT_ASSERT_INT_EQ(t, s->timeout.boot.v, 3000000000);
	return true;
}

static bool damage_is_refused_at_its_place(struct pt_case *t, void *arg)
{
	struct drawn d = { 0 };
	struct nf_buf *file = draw_file(t, &d);
	struct nf_conf *c = pt_alloc(t, sizeof(*c));
	struct pt_loop l = { .min = 1, .max = 8 };
	struct nf_err err = { 0 };
	unsigned line = 0, column = 0, lines = 1;

	(void)arg;
	while (pt_more(t, &l))
		file->data[pt_draw_size(t, 0, file->len_bytes - 1)] =
		        (char)(pt_draw_bool(t, 0.5)
		                       ? "[]{}:,#&*!|>'\"%@`-? \n\t"[pt_draw_pick(t, 22)]
		                       : (char)pt_draw_int(t, -128, 127));
	for (size_t i = 0; i < file->len_bytes; i++)
		lines += file->data[i] == '\n';
	pt_cleanup(t, fini_conf, c);
	int r = nf_conf_read(&sample_type, "f.yaml", file->data, file->len_bytes, NULL, c, &err);
	pt_classify(t, r < 0, "refused");
	if (r == 0)
		return true;
	PT_ASSERT_INT_EQ(t, r, -NF_EDATA);
	PT_ASSERT(t, sscanf(err.msg, "f.yaml:%u:%u: ", &line, &column) == 2);
	PT_ASSERT(t, line >= 1 && column >= 1 && line <= lines);
	PT_ASSERT(t, !strchr(err.msg, '\n') && !c->root);
	return true;
}

const struct law laws_conf[] = {
	{ "conf round trip", "A file in YAML is read as what was written, whatever its style.",
	  what_was_written_is_read, NULL },
	{ "conf damage",
	  "A damaged file is refused in one line that names a place within it, or read whole.",
	  damage_is_refused_at_its_place, NULL },
	{ .name = NULL },
};
