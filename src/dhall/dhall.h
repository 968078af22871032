/* SPDX-License-Identifier: MIT */
/*
 * dhall - the part of the Dhall language (standard v23.1.0) that data and their types need.
 *
 * Read, type-checked and normalised: let, records and record types, puns, dotted fields, selection,
 * unions and constructors, Optional, List, Text with interpolation, Bool, Natural, Integer, Double,
 * annotations, function types, the operators //, /\ and //\\, local imports. Parsed and coded, but
 * refused by name when they would have to be evaluated: functions, if, the other operators, remote,
 * environment and home imports, `missing`, `as`. Refused by the parser, by name: merge, toMap, assert,
 * showConstructor, with, projections, completion, bytes and temporal literals.
 *
 * A session owns every expression made in it; they live until nf_dhall_free(). It is used by one
 * thread at a time. Hostile input ends in an error within the limits below, whatever it nests or
 * multiplies. All errors of the language are NF_EDATA with "FILE:LINE:COLUMN: what" as the message.
 */
#ifndef NF_DHALL_DHALL_H
#define NF_DHALL_DHALL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/hash.h"

enum {
	NF_DHALL_DEPTH = 400, /* of nested expressions, also of values that lets build up */
	NF_DHALL_SOURCE_BYTES = 16 << 20, /* of one file */
	NF_DHALL_MEMORY_BYTES =
	        160 << 20, /* of a session; with a text besides a program stays below 256 MB */
	NF_DHALL_TEXT_BYTES = 64 << 20, /* of one encoded, printed or converted expression */
	NF_DHALL_STEPS = 20000000, /* expressions visited between parsing and the result */
	NF_DHALL_DIGITS = 4096, /* of a number */
	NF_DHALL_IMPORTS = 1000, /* files of a session */
	NF_DHALL_IMPORT_DEPTH = 64,
};

struct nf_dhall;
struct nf_dexpr;

NF_NODISCARD int nf_dhall_new(struct nf_dhall **ret, struct nf_err *err);
void nf_dhall_free(struct nf_dhall *d); /* NULL is fine */

/* The folder that imports may not leave. Without it: the nearest ancestor of the first loaded file
 * that holds .git or MANIFEST, else the parent of that file's folder. */
NF_NODISCARD int nf_dhall_set_root(struct nf_dhall *d, const char *path, struct nf_err *err);

/* Source text as an expression; nothing is checked beyond its form. name stands in messages. */
NF_NODISCARD int nf_dhall_parse(struct nf_dhall *d, const char *name, const char *text,
                                size_t len_bytes, const struct nf_dexpr **ret, struct nf_err *err);
/* CBOR as the standard's binary.md has it. */
NF_NODISCARD int nf_dhall_decode(struct nf_dhall *d, const void *data, size_t len_bytes,
                                 const struct nf_dexpr **ret, struct nf_err *err);
/* Appends to out; on failure out is as it was. */
NF_NODISCARD int nf_dhall_encode(struct nf_dhall *d, const struct nf_dexpr *e, struct nf_buf *out,
                                 struct nf_err *err);

/* Loads, checks and fills in the imports of e, which are relative to the file `path`. */
NF_NODISCARD int nf_dhall_resolve(struct nf_dhall *d, const struct nf_dexpr *e, const char *path,
                                  struct nf_err *err);
/* The type, in normal form. Imports must have been resolved. */
NF_NODISCARD int nf_dhall_infer(struct nf_dhall *d, const struct nf_dexpr *e,
                                const struct nf_dexpr **ret, struct nf_err *err);
/* The beta-normal form. Needs no type: free variables stay as they are. */
NF_NODISCARD int nf_dhall_normalise(struct nf_dhall *d, const struct nf_dexpr *e,
                                    const struct nf_dexpr **ret, struct nf_err *err);
/* The same with every bound variable called _, as the semantic hash wants it. */
NF_NODISCARD int nf_dhall_alpha(struct nf_dhall *d, const struct nf_dexpr *e,
                                const struct nf_dexpr **ret, struct nf_err *err);
/* The standard's semantic hash: SHA-256 of the encoded alpha- and beta-normal form, as hex. */
NF_NODISCARD int nf_dhall_hash(struct nf_dhall *d, const struct nf_dexpr *e,
                               char ret_hex[NF_SHA256_HEX], struct nf_err *err);

struct nf_dhall_loaded {
	const struct nf_dexpr *source; /* as parsed */
	const struct nf_dexpr *type; /* both in normal form */
	const struct nf_dexpr *value;
};
/* Reads, parses, resolves, type-checks and normalises a file. An absent one is NF_EARG. */
NF_NODISCARD int nf_dhall_load(struct nf_dhall *d, const char *path, struct nf_dhall_loaded *ret,
                               struct nf_err *err);

/* Appends the expression as Dhall, over several lines where it is wide, ending in a newline. */
NF_NODISCARD int nf_dhall_print(struct nf_dhall *d, const struct nf_dexpr *e, struct nf_buf *out,
                                struct nf_err *err);
/* Appends a value in normal form as JSON: None is null, an alternative its name or its payload, a list
 * of { mapKey : Text, mapValue : T } an object. Types, functions, NaN and infinities are errors. */
NF_NODISCARD int nf_dhall_to_json(struct nf_dhall *d, const struct nf_dexpr *value, bool indent,
                                  struct nf_buf *out, struct nf_err *err);
/* JSON as a value of `type` (in normal form), the inverse of nf_dhall_to_json(). type NULL: made from
 * the JSON itself where that settles it (no null, no list without items or of several types). */
NF_NODISCARD int nf_dhall_from_json(struct nf_dhall *d, const struct nf_dexpr *type,
                                    const char *name, const char *text, size_t len_bytes,
                                    const struct nf_dexpr **ret, struct nf_err *err);

/* Where the last failure in a source text was: that line and a line with a mark under the column.
 * Appends nothing when it had no place. */
void nf_dhall_show_line(const struct nf_dhall *d, struct nf_buf *out);

#endif
