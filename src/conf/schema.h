/* SPDX-License-Identifier: MIT */
/*
 * schema - what a YAML file may hold, as tables. One row a key; the reader, its messages and the
 * reference in the documentation all walk the same rows.
 *
 * A file is read into a plain C struct. What a row's field must be, by kind:
 *   NF_CONF_TEXT struct nf_conf_text | NF_CONF_BOOL struct nf_conf_bool
 *   NF_CONF_INT, _DURATION (ns), _SIZE (bytes), _ENUM (index into names) struct nf_conf_int
 *   NF_CONF_SHARE struct nf_conf_real | NF_CONF_LIST, NF_CONF_NAMED struct nf_conf_list
 *   NF_CONF_MAP a struct that begins with a struct nf_conf_pos
 *   NF_CONF_EITHER a struct that begins with a struct nf_conf_pos and holds the alternatives
 * Every value says where it stands, so that its owner can refuse it there later (nf_conf_refuse()); line 0:
 * it is not in the file, and holds the row's default, or zeros when there is none.
 * Texts and lists are borrowed from the struct nf_conf that was read.
 */
#ifndef NF_CONF_SCHEMA_H
#define NF_CONF_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* From 1; columns count characters. */
struct nf_conf_pos {
	uint32_t line; /* 0: not in the file */
	uint32_t column;
};
struct nf_conf_text {
	struct nf_conf_pos pos;
	const char *v; /* NULL: absent, no default */
};
struct nf_conf_int {
	struct nf_conf_pos pos;
	int64_t v;
};
struct nf_conf_real {
	struct nf_conf_pos pos;
	double v;
};
struct nf_conf_bool {
	struct nf_conf_pos pos;
	bool v;
};
struct nf_conf_list {
	struct nf_conf_pos pos;
	const void *items; /* n of the item's size */
	size_t n;
};

enum nf_conf_kind {
	NF_CONF_TEXT, /* min and max: its length in bytes; never holds a NUL */
	NF_CONF_INT, /* min and max; decimal or 0x..., unquoted */
	NF_CONF_DURATION, /* with a unit; min and max in ns */
	NF_CONF_SIZE, /* bytes: 4096, 4KiB, 2MiB, 1GiB; min and max */
	NF_CONF_SHARE, /* 0.05 or 5%; low and high */
	NF_CONF_BOOL, /* true or false, unquoted */
	NF_CONF_ENUM, /* one of names */
	NF_CONF_MAP, /* fields */
	NF_CONF_LIST, /* of item; min and max: how many */
	NF_CONF_NAMED, /* a mapping from names of the user's choice to items; min and max: how many */
	NF_CONF_EITHER, /* a scalar, a list or a mapping: what stands there chooses */
};

enum {
	NF_CONF_DEPTH = 16, /* mappings and lists nest at most this deep */
	NF_CONF_KEYS = 64, /* of a mapping with fields */
	NF_CONF_ITEMS_MAX = 10000, /* of a list or a mapping of names */
	NF_CONF_TEXT_MAX = 65536,
};

struct nf_conf_field;

struct nf_conf_type {
	enum nf_conf_kind kind;
	const char *
	        what; /* "a pattern (PCRE2)": what it is, instead of the words of its kind; may be NULL */
	size_t size; /* of the C type */
	int64_t min, max; /* max 0: the kind's own maximum, where it has one */
	double low, high; /* SHARE */
	const char *const *names; /* ENUM: ends with NULL */
	const struct nf_conf_field *fields; /* MAP: ends with key NULL */
	/* LIST: of these. NAMED: each item is a struct of entry_size bytes that begins with a struct nf_conf_text,
	 * its name, and holds the value at value_off. */
	const struct nf_conf_type *item;
	size_t entry_size, value_off;
	const struct nf_conf_type *key; /* NAMED: a TEXT type for the names; NULL: any text */
	/* EITHER: NULL, what may not stand there; else at these offsets. */
	const struct nf_conf_type *scalar, *list, *map;
	size_t scalar_off, list_off, map_off;
	/* The owner's own rule, once the value is whole; may be NULL. Returns 0 or fails with a message that need
	 * not name the place. ctx: what the reader was given. */
	int (*check)(const void *value, void *ctx, struct nf_err *err);
};

struct nf_conf_field {
	const char *key;
	const struct nf_conf_type *type;
	size_t off;
	bool required; /* with `group`: one of the group is; with `when_key`: where that holds */
	const char *
	        def; /* of a scalar, as it would stand in the file; "{}" of a MAP: its fields' defaults */
	unsigned group; /* at most one of the fields with the same number may be there; 0: none */
	/* Only where the enum field `when_key` of the same mapping has one of these values, separated by blanks. */
	const char *when_key, *when;
	const char *help; /* one line, no full stop */
};

/* Offset of a field that must have type `type`: a mismatch does not compile. */
#define NF_CONF_AT(s, type, f) (offsetof(s, f) + 0 * sizeof((type *)0 == &((s *)0)->f))

/* Rows are written as { NF_CONF_..._ROW(...), extras }. T is the row's type table. */
#define NF_CONF_ROW_(k, ctype, T, s, f, h) \
	.key = (k), .type = (T), .off = NF_CONF_AT(s, ctype, f), .help = (h)
#define NF_CONF_TEXT_ROW(k, T, s, f, h) NF_CONF_ROW_(k, struct nf_conf_text, T, s, f, h)
#define NF_CONF_INT_ROW(k, T, s, f, h) NF_CONF_ROW_(k, struct nf_conf_int, T, s, f, h)
#define NF_CONF_REAL_ROW(k, T, s, f, h) NF_CONF_ROW_(k, struct nf_conf_real, T, s, f, h)
#define NF_CONF_BOOL_ROW(k, T, s, f, h) NF_CONF_ROW_(k, struct nf_conf_bool, T, s, f, h)
#define NF_CONF_LIST_ROW(k, T, s, f, h) NF_CONF_ROW_(k, struct nf_conf_list, T, s, f, h)
#define NF_CONF_STRUCT_ROW(k, T, ctype, s, f, h) NF_CONF_ROW_(k, ctype, T, s, f, h)

/* "a whole number from 1 to 5": what a type allows, as messages and the reference say it. */
void nf_conf_allowed(const struct nf_conf_type *t, struct nf_buf *out);
/* The keys of a mapping and of all below it as a list in Markdown: a line a key. */
void nf_conf_describe(const struct nf_conf_type *map, struct nf_buf *out);

extern const struct nf_conf_type nf_conf_text; /* not empty, one line or more */
extern const struct nf_conf_type nf_conf_bool;
extern const struct nf_conf_type nf_conf_duration; /* from 0 */
extern const struct nf_conf_type nf_conf_text_list;

#endif
