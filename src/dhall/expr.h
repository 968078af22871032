/* SPDX-License-Identifier: MIT */
/*
 * expr - expressions as the layer sees them: source as parsed, and values in normal form.
 *
 * Nodes live in the session's arena and never change once made, so they are shared freely. Fields of
 * records and unions are sorted by name. Constructors return NULL when the session has failed or a
 * limit is passed, and take NULL children as "has failed already".
 */
#ifndef NF_DHALL_EXPR_H
#define NF_DHALL_EXPR_H

#include <stdint.h>

#include "dhall/dhall.h"

enum nf_dkind {
	NF_D_VAR, /* name@index */
	NF_D_BOUND, /* in values: the variable of the function type with that id */
	NF_D_BUILTIN,
	NF_D_BOOL,
	NF_D_NATURAL,
	NF_D_INTEGER,
	NF_D_DOUBLE,
	NF_D_TEXT,
	NF_D_LAMBDA,
	NF_D_PI,
	NF_D_APP, /* items: the function, then its arguments */
	NF_D_IF, /* items: three */
	NF_D_OP,
	NF_D_LIST, /* items, at least one */
	NF_D_EMPTY, /* [] : a */
	NF_D_SOME,
	NF_D_RECORD, /* fields */
	NF_D_RECORD_TYPE,
	NF_D_UNION, /* fields; value NULL: an alternative without payload */
	NF_D_FIELD,
	NF_D_ANNOT, /* a : b */
	NF_D_LET,
	NF_D_IMPORT,
};

/* As numbered by the binary encoding. */
enum nf_dop {
	NF_DOP_OR = 0,
	NF_DOP_AND,
	NF_DOP_EQUAL,
	NF_DOP_NOT_EQUAL,
	NF_DOP_PLUS,
	NF_DOP_TIMES,
	NF_DOP_TEXT_APPEND,
	NF_DOP_LIST_APPEND,
	NF_DOP_COMBINE,
	NF_DOP_PREFER,
	NF_DOP_COMBINE_TYPES,
	NF_DOP_ALTERNATIVE,
	NF_DOP_EQUIVALENT,
	NF_DOP_COUNT,
};

struct nf_dstr {
	const char *p; /* UTF-8, may hold NULs */
	size_t n;
};

struct nf_dfield {
	struct nf_dstr name;
	const struct nf_dexpr *value;
	uint32_t at; /* place of the name */
};

struct nf_dbind {
	struct nf_dstr name;
	const struct nf_dexpr *type; /* NULL: none */
	const struct nf_dexpr *value;
};

/* The text of a literal: n chunks, the last without an expression. */
struct nf_dchunk {
	struct nf_dstr text;
	const struct nf_dexpr *expr;
};

enum nf_dscheme {
	NF_DS_HTTP = 0,
	NF_DS_HTTPS,
	NF_DS_ABSOLUTE,
	NF_DS_HERE,
	NF_DS_PARENT,
	NF_DS_HOME,
	NF_DS_ENV,
	NF_DS_MISSING,
};
enum nf_dmode { NF_DM_CODE = 0, NF_DM_TEXT, NF_DM_LOCATION, NF_DM_BYTES };

/* The two members at the end are filled by nf_dhall_resolve(). */
struct nf_dimport {
	bool has_hash;
	uint8_t hash[NF_SHA256_BYTES];
	enum nf_dmode mode;
	enum nf_dscheme scheme;
	struct nf_dstr *part; /* path components; authority first for http; the name for env */
	size_t n_parts;
	bool has_query;
	struct nf_dstr query;
	const struct nf_dexpr *type;
	const struct nf_dexpr *value;
};

struct nf_dexpr {
	uint8_t kind; /* enum nf_dkind */
	uint8_t op; /* enum nf_dop; of NF_D_INTEGER: negative */
	uint16_t depth; /* 1 + that of the deepest child */
	bool binds; /* a function, a function type or a bound variable is in it */
	uint16_t file; /* index into the session's files; 0: no place */
	uint32_t at; /* offset in that file */
	uint32_t n; /* of what the union holds */
	union {
		struct {
			struct nf_dstr name;
			uint64_t index; /* VAR: index; BOUND: id */
			const struct nf_dexpr *type; /* BOUND */
		} var;
		const struct nf_dbuiltin *builtin;
		bool truth;
		double number;
		struct nf_dstr digits; /* decimal, no sign, no leading zero */
		const struct nf_dchunk *chunk;
		struct {
			struct nf_dstr name;
			const struct nf_dexpr *type, *body;
			uint64_t id; /* of values; 0 in source */
		} fn;
		const struct nf_dexpr *const *item;
		struct {
			const struct nf_dexpr *a, *b;
		} two;
		const struct nf_dfield *field;
		struct {
			const struct nf_dexpr *of;
			struct nf_dstr name;
		} sel;
		struct {
			const struct nf_dbind *bind;
			const struct nf_dexpr *body;
		} let;
		struct nf_dimport *import;
	};
};

enum nf_dbuiltin_id {
	NF_DB_OTHER = 0,
	NF_DB_TYPE,
	NF_DB_KIND,
	NF_DB_SORT,
	NF_DB_LIST,
	NF_DB_OPTIONAL,
	NF_DB_NONE,
	NF_DB_TEXT,
	NF_DB_NATURAL,
	NF_DB_INTEGER,
	NF_DB_DOUBLE,
	NF_DB_BOOL
};
struct nf_dbuiltin {
	const char *name;
	const char *type; /* Dhall text; NULL: Sort has none */
	enum nf_dbuiltin_id id;
	bool function; /* computes something: refused when applied */
};
extern const struct nf_dbuiltin nf_dbuiltins[]; /* ends with name NULL */
const struct nf_dbuiltin *nf_dbuiltin_find(struct nf_dstr name); /* NULL: none */

/* What a node is made for: a place in a file. */
struct nf_dplace {
	uint16_t file;
	uint32_t at;
};
#define NF_DPLACE(e) ((struct nf_dplace){ (e)->file, (e)->at })

bool nf_dstr_eq(struct nf_dstr a, struct nf_dstr b);
bool nf_dstr_is(struct nf_dstr a, const char *s);
int nf_dstr_cmp(struct nf_dstr a, struct nf_dstr b);
struct nf_dstr nf_dstr_of(const char *s);
struct nf_dstr nf_dstr_copy(struct nf_dhall *d, const char *p, size_t n); /* p NULL: failed */

const struct nf_dexpr *nf_dx_var(struct nf_dhall *d, struct nf_dplace p, struct nf_dstr name,
                                 uint64_t index);
const struct nf_dexpr *nf_dx_bound(struct nf_dhall *d, struct nf_dplace p, struct nf_dstr name,
                                   uint64_t id, const struct nf_dexpr *type);
const struct nf_dexpr *nf_dx_builtin(struct nf_dhall *d, struct nf_dplace p,
                                     const struct nf_dbuiltin *b);
const struct nf_dexpr *nf_dx_builtin_id(struct nf_dhall *d, struct nf_dplace p,
                                        enum nf_dbuiltin_id id);
const struct nf_dexpr *nf_dx_bool(struct nf_dhall *d, struct nf_dplace p, bool v);
const struct nf_dexpr *nf_dx_number(struct nf_dhall *d, struct nf_dplace p, struct nf_dstr digits,
                                    bool integer, bool negative);
const struct nf_dexpr *nf_dx_double(struct nf_dhall *d, struct nf_dplace p, double v);
/* The array is taken; n >= 1 and the last chunk has no expression. */
const struct nf_dexpr *nf_dx_text(struct nf_dhall *d, struct nf_dplace p,
                                  const struct nf_dchunk *chunk, size_t n);
const struct nf_dexpr *nf_dx_fn(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                                struct nf_dstr name, const struct nf_dexpr *type,
                                const struct nf_dexpr *body, uint64_t id);
/* APP (flattened), IF, LIST; the array is copied. */
const struct nf_dexpr *nf_dx_items(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                                   const struct nf_dexpr *const *item, size_t n);
const struct nf_dexpr *nf_dx_app(struct nf_dhall *d, struct nf_dplace p, const struct nf_dexpr *fn,
                                 const struct nf_dexpr *arg);
/* OP, ANNOT; EMPTY and SOME with b NULL. */
const struct nf_dexpr *nf_dx_two(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                                 enum nf_dop op, const struct nf_dexpr *a,
                                 const struct nf_dexpr *b);
const struct nf_dexpr *nf_dx_one(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                                 const struct nf_dexpr *a);
/* The array is taken and sorted, names that are equal staying in order. */
const struct nf_dexpr *nf_dx_fields(struct nf_dhall *d, struct nf_dplace p, enum nf_dkind kind,
                                    struct nf_dfield *field, size_t n);
const struct nf_dexpr *nf_dx_sel(struct nf_dhall *d, struct nf_dplace p, const struct nf_dexpr *of,
                                 struct nf_dstr name);
/* Bindings of a body that is a let itself are joined to these. The array is copied. */
const struct nf_dexpr *nf_dx_let(struct nf_dhall *d, struct nf_dplace p,
                                 const struct nf_dbind *bind, size_t n,
                                 const struct nf_dexpr *body);
const struct nf_dexpr *nf_dx_import(struct nf_dhall *d, struct nf_dplace p,
                                    struct nf_dimport *import);

/* As it is written: "//". */
const char *nf_dop_name(enum nf_dop op);
/* NULL: no such field. */
const struct nf_dfield *nf_dx_find(const struct nf_dexpr *fields, struct nf_dstr name);
bool nf_dx_is(const struct nf_dexpr *e, enum nf_dbuiltin_id id);
/* The argument of `List t` or `Optional t`; NULL: e is something else. */
const struct nf_dexpr *nf_dx_arg_of(const struct nf_dexpr *e, enum nf_dbuiltin_id id);
/* e with every child replaced by fn(ctx, child). */
typedef const struct nf_dexpr *nf_dx_map_fn(void *ctx, const struct nf_dexpr *child);
const struct nf_dexpr *nf_dx_map(struct nf_dhall *d, const struct nf_dexpr *e, nf_dx_map_fn *fn,
                                 void *ctx);

#endif
