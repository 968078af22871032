/* SPDX-License-Identifier: MIT */
/* CBOR back to expressions. Lengths are definite; the self-describing tag (55799) may stand anywhere. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "dhall/session.h"

enum { TAG_SELF = 55799, MAX_TAGS = 8 };

struct reader {
	struct nf_dhall *d;
	const uint8_t *p;
	size_t n;
	size_t pos;
	int depth;
};

struct item {
	unsigned major; /* 0 to 7 */
	unsigned info; /* low five bits of the head */
	uint64_t v;
};

static const struct nf_dplace nowhere;

static const struct nf_dexpr *get(struct reader *r);

static void *bad(struct reader *r, const char *what)
{
	return nf_dhall_fail_code(r->d, NF_EDATA, "encoded expression, byte %zu: %s", r->pos, what);
}

static bool raw_head(struct reader *r, struct item *ret)
{
	uint8_t first;
	size_t more;
	uint64_t v;

	if (r->pos >= r->n)
		return bad(r, "it ends too early");
	first = r->p[r->pos];
	v = first & 31;
	*ret = (struct item){ .major = first >> 5, .info = first & 31 };
	if (v > 27)
		return bad(r, "an indefinite or reserved length");
	more = v < 24 ? 0 : (size_t)1 << (v - 24);
	if (r->n - r->pos - 1 < more)
		return bad(r, "it ends too early");
	if (more) {
		v = 0;
		for (size_t i = 0; i < more; i++)
			v = v << 8 | r->p[r->pos + 1 + i];
	}
	r->pos += 1 + more;
	ret->v = v;
	return true;
}

/* The next head that is not the self-describing tag. */
static bool head(struct reader *r, struct item *ret)
{
	for (int i = 0; i < MAX_TAGS; i++) {
		if (!raw_head(r, ret))
			return false;
		if (ret->major != 6 || ret->v != TAG_SELF)
			return true;
	}
	return bad(r, "too many tags");
}

static bool peek(struct reader *r, struct item *ret)
{
	size_t start = r->pos;
	bool fine = head(r, ret);

	r->pos = start;
	return fine;
}

static bool is_null(const struct item *i)
{
	return i->major == 7 && i->info == 22;
}

static bool bytes_of(struct reader *r, const struct item *i, struct nf_dstr *ret)
{
	if (i->v > r->n - r->pos)
		return bad(r, "a text is longer than what is left");
	*ret = nf_dstr_copy(r->d, (const char *)r->p + r->pos, (size_t)i->v);
	r->pos += (size_t)i->v;
	return ret->p;
}

static bool text(struct reader *r, struct nf_dstr *ret)
{
	struct item i;

	if (!head(r, &i))
		return false;
	if (i.major != 3)
		return bad(r, "a text is expected");
	if (!bytes_of(r, &i, ret))
		return false;
	for (size_t at = 0; at < ret->n;) {
		uint32_t cp = 0;
		int broken = 0;

		at += nf_utf8_next(ret->p + at, ret->n - at, &cp, &broken);
		if (broken)
			return bad(r, "a text is not UTF-8");
	}
	return true;
}

static bool label(struct reader *r, struct nf_dstr *ret)
{
	if (!text(r, ret))
		return false;
	for (size_t i = 0; i < ret->n; i++)
		if (ret->p[i] < 0x20 || ret->p[i] > 0x7e || ret->p[i] == '`')
			return bad(r, "a name with a character that names cannot hold");
	return true;
}

static bool uint_below(struct reader *r, uint64_t limit, uint64_t *ret)
{
	struct item i;

	if (!head(r, &i))
		return false;
	if (i.major != 0 || i.v >= limit)
		return bad(r, "a number is not in its range");
	*ret = i.v;
	return true;
}

/* Skips a null if it is next. */
static bool take_null(struct reader *r)
{
	struct item i;
	size_t start = r->pos;

	if (head(r, &i) && is_null(&i))
		return true;
	r->pos = start;
	return false;
}

static double half(uint64_t bits)
{
	int exponent = (int)(bits >> 10 & 31);
	double mantissa = (double)(bits & 1023), v;

	if (exponent == 0)
		v = ldexp(mantissa, -24);
	else if (exponent < 31)
		v = ldexp(mantissa + 1024, exponent - 25);
	else
		v = mantissa > 0 ? (double)NAN : (double)INFINITY;
	return bits & 0x8000 ? -v : v;
}

static const struct nf_dexpr *simple(struct reader *r, const struct item *i)
{
	uint32_t single;
	double v;
	float f;

	switch (i->info) {
	case 20:
	case 21:
		return nf_dx_bool(r->d, nowhere, i->info == 21);
	case 25:
		v = half(i->v);
		break;
	case 26:
		single = (uint32_t)i->v;
		memcpy(&f, &single, sizeof(f));
		v = (double)f;
		break;
	case 27:
		memcpy(&v, &i->v, sizeof(v));
		break;
	default:
		return bad(r, "no expression");
	}
	/* There is one NaN in the language. */
	return nf_dx_double(r->d, nowhere, isnan(v) ? (double)NAN : v);
}

/* An integer of any size, also a bignum. Negative ones are -1 - n. */
static const struct nf_dexpr *number(struct reader *r, bool integer)
{
	uint8_t small[8], *b;
	struct nf_dstr bytes = { (const char *)small, sizeof(small) };
	struct item i, data;
	bool negative;

	if (!head(r, &i))
		return NULL;
	if (i.major == 6 && (i.v == 2 || i.v == 3)) {
		negative = i.v == 3;
		if (!raw_head(r, &data))
			return NULL;
		if (data.major != 2)
			return bad(r, "a bignum is bytes");
		if (!bytes_of(r, &data, &bytes))
			return NULL;
	} else if (i.major <= 1) {
		negative = i.major == 1;
		for (size_t k = 0; k < sizeof(small); k++)
			small[k] = (uint8_t)(i.v >> (56 - 8 * k));
	} else {
		return bad(r, "an integer is expected");
	}
	if (negative && !integer)
		return bad(r, "a Natural is not negative");
	/* A digit more for the carry of the addition. */
	b = nf_dhall_alloc(r->d, bytes.n + 1, 1);
	if (!b)
		return NULL;
	memcpy(b + 1, bytes.p, bytes.n);
	for (size_t k = bytes.n + 1; negative && k-- > 0;)
		if (++b[k] != 0)
			break;
	return nf_dx_number(r->d, nowhere, nf_dhall_digits_from_bytes(r->d, b, bytes.n + 1),
	                    integer, negative);
}

/* n expressions, at least `least`. */
static const struct nf_dexpr *items(struct reader *r, enum nf_dkind kind, uint64_t n,
                                    uint64_t least)
{
	const struct nf_dexpr **item;

	if (n < least || n > r->n - r->pos)
		return bad(r, "a wrong number of elements");
	item = nf_dhall_alloc(r->d, (size_t)n, sizeof(const struct nf_dexpr *));
	for (size_t i = 0; item && i < n; i++)
		if (!(item[i] = get(r)))
			return NULL;
	return item ? nf_dx_items(r->d, nowhere, kind, item, (size_t)n) : NULL;
}

static const struct nf_dexpr *fields(struct reader *r, enum nf_dkind kind)
{
	const struct nf_dexpr *e;
	struct nf_dfield *f;
	struct item i;

	if (!head(r, &i))
		return NULL;
	if (i.major != 5 || i.v > (r->n - r->pos) / 2)
		return bad(r, "a map is expected");
	f = nf_dhall_alloc(r->d, (size_t)i.v, sizeof(*f));
	if (!f)
		return NULL;
	for (size_t k = 0; k < i.v; k++) {
		f[k].at = (uint32_t)k;
		if (!label(r, &f[k].name))
			return NULL;
		if (kind == NF_D_UNION && take_null(r))
			continue;
		if (r->d->failed || !(f[k].value = get(r)))
			return NULL;
	}
	e = nf_dx_fields(r->d, nowhere, kind, f, (size_t)i.v);
	for (size_t k = 1; e && k < e->n; k++)
		if (nf_dstr_eq(e->field[k - 1].name, e->field[k].name))
			return bad(r, "a field stands twice");
	return e;
}

static const struct nf_dexpr *function(struct reader *r, enum nf_dkind kind, uint64_t n)
{
	struct nf_dstr name = nf_dstr_of("_");
	const struct nf_dexpr *type;

	if (n != 3 && n != 4)
		return bad(r, "a function has three or four elements");
	if (n == 4 && !label(r, &name))
		return NULL;
	if (n == 4 && nf_dstr_is(name, "_"))
		return bad(r, "the name _ is left out");
	type = get(r);
	return type ? nf_dx_fn(r->d, nowhere, kind, name, type, get(r), 0) : NULL;
}

static const struct nf_dexpr *text_literal(struct reader *r, uint64_t n)
{
	struct nf_dchunk *c;

	if (n < 2 || n % 2 || n > r->n - r->pos + 1)
		return bad(r, "a text has texts and expressions in turn");
	c = nf_dhall_alloc(r->d, (size_t)n / 2, sizeof(*c));
	for (size_t i = 0; c && i < n / 2; i++)
		if (!text(r, &c[i].text) || (i + 1 < n / 2 && !(c[i].expr = get(r))))
			return NULL;
	return nf_dx_text(r->d, nowhere, c, (size_t)n / 2);
}

static const struct nf_dexpr *let(struct reader *r, uint64_t n)
{
	struct nf_dbind *b;
	size_t count = n < 5 ? 0 : (size_t)(n - 2) / 3;

	if (n < 5 || (n - 2) % 3 || n > r->n - r->pos + 1)
		return bad(r, "let has three elements for each name");
	b = nf_dhall_alloc(r->d, count, sizeof(*b));
	for (size_t i = 0; b && i < count; i++) {
		if (!label(r, &b[i].name))
			return NULL;
		if (!take_null(r) && (r->d->failed || !(b[i].type = get(r))))
			return NULL;
		if (!(b[i].value = get(r)))
			return NULL;
	}
	return b ? nf_dx_let(r->d, nowhere, b, count, get(r)) : NULL;
}

static bool import_hash(struct reader *r, struct nf_dimport *m)
{
	struct nf_dstr bytes;
	struct item i;

	if (take_null(r))
		return true;
	if (r->d->failed || !head(r, &i))
		return false;
	if (i.major != 2 || i.v != 2 + NF_SHA256_BYTES || !bytes_of(r, &i, &bytes))
		return bad(r, "a hash of 34 bytes is expected");
	if (bytes.p[0] != 0x12 || bytes.p[1] != 0x20)
		return bad(r, "the hash is no SHA-256");
	memcpy(m->hash, bytes.p + 2, NF_SHA256_BYTES);
	m->has_hash = true;
	return true;
}

static const struct nf_dexpr *import(struct reader *r, uint64_t n)
{
	struct nf_dimport *m = nf_dhall_alloc(r->d, 1, sizeof(*m));
	uint64_t mode, scheme, parts;
	bool http;

	if (n < 4 || n > r->n - r->pos + 1)
		return bad(r, "an import has at least four elements");
	if (!m || !import_hash(r, m) || !uint_below(r, NF_DM_BYTES + 1, &mode) ||
	    !uint_below(r, NF_DS_MISSING + 1, &scheme))
		return NULL;
	m->mode = (enum nf_dmode)mode;
	m->scheme = (enum nf_dscheme)scheme;
	http = m->scheme == NF_DS_HTTP || m->scheme == NF_DS_HTTPS;
	parts = n - 4;
	if (http) {
		if (parts < 3)
			return bad(r, "a remote import has headers, a host and a query");
		if (!take_null(r))
			return bad(r, "headers: outside the part of Dhall that is read here");
		parts -= 2;
	}
	if ((m->scheme == NF_DS_MISSING && parts) || (m->scheme != NF_DS_MISSING && !parts) ||
	    (m->scheme == NF_DS_ENV && parts != 1))
		return bad(r, "an import with a wrong number of parts");
	m->part = nf_dhall_alloc(r->d, (size_t)parts, sizeof(*m->part));
	if (!m->part)
		return NULL;
	for (size_t i = 0; i < parts; i++)
		if (!text(r, &m->part[i]))
			return NULL;
	m->n_parts = (size_t)parts;
	if (http && !take_null(r)) {
		if (!text(r, &m->query))
			return NULL;
		m->has_query = true;
	}
	return nf_dx_import(r->d, nowhere, m);
}

static const struct nf_dexpr *variable(struct reader *r, uint64_t n)
{
	struct nf_dstr name;
	uint64_t index;

	if (n != 2)
		return bad(r, "a variable is a name and an index");
	if (!label(r, &name) || !uint_below(r, UINT64_MAX, &index))
		return NULL;
	if (nf_dstr_is(name, "_"))
		return bad(r, "the name _ is left out");
	return nf_dx_var(r->d, nowhere, name, index);
}

static const struct nf_dexpr *two(struct reader *r, enum nf_dkind kind, enum nf_dop op)
{
	const struct nf_dexpr *a = get(r);

	return a ? nf_dx_two(r->d, nowhere, kind, op, a, get(r)) : NULL;
}

static const struct nf_dexpr *list(struct reader *r, uint64_t n)
{
	const struct nf_dexpr *of;

	if (n > 2)
		return take_null(r) ? items(r, NF_D_LIST, n - 2, 1)
		                    : bad(r, "a list with a type has no elements");
	of = get(r);
	return of ? nf_dx_one(r->d, nowhere, NF_D_EMPTY,
	                      nf_dx_app(r->d, nowhere, nf_dx_builtin_id(r->d, nowhere, NF_DB_LIST),
	                                of))
	          : NULL;
}

static const struct nf_dexpr *field(struct reader *r)
{
	const struct nf_dexpr *of = get(r);
	struct nf_dstr name;

	return of && label(r, &name) ? nf_dx_sel(r->d, nowhere, of, name) : NULL;
}

static const struct nf_dexpr *tagged(struct reader *r, uint64_t tag, uint64_t n)
{
	/* Numbers of elements of the forms that always have the same; 0: they vary. */
	static const uint8_t sizes[] = { [3] = 4,  [5] = 3,  [7] = 2,  [8] = 2,  [9] = 3, [11] = 2,
		                         [14] = 4, [15] = 2, [16] = 2, [26] = 3, [28] = 2 };
	uint64_t op;

	if (tag < sizeof(sizes) && sizes[tag] && sizes[tag] != n)
		return bad(r, "a wrong number of elements");
	switch (tag) {
	case 0:
		return items(r, NF_D_APP, n - 1, 2);
	case 1:
		return function(r, NF_D_LAMBDA, n);
	case 2:
		return function(r, NF_D_PI, n);
	case 3:
		return uint_below(r, NF_DOP_COUNT, &op) ? two(r, NF_D_OP, (enum nf_dop)op) : NULL;
	case 4:
		return n < 2 ? bad(r, "a list has a type or elements") : list(r, n);
	case 5:
		if (!take_null(r))
			return bad(r, "Some with a type: outside the part of Dhall that is read "
			              "here");
		return nf_dx_one(r->d, nowhere, NF_D_SOME, get(r));
	case 7:
		return fields(r, NF_D_RECORD_TYPE);
	case 8:
		return fields(r, NF_D_RECORD);
	case 9:
		return field(r);
	case 11:
		return fields(r, NF_D_UNION);
	case 14:
		return items(r, NF_D_IF, 3, 3);
	case 15:
		return number(r, false);
	case 16:
		return number(r, true);
	case 18:
		return text_literal(r, n);
	case 24:
		return import(r, n);
	case 25:
		return let(r, n);
	case 26:
		return two(r, NF_D_ANNOT, NF_DOP_OR);
	case 28:
		return nf_dx_one(r->d, nowhere, NF_D_EMPTY, get(r));
	default:
		break;
	}
	return bad(r, "a form outside the part of Dhall that is read here");
}

static const struct nf_dexpr *builtin(struct reader *r)
{
	const struct nf_dbuiltin *b;
	struct nf_dstr name;

	if (!text(r, &name))
		return NULL;
	b = nf_dbuiltin_find(name);
	return b ? nf_dx_builtin(r->d, nowhere, b) : bad(r, "no builtin of that name");
}

static const struct nf_dexpr *get_one(struct reader *r)
{
	struct item i, first;
	uint64_t tag;

	if (!peek(r, &i))
		return NULL;
	if (i.major == 3)
		return builtin(r);
	if (!head(r, &i))
		return NULL;
	if (i.major == 0)
		return nf_dx_var(r->d, nowhere, nf_dstr_of("_"), i.v);
	if (i.major == 7)
		return simple(r, &i);
	if (i.major != 4 || i.v == 0)
		return bad(r, "no expression");
	if (!peek(r, &first))
		return NULL;
	if (first.major == 3)
		return variable(r, i.v);
	return uint_below(r, UINT64_MAX, &tag) ? tagged(r, tag, i.v) : NULL;
}

static const struct nf_dexpr *get(struct reader *r)
{
	const struct nf_dexpr *e;

	if (r->d->failed)
		return NULL;
	if (r->depth >= NF_DHALL_DEPTH)
		return bad(r, "nested too deep");
	r->depth++;
	e = get_one(r);
	r->depth--;
	return e;
}

int nf_dhall_decode(struct nf_dhall *d, const void *data, size_t len_bytes,
                    const struct nf_dexpr **ret, struct nf_err *err)
{
	struct reader r = { .d = d, .p = data, .n = len_bytes };
	const struct nf_dexpr *e = NULL;

	nf_dhall_begin(d);
	if (len_bytes > NF_DHALL_SOURCE_BYTES)
		bad(&r, "it is too long");
	else
		e = get(&r);
	if (e && r.pos != len_bytes)
		e = bad(&r, "more follows the expression");
	if (e)
		*ret = e;
	return nf_dhall_end(d, err);
}
