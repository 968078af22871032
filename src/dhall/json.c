/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <math.h>

#include "dhall/session.h"

struct converter {
	struct nf_dhall *d;
	struct nf_json json;
};

static void put(struct converter *c, const struct nf_dexpr *e);

static bool is_entry(const struct nf_dexpr *e)
{
	return e->n == 2 && nf_dstr_is(e->field[0].name, "mapKey") &&
	       nf_dstr_is(e->field[1].name, "mapValue");
}

/* A list of { mapKey : Text, mapValue : T }, which stands for an object. */
static bool is_map(const struct nf_dexpr *e)
{
	if (e->kind == NF_D_EMPTY) {
		const struct nf_dexpr *of = nf_dx_arg_of(e->two.a, NF_DB_LIST);

		return of && of->kind == NF_D_RECORD_TYPE && is_entry(of) &&
		       nf_dx_is(of->field[0].value, NF_DB_TEXT);
	}
	for (size_t i = 0; i < e->n; i++)
		if (e->item[i]->kind != NF_D_RECORD || !is_entry(e->item[i]) ||
		    e->item[i]->field[0].value->kind != NF_D_TEXT ||
		    e->item[i]->field[0].value->n != 1)
			return false;
	return true;
}

static void put_list(struct converter *c, const struct nf_dexpr *e)
{
	bool map = is_map(e);
	size_t n = e->kind == NF_D_EMPTY ? 0 : e->n;

	if (map)
		nf_json_object(&c->json);
	else
		nf_json_array(&c->json);
	for (size_t i = 0; i < n && !c->d->failed; i++) {
		const struct nf_dexpr *x = e->item[i];

		if (map) {
			struct nf_dstr key = x->field[0].value->chunk[0].text;

			nf_json_keyn(&c->json, key.p, key.n);
			x = x->field[1].value;
		}
		put(c, x);
	}
	nf_json_end(&c->json);
}

static void put_record(struct converter *c, const struct nf_dexpr *e)
{
	nf_json_object(&c->json);
	for (size_t i = 0; i < e->n && !c->d->failed; i++) {
		nf_json_keyn(&c->json, e->field[i].name.p, e->field[i].name.n);
		put(c, e->field[i].value);
	}
	nf_json_end(&c->json);
}

static void none(struct converter *c, const struct nf_dexpr *e)
{
	nf_dhall_fail_at(c->d, NF_DPLACE(e), "JSON has nothing for %s", nf_dhall_brief(c->d, e));
}

static void put_double(struct converter *c, const struct nf_dexpr *e)
{
	if (isfinite(e->number))
		nf_json_double(&c->json, e->number);
	else
		none(c, e);
}

static void put_one(struct converter *c, const struct nf_dexpr *e)
{
	switch ((enum nf_dkind)e->kind) {
	case NF_D_BOOL:
		nf_json_bool(&c->json, e->truth);
		return;
	case NF_D_NATURAL:
	case NF_D_INTEGER:
		nf_json_digits(&c->json, e->op, e->digits.p, e->digits.n);
		return;
	case NF_D_DOUBLE:
		put_double(c, e);
		return;
	case NF_D_TEXT:
		if (e->n != 1)
			break;
		nf_json_textn(&c->json, e->chunk[0].text.p, e->chunk[0].text.n);
		return;
	case NF_D_LIST:
	case NF_D_EMPTY:
		put_list(c, e);
		return;
	case NF_D_SOME:
		put(c, e->two.a);
		return;
	case NF_D_RECORD:
		put_record(c, e);
		return;
	case NF_D_FIELD: /* an alternative without payload */
		if (e->sel.of->kind != NF_D_UNION)
			break;
		nf_json_textn(&c->json, e->sel.name.p, e->sel.name.n);
		return;
	case NF_D_APP:
		if (nf_dx_is(e->item[0], NF_DB_NONE) && e->n == 2) {
			nf_json_null(&c->json);
			return;
		}
		if (e->item[0]->kind == NF_D_FIELD && e->n == 2) {
			put(c, e->item[1]);
			return;
		}
		break;
	case NF_D_VAR:
	case NF_D_BOUND:
	case NF_D_BUILTIN:
	case NF_D_LAMBDA:
	case NF_D_PI:
	case NF_D_IF:
	case NF_D_OP:
	case NF_D_RECORD_TYPE:
	case NF_D_UNION:
	case NF_D_ANNOT:
	case NF_D_LET:
	case NF_D_IMPORT:
		break;
	}
	none(c, e);
}

static void put(struct converter *c, const struct nf_dexpr *e)
{
	if (!nf_dhall_step(c->d, e) || c->json.out->failed != NF_OK)
		return;
	if (c->json.depth >= NF_JSON_DEPTH) {
		nf_dhall_fail_at(c->d, NF_DPLACE(e), "nested more than %d deep",
		                 (int)NF_JSON_DEPTH);
		return;
	}
	put_one(c, e);
}

int nf_dhall_to_json(struct nf_dhall *d, const struct nf_dexpr *value, bool indent,
                     struct nf_buf *out, struct nf_err *err)
{
	struct converter c = { .d = d };
	struct nf_err failure = { 0 };
	struct nf_buf text;

	nf_dhall_begin(d);
	nf_buf_init(&text, NF_DHALL_TEXT_BYTES);
	nf_json_init(&c.json, &text, indent);
	put(&c, value);
	/* First what kept the writer from being called in order. */
	if (nf_buf_failed(&text, "the JSON text", &failure) < 0)
		nf_dhall_fail_err(d, &failure);
	if (!d->failed && nf_json_done(&c.json, &failure) < 0)
		nf_dhall_fail_err(d, &failure);
	if (!d->failed && c.json.n_replaced > 0)
		nf_dhall_fail_code(
		        d, NF_EDATA,
		        "JSON has nothing for a text with a non-character of Unicode (U+FDD0 "
		        "and its like)");
	if (!d->failed) {
		(void)nf_buf_add(out, text.data, text.len_bytes);
		if (nf_buf_failed(out, "the JSON text", &failure) < 0)
			nf_dhall_fail_err(d, &failure);
	}
	nf_buf_fini(&text);
	return nf_dhall_end(d, err);
}
