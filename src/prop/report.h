/* SPDX-License-Identifier: MIT */
/* report - one function per format; report.c has THE table. */
#ifndef PT_REPORT_H
#define PT_REPORT_H

#include "noisefloor/prop.h"

struct pt_reporter {
	const char *name;
	void (*write)(const struct pt_report *report, FILE *out);
};

void pt_report_console(const struct pt_report *report, FILE *out);
void pt_report_tap(const struct pt_report *report, FILE *out);
void pt_report_junit(const struct pt_report *report, FILE *out);
void pt_report_json(const struct pt_report *report, FILE *out);

/* "100 cases, 3 discarded" and why it did not pass, on one line without an end. */
void pt_report_line(const struct pt_result *r, FILE *out);
/* The lines of a failure, each behind the prefix. */
void pt_report_failure(const struct pt_result *r, const char *prefix, FILE *out);
/* Valid UTF-8 at s: its bytes, the code point in *ret; 0: not UTF-8 (or its end). */
unsigned pt_utf8(const char *s, uint32_t *ret);

#endif
