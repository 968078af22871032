/* SPDX-License-Identifier: MIT */
#include "draw_record.h"

#include "record/walk.h"

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

void *draw_value(struct pt_case *t, const struct nf_type *type)
{
	void *value = pt_alloc(t, type->size);

	draw(t, type, value);
	return value;
}
