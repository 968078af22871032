/* SPDX-License-Identifier: MIT */
#include "report/text_port_check.h"

#include <inttypes.h>

#include "report/text.h"
#include "report/text_console.h"

static void names(const struct nf_rec_port_check *r, struct nf_buf *out)
{
	nf_text_console_port(&r->port, out);
	if (r->port.by_path)
		nf_buf_addf(out, "by_path  %s\n", r->port.by_path);
	if (r->by_id)
		nf_buf_addf(out, "by_id    %s\n", r->by_id);
}

static void listened(const char *word, const struct nf_rec_port_listened *l, struct nf_buf *out)
{
	nf_buf_addf(out, "%-8s %" PRIu64 " bytes in ", word, l->bytes);
	(void)nf_text_ns(out, true, (double)l->wall_ns);
	if (l->bytes)
		nf_buf_addf(out, ", %.1f %% of them text",
		            100.0 * (double)l->text_bytes / (double)l->bytes);
	if (l->baud.some)
		nf_buf_addf(out, ", at %" PRIu64 " baud", l->baud.v);
	nf_buf_addc(out, '\n');
}

static void rate(const struct nf_rec_port_check *r, struct nf_buf *out)
{
	static const char *const words[] = {
		[NF_PORT_RATE_UNKNOWN] = "unknown: too little came",
		[NF_PORT_RATE_NOT_APPLICABLE] = "not applicable: it has none",
		[NF_PORT_RATE_SILENT] = "unknown: nothing came",
		[NF_PORT_RATE_NONE_FITS] = "unknown: no rate that was tried reads as text",
		[NF_PORT_RATE_ANOTHER] = "reads as text, not the one that was given",
		[NF_PORT_RATE_AS_GIVEN] = "as given: reads as text",
	};

	nf_buf_adds(out, "rate     ");
	if (r->rate_baud.some)
		nf_buf_addf(out, "%" PRIu64 " baud ", r->rate_baud.v);
	nf_buf_addf(out, "%s\n", words[r->rate]);
}

static void power(const struct nf_rec_port_power *p, struct nf_buf *out)
{
	static const char *const states[] = { "unknown: the switch cannot be asked", "off", "on" };

	nf_buf_addf(out, "power    %s (%s)\n", p->trouble ? p->trouble : states[p->state],
	            p->driver);
}

static void texts(const char *word, const struct nf_list *list, struct nf_buf *out)
{
	const char *const *item = list->items;

	for (size_t i = 0; i < list->n; i++)
		nf_buf_addf(out, "%-8s %s\n", word, item[i]);
}

int nf_text_port_check(const struct nf_rec_port_check *r, struct nf_buf *out)
{
	const struct nf_rec_port_listened *tried = r->tried.items;

	if (r->board)
		nf_buf_addf(out, "board    %s\n", r->board);
	names(r, out);
	if (r->trouble)
		nf_buf_addf(out, "trouble  %s\n", r->trouble);
	if (r->listened) {
		if (r->waiting_bytes)
			nf_buf_addf(out,
			            "waiting  %" PRIu64
			            " bytes had come before and are not judged\n",
			            r->waiting_bytes);
		listened("heard", r->listened, out);
		for (size_t i = 0; i < r->tried.n; i++)
			listened("tried", &tried[i], out);
		if (r->last_line)
			nf_buf_addf(out, "last     %s\n", r->last_line);
		rate(r, out);
		nf_text_console_errors(r->errors, out);
	}
	if (r->power)
		power(r->power, out);
	texts("finding", &r->findings, out);
	texts("advice", &r->advice, out);
	texts("udev", &r->udev_rules, out);
	return -(int)out->failed;
}
