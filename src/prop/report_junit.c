/* SPDX-License-Identifier: MIT */
/* JUnit's XML, as CI servers read it. Without times: a report of the same run is the same. */
#include <stdlib.h>
#include <string.h>

#include "prop/report.h"

/* XML 1.0 has no way to write most control characters, nor U+FFFE and U+FFFF. */
static void text(const char *s, FILE *out)
{
	while (*s) {
		uint32_t c;
		unsigned n = pt_utf8(s, &c);

		if (n == 0 || (c < 0x20 && c != '\n' && c != '\t') || c == 0xfffe || c == 0xffff)
			fputs("\xef\xbf\xbd", out);
		else if (c == '<')
			fputs("&lt;", out);
		else if (c == '>')
			fputs("&gt;", out);
		else if (c == '&')
			fputs("&amp;", out);
		else if (c == '"')
			fputs("&quot;", out);
		else if (c == '\n' || c == '\t')
			fprintf(out, "&#%u;", c);
		else
			fwrite(s, 1, n, out);
		s += n ? n : 1;
	}
}

static void property(const struct pt_report *report, size_t i, FILE *out)
{
	const struct pt_result *r = &report->result[i];
	const char *what = r->outcome == PT_FAILED && r->failure == PT_FALSE ? "failure" : "error";
	char *lines = NULL;
	size_t size = 0;
	FILE *f;

	fputs("  <testcase classname=\"", out);
	text(report->suite, out);
	fputs("\" name=\"", out);
	text(report->name[i], out);
	if (r->outcome == PT_PASSED) {
		fputs("\"/>\n", out);
		return;
	}
	if (r->outcome != PT_FAILED)
		what = "failure";
	fprintf(out, "\">\n    <%s type=\"%s\" message=\"", what, pt_outcome_name(r->outcome));
	text(r->message ? r->message : "", out);
	fputs("\">", out);
	f = open_memstream(&lines, &size);
	if (f) {
		pt_report_failure(r, "", f);
		if (fclose(f) == 0)
			text(lines, out);
		free(lines);
	}
	fprintf(out, "</%s>\n  </testcase>\n", what);
}

void pt_report_junit(const struct pt_report *report, FILE *out)
{
	size_t failures = 0, errors = 0;

	for (size_t i = 0; i < report->n; i++) {
		const struct pt_result *r = &report->result[i];

		if (r->outcome == PT_FAILED && r->failure != PT_FALSE)
			errors++;
		else if (r->outcome != PT_PASSED)
			failures++;
	}
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", out);
	text(report->suite, out);
	fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", report->n, failures,
	        errors);
	fprintf(out, "  <properties><property name=\"seed\" value=\"%llu\"/></properties>\n",
	        (unsigned long long)report->seed);
	for (size_t i = 0; i < report->n; i++)
		property(report, i, out);
	fputs("</testsuite>\n", out);
}
