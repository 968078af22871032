/* SPDX-License-Identifier: MIT */
/* text_posture - a machine's setup for people: its facts, or what a profile and the rules say. */
#include <inttypes.h>

#include "report/text.h"

/* One fact a line, in table order. */
static void facts(const struct nf_rec_setup *s, struct nf_buf *out)
{
	const char *const *unread = s->unread.items;

#define ROW_TEXT(name) nf_buf_addf(out, "%-22s %s\n", #name, s->name ? s->name : "unknown");
#define ROW_BOOL(name) \
	nf_buf_addf(out, "%-22s %s\n", #name, !s->name.some ? "unknown" : s->name.v ? "yes" : "no");
#define ROW_NAT(name) \
	if (s->name.some) \
		nf_buf_addf(out, "%-22s %" PRIu64 "\n", #name, s->name.v); \
	else \
		nf_buf_addf(out, "%-22s unknown\n", #name);
#define ROW_REAL(name) \
	if (s->name.some) \
		nf_buf_addf(out, "%-22s %.2f\n", #name, s->name.v); \
	else \
		nf_buf_addf(out, "%-22s unknown\n", #name);
#define X(kind, name, is_volatile, doc) ROW_##kind(name)
#include "posture.def"
#undef X
	for (size_t i = 0; i < s->unread.n; i++)
		nf_buf_addf(out, "unread                 %s\n", unread[i]);
}

static void profile(const struct nf_rec_posture *p, struct nf_buf *out)
{
	const struct nf_rec_profile_line *line = p->profile_lines.items;

	nf_buf_addf(out, "profile  %s\n", p->profile);
	for (size_t i = 0; i < p->profile_lines.n; i++) {
		const struct nf_rec_profile_line *l = &line[i];

		nf_buf_addf(out, "%-10s %4" PRIu64 "  %s", nf_rec_match_type.names[l->match],
		            l->line, l->text);
		if (l->unread)
			nf_buf_addf(out, " (cannot be read: %s)", l->unread);
		else if (l->match == NF_MATCH_MISMATCHED)
			nf_buf_addf(out, " (here: %s)", l->found);
		nf_buf_adds(out, "\n");
	}
	if (p->result.some)
		nf_buf_addf(out, "result   %s%s%s\n", nf_text_result(p->result.v),
		            p->reason ? ": " : "", p->reason ? p->reason : "");
}

static void advice(const struct nf_rec_advice *a, struct nf_buf *out)
{
	const struct nf_rec_advice_item *item = a->items.items;
	const char *const *undecided = a->undecided.items;

	for (size_t i = 0; i < a->items.n; i++) {
		nf_buf_addf(out, "%s: %s\n", item[i].id, item[i].found);
		nf_buf_addf(out, "    effect  %s\n", item[i].effect);
		nf_buf_addf(out, "    help    %s\n", item[i].help);
		nf_buf_addf(out, "    source  %s; read from %s\n", item[i].source,
		            item[i].read_from);
	}
	if (a->items.n == 0)
		nf_buf_adds(out, "no rule has anything to say\n");
	if (a->undecided.n) {
		nf_buf_adds(out, "undecided, the fact is unknown here:");
		for (size_t i = 0; i < a->undecided.n; i++)
			nf_buf_addf(out, "%s %s", i ? "," : "", undecided[i]);
		nf_buf_adds(out, "\n");
	}
}

int nf_text_posture(const struct nf_rec_posture *p, struct nf_buf *out)
{
	if (!p->profile && !p->advice)
		facts(&p->setup, out);
	if (p->profile)
		profile(p, out);
	if (p->profile && p->advice)
		nf_buf_adds(out, "\n");
	if (p->advice)
		advice(p->advice, out);
	return -(int)out->failed;
}
