/* SPDX-License-Identifier: MIT */
/* dialogue_faults - played boards, good ones and one for each thing that goes wrong between a power switch and a login. */
#ifndef DIALOGUE_FAULTS_H
#define DIALOGUE_FAULTS_H

#include "played_board.h"

struct dialogue_fault {
	const char *name;
	enum nf_outcome_kind kind;
	const char *words;
	unsigned retries;
	const char *note; /* the first one; NULL: none */
	struct played_script script;
	void (*opts)(struct nf_dialogue_opts *o);
};

extern const struct dialogue_fault dialogue_faults[];
extern const size_t dialogue_n_faults;

#endif
