/* SPDX-License-Identifier: MIT */
/*
 * json - writes RFC 8259 text into a buffer.
 *
 * The writer keeps the commas and the indentation; depth is limited to NF_JSON_DEPTH. A call out of
 * place (a value without a key in an object, an end that does not match) is remembered as NF_EARG.
 * Texts are UTF-8; broken sequences are replaced (utf8.h) and counted. Doubles must be finite.
 */
#ifndef NF_BASE_JSON_H
#define NF_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum { NF_JSON_DEPTH = 64 };

struct nf_json {
	struct nf_buf *out; /* borrowed until done */
	uint64_t n_replaced; /* broken UTF-8 sequences in texts */
	enum nf_code failed;
	int depth;
	bool indent; /* two spaces a level; false: one line */
	bool key_pending;
	struct {
		bool object;
		bool any;
	} level[NF_JSON_DEPTH + 1];
};

void nf_json_init(struct nf_json *j, struct nf_buf *out, bool indent);
void nf_json_object(struct nf_json *j);
void nf_json_array(struct nf_json *j);
void nf_json_end(struct nf_json *j); /* closes the innermost object or array */
void nf_json_key(struct nf_json *j, const char *key);
void nf_json_keyn(struct nf_json *j, const char *key, size_t len_bytes);
void nf_json_text(struct nf_json *j, const char *s); /* NULL: null */
void nf_json_textn(struct nf_json *j, const char *s, size_t len_bytes);
void nf_json_i64(struct nf_json *j, int64_t v);
void nf_json_u64(struct nf_json *j, uint64_t v);
/* A whole number of any size: decimal digits, not empty, no leading zero. */
void nf_json_digits(struct nf_json *j, bool negative, const char *digits, size_t n);
void nf_json_double(struct nf_json *j, double v);
void nf_json_bool(struct nf_json *j, bool v);
void nf_json_null(struct nf_json *j);
/* 0 when one complete value was written; ends it with a newline. */
NF_NODISCARD int nf_json_done(struct nf_json *j, struct nf_err *err);

#endif
