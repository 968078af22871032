/* SPDX-License-Identifier: MIT */
/*
 * facts - what the parts of posture share: reading one file of the tree, noting why it gave nothing,
 * and remembering a lack of memory. Used by posture*.c only.
 */
#ifndef NF_MACHINE_FACTS_H
#define NF_MACHINE_FACTS_H

#include "machine/posture.h"
#include "machine/span.h"

enum {
	NF_FACTS_UNREAD_MAX = 64, /* notes kept; one more counts the rest */
	NF_FACTS_FILE_MAX_BYTES = 1 << 20, /* every file but those with a ceiling of their own */
};

/* What an absent file means. */
enum nf_need {
	NF_OPTIONAL, /* normal on many hosts: says nothing */
	NF_EXPECTED, /* every Linux has it: noted in unread */
};

struct nf_facts {
	const struct nf_rootfs *root; /* borrowed */
	struct nf_arena *a; /* borrowed */
	struct nf_posture *p; /* borrowed */
	struct nf_cpuset cpus; /* owned; the CPUs to visit: the online ones */
	struct nf_fact_bool hypervisor_bit; /* the x86 feature flag, from /proc/cpuinfo or CPUID */
	bool is_container;
	size_t n_unread_dropped;
	int failed; /* 0, or the negated code of the first lack of memory */
	struct nf_err why; /* of failed */
};

/* True when r is 0. Else notes why path could not be read (see nf_need), or remembers the failure. */
bool nf_facts_ok(struct nf_facts *f, int r, const struct nf_err *why, const char *path,
                 enum nf_need need);
void nf_facts_unread(struct nf_facts *f, const char *path, const char *why);

/* First line as in nf_rootfs_read_line, NULL when there is none. An empty line is "". */
const char *nf_facts_line(struct nf_facts *f, const char *path, enum nf_need need);
/* The same, but an empty line is NULL too: it says nothing. */
const char *nf_facts_text(struct nf_facts *f, const char *path, enum nf_need need);
/* The whole file instead of what b held. */
bool nf_facts_file(struct nf_facts *f, const char *path, enum nf_need need, struct nf_buf *b);
bool nf_facts_i64(struct nf_facts *f, const char *path, enum nf_need need, int64_t *ret);
/* A file that must hold 0 or 1. */
struct nf_fact_bool nf_facts_flag(struct nf_facts *f, const char *path, enum nf_need need);
/* Copies into the arena; NULL for an empty span. */
const char *nf_facts_dup(struct nf_facts *f, struct nf_span s);
/* The text of b in the arena; NULL when b failed (remembered when it was memory). */
const char *nf_facts_take(struct nf_facts *f, const struct nf_buf *b);
/* The canonical list of s in the arena. */
const char *nf_facts_cpulist(struct nf_facts *f, const struct nf_cpuset *s);

/* The parts, in the order in which they must run. */
void nf_facts_read_cpus(struct nf_facts *f); /* lists, SMT, frequency, idle, mitigations */
void nf_facts_read_cpuinfo(struct nf_facts *f);
void nf_facts_read_kernel(struct nf_facts *f);
void nf_facts_read_platform(struct nf_facts *f); /* needs cpuinfo, clocksources */
void nf_facts_read_sched(struct nf_facts *f); /* realtime throttling, fair server, cgroup */
void nf_facts_read_load(struct nf_facts *f); /* memory, load, steal, temperatures; needs platform */

#endif
