/* SPDX-License-Identifier: MIT */
/*
 * junit - a record's verdicts as JUnit's XML, the form that CI servers read: a test suite a record, a test
 * case for each step, each limit that a step was judged against, each line of a profile, each property.
 * pass passes, fail is a failure; what could not be decided (blocked, partial, skipped) is skipped, with
 * the reason as its message: it neither passes nor fails.
 */
#ifndef NF_REPORT_JUNIT_H
#define NF_REPORT_JUNIT_H

#include <jansson.h>

#include "base/buf.h"
#include "record/type.h"

void nf_junit_begin(struct nf_buf *out);
/* value: in good form of t. name: where it comes from, a path. A record without any verdict is a suite of
 * no cases. */
void nf_junit_suite(const struct nf_type *t, const json_t *value, const char *name,
                    struct nf_buf *out);
void nf_junit_end(struct nf_buf *out);

/* Text for an attribute or an element: what XML 1.0 cannot hold (control characters, broken UTF-8,
 * non-characters) becomes U+FFFD. */
void nf_junit_text(struct nf_buf *out, const char *s, size_t len_bytes);

#endif
