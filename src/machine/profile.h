/* SPDX-License-Identifier: MIT */
/*
 * profile - what a host is expected to be: lines of kernel configuration, command line and sysctls,
 * and what a host (live or captured) says to each.
 *
 *     config CONFIG_PREEMPT_RT=y     also "config # CONFIG_DEBUG_KERNEL is not set"
 *     cmdline isolcpus=2-3           a word of the kernel command line
 *     sysctl kernel.sched_rt_runtime_us = -1
 *     # comment
 *
 * A name counts as the kernel reads it: '-' and '_' are the same in a parameter, '.' and '/' in a
 * sysctl (the first of them that appears separates), an option that the configuration does not mention
 * is off. A parameter that stands several times matches when one of its values does. White space
 * inside a sysctl's value counts as one blank.
 */
#ifndef NF_MACHINE_PROFILE_H
#define NF_MACHINE_PROFILE_H

#include "base/arena.h"
#include "base/rootfs.h"

enum { NF_PROFILE_MAX_BYTES = 1 << 20 };

enum nf_profile_kind { NF_PROFILE_CONFIG, NF_PROFILE_CMDLINE, NF_PROFILE_SYSCTL };
extern const char *const nf_profile_kinds[]; /* "config", "cmdline", "sysctl", NULL */

enum nf_profile_match { NF_PROFILE_MISSING, NF_PROFILE_MISMATCHED, NF_PROFILE_MATCHED };

struct nf_profile_line {
	size_t number; /* in the file, from 1 */
	const char *text; /* the line, trimmed */
	enum nf_profile_kind kind;
	const char *name; /* "PREEMPT_RT", "isolcpus", "kernel/sched_rt_runtime_us" */
	const char *value; /* expected; NULL: a parameter without a value */
	/* From nf_profile_check(): */
	enum nf_profile_match match;
	const char *found; /* the host's value; NULL: it has none, or it cannot be read */
	const char
	        *unread; /* why it cannot be read: then missing says nothing about the host; NULL */
};

struct nf_profile {
	struct nf_profile_line *line; /* in the arena, like every text */
	size_t n;
};

/* name: for messages. A line that is none of the above, a NUL byte, no line at all, a sysctl that is
 * no path below /proc/sys: -NF_EDATA with name:line:column and what is allowed. */
NF_NODISCARD int nf_profile_parse(const char *text, size_t len_bytes, const char *name,
                                  struct nf_arena *a, struct nf_profile *ret, struct nf_err *err);

/* Fills what the host says to each line. release: for finding the configuration; may be NULL. Fails on
 * lack of memory only. */
NF_NODISCARD int nf_profile_check(struct nf_profile *p, const struct nf_rootfs *root,
                                  const char *release, struct nf_arena *a, struct nf_err *err);

#endif
