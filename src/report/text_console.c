/* SPDX-License-Identifier: MIT */
#include "report/text_console.h"

#include <inttypes.h>

#include "base/duration.h"
#include "report/text.h"

int nf_text_console_line(const char *text, size_t len, int64_t lo_ns, int64_t hi_ns,
                         bool unfinished, struct nf_buf *out)
{
	struct nf_buf line;
	int decimals = 6;

	/* The last digit is worth at least a tenth of the interval. */
	for (int64_t width = hi_ns - lo_ns; width > 10000 && decimals > 1; width /= 10)
		decimals--;
	nf_buf_init(&line, out->max_bytes);
	(void)nf_buf_add(&line, text, len);
	(void)nf_text_printable_table(&line);
	(void)nf_buf_addf(out, "%*.*f%*s%s ", 6 + decimals, decimals, (double)hi_ns / 1e9,
	                  6 - decimals, "", unfinished ? " ~" : "  ");
	(void)nf_buf_add(out, line.data, line.len_bytes);
	(void)nf_buf_addc(out, '\n');
	int failed = (int)line.failed;
	nf_buf_fini(&line);
	return failed ? -failed : -(int)out->failed;
}

void nf_text_console_port(const struct nf_rec_console_port *p, struct nf_buf *out)
{
	static const char *const kinds[] = { "serial port", "pty", "unix socket", "TCP" };

	nf_buf_addf(out, "port     %s (%s", p->name,
	            p->kind >= 0 && p->kind < 4 ? kinds[p->kind] : "unknown");
	if (p->driver)
		nf_buf_addf(out, ", %s", p->driver);
	if (p->baud.some)
		nf_buf_addf(out, ", %" PRIu64 " baud", p->baud.v);
	nf_buf_adds(out, ")\n");
	if (p->latency_timer_ms.some && p->latency_timer_ms.v > 1)
		nf_buf_addf(out,
		            "         the adapter keeps bytes back for up to %" PRIu64
		            " ms (latency_timer); 1 would make the times better\n",
		            p->latency_timer_ms.v);
}

static void times(const struct nf_rec_console_run *r, struct nf_buf *out)
{
	nf_buf_adds(out, "times    ");
	if (!r->interval_mean_ns.some) {
		nf_buf_adds(out, "no lines\n");
		return;
	}
	nf_buf_adds(out, "first bytes came in intervals of ");
	(void)nf_text_ns(out, true, r->interval_mean_ns.v);
	nf_buf_adds(out, " in the mean, ");
	(void)nf_text_ns(out, r->interval_max_ns.some, r->interval_max_ns.v);
	nf_buf_adds(out, " at most");
	if (!r->port.delay_ns.some)
		nf_buf_adds(out, "; how long the port keeps bytes back is unknown");
	nf_buf_addc(out, '\n');
	if (r->waiting)
		nf_buf_addf(out, "         %" PRIu64 " lines were waiting when the capture began\n",
		            r->waiting);
}

void nf_text_console_errors(const struct nf_rec_console_errors *e, struct nf_buf *out)
{
	if (!e) {
		nf_buf_adds(out, "errors   unknown: the port counts none\n");
		return;
	}
	nf_buf_addf(out,
	            "errors   %" PRIu64 " overruns, %" PRIu64 " of the kernel's buffer, %" PRIu64
	            " framing, %" PRIu64 " parity, %" PRIu64 " breaks\n",
	            e->overrun, e->buf_overrun, e->frame, e->parity, e->breaks);
}

static void lines(const struct nf_rec_console_lines *l, struct nf_buf *out)
{
	nf_buf_addf(out, "lines    %" PRIu64, l->lines);
	if (l->replaced)
		nf_buf_addf(out, "; text replaced %" PRIu64 " times", l->replaced);
	if (l->cut)
		nf_buf_addf(out, "; %" PRIu64 " cut, %" PRIu64 " bytes", l->cut, l->cut_bytes);
	if (l->nul)
		nf_buf_addf(out, "; %" PRIu64 " NUL", l->nul);
	if (l->bad_utf8)
		nf_buf_addf(out, "; %" PRIu64 " broken UTF-8", l->bad_utf8);
	if (l->controls)
		nf_buf_addf(out, "; %" PRIu64 " control sequences", l->controls);
	nf_buf_addc(out, '\n');
}

int nf_text_console_run(const struct nf_rec_console_run *r, struct nf_buf *out)
{
	nf_text_console_port(&r->port, out);
	nf_buf_addf(out, "bytes    %" PRIu64 " in %" PRIu64 " reads, over ", r->bytes, r->reads);
	(void)nf_text_ns(out, true, (double)r->wall_ns);
	if (r->interactive)
		nf_buf_addf(out, "; %" PRIu64 " typed", r->bytes_typed);
	nf_buf_addc(out, '\n');
	lines(&r->lines, out);
	times(r, out);
	nf_text_console_errors(r->errors, out);
	if (r->head.reason)
		nf_buf_addf(out, "ended    %s\n", r->head.reason);
	return -(int)out->failed;
}
