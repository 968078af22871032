/* SPDX-License-Identifier: MIT */
/* CBOR (RFC 8949) as the standard's binary.md has it: definite lengths, shortest heads, maps sorted. */
#include <math.h>
#include <string.h>

#include "dhall/session.h"

struct writer {
	struct nf_dhall *d;
	struct nf_buf *out;
};

static void put(struct writer *w, const struct nf_dexpr *e);

static void head(struct writer *w, unsigned major, uint64_t v)
{
	uint8_t bytes[9];
	size_t n = v < 24 ? 0 : v <= 0xff ? 1 : v <= 0xffff ? 2 : v <= 0xffffffff ? 4 : 8;
	uint8_t info = n == 0 ? (uint8_t)v : n == 1 ? 24 : n == 2 ? 25 : n == 4 ? 26 : 27;

	bytes[0] = (uint8_t)(major << 5 | info);
	for (size_t i = 0; i < n; i++)
		bytes[1 + i] = (uint8_t)(v >> 8 * (n - 1 - i));
	(void)nf_buf_add(w->out, bytes, 1 + n);
}

static void put_array(struct writer *w, size_t n)
{
	head(w, 4, n);
}

static void put_uint(struct writer *w, uint64_t v)
{
	head(w, 0, v);
}

static void put_str(struct writer *w, struct nf_dstr s)
{
	head(w, 3, s.n);
	(void)nf_buf_add(w->out, s.p, s.n);
}

static void put_null(struct writer *w)
{
	(void)nf_buf_addc(w->out, (char)0xf6);
}

static void put_or_null(struct writer *w, const struct nf_dexpr *e)
{
	if (e)
		put(w, e);
	else
		put_null(w);
}

static void put_bits(struct writer *w, uint8_t first, uint64_t bits, size_t n)
{
	uint8_t bytes[9] = { first };

	for (size_t i = 0; i < n; i++)
		bytes[1 + i] = (uint8_t)(bits >> 8 * (n - 1 - i));
	(void)nf_buf_add(w->out, bytes, 1 + n);
}

/* The half-precision form of a float that has one without loss. */
static bool half_of(float f, uint16_t *ret)
{
	uint32_t bits, mantissa;
	int exponent;
	uint16_t sign;

	memcpy(&bits, &f, sizeof(bits));
	sign = (uint16_t)(bits >> 16 & 0x8000);
	exponent = (int)(bits >> 23 & 0xff) - 127;
	mantissa = bits & 0x7fffff;
	if ((bits & 0x7fffffff) == 0) {
		*ret = sign;
		return true;
	}
	if (exponent >= -14 && exponent <= 15 && (mantissa & 0x1fff) == 0) {
		*ret = (uint16_t)(sign | (exponent + 15) << 10 | (int)(mantissa >> 13));
		return true;
	}
	/* Subnormal halves: multiples of 2^-24. */
	if (exponent < -14 && exponent >= -24) {
		uint32_t whole = mantissa | 0x800000;
		int drop = -1 - exponent; /* 23 - (exponent + 24) */

		if ((whole & ((1U << drop) - 1)) == 0) {
			*ret = (uint16_t)(sign | (uint16_t)(whole >> drop));
			return true;
		}
	}
	return false;
}

static void put_double(struct writer *w, double v)
{
	float f = (float)v;
	double back = (double)f;
	uint64_t bits;
	uint32_t single;
	uint16_t half;

	if (isnan(v)) {
		put_bits(w, 0xf9, 0x7e00, 2);
	} else if (isinf(v)) {
		put_bits(w, 0xf9, v > 0 ? 0x7c00 : 0xfc00, 2);
	} else if (memcmp(&back, &v, sizeof(v)) != 0) { /* NOLINT(bugprone-*): the bits decide */
		memcpy(&bits, &v, sizeof(bits));
		put_bits(w, 0xfb, bits, 8);
	} else if (half_of(f, &half)) {
		put_bits(w, 0xf9, half, 2);
	} else {
		memcpy(&single, &f, sizeof(single));
		put_bits(w, 0xfa, single, 4);
	}
}

/* The number, as a bignum (tags 2 and 3) where 64 bits do not hold it. Negative ones are -1 - n. */
static void put_number(struct writer *w, struct nf_dstr digits, bool negative)
{
	struct nf_dstr bytes = nf_dhall_digits_to_bytes(w->d, digits, 10);
	uint8_t *b;
	size_t n = bytes.n, skip = 0;

	if (!bytes.p)
		return;
	b = nf_dhall_alloc(w->d, n + 1, 1);
	if (!b)
		return;
	memcpy(b, bytes.p, n);
	if (negative) {
		for (size_t i = n; i-- > 0;)
			if (b[i]-- != 0)
				break;
	}
	while (skip < n && b[skip] == 0)
		skip++;
	if (n - skip <= 8) {
		uint64_t v = 0;

		for (size_t i = skip; i < n; i++)
			v = v << 8 | b[i];
		head(w, negative, v);
		return;
	}
	head(w, 6, negative ? 3 : 2);
	head(w, 2, n - skip);
	(void)nf_buf_add(w->out, b + skip, n - skip);
}

static void put_fields(struct writer *w, unsigned tag, const struct nf_dexpr *e)
{
	put_array(w, 2);
	put_uint(w, tag);
	head(w, 5, e->n);
	for (size_t i = 0; i < e->n; i++) {
		if (i && nf_dstr_eq(e->field[i - 1].name, e->field[i].name)) {
			nf_dhall_fail_at(w->d, (struct nf_dplace){ e->file, e->field[i].at },
			                 "'%.*s' stands here twice", (int)e->field[i].name.n,
			                 e->field[i].name.p);
			return;
		}
		put_str(w, e->field[i].name);
		put_or_null(w, e->field[i].value);
	}
}

static void put_items(struct writer *w, const struct nf_dexpr *e)
{
	for (size_t i = 0; i < e->n; i++)
		put(w, e->item[i]);
}

static void put_function(struct writer *w, unsigned tag, const struct nf_dexpr *e)
{
	bool plain = nf_dstr_is(e->fn.name, "_");

	put_array(w, plain ? 3 : 4);
	put_uint(w, tag);
	if (!plain)
		put_str(w, e->fn.name);
	put(w, e->fn.type);
	put(w, e->fn.body);
}

static void put_text(struct writer *w, const struct nf_dexpr *e)
{
	put_array(w, 2 * (size_t)e->n);
	put_uint(w, 18);
	for (size_t i = 0; i < e->n; i++) {
		put_str(w, e->chunk[i].text);
		if (i + 1 < e->n)
			put(w, e->chunk[i].expr);
	}
}

static void put_let(struct writer *w, const struct nf_dexpr *e)
{
	put_array(w, 2 + 3 * (size_t)e->n);
	put_uint(w, 25);
	for (size_t i = 0; i < e->n; i++) {
		put_str(w, e->let.bind[i].name);
		put_or_null(w, e->let.bind[i].type);
		put(w, e->let.bind[i].value);
	}
	put(w, e->let.body);
}

static void put_import(struct writer *w, const struct nf_dimport *m)
{
	static const uint8_t multihash[] = { 0x12, 0x20 }; /* SHA-256, 32 bytes */
	bool http = m->scheme == NF_DS_HTTP || m->scheme == NF_DS_HTTPS;

	put_array(w, 4 + m->n_parts + (http ? 2 : 0));
	put_uint(w, 24);
	if (m->has_hash) {
		head(w, 2, sizeof(multihash) + sizeof(m->hash));
		(void)nf_buf_add(w->out, multihash, sizeof(multihash));
		(void)nf_buf_add(w->out, m->hash, sizeof(m->hash));
	} else {
		put_null(w);
	}
	put_uint(w, m->mode);
	put_uint(w, m->scheme);
	if (http)
		put_null(w); /* headers */
	for (size_t i = 0; i < m->n_parts; i++)
		put_str(w, m->part[i]);
	if (http && m->has_query)
		put_str(w, m->query);
	else if (http)
		put_null(w);
}

static void put_variable(struct writer *w, const struct nf_dexpr *e)
{
	if (!nf_dstr_is(e->var.name, "_")) {
		put_array(w, 2);
		put_str(w, e->var.name);
	}
	put_uint(w, e->var.index);
}

static void put_list(struct writer *w, const struct nf_dexpr *e)
{
	put_array(w, 2 + (size_t)e->n);
	put_uint(w, 4);
	put_null(w);
	put_items(w, e);
}

static void put_empty(struct writer *w, const struct nf_dexpr *e)
{
	const struct nf_dexpr *of = nf_dx_arg_of(e->two.a, NF_DB_LIST);

	put_array(w, 2);
	put_uint(w, of ? 4 : 28);
	put(w, of ? of : e->two.a);
}

static void put_tagged(struct writer *w, unsigned tag, const struct nf_dexpr *a,
                       const struct nf_dexpr *b)
{
	put_array(w, 3);
	put_uint(w, tag);
	put_or_null(w, a);
	put(w, b);
}

static void put(struct writer *w, const struct nf_dexpr *e)
{
	if (!nf_dhall_step(w->d, e) || w->out->failed != NF_OK)
		return;
	switch ((enum nf_dkind)e->kind) {
	case NF_D_VAR:
		put_variable(w, e);
		break;
	case NF_D_BOUND: /* quote.c has given it a name */
		nf_dhall_fail_at(w->d, NF_DPLACE(e), "a variable without a name");
		break;
	case NF_D_BUILTIN:
		put_str(w, nf_dstr_of(e->builtin->name));
		break;
	case NF_D_BOOL:
		(void)nf_buf_addc(w->out, (char)(e->truth ? 0xf5 : 0xf4));
		break;
	case NF_D_NATURAL:
	case NF_D_INTEGER:
		put_array(w, 2);
		put_uint(w, e->kind == NF_D_NATURAL ? 15 : 16);
		put_number(w, e->digits, e->op);
		break;
	case NF_D_DOUBLE:
		put_double(w, e->number);
		break;
	case NF_D_TEXT:
		put_text(w, e);
		break;
	case NF_D_LAMBDA:
	case NF_D_PI:
		put_function(w, e->kind == NF_D_LAMBDA ? 1 : 2, e);
		break;
	case NF_D_APP:
	case NF_D_IF:
		put_array(w, 1 + (size_t)e->n);
		put_uint(w, e->kind == NF_D_APP ? 0 : 14);
		put_items(w, e);
		break;
	case NF_D_OP:
		put_array(w, 4);
		put_uint(w, 3);
		put_uint(w, e->op);
		put(w, e->two.a);
		put(w, e->two.b);
		break;
	case NF_D_LIST:
		put_list(w, e);
		break;
	case NF_D_EMPTY:
		put_empty(w, e);
		break;
	case NF_D_SOME:
		put_tagged(w, 5, NULL, e->two.a);
		break;
	case NF_D_RECORD:
		put_fields(w, 8, e);
		break;
	case NF_D_RECORD_TYPE:
		put_fields(w, 7, e);
		break;
	case NF_D_UNION:
		put_fields(w, 11, e);
		break;
	case NF_D_FIELD:
		put_array(w, 3);
		put_uint(w, 9);
		put(w, e->sel.of);
		put_str(w, e->sel.name);
		break;
	case NF_D_ANNOT:
		put_tagged(w, 26, e->two.a, e->two.b);
		break;
	case NF_D_LET:
		put_let(w, e);
		break;
	case NF_D_IMPORT:
		put_import(w, e->import);
		break;
	}
}

bool nf_dhall_write_cbor(struct nf_dhall *d, const struct nf_dexpr *e, struct nf_buf *out)
{
	struct writer w = { d, out };
	struct nf_err failure = { 0 };

	put(&w, e);
	if (nf_buf_failed(out, "an encoded expression", &failure) < 0)
		nf_dhall_fail_err(d, &failure);
	return !d->failed;
}

int nf_dhall_encode(struct nf_dhall *d, const struct nf_dexpr *e, struct nf_buf *out,
                    struct nf_err *err)
{
	struct nf_buf bytes;
	struct nf_err failure = { 0 };

	nf_dhall_begin(d);
	nf_buf_init(&bytes, NF_DHALL_TEXT_BYTES);
	if (nf_dhall_write_cbor(d, e, &bytes)) {
		(void)nf_buf_add(out, bytes.data, bytes.len_bytes);
		if (nf_buf_failed(out, "an encoded expression", &failure) < 0)
			nf_dhall_fail_err(d, &failure);
	}
	nf_buf_fini(&bytes);
	return nf_dhall_end(d, err);
}
