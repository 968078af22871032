/* SPDX-License-Identifier: MIT */
#include "report/text_audit_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/text_bench.h"
#include "report/text_fit.h"

enum { COLUMNS = 80, NAME = 30, PHASE = 18, INDENT = 10, PHASES_SHOWN = 40 };

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void add_phase(const struct nf_rec_audit_log_phase *p, struct nf_buf *out)
{
	const char *slash = strrchr(p->path, '/');

	nf_text_clip(out, slash ? slash + 1 : p->path, NAME, true);
	nf_buf_addc(out, ' ');
	nf_text_clip(out, p->phase, PHASE, true);
	if (!p->duration_s.some || p->duration_s.v < 0) {
		nf_buf_adds(out, p->duration_s.some ? " the other order\n" : " not seen\n");
		return;
	}
	nf_buf_addf(out, "%8.4g%8.4g", p->duration_s.v, p->uart_s);
	if (p->uart_ratio.some)
		nf_buf_addf(out, "%6.1f %%", 100 * p->uart_ratio.v);
	else
		nf_buf_adds(out, "       -");
	nf_buf_addf(out, "%6" PRIu64 "\n", p->lines);
}

/* The text cut to its columns, without half a character at the end. */
static void add_text(const char *text, size_t columns, struct nf_buf *out)
{
	size_t len = strlen(text);

	if (len > columns) {
		len = columns;
		while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
			len--;
	}
	for (size_t i = 0; i < len; i++)
		nf_buf_addc(out, text[i] == '\t' ? ' ' : text[i]);
}

static void add_line(const struct nf_rec_audit_log_line *l, struct nf_buf *out)
{
	const char *slash = strrchr(l->path, '/');
	char number[32];

	snprintf(number, sizeof(number), "%.4g ms", 1e3 * l->per_log_s);
	nf_buf_addf(out, "%*s  ", INDENT - 2, number);
	add_text(l->text, COLUMNS - INDENT, out);
	nf_buf_addf(out, "\n%*sin ", INDENT, "");
	nf_text_clip(out, l->phase, PHASE, false);
	if (l->times > 1)
		nf_buf_addf(out, ", %" PRIu64 " times in %" PRIu64 " log%s", l->times, l->logs,
		            plural(l->logs));
	nf_buf_addf(out, "; ");
	nf_text_clip(out, slash ? slash + 1 : l->path, NAME - 8, false);
	nf_buf_addf(out, ":%" PRIu64 "\n", l->line);
}

int nf_text_audit_log(const struct nf_rec_audit_log *r, struct nf_buf *out)
{
	const struct nf_rec_audit_log_phase *p = r->phases.items;
	const struct nf_rec_audit_log_line *l = r->lines.items;
	bool assumed = false, timed = false;

	nf_buf_addf(out, "%-*s %-*s%8s%8s%8s%6s\n", NAME, "log", PHASE, "phase", "s", "UART s",
	            "share", "lines");
	for (size_t i = 0; i < r->phases.n && i < PHASES_SHOWN; i++)
		add_phase(&p[i], out);
	if (r->phases.n > PHASES_SHOWN)
		nf_buf_addf(out, "... and %zu more, in the record\n", r->phases.n - PHASES_SHOWN);
	for (size_t i = 0; i < r->phases.n; i++)
		assumed = assumed || strcmp(p[i].baud_why, "assumed") == 0;
	if (assumed)
		nf_buf_adds(out,
		            "No speed was given, and a log names none: 115200 baud is assumed.\n");
	if (r->lines.n) {
		nf_buf_adds(out,
		            "\nLines inside phases, the most expensive first (time on the line, a "
		            "log)\n");
		for (size_t i = 0; i < r->lines.n; i++)
			add_line(&l[i], out);
	}
	if (r->lines_found > r->lines.n)
		nf_buf_addf(out, "... and %" PRIu64 " kinds of line more (--top shows more)\n",
		            r->lines_found - r->lines.n);
	if (r->lines_lost)
		nf_buf_addf(out,
		            "%" PRIu64 " lines had no room: they are in the phases' sums only\n",
		            r->lines_lost);
	for (size_t i = 0; i < r->phases.n; i++)
		timed = timed || (p[i].duration_s.some && p[i].duration_s.v >= 0);
	if (!timed)
		nf_buf_adds(out, "\nNo log has both ends of any phase: nothing was audited.\n");
	else
		nf_buf_addf(out, "\n%" PRIu64 " kind%s of line inside timed phases\n",
		            r->lines_found, plural(r->lines_found));
	return -(int)out->failed;
}
