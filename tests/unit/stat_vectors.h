/* SPDX-License-Identifier: MIT */
/* stat_vectors - reading one reference vector and comparing with what it expects. */
#ifndef STAT_VECTORS_H
#define STAT_VECTORS_H

#include <jansson.h>
#include <math.h>

#include "nf_unit.h"
#include "noisefloor/stats.h"

enum { VALUES_MAX = 4096 };

extern const char *current; /* id of the vector at hand */

struct values {
	double v[VALUES_MAX];
	size_t n;
};

static inline double number(const json_t *j)
{
	if (!json_is_number(j))
		fail_msg("%s: a number is missing", current);
	return json_number_value(j);
}

static inline void read_values(const json_t *j, struct values *ret)
{
	assert_true(json_is_array(j));
	ret->n = json_array_size(j);
	assert_true(ret->n <= VALUES_MAX);
	for (size_t i = 0; i < ret->n; i++)
		ret->v[i] = number(json_array_get(j, i));
}

static inline double number_or(const json_t *o, const char *key, double otherwise)
{
	const json_t *j = json_object_get(o, key);

	return j ? number(j) : otherwise;
}

static inline void same_to(const char *what, double got, const json_t *want, double relative)
{
	double w = number(want);

	/* What should be 0 is so to within rounding of what it was computed from. */
	if (!(fabs(got - w) <= relative * fabs(w) + 1e-13))
		fail_msg("%s: %s is %.17g, expected %.17g", current, what, got, w);
}

static inline void same(const char *what, double got, const json_t *want)
{
	same_to(what, got, want, 1e-9);
}

static inline void same_array(const char *what, const double *got, const json_t *want)
{
	for (size_t i = 0; i < json_array_size(want); i++)
		same(what, got[i], json_array_get(want, i));
}

static inline void unknown(const char *key)
{
	fail_msg("%s: nothing here computes '%s'", current, key);
}

struct entry {
	const char *key;
	double value;
};

/* Every expected entry is one of the table; `other` may know more keys. */
static inline void same_entries(const json_t *want, const struct entry *e, size_t n,
                                bool (*other)(const char *key, const json_t *want, void *arg),
                                void *arg)
{
	const char *key;
	json_t *w;

	assert_true(json_object_size(want) > 0);
	json_object_foreach((json_t *)(uintptr_t)want, key, w)
	{
		size_t i = 0;

		while (i < n && strcmp(e[i].key, key) != 0)
			i++;
		if (i < n)
			same(key, e[i].value, w);
		else if (!other || !other(key, w, arg))
			unknown(key);
	}
}

#define N(a) (sizeof(a) / sizeof((a)[0]))
#define OK(call) assert_int_equal(call, 0)

/* In stat_vectors_more.c. */
void vector_bca(const json_t *in, const json_t *want);
void vector_adjustments(const json_t *in, const json_t *want);
void vector_edivisive(const json_t *in, const json_t *want);
void vector_autocorrelation(const json_t *in, const json_t *want);
void vector_drift(const json_t *in, const json_t *want);
void vector_runs(const json_t *in, const json_t *want);
void vector_outliers(const json_t *in, const json_t *want);
void vector_welch(const json_t *in, const json_t *want);
void vector_mean_interval(const json_t *in, const json_t *want);
void vector_special(const json_t *in, const json_t *want);
void vector_mde(const json_t *in, const json_t *want);
void vector_sets(const json_t *in, const json_t *want);
void vector_regress(const json_t *in, const json_t *want);

#endif
