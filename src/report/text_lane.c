/* SPDX-License-Identifier: MIT */
#include "report/text_lane.h"

#include <string.h>

static const char *or_unknown(const char *text)
{
	return text ? text : "unknown";
}

/* "*" default, ">" the next boot, "+" candidate. */
static void entry(const struct nf_rec_lane_status *s, const struct nf_rec_lane_entry *e,
                  struct nf_buf *out)
{
	bool next = s->next_entry && strcmp(s->next_entry, e->id) == 0;

	nf_buf_addf(out, "  %c%c%c %-8s %-28s %s%s\n", e->is_default ? '*' : ' ', next ? '>' : ' ',
	            e->candidate ? '+' : ' ', nf_rec_lane_type.names[e->lane],
	            or_unknown(e->release), e->title, e->recovery ? " [recovery]" : "");
	nf_buf_addf(out, "      id     %s\n", e->id);
	if (e->lane_from)
		nf_buf_addf(out, "      lane   by %s\n", e->lane_from);
}

int nf_text_lane_status(const struct nf_rec_lane_status *s, struct nf_buf *out)
{
	const struct nf_rec_lane_entry *e = s->entries.items;
	const char *const *reason = s->reasons.items;

	nf_buf_addf(out, "machine  %s (%s)\n", or_unknown(s->host), s->reached);
	nf_buf_addf(out, "runs     %s, lane %s\n", or_unknown(s->kernel_release),
	            nf_rec_lane_type.names[s->lane]);
	nf_buf_addf(out, "loader   %s\n", s->loader ? s->loader : "none that boots an entry once");
	if (s->default_entry)
		nf_buf_addf(out, "default  %s\n", s->default_entry);
	else
		nf_buf_addf(out, "default  unknown: %s\n", or_unknown(s->default_unknown));
	nf_buf_addf(out, "next     %s\n",
	            !s->next_known  ? "unknown"
	            : s->next_entry ? s->next_entry
	                            : "the default");
	if (s->entries.n)
		nf_buf_adds(
		        out,
		        "kernels  * default, > next boot only, + can be booted once as realtime\n");
	for (size_t i = 0; i < s->entries.n; i++)
		entry(s, &e[i], out);
	for (size_t i = 0; i < s->reasons.n; i++)
		nf_buf_addf(out, "hinders  %s\n", reason[i]);
	if (s->can_arm)
		nf_buf_adds(out, "one-shot can be armed: `lane arm`\n");
	else
		nf_buf_addf(out, "one-shot cannot be armed: %s\n", or_unknown(s->refusal));
	return out->failed ? -(int)out->failed : 0;
}
