/* SPDX-License-Identifier: MIT */
/*
 * record_samples - values of any record type, made by walking its rows: a new record type is covered as
 * soon as it stands in nf_record_types.
 */
#ifndef NF_TESTS_RECORD_SAMPLES_H
#define NF_TESTS_RECORD_SAMPLES_H

#include "record/type.h"

enum {
	NF_SAMPLE_EMPTY, /* everything absent, lists empty, texts "" */
	NF_SAMPLE_FULL, /* everything present, with the hardest texts and numbers in turn */
	NF_SAMPLE_RANDOM, /* this and higher: random, the number is the seed */
};

/* A value of type t; lives in a. NULL when a is full. */
void *record_sample(const struct nf_type *t, struct nf_arena *a, uint64_t variant);

/* Texts that broke other writers; ends with NULL. All are C strings, some are not UTF-8. */
extern const char *const record_hostile_texts[];

#endif
