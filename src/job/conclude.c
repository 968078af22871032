/* SPDX-License-Identifier: MIT */
/* conclude - what the steps of a window amount to: headline and verdict. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "job/window.h"
#include "report/text.h"

enum { LOG_BYTES = 16 << 20 };

static void worse(struct nf_rec_headline *h, double ns, const char *source)
{
	if (h->worst_interruption_ns.some && h->worst_interruption_ns.v >= ns)
		return;
	h->worst_interruption_ns = nf_some_real(ns);
	h->worst_interruption_source = source;
}

static void worst_interruption(const struct nf_rec_window_run *w, struct nf_rec_headline *h)
{
	const struct nf_rec_hwlat_step *hwlat = w->hwlat.items;

	if (w->noise && w->noise->body.worst_detour_ns.some)
		worse(h, w->noise->body.worst_detour_ns.v, "fwq");
	for (size_t i = 0; i < w->hwlat.n; i++)
		if (hwlat[i].body.max_ns.some)
			worse(h, (double)hwlat[i].body.max_ns.v, "hwlat");
	if (!w->wake)
		return;
	const struct nf_rec_wake_worker *worker = w->wake->body.workers.items;
	for (size_t i = 0; i < w->wake->body.workers.n; i++)
		if (worker[i].worst_lateness_ns.some)
			worse(h, worker[i].worst_lateness_ns.v, "wake");
}

static int headline(struct nf_window *win, struct nf_err *err)
{
	struct nf_rec_window_run *w = &win->record;
	struct nf_rec_headline *h = &w->headline;
	struct nf_buf text;
	int r;

	if (win->session.clock.hz > 0)
		h->smallest_interval_ns = nf_some_real(nf_tick_to_ns(
		        &win->session.clock,
		        win->session.clock.read_min_ticks + (double)win->session.clock.step_ticks));
	worst_interruption(w, h);
	if (w->noise) {
		h->noise_ratio = w->noise->body.noise_ratio;
		h->repeat_below_ratio = w->noise->body.repeat_below_ratio;
	}
	nf_buf_init(&text, 1024);
	nf_buf_adds(&text, "smallest interval ");
	nf_text_ns(&text, h->smallest_interval_ns.some, h->smallest_interval_ns.v);
	nf_buf_adds(&text, "; worst interruption ");
	nf_text_ns(&text, h->worst_interruption_ns.some, h->worst_interruption_ns.v);
	if (h->worst_interruption_source)
		nf_buf_addf(&text, " (%s)", h->worst_interruption_source);
	nf_buf_adds(&text, "; noise ");
	nf_text_percent(&text, h->noise_ratio.some, h->noise_ratio.v);
	if (h->repeat_below_ratio.some) {
		nf_buf_adds(&text, "; differences below ");
		nf_text_percent(&text, true, h->repeat_below_ratio.v);
		nf_buf_adds(&text, " need repeats");
	} else {
		nf_buf_adds(&text, "; which differences need repeats is unknown");
	}
	h->text = nf_arena_strdup(&win->session.arena, text.data);
	r = nf_buf_failed(&text, "headline", err);
	nf_buf_fini(&text);
	return r < 0 ? r : nf_arena_failed(&win->session.arena, "record", err);
}

/* Appends "wake: why" for every step with this result. */
static void gather(const struct nf_window *win, int result, struct nf_buf *out)
{
	for (size_t i = 0; i < win->n_steps; i++) {
		const struct nf_rec_step *s = &win->step[i];

		if (s->result != result)
			continue;
		nf_buf_addf(out, "%s%s: %s", out->len_bytes ? "; " : "", s->name,
		            s->reason ? s->reason : nf_text_result(result));
	}
}

static int verdict(struct nf_window *win, struct nf_verdict *ret, struct nf_err *err)
{
	static const int partial[] = { NF_STEP_PARTIAL, NF_STEP_BLOCKED, NF_STEP_SKIPPED };
	struct nf_buf why;
	int r;

	nf_buf_init(&why, 1 << 20);
	*ret = (struct nf_verdict){
		.result = NF_RESULT_PASS,
		.undecided = win->undecided,
		.failed = win->failed,
		.claim_ceiling =
		        "Shows this machine as it was, for the length of this run and on the "
		        "CPUs named; rarer interruptions than a run of this length can show, "
		        "and other loads, remain unknown.",
	};
	win->record.load_note = win->load_note;
	gather(win, NF_STEP_FAIL, &why);
	if (why.len_bytes > 0) {
		ret->result = NF_RESULT_FAIL;
	} else {
		for (size_t i = 0; i < sizeof(partial) / sizeof(partial[0]); i++)
			gather(win, partial[i], &why);
		if (win->load_note)
			nf_buf_addf(&why, "%s%s", why.len_bytes ? "; " : "", win->load_note);
		if (why.len_bytes > 0)
			ret->result = NF_RESULT_PARTIAL;
	}
	if (why.len_bytes > 0)
		ret->reason = nf_arena_strdup(&win->session.arena, why.data);
	r = nf_buf_failed(&why, "reasons", err);
	nf_buf_fini(&why);
	return r < 0 ? r : nf_arena_failed(&win->session.arena, "record", err);
}

int nf_window_conclude(struct nf_window *win, struct nf_verdict *ret, struct nf_err *err)
{
	int r = headline(win, err);

	if (r < 0)
		return r;
	r = nf_window_host_probes(win, err);
	if (r < 0)
		return r;
	return verdict(win, ret, err);
}

int nf_window_keep_log(struct nf_window *win, FILE *log, struct nf_err *err)
{
	struct nf_buf text;
	int r = 0;

	nf_buf_init(&text, LOG_BYTES);
	rewind(log);
	for (;;) {
		char part[65536];
		size_t n = fread(part, 1, sizeof(part), log);

		if (n == 0 || nf_buf_add(&text, part, n) < 0)
			break; /* longer than what is kept: the rest is not evidence */
	}
	if (text.failed == NF_ENOMEM)
		r = nf_buf_failed(&text, "output of the load", err);
	if (r == 0)
		r = nf_runfolder_put(win->session.folder, "captures/under.txt", text.data,
		                     text.len_bytes, err);
	nf_buf_fini(&text);
	return r;
}
