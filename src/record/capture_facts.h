/* SPDX-License-Identifier: MIT */
/* capture_facts - what one capture says, and which line says it. Pure: bytes in, facts out. */
#ifndef NF_RECORD_CAPTURE_FACTS_H
#define NF_RECORD_CAPTURE_FACTS_H

#include "record/rec_projection.h"

/* name stands in the trace and in notes. All of *ret lives in a. What no line says is None, what a line
 * says in a form that is not understood too, with a note. The first line that says something counts; one
 * that says otherwise is a note. -NF_EDATA: too large. */
NF_NODISCARD int nf_capture_facts(const char *name, const void *data, size_t len_bytes,
                                  struct nf_arena *a, struct nf_rec_capture *ret,
                                  struct nf_err *err);

/* "2026-01-02T03:04:05Z" as seconds since 1970, leap seconds apart; false: another form. */
bool nf_capture_utc(const char *text, double *ret_s);

#endif
