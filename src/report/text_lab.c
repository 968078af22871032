/* SPDX-License-Identifier: MIT */
/* text_lab - boots for people. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/lab.h"

enum { WIDTH = 80, NAME_WIDTH = 22, COLUMN = 10, COLUMNS = 6, ROWS = 24 };

/* --- pieces --- */

static void add_number(struct nf_buf *out, int width, struct nf_some_real v)
{
	char text[32] = "-";

	if (v.some)
		snprintf(text, sizeof(text), fabs(v.v) < 1e4 ? "%.4f" : "%.6g", v.v);
	(void)nf_buf_addf(out, " %*s", width - 1, text);
}

/* Of a printed value: whole numbers as they are. */
static void add_plain(struct nf_buf *out, int width, struct nf_some_real v)
{
	char text[32] = "-";

	if (v.some)
		snprintf(text, sizeof(text), "%.6g", v.v);
	(void)nf_buf_addf(out, " %*s", width - 1, text);
}

static void add_name(struct nf_buf *out, const char *name, int width)
{
	(void)nf_buf_addf(out, "  %-*.*s", width, width, name);
}

/* Words of text, lines of WIDTH columns, indented but for the first. */
static void add_words(struct nf_buf *out, const char *first, const char *text)
{
	size_t column = strlen(first);

	(void)nf_buf_adds(out, first);
	while (*text) {
		size_t n = strcspn(text, " \t");

		if (column + 1 + n > WIDTH && column > 4) {
			(void)nf_buf_adds(out, "\n   ");
			column = 3;
		}
		(void)nf_buf_addf(out, " %.*s", (int)n, text);
		column += 1 + n;
		text += n;
		while (*text == ' ' || *text == '\t')
			text++;
	}
	(void)nf_buf_adds(out, "\n");
}

static const char *platform_words(int platform)
{
	return platform == NF_BOOT_BOARD      ? "a board"
	       : platform == NF_BOOT_EMULATOR ? "an emulator"
	                                      : "board or emulator: unknown";
}

/* --- runs --- */

static bool of(const struct nf_rec_boot_attempt *at, const struct nf_rec_boot_config *c)
{
	return strcmp(at->config, c->name) == 0;
}

static bool failed(const struct nf_rec_boot_attempt *at)
{
	return at->outcome.some && at->outcome.v != NF_BOOT_OK;
}

static void add_runs(struct nf_buf *out, const struct nf_rec_boot_campaign *c,
                     const struct nf_rec_boot_config *x, size_t from, size_t to)
{
	const struct nf_rec_boot_attempt *at = c->attempts.items;
	const struct nf_rec_boot_times *p = x->phases.items;
	size_t shown = 0;

	(void)nf_buf_addf(out, "  %-10s", "run");
	for (size_t k = from; k < to; k++)
		(void)nf_buf_addf(out, " %*.*s", COLUMN - 1, COLUMN - 1, p[k].name);
	(void)nf_buf_adds(out, from ? "\n" : "   (s since t0)\n");
	for (size_t i = 0; i < c->attempts.n; i++) {
		const struct nf_rec_boot_event *e = at[i].phases.items;
		char run[40];

		if (!of(&at[i], x))
			continue;
		if (++shown > ROWS)
			break;
		snprintf(run, sizeof(run),
		         at[i].attempt > 1 || !at[i].counts ? "%" PRIu64 " try %" PRIu64
		                                            : "%" PRIu64,
		         at[i].run, at[i].attempt);
		(void)nf_buf_addf(out, "  %-10s", run);
		for (size_t k = from; k < to; k++)
			add_number(out, COLUMN, e[k].time_s);
		(void)nf_buf_adds(out, !at[i].counts    ? "  left out\n"
		                       : failed(&at[i]) ? "  failed, left out\n"
		                                        : "\n");
	}
	if (shown > ROWS)
		(void)nf_buf_adds(out, "  ... (all of them: --json, --csv)\n");
}

/* How attempts ended that were run here and are not ok. */
static void add_failures(struct nf_buf *out, const struct nf_rec_boot_campaign *c,
                         const struct nf_rec_boot_config *x)
{
	static const char *const class[] = { [NF_BOOT_STOPPED] = "",
		                             [NF_BOOT_INFRA_FAILED] = " infra,",
		                             [NF_BOOT_BOARD_FAILED] = " board,",
		                             [NF_BOOT_CONFIG_WRONG] = " config," };
	const struct nf_rec_boot_attempt *at = c->attempts.items;
	size_t shown = 0;

	for (size_t i = 0; i < c->attempts.n; i++) {
		char first[80];

		if (!of(&at[i], x) || !failed(&at[i]))
			continue;
		if (++shown > ROWS)
			break;
		snprintf(first, sizeof(first), "  run %" PRIu64 " try %" PRIu64 ":%s", at[i].run,
		         at[i].attempt, class[at[i].outcome.v]);
		add_words(out, first, at[i].outcome_why ? at[i].outcome_why : "");
	}
	if (shown > ROWS)
		(void)nf_buf_adds(out, "  ... (all of them: --json)\n");
}

static void add_boards(struct nf_buf *out, const struct nf_rec_boot_campaign *c)
{
	const struct nf_rec_boot_board *b = c->boards.items;

	for (size_t i = 0; i < c->boards.n; i++) {
		(void)nf_buf_addf(out, "board %s: %s, power %s, ends %s", b[i].name, b[i].console,
		                  b[i].power_driver, b[i].power_end);
		if (b[i].missing)
			(void)nf_buf_addf(out, "; %" PRIu64 " runs have no result", b[i].missing);
		(void)nf_buf_adds(out, "\n");
		if (b[i].power_failed)
			add_words(out, "  its power did not end so:", b[i].power_failed);
	}
	if (c->resumed)
		(void)nf_buf_addf(out, "resumed from %s\n", c->resumed);
}

/* --- figures --- */

static void add_times(struct nf_buf *out, const struct nf_rec_boot_times *t)
{
	add_name(out, t->name, NAME_WIDTH);
	(void)nf_buf_addf(out, "%4" PRIu64 "%5" PRIu64, t->n, t->failed);
	add_number(out, COLUMN - 1, t->median_s);
	add_number(out, COLUMN - 1, t->mean_s);
	add_number(out, COLUMN - 1, t->sd_s);
	add_number(out, COLUMN - 1, t->min_s);
	add_number(out, COLUMN - 1, t->max_s);
	(void)nf_buf_adds(out, "\n");
}

static void add_heading(struct nf_buf *out, const char *what, const char *unit)
{
	char title[64];

	snprintf(title, sizeof(title), "%s, %s", what, unit);
	add_name(out, title, NAME_WIDTH);
	(void)nf_buf_addf(out, "%4s%5s%9s%9s%9s%9s%9s\n", "n", "fail", "median", "mean", "sd",
	                  "min", "max");
}

static void add_percent(struct nf_buf *out, int width, struct nf_some_real ratio)
{
	char text[32] = "-";

	if (ratio.some)
		snprintf(text, sizeof(text), ratio.v < 9.995 ? "%.0f%%" : ">999%%", 100 * ratio.v);
	(void)nf_buf_addf(out, "%*s", width, text);
}

static void add_shares(struct nf_buf *out, const struct nf_rec_boot_config *x)
{
	const struct nf_rec_boot_shares *s = x->shares.items;

	add_name(out, "what fills them", NAME_WIDTH);
	(void)nf_buf_addf(out, "%8s%6s%9s%6s%8s%10s%9s\n", "bytes", "UART", "gap s", "gap",
	                  "silent", "kernel s", "host s");
	for (size_t i = 0; i < x->shares.n; i++) {
		add_name(out, s[i].name, NAME_WIDTH);
		add_plain(out, 8, s[i].bytes_median);
		add_percent(out, 6, s[i].uart_ratio_median);
		add_number(out, 9, s[i].longest_gap_s);
		add_percent(out, 6, s[i].gap_ratio_median);
		add_percent(out, 8, s[i].silence_ratio_median);
		add_number(out, 10, s[i].guest_claims_s);
		add_number(out, 9, s[i].guest_host_s);
		(void)nf_buf_adds(out, s[i].guest_disagrees ? " !\n" : "\n");
	}
}

static void add_values(struct nf_buf *out, const struct nf_rec_boot_config *x)
{
	const struct nf_rec_boot_values *v = x->values.items;

	for (size_t i = 0; i < x->values.n && i < ROWS; i++) {
		char name[128];

		if (i == 0 || strcmp(v[i].name, v[i - 1].name) != 0)
			add_heading(out, v[i].name, v[i].unit ? v[i].unit : "as printed");
		snprintf(name, sizeof(name), "%s", v[i].place);
		add_name(out, name, NAME_WIDTH);
		(void)nf_buf_addf(out, "%4" PRIu64 "%5" PRIu64, v[i].n, v[i].failed);
		add_plain(out, COLUMN - 1, nf_some_real(v[i].median));
		add_plain(out, COLUMN - 1, nf_some_real(v[i].mean));
		add_plain(out, COLUMN - 1, v[i].sd);
		add_plain(out, COLUMN - 1, nf_some_real(v[i].min));
		add_plain(out, COLUMN - 1, nf_some_real(v[i].max));
		(void)nf_buf_adds(out, "\n");
		if (v[i].counters)
			(void)nf_buf_addf(
			        out, "    ticks / rate give it in %" PRIu64 " of %" PRIu64 "\n",
			        v[i].counters_agree, v[i].counters);
	}
	if (x->values.n > ROWS)
		(void)nf_buf_addf(out, "  and %zu more values (--json)\n", x->values.n - ROWS);
}

static void add_config(struct nf_buf *out, const struct nf_rec_boot_campaign *c,
                       const struct nf_rec_boot_config *x)
{
	const struct nf_rec_boot_times *phase = x->phases.items, *between = x->intervals.items;
	bool any = false;

	(void)nf_buf_addf(out,
	                  "\n%s: %" PRIu64 " %s, %" PRIu64 " failed, %" PRIu64 " retried (%s)\n",
	                  x->name, x->runs, x->runs == 1 ? "run" : "runs", x->failed, x->retried,
	                  platform_words(x->platform));
	for (size_t i = 0; i < x->phases.n; i++)
		any = any || phase[i].n > 0;
	add_failures(out, c, x);
	for (size_t from = 0; any && from < x->phases.n; from += COLUMNS)
		add_runs(out, c, x, from,
		         from + COLUMNS < x->phases.n ? from + COLUMNS : x->phases.n);
	if (any) {
		add_heading(out, "since t0", "s");
		for (size_t i = 0; i < x->phases.n; i++)
			add_times(out, &phase[i]);
		add_heading(out, "between", "s");
		for (size_t i = 0; i < x->intervals.n; i++)
			add_times(out, &between[i]);
		add_shares(out, x);
	}
	add_values(out, x);
}

/* --- the whole --- */

static void add_ratios(struct nf_buf *out, const struct nf_rec_boot_campaign *c)
{
	const struct nf_rec_boot_ratio *q = c->ratios.items;
	const char *warning = NULL;

	for (size_t i = 0; i < c->ratios.n; i++) {
		if (i == 0 || strcmp(q[i].config, q[i - 1].config) != 0) {
			(void)nf_buf_addf(out, "\n%s against %s (medians)\n", q[i].config,
			                  q[i].base);
			warning = NULL;
		}
		add_name(out, q[i].what, NAME_WIDTH + 8);
		add_plain(out, 10, nf_some_real(q[i].base_median));
		(void)nf_buf_adds(out, " ->");
		add_plain(out, 9, nf_some_real(q[i].median));
		(void)nf_buf_addf(out, "  x%.3f [%.3f, %.3f]\n", q[i].ratio, q[i].lo, q[i].hi);
		if (q[i].warning && (!warning || strcmp(warning, q[i].warning) != 0))
			add_words(out, "    note:", q[i].warning);
		warning = q[i].warning;
	}
}

static void add_findings(struct nf_buf *out, const struct nf_rec_boot_campaign *c)
{
	const struct nf_rec_boot_finding *f = c->findings.items;

	if (c->findings.n == 0) {
		(void)nf_buf_adds(out, "\nNothing odd was found.\n");
		return;
	}
	(void)nf_buf_addf(out, "\n%zu %s:\n", c->findings.n,
	                  c->findings.n == 1 ? "finding" : "findings");
	for (size_t i = 0; i < c->findings.n; i++) {
		char first[128] = " -";

		if (f[i].config)
			snprintf(first, sizeof(first), " - %s:", f[i].config);
		add_words(out, first, f[i].text);
	}
}

static void add_resolution(struct nf_buf *out, const struct nf_rec_boot_campaign *c)
{
	const struct nf_rec_boot_attempt *at = c->attempts.items;
	double coarsest = -1;
	bool grid = false, unknown = false;

	for (size_t i = 0; i < c->attempts.n; i++) {
		unknown = unknown || !at[i].resolution_s.some;
		if (!at[i].resolution_s.some || at[i].resolution_s.v <= coarsest)
			continue;
		coarsest = at[i].resolution_s.v;
		grid = at[i].grid_s.some;
	}
	if (coarsest >= 0)
		(void)nf_buf_addf(out, "resolution %.4g s (%s)\n", coarsest,
		                  grid ? "found in the stamps" : "as printed, or of the port");
	else if (unknown)
		(void)nf_buf_adds(out,
		                  "resolution unknown: neither the port's delay nor a step in the "
		                  "stamps\n");
}

static bool own_t0(const struct nf_rec_boot_campaign *c)
{
	const struct nf_rec_boot_pattern *p = c->phases.items;

	for (size_t i = 0; i < c->phases.n; i++)
		if (strcmp(p[i].name, "t0") == 0)
			return true;
	return false;
}

int nf_text_lab(const struct nf_rec_boot_campaign *c, struct nf_buf *out)
{
	const struct nf_rec_boot_config *x = c->configs.items;

	(void)nf_buf_addf(out, "%zu %s of %zu %s; t0 %s%s%s\n", c->attempts.n,
	                  c->attempts.n == 1 ? "boot" : "boots", c->configs.n,
	                  c->configs.n == 1 ? "configuration" : "configurations", c->t0 ? "'" : "",
	                  c->t0       ? c->t0
	                  : own_t0(c) ? "is each configuration's"
	                              : "is the first line",
	                  c->t0 ? "'" : "");
	add_boards(out, c);
	add_resolution(out, c);
	for (size_t i = 0; i < c->configs.n; i++)
		add_config(out, c, &x[i]);
	add_ratios(out, c);
	add_findings(out, c);
	return -(int)out->failed;
}
