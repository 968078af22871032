/* SPDX-License-Identifier: MIT */
/* Records of every type, from one form to the next. */
#include <string.h>

#include "dhall/dhall.h"
#include "draw_record.h"
#include "laws.h"
#include "record/walk.h"
#include "record/write.h"

enum { TEXT = 8 << 20 };

static void fini_buf(void *b)
{
	nf_buf_fini(b);
}

static struct nf_buf *new_buf(struct pt_case *t)
{
	struct nf_buf *b = pt_alloc(t, sizeof(*b));

	nf_buf_init(b, TEXT);
	pt_cleanup(t, fini_buf, b);
	return b;
}

static void fini_session(void *d)
{
	nf_dhall_free(d);
}

static struct nf_dhall *new_session(struct pt_case *t)
{
	struct nf_dhall *d = NULL;

	PT_ASSERT(t, nf_dhall_new(&d, NULL) == 0);
	pt_cleanup(t, fini_session, d);
	return d;
}

/* --- the law --- */

static void hash_of(struct pt_case *t, struct nf_dhall *d, const struct nf_dexpr *e,
                    char ret[NF_SHA256_HEX])
{
	PT_ASSERT(t, nf_dhall_hash(d, e, ret, NULL) == 0);
}

/* The value of a Dhall text and its type, both in normal form. */
static const struct nf_dexpr *value_of(struct pt_case *t, struct nf_dhall *d,
                                       const struct nf_buf *text, const struct nf_dexpr **ret_type)
{
	const struct nf_dexpr *source, *value;
	struct nf_err err = { 0 };

	if (nf_dhall_parse(d, "record", text->data, text->len_bytes, &source, &err) < 0 ||
	    nf_dhall_infer(d, source, ret_type, &err) < 0 ||
	    nf_dhall_normalise(d, source, &value, &err) < 0) {
		pt_note(t, "%s", err.msg);
		PT_ASSERT(t, err.code == NF_OK);
	}
	return value;
}

static void comes_back(struct pt_case *t, struct nf_dhall *d, const struct nf_dexpr *type,
                       const struct nf_buf *json, const char *hash)
{
	const struct nf_dexpr *value, *own;
	char other[NF_SHA256_HEX];
	struct nf_buf *text = new_buf(t);

	PT_ASSERT(t, nf_dhall_from_json(d, type, "json", json->data, json->len_bytes, &value,
	                                NULL) == 0);
	hash_of(t, d, value, other);
	PT_ASSERT(t, strcmp(other, hash) == 0);
	PT_ASSERT(t, nf_dhall_print(d, value, text, NULL) == 0);
	hash_of(t, d, value_of(t, d, text, &own), other);
	PT_ASSERT(t, strcmp(other, hash) == 0);
}

static void one_type(struct pt_case *t, const struct nf_type *type)
{
	struct nf_buf *dhall = new_buf(t), *json = new_buf(t), *again = new_buf(t);
	const struct nf_dexpr *value, *of;
	struct nf_dhall *d = new_session(t);
	void *record = draw_value(t, type);
	char hash[NF_SHA256_HEX];

	pt_label(t, type->name);
	PT_ASSERT(t, nf_record_to_dhall(type, record, dhall, NULL, NULL) == 0);
	PT_ASSERT(t, nf_record_to_json(type, record, json, NULL, NULL) == 0);
	value = value_of(t, d, dhall, &of);
	hash_of(t, d, value, hash);
	PT_ASSERT(t, nf_dhall_to_json(d, value, pt_draw_bool(t, 0.5), again, NULL) == 0);
	comes_back(t, d, of, again, hash);
	/* What we write as JSON by the table is the same value. */
	comes_back(t, d, of, json, hash);
}

static bool records_keep_their_hash(struct pt_case *t, void *arg)
{
	size_t n = 0;

	(void)arg;
	while (nf_record_types[n])
		n++;
	one_type(t, nf_record_types[pt_draw_pick(t, n)]);
	return true;
}

/* clang-format off */
const struct law laws_evidence[] = {
	{ "record hash", "A record of any type keeps its semantic hash from Dhall to JSON and back, and as it is printed.", records_keep_their_hash, NULL },
	{ .name = NULL },
};
/* clang-format on */
