/* SPDX-License-Identifier: MIT */
/* text_causes - the table of --why. */
#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "report/chrome.h"
#include "report/text.h"

enum { MAX_ROWS = 16, NAME_COLUMNS = 24 };

const char *nf_text_cause_kind(int kind)
{
	static const char *const names[] = {
		[NF_CAUSE_UNEXPLAINED] = "unexplained",
		[NF_CAUSE_LOST] = "events lost",
		[NF_CAUSE_IRQ] = "irq",
		[NF_CAUSE_SOFTIRQ] = "softirq",
		[NF_CAUSE_NMI] = "nmi",
		[NF_CAUSE_THREAD] = "thread",
	};

	return (unsigned)kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "unknown";
}

/* A duration that ends at the column. */
static void ns(struct nf_buf *out, double value, int columns)
{
	struct nf_buf text;

	nf_buf_init(&text, 64);
	(void)nf_text_ns(&text, true, value);
	(void)nf_buf_addf(out, "%*s", columns, text.data);
	nf_buf_fini(&text);
}

static void row(struct nf_buf *out, const struct nf_rec_cause *c)
{
	char name[64];

	if (c->kind == NF_CAUSE_UNEXPLAINED)
		snprintf(name, sizeof(name), "(hardware, hypervisor)");
	else if (c->pid.some)
		snprintf(name, sizeof(name), "%.*s (%" PRIu64 ")", NF_UTF8_CUT(c->name, 40),
		         c->pid.v);
	else
		snprintf(name, sizeof(name), "%.*s",
		         NF_UTF8_CUT(c->name[0] ? c->name : "(others)", 60));
	nf_buf_addf(out, "  %-11s %-*s", nf_text_cause_kind(c->kind), NAME_COLUMNS, name);
	ns(out, c->total_ns, 10);
	nf_buf_addf(out, " %6.2f %%", c->share.some ? 100 * c->share.v : 0.0);
	ns(out, c->longest_ns, 10);
	nf_buf_addf(out, " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "\n", c->count, c->met,
	            c->occurrences);
}

int nf_text_causes(const struct nf_rec_causes *c, struct nf_buf *out)
{
	const struct nf_rec_cause *cause = c->causes.items;
	size_t shown = 0;
	uint64_t ticks = 0, count = 0;

	nf_buf_addf(out, "causes of %" PRIu64 " interruptions (%s):\n", c->intervals, c->noise);
	nf_buf_addf(out, "  %-*s%10s %8s%10s %9s %9s %9s\n", 12 + NAME_COLUMNS, "", "time", "share",
	            "longest", "named", "met", "happened");
	for (size_t i = 0; i < c->causes.n; i++) {
		/* What happened and took nothing stands in the record. */
		if (cause[i].total_ticks == 0)
			continue;
		/* What nobody knows is never hidden behind what is known. */
		if (shown++ < MAX_ROWS || cause[i].kind <= NF_CAUSE_LOST) {
			row(out, &cause[i]);
			continue;
		}
		ticks += cause[i].total_ticks;
		count += cause[i].count;
	}
	if (ticks > 0) {
		nf_buf_addf(out, "  %-*s", 12 + NAME_COLUMNS, "more in the record");
		ns(out, (double)ticks * 1e9 / c->tick_hz, 10);
		nf_buf_addf(out, " %6.2f %%%10s %9" PRIu64 "\n",
		            c->noise_ticks ? 100.0 * (double)ticks / (double)c->noise_ticks : 0.0,
		            "", count);
	}
	nf_buf_addf(out, "  %-*s", 12 + NAME_COLUMNS, "all of the noise");
	ns(out, c->noise_ns, 10);
	nf_buf_addf(out, " %6.2f %%%10s %9" PRIu64 "\n", c->noise_ticks ? 100.0 : 0.0, "",
	            c->intervals);
	nf_buf_adds(
	        out,
	        "named: gaps it was the reason for; met: times it began while the measuring "
	        "thread had the CPU;\nhappened: times it began at all: inside a gap named after "
	        "another, or while others ran, it has\nno gap of its own\n");
	if (c->events_lost + c->events_dropped > 0)
		nf_buf_addf(out,
		            "lost: %" PRIu64 " trace events by the kernel's buffer, %" PRIu64
		            " beyond the memory for them\n",
		            c->events_lost, c->events_dropped);
	return -(int)out->failed;
}
