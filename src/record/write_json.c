/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "record/text.h"
#include "record/walk.h"
#include "record/write.h"

/* The value was validated: every number is finite, every alternative exists, the depth is bounded. */
static void put(struct nf_json *j, const struct nf_type *t, const void *v)
{
	switch (t->kind) {
	case NF_T_BOOL:
		nf_json_bool(j, *(const bool *)v);
		break;
	case NF_T_NAT:
		nf_json_u64(j, *(const uint64_t *)v);
		break;
	case NF_T_INT:
		nf_json_i64(j, *(const int64_t *)v);
		break;
	case NF_T_REAL:
		nf_json_double(j, *(const double *)v);
		break;
	case NF_T_TEXT:
		nf_json_text(j, *(const char *const *)v);
		break;
	case NF_T_ENUM:
		nf_json_text(j, t->names[*(const int *)v]);
		break;
	case NF_T_RECORD:
		nf_json_object(j);
		for (const struct nf_field *f = t->fields; f->key; f++) {
			const void *p = nf_field_value(f, v);

			nf_json_key(j, f->key);
			if (p)
				put(j, f->type, p);
			else
				nf_json_null(j);
		}
		nf_json_end(j);
		break;
	case NF_T_LIST: {
		const struct nf_list *l = v;

		nf_json_array(j);
		for (size_t i = 0; i < l->n; i++)
			put(j, t->elem, nf_list_item(t->elem, l, i));
		nf_json_end(j);
		break;
	}
	}
}

int nf_record_to_json(const struct nf_type *t, const void *value, struct nf_buf *out,
                      uint64_t *n_replaced, struct nf_err *err)
{
	size_t start = out->len_bytes;
	struct nf_json j;
	int rc = nf_record_validate(t, value, err);

	if (rc != 0)
		return rc;
	nf_json_init(&j, out, true);
	put(&j, t, value);
	rc = nf_json_done(&j, err);
	if (rc != 0)
		nf_text_take_back(out, start);
	else if (n_replaced)
		*n_replaced += j.n_replaced;
	return rc;
}
