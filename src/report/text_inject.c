/* SPDX-License-Identifier: MIT */
/* text_inject - what probes saw of bursts that are known. */
#include <inttypes.h>

#include "report/text.h"
#include "report/text_parts.h"

int nf_text_inject_plan(const struct nf_rec_inject_plan *p, struct nf_buf *out)
{
	nf_text_after(out, "inject   ", true, (double)p->length_ns);
	nf_text_after(out, " every ", true, (double)p->period_ns);
	nf_buf_addf(out, " into CPU %" PRIu64, p->cpu);
	nf_text_after(out, ", phase ", true, (double)p->phase_ns);
	nf_buf_adds(out, p->phase_drawn ? " (drawn)" : "");
	nf_text_after(out, "; ", true, (double)p->duration_ns);
	nf_buf_adds(out, " a pass; ");
	nf_text_percent(out, true, p->min_recall_ratio);
	nf_buf_adds(out, " have to be seen\n");
	return -(int)out->failed;
}

static void recall(const struct nf_rec_inject_found *f, struct nf_buf *out)
{
	nf_buf_adds(out, "saw ");
	nf_text_percent(out, f->recall_ratio.some, f->recall_ratio.v);
	nf_buf_addf(out, " of the bursts (%" PRIu64 " of %" PRIu64, f->found, f->bursts);
	if (f->recall_lo.some) {
		nf_buf_adds(out, "; 95 % interval from ");
		nf_text_percent(out, true, f->recall_lo.v);
	}
	if (f->recall_hi.some && f->recall_hi.v < 1) {
		nf_buf_adds(out, " to ");
		nf_text_percent(out, true, f->recall_hi.v);
	}
	nf_buf_adds(out, ")\n");
}

/* Beside the recall: what hits that know of no burst would have had. */
static void by_chance(const struct nf_rec_inject_pass *control, struct nf_buf *out)
{
	const struct nf_rec_inject_chance *c = control ? control->chance : NULL;

	nf_buf_adds(out, "  by chance   ");
	if (!c || !c->recall_by_chance_ratio.some) {
		nf_buf_adds(out, "not known: no pass without bursts\n");
		return;
	}
	nf_text_percent(out, true, c->recall_by_chance_ratio.v);
	nf_buf_addf(out,
	            ": without bursts a hit covers %" PRIu64 " of %" PRIu64
	            " of the same instants\n",
	            c->covered, c->bursts);
}

static void control(const struct nf_rec_inject_phase *p, struct nf_buf *out)
{
	if (!p) {
		nf_buf_adds(out, "no phase to compare\n");
		return;
	}
	nf_buf_addf(out, "%" PRIu64 " of %" PRIu64 " hits begin at the injected phase", p->injected,
	            p->hits);
	if (p->rate_ratio.some)
		nf_buf_addf(out, ", %.3g x the mean elsewhere", p->rate_ratio.v);
	nf_buf_addf(out, " (p %.3g)\n", p->p_rank);
}

int nf_text_inject_pass(const struct nf_rec_inject_pass *p, struct nf_buf *out)
{
	if (p->found)
		recall(p->found, out);
	else
		control(p->phase, out);
	return -(int)out->failed;
}

static void enclosing(const struct nf_rec_inject_found *f, struct nf_buf *out)
{
	if (f->found == 0)
		return;
	if (f->enclosed == f->found)
		nf_buf_adds(out, "  every hit begins before its burst and ends after it\n");
	else
		nf_buf_addf(out,
		            "  %" PRIu64 " of %" PRIu64 " hits enclose their burst; %" PRIu64
		            " begin late, %" PRIu64 " end early\n",
		            f->enclosed, f->found, f->begin_late, f->end_early);
	if (f->shared > 0)
		nf_buf_addf(out, "  %" PRIu64 " hits lie over more than one burst\n", f->shared);
}

static void injected(const struct nf_rec_inject_pass *p, struct nf_buf *out)
{
	static const char *const policy[] = { "other", "fifo", "rr", "deadline" };
	const struct nf_rec_inject_found *f = p->found;
	const struct nf_rec_inject_bursts *b = p->bursts;

	enclosing(f, out);
	if (f->excess) {
		nf_buf_adds(out, "  excess      ");
		nf_text_spread(out, f->excess);
		nf_buf_adds(out,
		            "\n              the least is two switches; what is beyond went to "
		            "others that ran in the same gap\n");
	}
	if (f->begin_error) {
		nf_buf_adds(out, "  begin error ");
		nf_text_spread(out, f->begin_error);
		nf_buf_adds(out, "\n");
	}
	nf_buf_addf(out, "  injector    %s", policy[b->policy]);
	if (b->priority)
		nf_buf_addf(out, " %" PRIu64, b->priority);
	if (b->lateness) {
		nf_buf_adds(out, ", late by ");
		nf_text_spread(out, b->lateness);
	}
	nf_buf_adds(out, "\n");
	if (b->skipped + b->dropped > 0)
		nf_buf_addf(out, "  %" PRIu64 " bursts never made, %" PRIu64 " not kept\n",
		            b->skipped, b->dropped);
	nf_buf_adds(out, "  precision   ");
	if (p->phase) {
		nf_text_percent(out, p->phase->precision_ratio.some, p->phase->precision_ratio.v);
		nf_buf_addf(out, " of the %" PRIu64 " hits at the injected phase, ",
		            p->phase->injected);
	}
	nf_text_percent(out, f->hits_on_bursts_ratio.some, f->hits_on_bursts_ratio.v);
	nf_buf_addf(out, " of all %" PRIu64 " hits\n", f->hits);
}

/* A pass by itself: what a reader must know of it. */
static void notes(const struct nf_rec_facts *f, const char *which, struct nf_buf *out)
{
	const char *const *note = f->notes.items;

	if (nf_text_lost(f) > 0)
		nf_buf_addf(out, "  lost %s: %" PRIu64 " samples\n", which, nf_text_lost(f));
	for (size_t i = 0; i < f->notes.n; i++)
		nf_buf_addf(out, "  note %s: %s\n", which, note[i]);
}

static void probe(const struct nf_rec_inject_probe *p, struct nf_buf *out)
{
	nf_buf_addf(out, "%-8s ", p->probe);
	if (!p->injected) {
		nf_buf_addf(out, "%s: %s\n", nf_text_result(p->result), p->reason);
		return;
	}
	recall(p->injected->found, out);
	by_chance(p->control, out);
	if (p->caution)
		nf_buf_addf(out, "  note        %s\n", p->caution);
	nf_buf_addf(out, "  result      %s%s%s\n", nf_text_result(p->result), p->reason ? ": " : "",
	            p->reason ? p->reason : "");
	nf_buf_addf(out, "  a hit is    %s (", p->hit);
	nf_text_ns(out, true, (double)p->injected->threshold_ticks * 1e9 / p->injected->tick_hz);
	nf_buf_adds(out, ")\n");
	injected(p->injected, out);
	if (p->control) {
		nf_buf_adds(out, "  no bursts   ");
		control(p->control->phase, out);
		if (p->control->phase)
			nf_buf_addf(out,
			            "              %s at the injected phase than at others (rank "
			            "among %" PRIu64 " windows)\n",
			            p->control->phase->preferred ? "MORE FREQUENT"
			                                         : "no more frequent",
			            p->control->phase->windows);
		notes(&p->control->facts, "without bursts", out);
	}
	notes(&p->injected->facts, "with bursts", out);
}

int nf_text_inject(const struct nf_rec_inject_run *r, struct nf_buf *out)
{
	const struct nf_rec_inject_probe *p = r->probes.items;
	const struct nf_rec_head *h = &r->head;

	nf_text_head(&h->setup_before, h->lane, h->clock, out);
	nf_text_inject_plan(&r->plan, out);
	for (size_t i = 0; i < r->probes.n; i++) {
		nf_buf_adds(out, "\n");
		probe(&p[i], out);
	}
	nf_buf_addf(out, "\nresult   %s%s%s\nceiling  %s\n", nf_text_result(h->result),
	            h->reason ? ": " : "", h->reason ? h->reason : "", h->claim_ceiling);
	return -(int)out->failed;
}
