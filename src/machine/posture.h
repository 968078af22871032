/* SPDX-License-Identifier: MIT */
/*
 * posture - what kind of machine this is and how it is set up, read from a /proc + /sys tree.
 *
 * The facts are the rows of tables/posture.def. A fact that cannot be read is unknown (some false,
 * or a NULL text) with a reason in `unread`; it is never guessed. Reading changes nothing.
 */
#ifndef NF_MACHINE_POSTURE_H
#define NF_MACHINE_POSTURE_H

#include "base/arena.h"
#include "base/rootfs.h"

struct nf_fact_bool {
	bool some;
	bool v;
};
struct nf_fact_nat {
	bool some;
	uint64_t v;
};
struct nf_fact_real {
	bool some;
	double v;
};

struct nf_posture {
#define NF_FACT_TEXT(name) const char *name; /* NULL: unknown; borrowed from the arena */
#define NF_FACT_BOOL(name) struct nf_fact_bool name;
#define NF_FACT_NAT(name) struct nf_fact_nat name;
#define NF_FACT_REAL(name) struct nf_fact_real name;
#define X(kind, name, is_volatile, doc) NF_FACT_##kind(name)
#include "posture.def"
#undef X
#undef NF_FACT_TEXT
#undef NF_FACT_BOOL
#undef NF_FACT_NAT
#undef NF_FACT_REAL
	/* Facts that should be readable and were not, as "path: why". Absent optional files are not
	 * listed. */
	const char **unread;
	size_t n_unread;
};

/* Reads every fact. Texts live in a. Fails only on lack of memory. On a root that is not live, facts
 * that only this process can know (CPUID, adjtimex) stay unknown unless the tree shows them. */
NF_NODISCARD int nf_posture_read(const struct nf_rootfs *root, struct nf_arena *a,
                                 struct nf_posture *ret, struct nf_err *err);

/* One fact that differs. before/after are printed values; NULL: unknown. */
struct nf_posture_diff {
	const char *name;
	const char *before;
	const char *after;
	bool is_volatile;
};
/* Every fact that differs, in table order. The list and its texts live in a. */
NF_NODISCARD int nf_posture_compare(const struct nf_posture *before, const struct nf_posture *after,
                                    struct nf_arena *a, struct nf_posture_diff **ret, size_t *ret_n,
                                    struct nf_err *err);

/* The value of fact number i as text (arena), NULL: unknown. i in table order. */
size_t nf_posture_count(void);
const char *nf_posture_name(size_t i);
const char *nf_posture_doc(size_t i);
const char *nf_posture_text(const struct nf_posture *p, size_t i, struct nf_arena *a);

/* Whether `fair_server` can be read from debugfs here; else it stands on the kernel's version. */
bool nf_posture_fair_server_read(const struct nf_rootfs *root);

/* The realtime lane: rt when `realtime` is known true, generic when known false, else unknown. */
enum nf_lane { NF_LANE_UNKNOWN, NF_LANE_GENERIC, NF_LANE_RT };
enum nf_lane nf_posture_lane(const struct nf_posture *p);
const char *nf_lane_name(enum nf_lane lane); /* "unknown", "generic", "rt" */

#endif
