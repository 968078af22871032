/* SPDX-License-Identifier: MIT */
/*
 * type - record types as tables. One row a field; the writers of JSON, Dhall, CSV, JSON Schema and the
 * Dhall type all walk the same rows, so the forms cannot drift apart.
 *
 * A record is a plain C struct. What a row's field must be, by kind:
 *   NF_T_BOOL bool | NF_T_NAT uint64_t | NF_T_INT int64_t | NF_T_REAL double | NF_T_TEXT const char *
 *   NF_T_ENUM int (index into names) | NF_T_RECORD the nested struct
 *   NF_T_LIST struct nf_list of any of the above (elem)
 * Optional ones: struct nf_some_bool / _nat / _int / _real / _enum, NULL text, NULL pointer to the
 * nested struct; a list is never optional (empty instead).
 * Texts and lists are borrowed from the record's arena.
 */
#ifndef NF_RECORD_TYPE_H
#define NF_RECORD_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct nf_some_bool {
	bool some;
	bool v;
};
struct nf_some_nat {
	bool some;
	uint64_t v;
};
struct nf_some_int {
	bool some;
	int64_t v;
};
struct nf_some_real {
	bool some;
	double v;
};
struct nf_some_enum {
	bool some;
	int v;
};

static inline struct nf_some_bool nf_some_bool(bool v)
{
	return (struct nf_some_bool){ true, v };
}
static inline struct nf_some_nat nf_some_nat(uint64_t v)
{
	return (struct nf_some_nat){ true, v };
}
static inline struct nf_some_int nf_some_int(int64_t v)
{
	return (struct nf_some_int){ true, v };
}
/* NaN and infinity have no place in a record: they become None. */
static inline struct nf_some_real nf_some_real(double v)
{
	bool finite = __builtin_isfinite(v);

	return (struct nf_some_real){ finite, finite ? v : 0.0 };
}
static inline struct nf_some_enum nf_some_enum(int v)
{
	return (struct nf_some_enum){ true, v };
}

struct nf_list {
	const void *items; /* n elements of the element type's size */
	size_t n;
};

enum nf_type_kind {
	NF_T_BOOL,
	NF_T_NAT,
	NF_T_INT,
	NF_T_REAL,
	NF_T_TEXT,
	NF_T_ENUM,
	NF_T_RECORD,
	NF_T_LIST,
};

/* Where a value comes from. A record carries the paths of each kind (head.honesty). */
enum nf_basis { NF_MEASURED, NF_DERIVED, NF_DECLARED, NF_SYNTHETIC };

struct nf_field;

struct nf_type {
	enum nf_type_kind kind;
	const char *name; /* of a record or enum type: "WakeRun", "Result"; NULL for the rest */
	size_t size; /* of the C type */
	const struct nf_field *fields; /* record: ends with key NULL */
	const char *const *names; /* enum: alternatives, ends with NULL */
	const struct nf_type *elem; /* list */
};

struct nf_field {
	const char *key; /* snake_case with a unit suffix; published types keep their names */
	const struct nf_type *type;
	size_t off;
	bool optional;
	enum nf_basis basis;
	const char *doc; /* one line: what, unit */
};

extern const struct nf_type nf_t_bool, nf_t_nat, nf_t_int, nf_t_real, nf_t_text;
extern const struct nf_type nf_t_text_list, nf_t_real_list, nf_t_nat_list;

/* Offset of a field that must have C type `ctype`: a mismatch does not compile. */
#define NF_OFF(s, ctype, f) (offsetof(s, f) + 0 * sizeof((ctype *)0 == &((s *)0)->f))

#define NF_F_BOOL(s, f, b, d) { #f, &nf_t_bool, NF_OFF(s, bool, f), false, b, d }
#define NF_F_NAT(s, f, b, d) { #f, &nf_t_nat, NF_OFF(s, uint64_t, f), false, b, d }
#define NF_F_INT(s, f, b, d) { #f, &nf_t_int, NF_OFF(s, int64_t, f), false, b, d }
#define NF_F_REAL(s, f, b, d) { #f, &nf_t_real, NF_OFF(s, double, f), false, b, d }
#define NF_F_TEXT(s, f, b, d) { #f, &nf_t_text, NF_OFF(s, const char *, f), false, b, d }
#define NF_F_ENUM(s, f, t, b, d) { #f, &(t), NF_OFF(s, int, f), false, b, d }
#define NF_F_REC(s, f, ctype, t, b, d) { #f, &(t), NF_OFF(s, ctype, f), false, b, d }
#define NF_F_LIST(s, f, t, b, d) { #f, &(t), NF_OFF(s, struct nf_list, f), false, b, d }
#define NF_O_BOOL(s, f, b, d) { #f, &nf_t_bool, NF_OFF(s, struct nf_some_bool, f), true, b, d }
#define NF_O_NAT(s, f, b, d) { #f, &nf_t_nat, NF_OFF(s, struct nf_some_nat, f), true, b, d }
#define NF_O_INT(s, f, b, d) { #f, &nf_t_int, NF_OFF(s, struct nf_some_int, f), true, b, d }
#define NF_O_REAL(s, f, b, d) { #f, &nf_t_real, NF_OFF(s, struct nf_some_real, f), true, b, d }
#define NF_O_TEXT(s, f, b, d) { #f, &nf_t_text, NF_OFF(s, const char *, f), true, b, d }
#define NF_O_ENUM(s, f, t, b, d) { #f, &(t), NF_OFF(s, struct nf_some_enum, f), true, b, d }
#define NF_O_REC(s, f, ctype, t, b, d) { #f, &(t), NF_OFF(s, const ctype *, f), true, b, d }

/* The largest integer that every JSON reader keeps. Beyond it a value belongs into a text. */
#define NF_RECORD_INT_MAX INT64_C(9007199254740991)

/* Checks a value against its type before anything is written: non-optional text NULL, an enum out of
 * range, NaN or infinity, an integer beyond 2^53 - 1, a list with NULL items: -NF_EDATA naming the
 * field's path. */
NF_NODISCARD int nf_record_validate(const struct nf_type *t, const void *value, struct nf_err *err);

#endif
