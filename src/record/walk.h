/* SPDX-License-Identifier: MIT */
/* walk - how the writers step through a value by its type's rows. Internal to record/. */
#ifndef NF_RECORD_WALK_H
#define NF_RECORD_WALK_H

#include "record/type.h"

/* Where a field's value lies, with the C type of its kind (a text: const char *const *), or NULL when
 * it is absent. A text that must not be absent gives the address of its NULL. */
const void *nf_field_value(const struct nf_field *f, const void *record);
/* The row of a record's own version: key "schema", its doc is its only value ("WindowRun/1"). */
bool nf_field_is_schema(const struct nf_field *f);
/* Address of element i of a list of element type t. */
const void *nf_list_item(const struct nf_type *elem, const struct nf_list *l, size_t i);

/* The record and enum types below t, each once, those that others use first; t itself last. Two types of one
 * name, or more than NF_TYPES_MAX of them: -NF_EARG. */
enum { NF_TYPES_MAX = 256 };
struct nf_type_set {
	const struct nf_type *type[NF_TYPES_MAX];
	size_t n;
};
NF_NODISCARD int nf_type_collect(const struct nf_type *t, struct nf_type_set *ret,
                                 struct nf_err *err);

/* Adds to a set that was collected before; the set may be partly extended on failure. */
NF_NODISCARD int nf_type_collect_more(const struct nf_type *t, struct nf_type_set *set,
                                      struct nf_err *err);

/* A path such as head.clock.hz or steps[3].name, for messages and the CSV form. Cut when it does not
 * fit. */
struct nf_path {
	char text[256];
	size_t len;
};
/* Appends and returns the length before, for nf_path_cut. */
size_t nf_path_key(struct nf_path *p, const char *key);
size_t nf_path_index(struct nf_path *p, size_t i);
size_t nf_path_any(struct nf_path *p); /* "[]" */
size_t nf_path_name(struct nf_path *p, const char *name); /* "[name]" */
void nf_path_cut(struct nf_path *p, size_t len);

#endif
