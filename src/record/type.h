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

/* Types nest at most this deep, lists counted. */
enum { NF_TYPE_DEPTH = 16 };

/* Where a value comes from. A record carries the paths of each kind (head.honesty). */
enum nf_basis {
	NF_MEASURED, /* read from a clock, a counter or the system */
	NF_DERIVED, /* computed from measured values */
	NF_DECLARED, /* said by the user or chosen before measuring */
	NF_SYNTHETIC, /* made up to exercise the program */
	NF_BY_FIELD, /* a record, or a list of records: its own fields say */
};

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

/*
 * One list of rows gives both the C struct and its table, so a field cannot be in one only:
 *
 *   #define NF_ROWS_SKEW(X, S)                                        \
 *           X(S, NAT,  cpu,       DECLARED, "which CPU")              \
 *           X(S, REAL, offset_ns, MEASURED, "against the first CPU")
 *   NF_RECORD(skew, NF_ROWS_SKEW)                 in the header: struct nf_rec_skew, nf_rec_skew_type
 *   NF_RECORD_TYPE(skew, "Skew", NF_ROWS_SKEW)    in the .c file
 *
 * Row: X(S, KIND, key, BASIS, doc). KIND is BOOL NAT INT REAL TEXT ENUM(id) REC(id), with O in front
 * where it may be absent (OREC(id) is a pointer), TEXTS NATS REALS or LIST(id) for lists.
 */
/* clang-format off */
#define NF_RECORD(id, rows)                                                                        \
	struct nf_rec_##id {                                                                       \
		rows(NF_ROW_MEMBER, _)                                                             \
	};                                                                                         \
	extern const struct nf_type nf_rec_##id##_type;
#define NF_RECORD_TYPE(id, type_name, rows)                                                        \
	static const struct nf_field id##_fields[] = { rows(NF_ROW_FIELD, struct nf_rec_##id){     \
		.key = NULL } };                                                                   \
	const struct nf_type nf_rec_##id##_type = { .kind = NF_T_RECORD,                           \
						    .name = (type_name),                           \
						    .size = sizeof(struct nf_rec_##id),            \
						    .fields = id##_fields };
/* An enum type; the alternatives in the order of their C constants. */
#define NF_RECORD_ENUM(id) extern const struct nf_type nf_rec_##id##_type;
#define NF_RECORD_ENUM_TYPE(id, type_name, ...)                                                    \
	static const char *const id##_names[] = { __VA_ARGS__, NULL };                             \
	const struct nf_type nf_rec_##id##_type = {                                                \
		.kind = NF_T_ENUM, .name = (type_name), .size = sizeof(int), .names = id##_names   \
	};

#define NF_ROW_MEMBER(S, kind, key, basis, doc) NF_C_##kind key;
#define NF_ROW_FIELD(S, kind, key, basis, doc)                                                     \
	{ #key, NF_P_##kind, offsetof(S, key), NF_O_##kind, NF_##basis, doc },

/* The C type of a member, its type object, whether it may be absent. */
#define NF_C_BOOL bool
#define NF_C_NAT uint64_t
#define NF_C_INT int64_t
#define NF_C_REAL double
#define NF_C_TEXT const char *
#define NF_C_ENUM(id) int
#define NF_C_REC(id) struct nf_rec_##id
#define NF_C_OBOOL struct nf_some_bool
#define NF_C_ONAT struct nf_some_nat
#define NF_C_OINT struct nf_some_int
#define NF_C_OREAL struct nf_some_real
#define NF_C_OTEXT const char *
#define NF_C_OENUM(id) struct nf_some_enum
#define NF_C_OREC(id) const struct nf_rec_##id *
#define NF_C_TEXTS struct nf_list
#define NF_C_NATS struct nf_list
#define NF_C_REALS struct nf_list
#define NF_C_LIST(id) struct nf_list

#define NF_P_BOOL &nf_t_bool
#define NF_P_NAT &nf_t_nat
#define NF_P_INT &nf_t_int
#define NF_P_REAL &nf_t_real
#define NF_P_TEXT &nf_t_text
#define NF_P_ENUM(id) &nf_rec_##id##_type
#define NF_P_REC(id) &nf_rec_##id##_type
#define NF_P_OBOOL &nf_t_bool
#define NF_P_ONAT &nf_t_nat
#define NF_P_OINT &nf_t_int
#define NF_P_OREAL &nf_t_real
#define NF_P_OTEXT &nf_t_text
#define NF_P_OENUM(id) &nf_rec_##id##_type
#define NF_P_OREC(id) &nf_rec_##id##_type
#define NF_P_TEXTS &nf_t_text_list
#define NF_P_NATS &nf_t_nat_list
#define NF_P_REALS &nf_t_real_list
#define NF_P_LIST(id)                                                                              \
	&(const struct nf_type)                                                                    \
	{                                                                                          \
		.kind = NF_T_LIST, .size = sizeof(struct nf_list), .elem = &nf_rec_##id##_type     \
	}

#define NF_O_BOOL false
#define NF_O_NAT false
#define NF_O_INT false
#define NF_O_REAL false
#define NF_O_TEXT false
#define NF_O_ENUM(id) false
#define NF_O_REC(id) false
#define NF_O_OBOOL true
#define NF_O_ONAT true
#define NF_O_OINT true
#define NF_O_OREAL true
#define NF_O_OTEXT true
#define NF_O_OENUM(id) true
#define NF_O_OREC(id) true
#define NF_O_TEXTS false
#define NF_O_NATS false
#define NF_O_REALS false
#define NF_O_LIST(id) false
/* clang-format on */

/* The largest integer that every JSON reader keeps. Beyond it a value belongs into a text. */
#define NF_RECORD_INT_MAX INT64_C(9007199254740991)

/* What a record type's field `schema` holds, "WindowRun/1"; NULL when it has no such field (then it is
 * no record of ours by itself). The row's doc is this text. */
const char *nf_record_schema(const struct nf_type *t);

/* Checks a value against its type before anything is written: non-optional text NULL, an enum out of
 * range, NaN or infinity, an integer beyond 2^53 - 1, a list with NULL items, another
 * text in `schema` than nf_record_schema: -NF_EDATA naming the
 * field's path. */
NF_NODISCARD int nf_record_validate(const struct nf_type *t, const void *value, struct nf_err *err);

/* Broken UTF-8 sequences and non-characters in all texts of a value: what the writers will replace.
 * Goes into head.replaced_text before the record is written. */
uint64_t nf_record_replaced(const struct nf_type *t, const void *value);

/* The paths of a value's fields by basis; list elements as a[].b. A path stands for everything below
 * it that is not listed by itself: a record whose fields all have one basis is one path. Absent
 * records and empty lists are left out. Texts and lists live in a. */
struct nf_honesty {
	struct nf_list path[NF_BY_FIELD]; /* of const char *, by enum nf_basis */
};
NF_NODISCARD int nf_record_honesty(const struct nf_type *t, const void *value, struct nf_arena *a,
                                   struct nf_honesty *ret, struct nf_err *err);

#endif
