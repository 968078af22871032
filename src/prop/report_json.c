/* SPDX-License-Identifier: MIT */
/* JSON: one object; what is not known is null. */
#include <math.h>
#include <string.h>

#include "prop/report.h"

static void text(const char *key, const char *s, FILE *out)
{
	fprintf(out, "\"%s\": ", key);
	if (!s) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	while (*s) {
		uint32_t c;
		unsigned n = pt_utf8(s, &c);

		if (n == 0)
			fputs("\\ufffd", out); /* a byte that is not UTF-8 */
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", (int)c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			fwrite(s, 1, n, out);
		s += n ? n : 1;
	}
	fputc('"', out);
}

static void number(const char *key, uint64_t n, FILE *out)
{
	fprintf(out, "\"%s\": %llu", key, (unsigned long long)n);
}

static void real(const char *key, bool known, double x, FILE *out)
{
	if (known && isfinite(x))
		fprintf(out, "\"%s\": %.17g", key, x);
	else
		fprintf(out, "\"%s\": null", key);
}

static void boolean(const char *key, bool b, FILE *out)
{
	fprintf(out, "\"%s\": %s", key, b ? "true" : "false");
}

static void failure(const struct pt_result *r, FILE *out)
{
	fputs(",\n     \"failure\": ", out);
	if (r->outcome != PT_FAILED) {
		fputs("null", out);
		return;
	}
	fputs("{", out);
	text("kind", pt_failure_name(r->failure), out);
	fputs(", ", out);
	number("code", (uint64_t)r->code, out);
	fputs(", ", out);
	boolean("saved", r->from_saved, out);
	fputs(", ", out);
	boolean("flaky", r->flaky, out);
	fputs(", ", out);
	boolean("shrink_ended", r->shrink_ended, out);
	fputs(", ", out);
	number("shrink_calls", r->shrink_calls, out);
	fputs(", ", out);
	number("shrinks", r->shrinks, out);
	fputs(", ", out);
	number("choices", r->n_choices, out);
	fputs(",\n      ", out);
	text("notes", r->notes, out);
	fputs(",\n      ", out);
	text("output", r->output, out);
	fputs(",\n      ", out);
	text("blob", r->blob, out);
	fputs("}", out);
}

static void labels(const struct pt_result *r, FILE *out)
{
	fputs(",\n     \"labels\": [", out);
	for (size_t i = 0; i < r->n_share; i++) {
		const struct pt_share *s = &r->share[i];

		fputs(i ? ", {" : "{", out);
		text("label", s->label, out);
		fputs(", ", out);
		number("cases", s->n, out);
		fputs(", ", out);
		real("min_percent", s->min_percent >= 0.0, s->min_percent, out);
		fputs("}", out);
	}
	fputs("]", out);
}

void pt_report_json(const struct pt_report *report, FILE *out)
{
	uint64_t cases = 0;
	size_t passed = 0;

	for (size_t i = 0; i < report->n; i++) {
		cases += report->result[i].cases;
		passed += report->result[i].outcome == PT_PASSED;
	}
	fputs("{", out);
	text("suite", report->suite, out);
	fputs(", ", out);
	number("seed", report->seed, out);
	fputs(", ", out);
	number("properties", report->n, out);
	fputs(", ", out);
	number("passed", passed, out);
	fputs(", ", out);
	number("cases", cases, out);
	fputs(",\n \"results\": [", out);
	for (size_t i = 0; i < report->n; i++) {
		const struct pt_result *r = &report->result[i];

		fputs(i ? ",\n    {" : "\n    {", out);
		text("name", report->name[i], out);
		fputs(", ", out);
		text("outcome", pt_outcome_name(r->outcome), out);
		fputs(", ", out);
		number("cases", r->cases, out);
		fputs(", ", out);
		number("discarded", r->discarded, out);
		fputs(", ", out);
		number("saved_dropped", r->saved_dropped, out);
		fputs(", ", out);
		real("best_score", r->has_score, r->best_score, out);
		fputs(",\n     ", out);
		text("message", r->message, out);
		labels(r, out);
		failure(r, out);
		fputs("}", out);
	}
	fputs("\n ]}\n", out);
}
