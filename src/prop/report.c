/* SPDX-License-Identifier: MIT */
#include "prop/report.h"

#include <string.h>

static void quiet(const struct pt_report *report, FILE *out)
{
	(void)report;
	(void)out;
}

static const struct pt_reporter reporters[] = {
	{ "console", pt_report_console }, { "tap", pt_report_tap }, { "junit", pt_report_junit },
	{ "json", pt_report_json },       { "quiet", quiet },
};
enum { N_REPORTERS = sizeof(reporters) / sizeof(reporters[0]) };

const struct pt_reporter *pt_reporter_find(const char *name)
{
	for (size_t i = 0; name && i < N_REPORTERS; i++)
		if (strcmp(reporters[i].name, name) == 0)
			return &reporters[i];
	return NULL;
}

const char *pt_reporter_name(size_t i)
{
	return i < N_REPORTERS ? reporters[i].name : NULL;
}

int pt_report_write(const struct pt_reporter *r, const struct pt_report *report, FILE *out)
{
	if (!r || !report || !out)
		return -PT_EARG;
	r->write(report, out);
	return fflush(out) != 0 || ferror(out) ? -PT_EOS : 0;
}

unsigned pt_utf8(const char *s, uint32_t *ret)
{
	const unsigned char *p = (const unsigned char *)s;
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	unsigned more = p[0] < 0x80 ? 0 : p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : 1;
	uint32_t c = more == 0 ? p[0] : p[0] & (63U >> more);

	if (p[0] == 0 || (p[0] >= 0x80 && p[0] < 0xc2) || p[0] > 0xf4)
		return 0;
	for (unsigned i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 63);
	}
	if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*ret = c;
	return more + 1;
}

void pt_report_line(const struct pt_result *r, FILE *out)
{
	fprintf(out, "%llu case%s", (unsigned long long)r->cases, r->cases == 1 ? "" : "s");
	if (r->discarded)
		fprintf(out, ", %llu discarded", (unsigned long long)r->discarded);
	if (r->saved_dropped)
		fprintf(out, ", %u saved failure%s passed", r->saved_dropped,
		        r->saved_dropped == 1 ? "" : "s");
	if (r->has_score)
		fprintf(out, ", best score %.17g", r->best_score);
}

static void lines(const char *text, const char *prefix, const char *indent, FILE *out)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		fprintf(out, "%s%s%.*s\n", prefix, indent, (int)n, text);
		text += n + (text[n] == '\n');
	}
}

void pt_report_failure(const struct pt_result *r, const char *prefix, FILE *out)
{
	if (r->message && *r->message)
		lines(r->message, prefix, "", out);
	if (r->outcome != PT_FAILED)
		return;
	lines(r->notes, prefix, "  ", out);
	if (*r->output) {
		fprintf(out, "%soutput:\n", prefix);
		lines(r->output, prefix, "  ", out);
	}
	fprintf(out, "%s%s%zu choices after %u simplifications, %u runs%s%s\n", prefix,
	        r->from_saved ? "saved failure: " : "", r->n_choices, r->shrinks, r->shrink_calls,
	        r->shrink_ended ? "" : ", not to the end: limit reached",
	        r->flaky ? "; FLAKY: passed when it was run again" : "");
	if (r->blob)
		fprintf(out, "%sreplay with --replay %s\n", prefix, r->blob);
}

static void shares(const struct pt_result *r, const char *prefix, FILE *out)
{
	for (size_t i = 0; i < r->n_share; i++) {
		const struct pt_share *s = &r->share[i];

		fprintf(out, "%s%5.1f %% %s", prefix,
		        r->cases ? 100.0 * (double)s->n / (double)r->cases : 0.0, s->label);
		if (s->min_percent >= 0.0)
			fprintf(out, " (at least %.1f %%)", s->min_percent);
		fputc('\n', out);
	}
	if (r->lost_labels)
		fprintf(out, "%slabels beyond %d were not counted\n", prefix, PT_MAX_LABELS);
}

void pt_report_console(const struct pt_report *report, FILE *out)
{
	size_t passed = 0;

	for (size_t i = 0; i < report->n; i++) {
		const struct pt_result *r = &report->result[i];

		fprintf(out, "%-9s %s: ", pt_outcome_name(r->outcome), report->name[i]);
		pt_report_line(r, out);
		fputc('\n', out);
		shares(r, "          ", out);
		if (r->outcome == PT_PASSED)
			passed++;
		else
			pt_report_failure(r, "          ", out);
	}
	fprintf(out, "%zu of %zu properties passed, seed %llu\n", passed, report->n,
	        (unsigned long long)report->seed);
}

void pt_report_tap(const struct pt_report *report, FILE *out)
{
	fprintf(out, "TAP version 13\n1..%zu\n# seed %llu\n", report->n,
	        (unsigned long long)report->seed);
	for (size_t i = 0; i < report->n; i++) {
		const struct pt_result *r = &report->result[i];

		fprintf(out, "%sok %zu - ", r->outcome == PT_PASSED ? "" : "not ", i + 1);
		for (const char *c = report->name[i]; *c; c++)
			fputc(*c == '#' || *c == '\n' ? ' ' : *c, out); /* no directive */
		fputs("\n# ", out);
		pt_report_line(r, out);
		fputc('\n', out);
		shares(r, "# ", out);
		if (r->outcome != PT_PASSED) {
			fprintf(out, "# %s\n", pt_outcome_name(r->outcome));
			pt_report_failure(r, "# ", out);
		}
	}
}
