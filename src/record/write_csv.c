/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "record/text.h"
#include "record/walk.h"
#include "record/write.h"

static void put_scalar(struct nf_buf *out, const struct nf_type *t, const void *v)
{
	switch (t->kind) {
	case NF_T_BOOL:
		nf_buf_adds(out, *(const bool *)v ? "true" : "false");
		break;
	case NF_T_NAT:
		nf_buf_addf(out, "%" PRIu64, *(const uint64_t *)v);
		break;
	case NF_T_INT:
		nf_buf_addf(out, "%" PRId64, *(const int64_t *)v);
		break;
	case NF_T_REAL:
		nf_buf_add_double(out, *(const double *)v);
		break;
	case NF_T_TEXT:
		nf_csv_text(out, *(const char *const *)v, strlen(*(const char *const *)v));
		break;
	case NF_T_ENUM:
		nf_csv_text(out, t->names[*(const int *)v], strlen(t->names[*(const int *)v]));
		break;
	case NF_T_RECORD:
	case NF_T_LIST:
		break;
	}
}

/* One line a scalar; an absent record or an empty list is one line without a value. v NULL: absent. */
static void put(struct nf_buf *out, const struct nf_type *t, const void *v, struct nf_path *at)
{
	if (v && t->kind == NF_T_RECORD) {
		for (const struct nf_field *f = t->fields; f->key; f++) {
			size_t before = nf_path_key(at, f->key);

			put(out, f->type, nf_field_value(f, v), at);
			nf_path_cut(at, before);
		}
		return;
	}
	if (v && t->kind == NF_T_LIST && ((const struct nf_list *)v)->n > 0) {
		const struct nf_list *l = v;

		for (size_t i = 0; i < l->n; i++) {
			size_t before = nf_path_index(at, i);

			put(out, t->elem, nf_list_item(t->elem, l, i), at);
			nf_path_cut(at, before);
		}
		return;
	}
	nf_csv_text(out, at->text, at->len);
	nf_buf_addc(out, ',');
	if (v)
		put_scalar(out, t, v);
	nf_buf_addc(out, '\n');
}

int nf_record_to_csv(const struct nf_type *t, const void *value, struct nf_buf *out,
                     struct nf_err *err)
{
	size_t start = out->len_bytes;
	struct nf_path at = { .len = 0 };
	int rc = nf_record_validate(t, value, err);

	if (rc != 0)
		return rc;
	nf_buf_adds(out, "field,value\n");
	put(out, t, value, &at);
	rc = nf_buf_failed(out, "a record as CSV", err);
	if (rc != 0)
		nf_text_take_back(out, start);
	return rc;
}
