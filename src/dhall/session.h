/* SPDX-License-Identifier: MIT */
/* session - what all parts of the layer share: memory, limits, source files, the failure. */
#ifndef NF_DHALL_SESSION_H
#define NF_DHALL_SESSION_H

#include "base/arena.h"
#include "dhall/expr.h"

enum { NF_DHALL_FILES = NF_DHALL_IMPORTS + 1000 };

struct nf_dfile {
	const char *name;
	const char *text;
	size_t n;
};

struct nf_dloaded; /* import.c */

struct nf_dhall {
	struct nf_arena arena;
	struct nf_dfile *file; /* owned; [0] stands for no file */
	size_t n_files, cap_files;
	uint64_t steps;
	uint64_t next_id;
	/* The failure at hand: every inner function returns NULL or a negated code after it. */
	int failed; /* 0 or a negated code */
	struct nf_err error;
	bool placed;
	struct nf_dplace place; /* of the last failure */
	/* Imports. */
	int root_fd; /* owned; -1: not chosen yet */
	const char *root_path; /* absolute, in the arena */
	struct nf_dloaded *loaded;
	size_t n_loaded;
	int import_depth;
};

/* Each public function starts with begin and ends with end, which hands the failure over. */
void nf_dhall_begin(struct nf_dhall *d);
int nf_dhall_end(struct nf_dhall *d, struct nf_err *err);
/* Index of a new file, 0 after failure. name is copied, text borrowed. */
uint16_t nf_dhall_add_file(struct nf_dhall *d, const char *name, const char *text, size_t n);

/* Both keep the first failure and return NULL. */
void *nf_dhall_fail_at(struct nf_dhall *d, struct nf_dplace p, const char *fmt, ...)
        NF_PRINTF(3, 4);
void *nf_dhall_fail_code(struct nf_dhall *d, enum nf_code code, const char *fmt, ...)
        NF_PRINTF(3, 4);
void *nf_dhall_fail_err(struct nf_dhall *d, const struct nf_err *e);
void *nf_dhall_alloc(struct nf_dhall *d, size_t n, size_t size);
/* false: the budget is used up, or the session has failed. */
bool nf_dhall_step(struct nf_dhall *d, const struct nf_dexpr *at);
/* A copy of a growing array with room for one more; *cap changes. NULL: failed. */
void *nf_dhall_grow(struct nf_dhall *d, void *array, size_t n, size_t *cap, size_t size);

struct nf_denv; /* env.h */
/* Inner forms of the public functions. NULL: failed. */
const struct nf_dexpr *nf_dhall_parse_source(struct nf_dhall *d, uint16_t file);
const struct nf_dexpr *nf_dhall_eval(struct nf_dhall *d, const struct nf_denv *env,
                                     const struct nf_dexpr *e);
const struct nf_dexpr *nf_dhall_type_of(struct nf_dhall *d, const struct nf_denv *env,
                                        const struct nf_dexpr *e);
const struct nf_dexpr *nf_dhall_quote(struct nf_dhall *d, const struct nf_dexpr *e, bool alpha);
bool nf_dhall_equal(struct nf_dhall *d, const struct nf_dexpr *a, const struct nf_dexpr *b);
const struct nf_dexpr *nf_dhall_substitute(struct nf_dhall *d, const struct nf_dexpr *e,
                                           uint64_t id, const struct nf_dexpr *by);
bool nf_dhall_digest(struct nf_dhall *d, const struct nf_dexpr *value,
                     uint8_t ret[NF_SHA256_BYTES]);
bool nf_dhall_resolve_in(struct nf_dhall *d, const struct nf_dexpr *e, const char *dir);
bool nf_dhall_write_cbor(struct nf_dhall *d, const struct nf_dexpr *e, struct nf_buf *out);
/* Type as one line of Dhall for a message, cut when long. */
const char *nf_dhall_brief(struct nf_dhall *d, const struct nf_dexpr *e);

/* Decimal digits to and from big-endian bytes; base 2, 10 or 16 for reading. */
struct nf_dstr nf_dhall_digits_from_bytes(struct nf_dhall *d, const uint8_t *bytes, size_t n);
struct nf_dstr nf_dhall_digits_to_bytes(struct nf_dhall *d, struct nf_dstr digits, int base);

/* The analyser sees one source at a time; this tells it what the functions above promise. */
#ifdef __clang_analyzer__
#define nf_dhall_fail_at(...) ((void)(nf_dhall_fail_at)(__VA_ARGS__), (void *)NULL)
#define nf_dhall_fail_code(...) ((void)(nf_dhall_fail_code)(__VA_ARGS__), (void *)NULL)
#define nf_dhall_fail_err(...) ((void)(nf_dhall_fail_err)(__VA_ARGS__), (void *)NULL)
#endif

#endif
