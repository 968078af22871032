/* SPDX-License-Identifier: MIT */
/* project_fields - the fields of one published record: from facts, from options. Internal to record/. */
#ifndef NF_RECORD_PROJECT_FIELDS_H
#define NF_RECORD_PROJECT_FIELDS_H

#include "record/project.h"
#include "record/trace.h"

/* How a field of a published record comes from the facts. ALL: the captures that go along may say it. */
enum scope { MAIN, ALL };
struct move {
	const char *field;
	const char *fact;
	enum scope scope;
};
struct nf_project_builder {
	const struct nf_project_opts *o;
	struct nf_arena *a;
	const struct nf_rec_capture *capture; /* all */
	size_t n;
	const struct nf_rec_capture *main; /* NULL: none makes a record */
	bool along[NF_PROJECT_CAPTURES]; /* goes along with main */
	const struct nf_type *type;
	char *record;
	struct nf_trace_list trace;
	struct nf_note_list notes;
	struct nf_note_list missing;
	struct nf_err *err;
};

const struct nf_field *nf_project_field(const struct nf_type *t, const char *key);
/* Whether a capture has a fact. */
bool nf_project_has(const struct nf_rec_capture *c, const struct nf_field *fact);
/* Whether capture i may say something in this scope. */
bool nf_project_may_say(const struct nf_project_builder *b, size_t i, enum scope scope);
/* The capture that says a fact: main before the others. What another says otherwise is a note. */
const struct nf_rec_capture *nf_project_who(struct nf_project_builder *b, const char *fact,
                                            enum scope scope);
/* The provenance of a capture's fact, for a field of the record (value NULL: as it was read); of a field
 * that an option said. */
void nf_project_trace(struct nf_project_builder *b, const struct nf_rec_capture *c,
                      const char *fact, const char *field, const char *value);
void nf_project_trace_option(struct nf_project_builder *b, const char *field, const char *value);
/* Fills a field, or names it in `missing` when it must have a value. */
void nf_project_move(struct nf_project_builder *b, const struct move *m);

/* The day of the run: of the captures, of an option, of the file's name; NULL and missing. */
const char *nf_project_date(struct nf_project_builder *b);
bool nf_project_is_date(const char *s);
/* A text that a capture holds (*value), or else an option, or else it is missing. */
void nf_project_text_or_option(struct nf_project_builder *b, const char *field, const char **value,
                               const char *option);
/* What options alone say. Not said: NULL, for a text that cannot be absent it is empty. */
const char *nf_project_said(struct nf_project_builder *b, const char *field, const char *option,
                            bool optional);
struct nf_list nf_project_said_list(struct nf_project_builder *b, const char *field,
                                    const struct nf_list *l);
/* What options say, then what the captures contradict. */
struct nf_list nf_project_notes(struct nf_project_builder *b);
/* -1: t has no such alternative. */
int nf_project_index(const struct nf_type *t, const char *name);
/* An option's result, else `otherwise`, which rests on the fact `because`. */
int nf_project_result(struct nf_project_builder *b, const struct nf_type *t, int otherwise,
                      const char *because);

void nf_project_probe(struct nf_project_builder *b);
void nf_project_validation(struct nf_project_builder *b);

#endif
