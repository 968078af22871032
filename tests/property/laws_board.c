/* SPDX-License-Identifier: MIT */
/* Boots from console logs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "board/grid.h"
#include "board/import.h"
#include "board/phase_value.h"
#include "board/phases.h"
#include "laws.h"

enum { MAX_LINES = 40, MAX_SPLITS = 12, MIN_READS = 12, MAX_READS = 60 };

static void free_buf(void *b)
{
	nf_buf_fini(b);
}

static void free_phases(void *p)
{
	nf_phases_free(p);
}

static void free_import(void *im)
{
	nf_import_free(im);
}

/* --- however a log is cut --- */

static int on_line(void *ctx, const struct nf_line *l, bool stamped, struct nf_err *err)
{
	return nf_phases_line(ctx, l, stamped, err);
}

static void draw_log(struct pt_case *t, struct nf_buf *out)
{
	static const char *const texts[] = { "go",
		                             "Linux version 6",
		                             "login: ",
		                             "[    0.500000] x",
		                             "With stack:",
		                             "v=7 diff=7000 frq=1000000",
		                             "",
		                             "a\rb",
		                             "\x1b[31mred\x1b[0m" };
	struct pt_loop l = { .min = 1, .max = MAX_LINES };
	int64_t ms = 0;

	(void)nf_buf_adds(out, "0.000\tstart\n");
	while (pt_more(t, &l)) {
		ms += pt_draw_int(t, 0, 3000) - 10;
		if (pt_draw_bool(t, 0.9))
			(void)nf_buf_addf(out, "%s%lld.%03lld\t", ms < 0 ? "-" : "",
			                  (long long)(ms < 0 ? -ms : ms) / 1000,
			                  (long long)(ms < 0 ? -ms : ms) % 1000);
		(void)nf_buf_addf(out, "%s%s",
		                  texts[pt_draw_pick(t, sizeof(texts) / sizeof(*texts))],
		                  pt_draw_bool(t, 0.2) ? "\r\n" : "\n");
	}
}

static const struct nf_phases_result *read_log(struct pt_case *t, const struct nf_buf *log,
                                               const struct nf_phases_opts *o, bool in_parts)
{
	struct nf_phases *p = NULL;
	struct nf_import *im = NULL;
	size_t at = 0;

	if (nf_phases_new(o, &p, NULL) < 0)
		return NULL;
	pt_cleanup(t, free_phases, p);
	if (nf_import_new(NULL, "log", on_line, p, &im, NULL) < 0)
		return NULL;
	pt_cleanup(t, free_import, im);
	for (size_t i = 0; in_parts && i < MAX_SPLITS; i++) {
		size_t n = pt_draw_size(t, 0, log->len_bytes - at);

		if (nf_import_feed(im, log->data + at, n, NULL) < 0)
			return NULL;
		at += n;
	}
	if (nf_import_feed(im, log->data + at, log->len_bytes - at, NULL) < 0 ||
	    nf_import_finish(im, NULL) < 0)
		return NULL;
	return nf_phases_finish(p);
}

static bool same_phases(struct pt_case *t, void *arg)
{
	static const struct nf_phase_want phase[] = { { "p1", "Linux version " },
		                                      { "p2", "login:" } };
	static const struct nf_value_want value = { "v", "v=(\\d+)", 1e3 };
	static const struct nf_phases_opts o = {
		.t0 = "go", .phase = phase, .n_phases = 2, .value = &value, .n_values = 1
	};
	struct nf_buf *log = pt_alloc(t, sizeof(*log));
	const struct nf_phases_result *a, *b;

	(void)arg;
	nf_buf_init(log, 1 << 16);
	pt_cleanup(t, free_buf, log);
	draw_log(t, log);
	a = read_log(t, log, &o, false);
	b = read_log(t, log, &o, true);
	pt_cover(t, a && a->interval[0].seen && a->interval[1].seen, 3, "both phases");
	if (!a || !b)
		return !a && !b; /* too few lines have a stamp: refused either way */
	return memcmp(a->event, b->event, sizeof(a->event)) == 0 &&
	       memcmp(a->interval, b->interval, sizeof(a->interval)) == 0 &&
	       a->n_values == b->n_values && a->n_faults == b->n_faults && a->bytes == b->bytes &&
	       memcmp(&a->grid, &b->grid, sizeof(a->grid)) == 0 &&
	       (a->n_values == 0 ||
	        memcmp(a->value, b->value, a->n_values * sizeof(*a->value)) == 0);
}

/* --- a reader that wakes up every so often --- */

static bool grid_found(struct pt_case *t, void *arg)
{
	int64_t step = pt_draw_int(t, 1000000, 2000000000), d[2 * MAX_READS * 4];
	struct pt_loop l = { .min = MIN_READS, .max = MAX_READS };
	size_t n = 0, steps = 0;
	struct nf_grid g;

	(void)arg;
	while (pt_more(t, &l)) {
		/* Most reads follow the one before; now and then nothing comes for some. */
		int64_t k = steps < 3 || pt_draw_bool(t, 0.8) ? 1 : pt_draw_int(t, 1, 15);
		size_t lines = pt_draw_size(t, 2, 6);

		steps++;
		d[n++] = k * (step + pt_draw_int(t, 0, step / 500));
		for (size_t i = 1; i < lines; i++)
			d[n++] = pt_draw_int(t, 0, step / 1000);
	}
	g = nf_grid_find(d, n);
	return g.found && g.steps == steps && fabs((double)g.step_ns / (double)step - 1) < 0.005;
}

/* --- a counter beside a value --- */

static bool counter_gives(struct pt_case *t, void *arg)
{
	static const double per_s[] = { 1, 1e3, 1e6, 1e9 };
	uint64_t diff = (uint64_t)pt_draw_int(t, 0, INT64_C(1) << pt_draw_int(t, 0, 40));
	uint64_t hz = (uint64_t)pt_draw_int(t, 1000, INT64_C(4000000000));
	size_t unit = pt_draw_pick(t, 4);
	double cut =
	        floor((double)((long double)diff * (long double)per_s[unit] / (long double)hz));

	(void)arg;
	pt_assume(t, cut < 0x1p52);
	return nf_counter_gives(diff, hz, per_s[unit], cut, 0) &&
	       !nf_counter_gives(diff, hz, per_s[unit], cut + 1, 0) &&
	       !nf_counter_gives(diff, hz, per_s[unit], cut - 1, 0);
}

const struct law laws_board[] = {
	{ "phases of a log",
	  "However a log is cut into reads, phases, intervals, values and faults are the same.",
	  same_phases, NULL },
	{ "grid of stamps",
	  "The step of a reader that wakes up every so often is found to half a percent, whatever "
	  "it is.",
	  grid_found, NULL },
	{ "printed counter",
	  "A value cut from ticks and rate agrees with them, and none beside it does.",
	  counter_gives, NULL },
	{ NULL, NULL, NULL, NULL },
};
