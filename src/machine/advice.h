/* SPDX-License-Identifier: MIT */
/*
 * advice - what about a host's setup spoils timing, and what would help: one row a rule, in advice.c.
 *
 * A rule speaks only where the fact it stands on is known; where it is not, the rule is undecided,
 * which is not the same as nothing to say. Nothing is changed.
 */
#ifndef NF_MACHINE_ADVICE_H
#define NF_MACHINE_ADVICE_H

#include "machine/posture.h"

struct nf_advice {
	const char *id; /* "governor" */
	const char *found; /* what the host says */
	const char *effect; /* what it does to timing */
	const char *help; /* what would help */
	const char *read_from; /* the fact's name in the posture, or its file */
	const char *source; /* the document that says so */
};

struct nf_advice_list {
	struct nf_advice *item; /* in the arena, in the order of the rules */
	size_t n;
	const char **undecided; /* ids of rules whose fact is unknown here */
	size_t n_undecided;
};

/* root: the tree that p was read from. Fails on lack of memory only. */
NF_NODISCARD int nf_advice_give(const struct nf_posture *p, const struct nf_rootfs *root,
                                struct nf_arena *a, struct nf_advice_list *ret, struct nf_err *err);

#endif
