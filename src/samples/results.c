/* SPDX-License-Identifier: MIT */
#include "samples/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

const char *const nf_interchange_names[NF_N_INTERCHANGE + 1] = {
#define X(symbol, name, what) [NF_INTERCHANGE_##symbol] = name,
#include "interchange.def"
#undef X
};

enum {
	SLOTS = 4 * NF_RESULTS_MAX, /* a power of two, never more than a quarter full */
	NAMES_BYTES = 16 << 20,
};

void nf_results_init(struct nf_results *r)
{
	*r = (struct nf_results){ 0 };
	nf_arena_init(&r->arena, NAMES_BYTES);
}

void nf_results_fini(struct nf_results *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->result[i].item);
	free(r->result);
	free(r->slot);
	nf_arena_fini(&r->arena);
	*r = (struct nf_results){ 0 };
}

/* FNV-1a (Fowler, Noll, Vo). */
static uint32_t hash(uint32_t h, const char *s)
{
	do
		h = (h ^ (uint8_t)*s) * 16777619u;
	while (*s++);
	return h;
}

static int check_name(const char *what, const char *name, struct nf_err *err)
{
	size_t len = strlen(name);

	if (len == 0 || len > NF_RESULT_NAME_MAX)
		return nf_fail(err, NF_EDATA, "%s of %zu bytes; allowed: 1 to %d", what, len,
		               (int)NF_RESULT_NAME_MAX);
	for (const char *p = name; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			return nf_fail(err, NF_EDATA, "a control character in %s", what);
	return 0;
}

static int make_room(struct nf_results *r, struct nf_err *err)
{
	size_t cap = r->cap ? 2 * r->cap : 16;

	if (!r->slot) {
		r->slot = calloc(SLOTS, sizeof(*r->slot));
		if (!r->slot)
			return nf_fail_nomem(err, "names of results", SLOTS * sizeof(*r->slot));
	}
	if (r->n < r->cap)
		return 0;
	if (r->n >= NF_RESULTS_MAX)
		return nf_fail(err, NF_EDATA, "more than %d results", (int)NF_RESULTS_MAX);
	struct nf_result *p = realloc(r->result, cap * sizeof(*p));
	if (!p)
		return nf_fail_nomem(err, "results", cap * sizeof(*p));
	r->result = p;
	r->cap = cap;
	return 0;
}

const char *const nf_better_names[NF_N_BETTER + 1] = { "", "smaller", "larger", NULL };

enum nf_better nf_result_better(const char *unit)
{
	size_t n = strlen(unit);

	return n > 2 && strcmp(unit + n - 2, "/s") == 0 ? NF_BETTER_LARGER : NF_BETTER_SMALLER;
}

int nf_results_say(struct nf_result *r, enum nf_better better, struct nf_err *err)
{
	if (r->better_said && r->better != better)
		return nf_fail(err, NF_EDATA, "'%.*s': %s is better, and before %s was",
		               NF_UTF8_CUT(r->bench, 60), nf_better_names[better],
		               nf_better_names[r->better]);
	r->better = better;
	r->better_said = true;
	return 0;
}

int nf_results_get(struct nf_results *r, const char *bench, const char *unit,
                   struct nf_result **ret, struct nf_err *err)
{
	uint32_t at = hash(hash(2166136261u, bench), unit) & (SLOTS - 1);

	for (; r->slot && r->slot[at]; at = (at + 1) & (SLOTS - 1)) {
		struct nf_result *have = &r->result[r->slot[at] - 1];

		if (strcmp(have->bench, bench) == 0 && strcmp(have->unit, unit) == 0) {
			*ret = have;
			return 0;
		}
	}
	int rc = check_name("a benchmark's name", bench, err);
	if (rc == 0)
		rc = check_name("a unit", unit, err);
	if (rc == 0)
		rc = make_room(r, err);
	if (rc < 0)
		return rc;
	struct nf_result *new_ = &r->result[r->n];
	*new_ = (struct nf_result){ .bench = nf_arena_strdup(&r->arena, bench),
		                    .unit = nf_arena_strdup(&r->arena, unit),
		                    .better = nf_result_better(unit) };
	rc = nf_arena_failed(&r->arena, "names of results", err);
	if (rc < 0)
		return rc;
	r->slot[at] = (uint32_t)++r->n;
	*ret = new_;
	return 0;
}

int nf_results_add(struct nf_results *r, struct nf_result *to, double value, struct nf_err *err)
{
	if (!isfinite(value))
		return nf_fail(err, NF_EDATA, "a value that is no finite number");
	if (r->n_values >= NF_RESULT_VALUES_MAX)
		return nf_fail(err, NF_EDATA, "more than %d values", (int)NF_RESULT_VALUES_MAX);
	if (to->n == to->cap) {
		size_t cap = to->cap ? 2 * to->cap : 8;
		struct nf_result_value *p = realloc(to->item, cap * sizeof(*p));

		if (!p)
			return nf_fail_nomem(err, "values of results", cap * sizeof(*p));
		to->item = p;
		to->cap = cap;
	}
	to->item[to->n] = (struct nf_result_value){ .value = value,
		                                    .user_ns = -1,
		                                    .system_ns = -1,
		                                    .peak_bytes = -1,
		                                    .operations = 1,
		                                    .set = (uint32_t)to->n,
		                                    .exit_code = -1 };
	to->n++;
	r->n_values++;
	return 0;
}

static bool is_named(const struct nf_result *r, const char *name)
{
	size_t len = strlen(r->bench);

	return strncmp(name, r->bench, len) == 0 && name[len] == ' ' &&
	       strcmp(name + len + 1, r->unit) == 0;
}

const struct nf_result *nf_results_find(const struct nf_results *r, const char *name)
{
	const struct nf_result *only = NULL;
	size_t n = 0;

	for (size_t i = 0; !name && i < r->n; i++)
		if (!r->result[i].is_counter) {
			only = &r->result[i];
			n++;
		}
	if (!name)
		return n == 1 ? only : NULL;
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->result[i].bench, name) == 0)
			return &r->result[i];
	for (size_t i = 0; i < r->n; i++)
		if (is_named(&r->result[i], name))
			return &r->result[i];
	return NULL;
}

void nf_results_names(const struct nf_results *r, char *ret, size_t size)
{
	size_t len = 0;

	ret[0] = '\0';
	for (size_t i = 0; i < r->n; i++) {
		/* The first of a name is found by its name alone. */
		bool first = nf_results_find(r, r->result[i].bench) == &r->result[i];
		int n = snprintf(ret + len, size - len, "%s%s%s%s", len ? ", " : "",
		                 r->result[i].bench, first ? "" : " ",
		                 first ? "" : r->result[i].unit);

		if (n < 0 || (size_t)n >= size - len) {
			if (len + sizeof(", ...") <= size)
				memcpy(ret + len, ", ...", sizeof(", ..."));
			else
				ret[len] = '\0';
			return;
		}
		len += (size_t)n;
	}
}

const char *nf_result_unit(const char *unit, double *ret_factor)
{
	static const struct {
		const char *name;
		double ns;
	} time[] = {
		{ "ns", 1 },     { "nsec", 1 },           { "nanoseconds", 1 },
		{ "us", 1e3 },   { "\u00b5s", 1e3 },      { "\u03bcs", 1e3 },
		{ "usec", 1e3 }, { "microseconds", 1e3 }, { "ms", 1e6 },
		{ "msec", 1e6 }, { "milliseconds", 1e6 }, { "s", 1e9 },
		{ "sec", 1e9 },  { "second", 1e9 },       { "seconds", 1e9 },
		{ "min", 60e9 }, { "minutes", 60e9 },     { "h", 3600e9 },
	};
	static const char *const per[] = { "", "/op", "/iter", "/iteration", "/call" };
	size_t len = strcspn(unit, "/");

	*ret_factor = 1;
	for (size_t i = 0; i < sizeof(per) / sizeof(*per); i++)
		for (size_t j = 0;
		     strcmp(unit + len, per[i]) == 0 && j < sizeof(time) / sizeof(*time); j++)
			if (strlen(time[j].name) == len && memcmp(unit, time[j].name, len) == 0) {
				*ret_factor = time[j].ns;
				return "ns";
			}
	return unit;
}
