/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>

#include "base/duration.h"

enum { BAR_CELLS = 30, NAME_CELLS = 10 };

static void on_header(void *ctx, const char *text)
{
	struct nf_progress *p = ctx;

	if (p->mode == NF_PROGRESS_OFF || !p->results)
		return;
	nf_progress_clear(p);
	size_t len = strlen(text);
	fprintf(stderr, "%s%s", text, len && text[len - 1] != '\n' ? "\n" : "");
}

static void on_begin(void *ctx, const char *name, int64_t estimate_ns)
{
	nf_progress_begin(ctx, name, estimate_ns);
}

static void on_progress(void *ctx, const char *name, double fraction)
{
	nf_progress_update(ctx, name, fraction);
}

static void on_end(void *ctx, const char *name, const char *text)
{
	nf_progress_end(ctx, name, text);
}

void nf_progress_init(struct nf_progress *p, bool wanted, bool is_terminal, const char *term,
                      bool color)
{
	*p = (struct nf_progress){ .color = color };
	if (wanted && is_terminal)
		p->mode = term && *term && strcmp(term, "dumb") != 0 ? NF_PROGRESS_BARS
		                                                     : NF_PROGRESS_LINES;
	p->watch = (struct nf_job_watch){ .ctx = p,
		                          .header = on_header,
		                          .step_begin = on_begin,
		                          .step_progress = on_progress,
		                          .step_end = on_end };
}

void nf_progress_clear(struct nf_progress *p)
{
	if (!p || !p->bar_shown)
		return;
	fputs("\r\033[K", stderr);
	p->bar_shown = false;
}

static void draw(struct nf_progress *p, const char *step, int permille)
{
	char bar[BAR_CELLS + 1];
	int full = permille * BAR_CELLS / 1000;

	memset(bar, '#', (size_t)full);
	memset(bar + full, '.', (size_t)(BAR_CELLS - full));
	bar[BAR_CELLS] = '\0';
	fprintf(stderr, "\r%-*s %s[%s]%s %3d%%", NAME_CELLS, step, p->color ? "\033[36m" : "", bar,
	        p->color ? "\033[0m" : "", permille / 10);
	fflush(stderr);
	p->bar_shown = true;
	p->last_permille = permille;
}

void nf_progress_begin(struct nf_progress *p, const char *step, int64_t estimate_ns)
{
	if (p->mode == NF_PROGRESS_BARS) {
		draw(p, step, 0);
	} else if (p->mode == NF_PROGRESS_LINES) {
		struct nf_buf about;

		nf_buf_init(&about, 64);
		(void)nf_duration_print_short((double)estimate_ns, &about);
		fprintf(stderr, "%s: begins%s%s\n", step, estimate_ns > 0 ? ", takes about " : "",
		        estimate_ns > 0 ? about.data : "");
		nf_buf_fini(&about);
	}
}

void nf_progress_update(struct nf_progress *p, const char *step, double fraction)
{
	if (p->mode != NF_PROGRESS_BARS || !(fraction >= 0.0))
		return;
	int permille = fraction >= 1.0 ? 1000 : (int)(fraction * 1000.0);
	if (!p->bar_shown || permille != p->last_permille)
		draw(p, step, permille);
}

void nf_progress_end(struct nf_progress *p, const char *step, const char *text)
{
	if (p->mode == NF_PROGRESS_OFF)
		return;
	nf_progress_clear(p);
	if (p->results)
		fprintf(stderr, "%-*s %.*s\n", NAME_CELLS, step,
		        text ? (int)strcspn(text, "\n") : 4, text ? text : "done");
}
