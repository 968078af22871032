/* SPDX-License-Identifier: MIT */
/* tracer_parse - what all tracers' modules read from the kernel, as pure functions. */
#ifndef NF_MACHINE_TRACER_PARSE_H
#define NF_MACHINE_TRACER_PARSE_H

#include <event-parse.h>

#include "base/buf.h"
#include "base/cpuset.h"

/* The mount point of the first tracefs in the text of /proc/mounts, its octal escapes undone. False:
 * none, or it does not fit. */
bool nf_tracer_find_tracefs(const char *mounts, char *ret, size_t len_bytes);
/* True when the blank-separated list holds the word. */
bool nf_tracer_has_word(const char *list, const char *word);

/* A number that is not negative, in a record whose layout ev describes. -NF_ENODATA: this kernel's layout has
 * no such field; -NF_EDATA: the record is shorter than its layout, or the number is out of range. */
NF_NODISCARD int nf_tracer_field(struct tep_event *ev, const struct tep_record *rec,
                                 const char *name, int64_t *ret, struct nf_err *err);
/* A text in a record, cut to fit, what cannot be printed as '?'; "" where there is none. The field may be an array
 * of characters or one that the record points to. */
void nf_tracer_text(struct tep_event *ev, const struct tep_record *rec, const char *name, char *ret,
                    size_t len_bytes);
/* Time of the record since t0_ns on the trace clock; may be negative. -NF_EDATA: out of range. */
NF_NODISCARD int nf_tracer_time(const struct tep_record *rec, int64_t t0_ns, int64_t *ret,
                                struct nf_err *err);

/* A set as the kernel writes masks: words of 32 bits in hex, the highest first, separated by commas.
 * Failures stick to out. */
void nf_tracer_print_mask(const struct nf_cpuset *s, struct nf_buf *out);
/* The reverse; ret is an initialised set, its content is replaced. Not a mask: -NF_EDATA. */
NF_NODISCARD int nf_tracer_parse_mask(const char *text, struct nf_cpuset *ret, struct nf_err *err);

#endif
