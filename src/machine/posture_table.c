/* SPDX-License-Identifier: MIT */
/* The facts as a table: names, values as text, differences. */
#include <inttypes.h>
#include <string.h>

#include "machine/posture.h"

enum kind { TEXT, BOOL, NAT, REAL };

static const struct row {
	const char *name;
	const char *doc;
	size_t offset;
	enum kind kind;
	bool is_volatile;
} rows[] = {
#define X(kind, name, is_volatile, doc) \
	{ #name, doc, offsetof(struct nf_posture, name), kind, is_volatile },
#include "posture.def"
#undef X
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

size_t nf_posture_count(void)
{
	return N_ROWS;
}

const char *nf_posture_name(size_t i)
{
	return i < N_ROWS ? rows[i].name : NULL;
}

const char *nf_posture_doc(size_t i)
{
	return i < N_ROWS ? rows[i].doc : NULL;
}

union fact {
	const char *text;
	struct nf_fact_bool boolean;
	struct nf_fact_nat nat;
	struct nf_fact_real real;
};

static union fact get(const struct nf_posture *p, const struct row *row)
{
	const char *at = (const char *)p + row->offset;
	union fact f = { 0 };

	switch (row->kind) {
	case TEXT:
		memcpy(&f.text, at, sizeof(f.text));
		break;
	case BOOL:
		memcpy(&f.boolean, at, sizeof(f.boolean));
		break;
	case NAT:
		memcpy(&f.nat, at, sizeof(f.nat));
		break;
	case REAL:
		memcpy(&f.real, at, sizeof(f.real));
		break;
	}
	return f;
}

static const char *real_text(double v, struct nf_arena *a)
{
	const char *text = NULL;
	struct nf_buf b;

	nf_buf_init(&b, 64);
	if (nf_buf_add_double(&b, v) == 0)
		text = nf_arena_strdup(a, b.data);
	else if (b.failed == NF_ENOMEM)
		a->failed = NF_ENOMEM;
	nf_buf_fini(&b);
	return text;
}

const char *nf_posture_text(const struct nf_posture *p, size_t i, struct nf_arena *a)
{
	union fact f;

	if (i >= N_ROWS)
		return NULL;
	f = get(p, &rows[i]);
	switch (rows[i].kind) {
	case TEXT:
		return nf_arena_strdup(a, f.text);
	case BOOL:
		return f.boolean.some ? (f.boolean.v ? "yes" : "no") : NULL;
	case NAT:
		return f.nat.some ? nf_arena_printf(a, "%" PRIu64, f.nat.v) : NULL;
	case REAL:
		return f.real.some ? real_text(f.real.v, a) : NULL;
	}
	return NULL;
}

static bool same(const struct nf_posture *x, const struct nf_posture *y, const struct row *row)
{
	union fact a = get(x, row), b = get(y, row);

	switch (row->kind) {
	case TEXT:
		return a.text && b.text ? strcmp(a.text, b.text) == 0 : a.text == b.text;
	case BOOL:
		return a.boolean.some == b.boolean.some &&
		       (!a.boolean.some || a.boolean.v == b.boolean.v);
	case NAT:
		return a.nat.some == b.nat.some && (!a.nat.some || a.nat.v == b.nat.v);
	case REAL:
		return a.real.some == b.real.some &&
		       (!a.real.some || !(a.real.v < b.real.v || a.real.v > b.real.v));
	}
	return false;
}

int nf_posture_compare(const struct nf_posture *before, const struct nf_posture *after,
                       struct nf_arena *a, struct nf_posture_diff **ret, size_t *ret_n,
                       struct nf_err *err)
{
	struct nf_posture_diff *list = nf_arena_alloc(a, N_ROWS, sizeof(*list));
	size_t n = 0;
	int r;

	for (size_t i = 0; list && i < N_ROWS; i++) {
		if (same(before, after, &rows[i]))
			continue;
		list[n++] = (struct nf_posture_diff){
			.name = rows[i].name,
			.before = nf_posture_text(before, i, a),
			.after = nf_posture_text(after, i, a),
			.is_volatile = rows[i].is_volatile,
		};
	}
	r = nf_arena_failed(a, "the difference of two postures", err);
	if (r < 0)
		return r;
	*ret = list;
	*ret_n = n;
	return 0;
}

enum nf_lane nf_posture_lane(const struct nf_posture *p)
{
	if (!p->realtime.some)
		return NF_LANE_UNKNOWN;
	return p->realtime.v ? NF_LANE_RT : NF_LANE_GENERIC;
}

const char *nf_lane_name(enum nf_lane lane)
{
	static const char *const names[] = {
		[NF_LANE_UNKNOWN] = "unknown",
		[NF_LANE_GENERIC] = "generic",
		[NF_LANE_RT] = "rt",
	};

	return (unsigned)lane < sizeof(names) / sizeof(names[0]) ? names[lane] : names[0];
}
