/* SPDX-License-Identifier: MIT */
/* hwlat_parse - what the hwlat module reads from the kernel, as pure functions. */
#ifndef NF_MACHINE_HWLAT_PARSE_H
#define NF_MACHINE_HWLAT_PARSE_H

#include <event-parse.h>

#include "machine/hwlat.h"

/* The mount point of the first tracefs in the text of /proc/mounts, its octal escapes undone. False:
 * none, or it does not fit. */
bool nf_hwlat_find_tracefs(const char *mounts, char *ret, size_t len_bytes);
/* True when the blank-separated list holds the word. */
bool nf_hwlat_has_word(const char *list, const char *word);

/* A record of the kernel's ftrace/hwlat event, whose layout ev describes. t0_ns: start of the tracer
 * on the trace clock. -NF_EDATA: a field is missing or the record is shorter than its layout. */
NF_NODISCARD int nf_hwlat_decode(struct tep_event *ev, const struct tep_record *rec, int cpu,
                                 int64_t t0_ns, struct nf_hwlat_gap *ret, struct nf_err *err);

/* A set as the kernel writes masks: words of 32 bits in hex, the highest first, separated by commas.
 * Failures stick to out. */
void nf_hwlat_print_mask(const struct nf_cpuset *s, struct nf_buf *out);
/* The reverse; ret is an initialised set, its content is replaced. Not a mask: -NF_EDATA. */
NF_NODISCARD int nf_hwlat_parse_mask(const char *text, struct nf_cpuset *ret, struct nf_err *err);

#endif
