/* SPDX-License-Identifier: MIT */
#include "report/text_audit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "report/text.h"
#include "report/text_bench.h"
#include "report/text_fit.h"

enum { COLUMNS = 80, REGIONS_SHOWN = 40, CALLS_SHOWN = 12, KEY = 11 };

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Words behind a key, in lines of 80 columns that go on below the first word. */
static void paragraph(struct nf_buf *out, const char *key, const char *words)
{
	size_t column = KEY;

	nf_buf_addf(out, "  %-*s", KEY - 2, key);
	while (*words) {
		size_t len = strcspn(words, " ");

		if (column > KEY && column + 1 + len > COLUMNS) {
			nf_buf_addf(out, "\n%*s", KEY, "");
			column = KEY;
		}
		if (column > KEY) {
			nf_buf_addc(out, ' ');
			column++;
		}
		nf_buf_add(out, words, len);
		column += len;
		words += len;
		words += strspn(words, " ");
	}
	nf_buf_addc(out, '\n');
}

/* The same of a text that was just put together; it is emptied. */
static void flush_paragraph(struct nf_buf *out, const char *key, struct nf_buf *words)
{
	paragraph(out, key, words->data);
	nf_buf_clear(words);
}

static const char *target_name(int kind)
{
	static const char *const names[] = { "not known", "a terminal", "a serial port",
		                             "a pipe",    "a file",     "a socket",
		                             "a device",  "/dev/null",  "neither file nor device" };

	return kind >= 0 && (size_t)kind < sizeof(names) / sizeof(names[0]) ? names[kind]
	                                                                    : names[0];
}

static bool is_console(int kind)
{
	return kind == 1 || kind == 2;
}

/* --- one region --- */

static void heading(const struct nf_rec_audit_region *r, struct nf_buf *out)
{
	const struct nf_rec_audit_sums *s = &r->sums;

	nf_text_clip(out, r->name, COLUMNS, false);
	nf_buf_addf(out, "\n  %-*s%" PRIu64 " time%s", KEY - 2, "run", s->ended, plural(s->ended));
	if (s->ended) {
		nf_buf_adds(out, ", ");
		nf_text_ns(out, true, r->net_ns / (double)s->ended);
		nf_buf_adds(out, s->ended > 1 ? " each (" : "");
		if (s->ended > 1) {
			nf_text_ns(out, s->min_ns.some, (double)s->min_ns.v);
			nf_buf_adds(out, " to ");
			nf_text_ns(out, s->max_ns.some, (double)s->max_ns.v);
			nf_buf_addc(out, ')');
		}
	}
	nf_buf_addc(out, '\n');
}

static void count(struct nf_buf *w, const char *verb, uint64_t bytes, uint64_t calls)
{
	if (bytes || calls)
		nf_buf_addf(w, "; %" PRIu64 " byte%s %s in %" PRIu64 " call%s", bytes,
		            plural(bytes), verb, calls, plural(calls));
}

static void io_lines(const struct nf_rec_audit_region *r, struct nf_buf *out, struct nf_buf *w)
{
	const struct nf_rec_audit_sums *s = &r->sums;

	if (!s->with_io) {
		paragraph(out, "I/O",
		          r->has_io ? "none that /proc counts; see the system calls" : "none");
		return;
	}
	nf_buf_addf(w, "in %" PRIu64 " of %" PRIu64 " times", s->with_io, s->ended);
	if (s->first_io.some)
		nf_buf_addf(w, ", first in number %" PRIu64, s->first_io.v);
	count(w, "written", s->io.wchar, s->io.syscw);
	count(w, "read", s->io.rchar, s->io.syscr);
	count(w, "written by others", s->others_wchar, s->others_syscw);
	if (s->buffered_bytes)
		nf_buf_addf(w, "; %" PRIu64 " byte%s printed and not written", s->buffered_bytes,
		            plural(s->buffered_bytes));
	if (s->flushed_bytes)
		nf_buf_addf(w, "; %" PRIu64 " written that had been printed before",
		            s->flushed_bytes);
	if (s->io.read_bytes || s->io.write_bytes)
		nf_buf_addf(w, "; storage: %" PRIu64 " bytes in, %" PRIu64 " out", s->io.read_bytes,
		            s->io.write_bytes);
	flush_paragraph(out, "I/O", w);
}

static void console_lines(const struct nf_rec_audit_run *run, const struct nf_rec_audit_region *r,
                          struct nf_buf *out, struct nf_buf *w)
{
	if (r->console_bytes == 0)
		return;
	nf_buf_addf(w, "%" PRIu64 " bytes at %" PRIu64 " baud are ", r->console_bytes, run->baud);
	nf_text_ns(w, true, r->console_ns);
	if (r->console_ratio.some && r->console_ratio.v >= 1)
		nf_buf_addf(w, ", %.1f times the region", r->console_ratio.v);
	else if (r->console_ratio.some)
		nf_buf_addf(w, ", %.3g %% of the region", 100 * r->console_ratio.v);
	if (!is_console(run->stdout_kind) && !is_console(run->stderr_kind))
		nf_buf_adds(w, ", if they went to a console of that speed");
	flush_paragraph(out, "console", w);
}

static void region_lines(const struct nf_rec_audit_run *run, const struct nf_rec_audit_region *r,
                         struct nf_buf *out, struct nf_buf *w)
{
	const char *const *warning = r->warnings.items;

	heading(r, out);
	io_lines(r, out, w);
	console_lines(run, r, out, w);
	nf_buf_adds(w, "kernel ");
	if (r->kernel_ratio.some)
		nf_text_percent(w, true, r->kernel_ratio.v);
	else
		nf_buf_adds(w, "unknown (too little CPU time to tell)");
	nf_buf_adds(w, ", audit's marks ");
	nf_text_percent(w, r->overhead_ratio.some, r->overhead_ratio.v);
	flush_paragraph(out, "time", w);
	for (size_t i = 0; i < r->warnings.n; i++)
		paragraph(out, "WARNING", warning[i]);
}

/* --- system calls --- */

static void call_lines(const struct nf_rec_audit_run *run, const struct nf_rec_audit_call *c,
                       struct nf_buf *out, struct nf_buf *w)
{
	nf_buf_addf(w, "%s %" PRIu64 " time%s", c->call, c->calls, plural(c->calls));
	if (c->others)
		nf_buf_adds(w, " by others");
	if (c->failed)
		nf_buf_addf(w, ", %" PRIu64 " failed", c->failed);
	if (c->bytes)
		nf_buf_addf(w, ", %" PRIu64 " bytes", c->bytes);
	if (c->is_io) {
		nf_buf_adds(w, c->is_write ? " to " : " with ");
		nf_buf_adds(w, target_name(c->target_kind));
		if (c->target && c->target_kind != 7) {
			nf_buf_addc(w, ' ');
			nf_text_clip(w, c->target, COLUMNS - KEY - 2, false);
		}
	}
	if (c->console_ns.some && c->bytes) {
		nf_buf_adds(w, is_console(c->target_kind) ? ": " : "; as if it were a console: ");
		nf_text_ns(w, true, c->console_ns.v);
		nf_buf_addf(w, " at %" PRIu64 " baud", run->baud);
	}
	flush_paragraph(out, "", w);
}

static bool is_of(const struct nf_rec_audit_call *c, const char *region)
{
	return region ? c->region && strcmp(c->region, region) == 0 : !c->region;
}

/* Those of one region, or outside of all; I/O first. */
static void calls_of(const struct nf_rec_audit_run *run, const char *region, struct nf_buf *out,
                     struct nf_buf *w)
{
	const struct nf_rec_audit_call *c = run->trace->calls.items;
	size_t shown = 0, hidden = 0;

	for (int io = 1; io >= 0; io--)
		for (size_t i = 0; i < run->trace->calls.n; i++) {
			if (!is_of(&c[i], region) || c[i].is_io != (io == 1))
				continue;
			if (shown == CALLS_SHOWN) {
				hidden++;
				continue;
			}
			if (shown++ == 0) {
				nf_buf_adds(out, "  ");
				nf_text_clip(out, region ? region : "outside of all regions",
				             COLUMNS - 2, false);
				nf_buf_addc(out, '\n');
			}
			call_lines(run, &c[i], out, w);
		}
	if (hidden)
		nf_buf_addf(out, "%*s... %zu more\n", KEY, "", hidden);
}

static void trace_lines(const struct nf_rec_audit_run *run, struct nf_buf *out, struct nf_buf *w)
{
	const struct nf_rec_audit_trace *t = run->trace;
	const struct nf_rec_audit_region *r = run->regions.items;

	if (!t)
		return;
	nf_buf_adds(out, "\nSystem calls, from a second execution under a tracer\n");
	if (t->refused) {
		paragraph(out, "none", t->refused);
		return;
	}
	if (!t->wait_status.some)
		return;
	for (size_t i = 0; i < run->regions.n && i < REGIONS_SHOWN; i++)
		calls_of(run, r[i].name, out, w);
	calls_of(run, NULL, out, w);
	if (t->rows_lost || t->regions_lost || t->foreign) {
		nf_buf_addf(w,
		            "%" PRIu64 " calls had no room, %" PRIu64
		            " begins of regions neither; %" PRIu64
		            " calls were of another architecture",
		            t->rows_lost, t->regions_lost, t->foreign);
		flush_paragraph(out, "WARNING", w);
	}
}

/* --- the whole --- */

static void no_region(struct nf_buf *out)
{
	nf_buf_adds(out,
	            "No region was begun: nothing was audited, which does not mean that it is "
	            "clean.\n"
	            "A C program marks what it times with noisefloor/region.h; the benchmarks of\n"
	            "noisefloor/bench.h have marks: audit run -- noisefloor bench run --program "
	            "FILE\n--filter RE.\n");
}

static void incomplete(const struct nf_rec_audit_run *r, struct nf_buf *out, struct nf_buf *w)
{
	if (r->stray_ends) {
		nf_buf_addf(w,
		            "%" PRIu64
		            " end%s in a thread that had not begun the region: not measured",
		            r->stray_ends, plural(r->stray_ends));
		flush_paragraph(out, "WARNING", w);
	}
	if (r->too_deep) {
		nf_buf_addf(w, "%" PRIu64 " begin%s deeper than 16: not measured", r->too_deep,
		            plural(r->too_deep));
		flush_paragraph(out, "WARNING", w);
	}
	if (r->lost) {
		nf_buf_addf(w, "%" PRIu64 " begin%s had no room: not measured", r->lost,
		            plural(r->lost));
		flush_paragraph(out, "WARNING", w);
	}
}

static void sentence(const struct nf_rec_audit_run *r, struct nf_buf *out)
{
	if (r->findings)
		nf_buf_addf(out, "\nI/O in %" PRIu64 " of %zu region%s", r->findings, r->regions.n,
		            plural(r->regions.n));
	else
		nf_buf_addf(out, "\nNo I/O in %zu region%s", r->regions.n, plural(r->regions.n));
	nf_buf_adds(out, r->complete ? "" : "; not everything could be measured");
	if (r->head.state == NF_STATE_PARTIAL && r->head.reason)
		nf_buf_addf(out, "; %s", r->head.reason);
	nf_buf_adds(out, "\n");
}

int nf_text_audit_run(const struct nf_rec_audit_run *r, struct nf_buf *out)
{
	size_t from = out->len_bytes;
	const struct nf_rec_audit_region *region = r->regions.items;
	struct nf_buf words;

	nf_buf_init(&words, 1 << 16);
	for (size_t i = 0; i < r->regions.n && i < REGIONS_SHOWN; i++)
		region_lines(r, &region[i], out, &words);
	if (r->regions.n > REGIONS_SHOWN)
		nf_buf_addf(out, "... and %zu regions more, in the record\n",
		            r->regions.n - REGIONS_SHOWN);
	if (r->regions.n && r->empty.ended) {
		nf_buf_adds(&words, "an empty region takes ");
		nf_text_ns(&words, true, (double)r->empty.wall_ns / (double)r->empty.ended);
		nf_buf_adds(&words, ", which is taken off; its marks take ");
		nf_text_ns(&words, true, (double)r->empty.audit_ns / (double)r->empty.ended);
		nf_buf_addf(&words, ". Standard output was %s, standard error %s.",
		            target_name(r->stdout_kind), target_name(r->stderr_kind));
		flush_paragraph(out, "audit", &words);
	}
	incomplete(r, out, &words);
	trace_lines(r, out, &words);
	if (r->failure)
		paragraph(out, "FAILED", r->failure);
	if (r->regions.n == 0 && r->stray_ends == 0)
		no_region(out);
	else
		sentence(r, out);
	if (words.failed && !out->failed)
		out->failed = words.failed;
	nf_buf_fini(&words);
	nf_text_fit(out, from, 0);
	return -(int)out->failed;
}
