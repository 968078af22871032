/* SPDX-License-Identifier: MIT */
#include "cli/lab_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/duration.h"

enum { COLUMNS = 80, WORDS = NF_LAB_WORDS };

static void span(int64_t ns, char ret[32])
{
	struct nf_buf b;

	nf_buf_init(&b, 31);
	(void)nf_duration_print_short((double)ns, &b);
	snprintf(ret, 32, "%s", b.data ? b.data : "");
	nf_buf_fini(&b);
}

static void attempt(const struct nf_lab_event *e, char ret[NF_LAB_LINE])
{
	char more[40] = "";

	if (e->attempt > 1)
		snprintf(more, sizeof(more), ", try %llu", (unsigned long long)e->attempt);
	snprintf(ret, NF_LAB_LINE, "%.60s %.60s %llu%s", e->name, e->config ? e->config : "",
	         (unsigned long long)e->run, more);
}

bool nf_lab_progress_words(const struct nf_lab_event *e, char ret[WORDS])
{
	char which[NF_LAB_LINE], wall[32];

	attempt(e, which);
	span(e->wall_ns, wall);
	switch (e->kind) {
	case NF_LAB_EVENT_NOTE:
		snprintf(ret, WORDS, "%s: %.319s", which, e->text);
		return true;
	case NF_LAB_EVENT_END:
		/* Whoever stopped it knows. */
		if (e->class == NF_OUTCOME_NONE)
			return false;
		if (e->class == NF_OUTCOME_OK)
			snprintf(ret, WORDS, "%s: ok after %s (%llu of %llu)", which, wall,
			         (unsigned long long)e->done, (unsigned long long)e->of);
		else
			snprintf(ret, WORDS, "%s: %s after %s: %.319s", which,
			         nf_outcome_class_name(e->class), wall, e->text);
		return true;
	case NF_LAB_EVENT_BEGIN:
	case NF_LAB_EVENT_STATE:
	case NF_LAB_EVENT_MARK:
	case NF_LAB_EVENT_OVER:
		break;
	}
	return false;
}

/* --- a terminal --- */

static int columns(void)
{
	struct winsize w;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 10 ? w.ws_col : COLUMNS;
}

static void wipe(struct nf_lab_progress *p)
{
	if (p->drawn)
		fprintf(stderr, "\033[%zuA\033[J", p->drawn);
	p->drawn = 0;
}

static void draw(struct nf_lab_progress *p)
{
	int width = columns() - 1;

	wipe(p);
	for (size_t i = 0; i < p->n; i++) {
		if (!p->line[i][0])
			continue;
		fprintf(stderr, "%.*s\n", width, p->line[i]);
		p->drawn++;
	}
	fflush(stderr);
}

static void set_line(struct nf_lab_progress *p, const struct nf_lab_event *e)
{
	char which[NF_LAB_LINE];

	if (e->kind == NF_LAB_EVENT_NOTE)
		return;
	attempt(e, which);
	if (e->kind == NF_LAB_EVENT_OVER)
		snprintf(p->line[e->board], NF_LAB_LINE, "%.60s: over, %llu of %llu runs", e->name,
		         (unsigned long long)e->done, (unsigned long long)e->of);
	else
		snprintf(p->line[e->board], NF_LAB_LINE, "[%llu/%llu] %.110s%s%s%.60s",
		         (unsigned long long)e->done, (unsigned long long)e->of, which,
		         e->text ? ": " : "", e->kind == NF_LAB_EVENT_MARK ? "reached " : "",
		         e->text ? e->text : "");
}

static void on_event(void *ctx, const struct nf_lab_event *e)
{
	struct nf_lab_progress *p = ctx;
	char words[WORDS];
	bool kept = nf_lab_progress_words(e, words);

	if (!p->shown)
		return;
	if (p->terminal)
		wipe(p);
	if (kept)
		nf_cli_note(p->cli, "%s", words);
	if (!p->terminal)
		return;
	set_line(p, e);
	draw(p);
}

static void on_advice(void *ctx, const char *text)
{
	const struct nf_lab_progress *p = ctx;

	while (*text) {
		size_t n = strcspn(text, "\n");

		nf_cli_note(p->cli, "%.*s", (int)n, text);
		text += n + (text[n] == '\n');
	}
}

int nf_lab_progress_init(struct nf_lab_progress *p, const struct nf_cli *cli, size_t n_boards,
                         struct nf_err *err)
{
	const char *term = getenv("TERM");

	*p = (struct nf_lab_progress){
		.cli = cli,
		.shown = !cli->global->quiet && !cli->global->json,
		.terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0,
		.n = n_boards,
		.watch = { .ctx = p, .event = on_event, .advice = on_advice },
	};
	p->line = calloc(n_boards, sizeof(*p->line));
	return p->line ? 0 : nf_fail_nomem(err, "progress", n_boards * sizeof(*p->line));
}

void nf_lab_progress_fini(struct nf_lab_progress *p)
{
	if (p->shown && p->terminal) {
		wipe(p);
		fflush(stderr);
	}
	free(p->line);
	p->line = NULL;
}
