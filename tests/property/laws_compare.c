/* SPDX-License-Identifier: MIT */
/* Projecting captures, comparing runs. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "laws.h"
#include "record/project.h"
#include "report/compare_runs.h"

enum { LINES = 40, LINE = 160, TEXT = 1 << 14 };

static void fini_arena(void *a)
{
	nf_arena_fini(a);
}

static struct nf_arena *new_arena(struct pt_case *t)
{
	struct nf_arena *a = pt_alloc(t, sizeof(*a));

	nf_arena_init(a, 64 << 20);
	pt_cleanup(t, fini_arena, a);
	return a;
}

/* A block of lines that may stand in any order. */
struct block {
	char line[LINES][LINE];
	size_t n;
};

static char *next(struct block *b)
{
	return b->line[b->n++];
}

static void shuffle(struct pt_case *t, struct block *b)
{
	char copy[LINE];

	for (size_t i = b->n; i > 1; i--) {
		size_t k = pt_draw_pick(t, i);

		memcpy(copy, b->line[i - 1], LINE);
		memcpy(b->line[i - 1], b->line[k], LINE);
		memcpy(b->line[k], copy, LINE);
	}
}

/* A block under its heading, with blanks, foreign lines and line ends of either kind. */
static void render(struct pt_case *t, const char *heading, struct block *b, char *text)
{
	size_t at = strlen(text);

	if (heading)
		at += (size_t)snprintf(text + at, TEXT - at, "== %s ==\n", heading);
	for (size_t i = 0; i < b->n; i++) {
		at += (size_t)snprintf(text + at, TEXT - at, "%s%s%s",
		                       pt_draw_bool(t, 0.3) ? "  \t" : "", b->line[i],
		                       pt_draw_bool(t, 0.2) ? " \r\n" : "\n");
		if (pt_draw_bool(t, 0.1))
			at += (size_t)snprintf(text + at, TEXT - at, "\nzz top: 3 %d\n", (int)i);
	}
}

static bool rendered_capture_is_its_record(struct pt_case *t, void *arg)
{
	struct nf_arena *a = new_arena(t);
	struct block *head = pt_alloc(t, sizeof(*head)), *probe = pt_alloc(t, sizeof(*probe));
	char *text = pt_alloc(t, TEXT);
	uint64_t locales = pt_draw_size(t, 1, 8), cores = pt_draw_size(t, 1, 1000),
	         sub = pt_draw_size(t, 0, 16), channels = pt_draw_size(t, 1, 100000),
	         samples = pt_draw_size(t, 1, 1000000), hz = pt_draw_size(t, 1, 100000),
	         parts = pt_draw_size(t, 1, 6);
	double serial = (double)pt_draw_int(t, 1, 1000000) * 1e-6,
	       parallel = (double)pt_draw_int(t, 1, 1000000) * 1e-6;
	bool conforms = pt_draw_bool(t, 0.5), probe_first = pt_draw_bool(t, 0.5);
	int rt = (int)pt_draw_pick(t, 3); /* 2: not there */
	char serial_text[32], parallel_text[32];
	struct nf_project_opts o = { .lane = NULL };
	struct nf_rec_projection p;
	struct nf_err err = { .code = NF_OK };

	(void)arg;
	head->n = probe->n = 0;
	snprintf(serial_text, sizeof(serial_text), "%.6f", serial);
	snprintf(parallel_text, sizeof(parallel_text), "%.6f", parallel);
	snprintf(next(head), LINE, "target: me@box");
	snprintf(next(head), LINE, "captured_at: 2031-05-06T07:08:09Z");
	snprintf(next(head), LINE, "capture_mode: made up");
	snprintf(next(head), LINE, "compiler_ref: ref");
	snprintf(next(head), LINE, "uname -r: 1.2.3");
	snprintf(next(probe), LINE, "Locales:    %llu", (unsigned long long)locales);
	snprintf(next(probe), LINE, "Cores:      %llu per locale", (unsigned long long)cores);
	snprintf(next(probe), LINE, "Sublocales: %llu (whatever)", (unsigned long long)sub);
	snprintf(next(probe), LINE, "Channels:   %llu", (unsigned long long)channels);
	snprintf(next(probe), LINE, "Samples:    %llu (1s at %llu Hz)", (unsigned long long)samples,
	         (unsigned long long)hz);
	for (uint64_t i = 0; i < parts; i++)
		snprintf(next(probe), LINE, "  part %llu: start=0 count=1", (unsigned long long)i);
	snprintf(next(probe), LINE, "Conforms: %s", conforms ? "true" : "false");
	snprintf(next(probe), LINE, "Jitter:   min=0.0 max=2e-15 mean=1e-15");
	snprintf(next(probe), LINE, "Serial:   %ss", serial_text);
	snprintf(next(probe), LINE, "Parallel: %ss", parallel_text);
	shuffle(t, head);
	shuffle(t, probe);
	text[0] = '\0';
	render(t, NULL, head, text);
	if (probe_first)
		render(t, "HostNumaProbe", probe, text);
	if (rt < 2)
		snprintf(text + strlen(text), TEXT - strlen(text),
		         "== /sys/kernel/realtime ==\n%d\n", rt);
	if (!probe_first)
		render(t, "HostNumaProbe", probe, text);
	struct nf_project_input in = { "x", text, strlen(text) };
	PT_ASSERT(t, nf_project(&in, 1, &o, a, &p, &err) == 0);
	const struct nf_rec_host_probe_run *r = p.host_probe;

	PT_ASSERT(t, r != NULL && r->notes.n == 0);
	PT_ASSERT(t, strcmp(r->date, "2031-05-06") == 0 && strcmp(r->host, "box") == 0);
	PT_ASSERT(t, strcmp(r->compilerSource, "made up") == 0);
	PT_ASSERT(t, r->sysKernelRealtime.some == (rt < 2) && r->sysKernelRealtime.v == (rt == 1));
	PT_ASSERT(t, r->localeCount == locales && r->coresPerLocale == cores);
	PT_ASSERT(t, r->sublocaleCount == sub && r->channelCount == channels);
	PT_ASSERT(t, r->sampleCount == samples && r->sampleRateHz == hz);
	PT_ASSERT(t, r->partitionCount == parts && r->timingConforms == conforms);
	PT_ASSERT(t, r->serialSeconds.v >= strtod(serial_text, NULL) &&
	                     r->serialSeconds.v <= strtod(serial_text, NULL));
	PT_ASSERT(t, r->parallelSeconds.some && !r->speedup.some && !r->delta.some);
	return true;
}

static void drop_json(void *v)
{
	json_decref(v);
}

static bool close_to(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

/* Two groups of serial times; b in another order than a, or the groups' roles exchanged. */
static bool comparison_keeps(struct pt_case *t, void *arg)
{
	enum { MOST = 24 };
	struct nf_arena *a = new_arena(t);
	struct nf_run_view view[MOST], other[MOST];
	size_t n = pt_draw_size(t, 2, MOST);
	struct nf_compare_opts o = { .by = NF_BY_LANE },
	                       swapped = { .by = NF_BY_LANE, .base = "rt" };
	struct nf_rec_compare_run x, y, z;
	struct nf_err err = { .code = NF_OK };

	(void)arg;
	for (size_t i = 0; i < n; i++) {
		bool rt = i == 0 || (i > 1 && pt_draw_bool(t, 0.5));
		json_t *v = json_pack("{s:s, s:b, s:f}", "schema", "CaptureFacts", "realtime", rt,
		                      "serial_s", pt_draw_real(t, 1e-6, 1.0));

		PT_ASSERT(t, v != NULL);
		pt_cleanup(t, drop_json, v);
		PT_ASSERT(t, nf_run_view("r", v, &view[i], &err) == 0);
		other[i] = view[i];
	}
	for (size_t i = n; i > 1; i--) {
		size_t k = pt_draw_pick(t, i);
		struct nf_run_view w = other[i - 1];

		other[i - 1] = other[k];
		other[k] = w;
	}
	PT_ASSERT(t, nf_compare_runs(view, n, &o, a, &x, &err) == 0);
	PT_ASSERT(t, nf_compare_runs(other, n, &o, a, &y, &err) == 0);
	PT_ASSERT(t, nf_compare_runs(view, n, &swapped, a, &z, &err) == 0);
	PT_ASSERT(t, x.figures.n == 2 && y.figures.n == 2 && x.differences.n == 1 &&
	                     z.differences.n == 1);
	const struct nf_rec_compare_figure *f = x.figures.items, *g = y.figures.items;
	const struct nf_rec_compare_difference *d = x.differences.items, *e = z.differences.items;

	for (size_t i = 0; i < 2; i++)
		PT_ASSERT(t, f[i].n == g[i].n && close_to(f[i].min, g[i].min) &&
		                     close_to(f[i].max, g[i].max) &&
		                     close_to(f[i].mean, g[i].mean) &&
		                     close_to(f[i].median, g[i].median));
	PT_ASSERT(t, f[0].n + f[1].n == n);
	PT_ASSERT(t, close_to(d->estimate, -e->estimate));
	PT_ASSERT(t, d->lo.some == e->lo.some);
	PT_ASSERT(t, !d->lo.some || (d->lo.v <= d->estimate && d->estimate <= d->hi.v &&
	                             close_to(d->lo.v, -e->hi.v) && close_to(d->hi.v, -e->lo.v)));
	PT_ASSERT(t, (d->verdict == NF_DIFF_UNDECIDED) == (e->verdict == NF_DIFF_UNDECIDED));
	return true;
}

/* clang-format off */
const struct law laws_compare[] = {
	{ "projection", "A capture made from a record, its lines in any order and among foreign ones, projects to that record.", rendered_capture_is_its_record, NULL },
	{ "comparison", "The order of runs changes no figure of a comparison, and exchanging the groups mirrors the difference.", comparison_keeps, NULL },
	{ .name = NULL },
};
/* clang-format on */
