/* SPDX-License-Identifier: MIT */
/* Records of every type, from one form to the next. */
#include <string.h>

#include "dhall/dhall.h"
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

/* --- a record by its rows --- */

static void draw(struct pt_case *t, const struct nf_type *type, void *at);

static const char *draw_text(struct pt_case *t)
{
	static const char odd[] = "a$}{\"\\'\n\t\r\x01\x7f -u0041\xc3\xa4\xe2\x82\xac\xff";
	struct pt_loop l = { .max = 6 };
	char *out = pt_alloc(t, 8);
	size_t n = 0;

	/* Bytes, so that broken UTF-8 is among them. */
	while (pt_more(t, &l))
		out[n++] = odd[pt_draw_pick(t, sizeof(odd) - 1)];
	return out;
}

static double draw_real(struct pt_case *t)
{
	static const double odd[] = { 0, -0.0, 0.1, 1e300, 5e-324, 1e22, 9007199254740993.0, -1.5 };

	return pt_draw_bool(t, 0.5) ? odd[pt_draw_pick(t, sizeof(odd) / sizeof(odd[0]))]
	                            : pt_draw_real(t, -1e18, 1e18);
}

static void draw_list(struct pt_case *t, const struct nf_type *elem, struct nf_list *at)
{
	struct pt_loop l = { .max = 2 };
	char *items = pt_alloc(t, 2 * elem->size);

	at->items = items;
	while (pt_more(t, &l))
		draw(t, elem, items + at->n++ * elem->size);
}

static int draw_name(struct pt_case *t, const struct nf_type *type)
{
	size_t n = 0;

	while (type->names[n])
		n++;
	return (int)pt_draw_pick(t, n);
}

static void draw_optional(struct pt_case *t, const struct nf_type *type, char *at)
{
	void *inner;

	if (!pt_draw_bool(t, 0.4))
		return;
	switch (type->kind) {
	case NF_T_BOOL:
		*(struct nf_some_bool *)(void *)at = nf_some_bool(pt_draw_bool(t, 0.5));
		break;
	case NF_T_NAT:
		*(struct nf_some_nat *)(void *)at =
		        nf_some_nat((uint64_t)pt_draw_int(t, 0, NF_RECORD_INT_MAX));
		break;
	case NF_T_INT:
		*(struct nf_some_int *)(void *)at =
		        nf_some_int(pt_draw_int(t, -NF_RECORD_INT_MAX, NF_RECORD_INT_MAX));
		break;
	case NF_T_REAL:
		*(struct nf_some_real *)(void *)at = nf_some_real(draw_real(t));
		break;
	case NF_T_ENUM:
		*(struct nf_some_enum *)(void *)at = nf_some_enum(draw_name(t, type));
		break;
	case NF_T_TEXT:
		*(const char **)(void *)at = draw_text(t);
		break;
	case NF_T_LIST: /* never optional */
	case NF_T_RECORD:
		inner = pt_alloc(t, type->size);
		draw(t, type, inner);
		*(const void **)(void *)at = inner;
		break;
	}
}

static void draw_record(struct pt_case *t, const struct nf_type *type, char *at)
{
	for (const struct nf_field *f = type->fields; f->key; f++) {
		if (nf_field_is_schema(f))
			*(const char **)(void *)(at + f->off) = f->doc;
		else if (f->optional)
			draw_optional(t, f->type, at + f->off);
		else
			draw(t, f->type, at + f->off);
	}
}

static void draw(struct pt_case *t, const struct nf_type *type, void *at)
{
	switch (type->kind) {
	case NF_T_BOOL:
		*(bool *)at = pt_draw_bool(t, 0.5);
		break;
	case NF_T_NAT:
		*(uint64_t *)at = (uint64_t)pt_draw_int(t, 0, NF_RECORD_INT_MAX);
		break;
	case NF_T_INT:
		*(int64_t *)at = pt_draw_int(t, -NF_RECORD_INT_MAX, NF_RECORD_INT_MAX);
		break;
	case NF_T_REAL:
		*(double *)at = draw_real(t);
		break;
	case NF_T_TEXT:
		*(const char **)at = draw_text(t);
		break;
	case NF_T_ENUM:
		*(int *)at = draw_name(t, type);
		break;
	case NF_T_RECORD:
		draw_record(t, type, at);
		break;
	case NF_T_LIST:
		draw_list(t, type->elem, at);
		break;
	}
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
	void *record = pt_alloc(t, type->size);
	char hash[NF_SHA256_HEX];

	pt_label(t, type->name);
	draw(t, type, record);
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
