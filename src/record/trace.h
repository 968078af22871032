/* SPDX-License-Identifier: MIT */
/* trace - lists of provenance and of notes that grow in a record's arena. Internal to record/. */
#ifndef NF_RECORD_TRACE_H
#define NF_RECORD_TRACE_H

#include "record/rec_projection.h"

enum { NF_NOTES_MAX = 64, NF_TRACE_MAX = 4096 };

/* Full lists drop what comes then; a failed allocation is remembered by the arena. */
struct nf_trace_list {
	struct nf_arena *a; /* borrowed */
	struct nf_rec_trace *item;
	size_t n, cap;
};
void nf_trace_add(struct nf_trace_list *l, struct nf_rec_trace t);

struct nf_note_list {
	struct nf_arena *a; /* borrowed */
	const char **text;
	size_t n, cap;
	size_t n_lost;
};
/* A note that is there already is not added again. */
void nf_note_add(struct nf_note_list *l, const char *fmt, ...) NF_PRINTF(2, 3);
/* The list as a record has it; a last note counts those that had no room. */
struct nf_list nf_note_done(struct nf_note_list *l);

#endif
