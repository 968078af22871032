/* SPDX-License-Identifier: MIT */
#include "record/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_BYTES = 64 };

static const struct nf_metric rows[] = {
#define LOWER NF_LOWER
#define HIGHER NF_HIGHER
#define X(id, schema, path, scale, reduce, unit, better, text) \
	{ id, schema, path, scale, NF_REDUCE_##reduce, unit, better, text },
#include "metrics.def"
#undef X
#undef LOWER
#undef HIGHER
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

size_t nf_metrics_count(void)
{
	return N_ROWS;
}

const struct nf_metric *nf_metrics_row(size_t i)
{
	return i < N_ROWS ? &rows[i] : NULL;
}

const struct nf_metric *nf_metrics_find(const char *id)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (strcmp(rows[i].id, id) == 0)
			return &rows[i];
	return NULL;
}

const char *nf_metrics_schema(const json_t *record)
{
	const json_t *schema = json_object_get(record, "schema");

	if (schema)
		return json_string_value(schema);
	if (json_object_get(record, "timingConforms") && json_object_get(record, "contractCeiling"))
		return "HostProbeRun";
	if (json_object_get(record, "validatorPass") && json_object_get(record, "baseMatched"))
		return "KernelValidationRun";
	return NULL;
}

/* --- values along a path --- */

struct found {
	double *value;
	size_t n;
	double scale;
};

static void take(const json_t *v, struct found *f)
{
	double x;

	if (!json_is_number(v) || f->n == NF_METRIC_VALUES_MAX)
		return;
	x = json_number_value(v) * f->scale;
	if (isfinite(x))
		f->value[f->n++] = x;
}

static void walk(const json_t *v, const char *path, struct found *f);

/* "p=99]...": the items of the list whose member p is 99; "]...": all. */
static void walk_list(const json_t *list, const char *select, struct found *f)
{
	const char *end = strchr(select, ']');
	size_t name = strcspn(select, "=]");
	char key[KEY_BYTES];

	if (!end || name >= sizeof(key))
		return;
	memcpy(key, select, name);
	key[name] = '\0';
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);

		if (name > 0) {
			const json_t *member = json_object_get(item, key);
			double want = strtod(select + name + 1, NULL);

			if (!json_is_number(member) ||
			    fabs(json_number_value(member) - want) > 1e-9)
				continue;
		}
		walk(item, end[1] == '.' ? end + 2 : end + 1, f);
	}
}

/* Recursion ends with the path. */
static void walk(const json_t *v, const char *path, struct found *f)
{
	size_t name = strcspn(path, ".[");
	char key[KEY_BYTES];

	if (!*path) {
		take(v, f);
		return;
	}
	if (name >= sizeof(key))
		return;
	memcpy(key, path, name);
	key[name] = '\0';
	v = json_object_get(v, key);
	if (path[name] == '[')
		walk_list(v, path + name + 1, f);
	else if (v)
		walk(v, path[name] == '.' ? path + name + 1 : path + name, f);
}

static int by_value(const void *a, const void *b)
{
	double x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

static double median(const double *value, size_t n)
{
	double copy[NF_METRIC_VALUES_MAX];

	memcpy(copy, value, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), by_value);
	return n % 2 ? copy[n / 2] : copy[n / 2 - 1] + (copy[n / 2] - copy[n / 2 - 1]) / 2;
}

static double reduced(enum nf_reduce how, const double *value, size_t n)
{
	double v = value[0];

	if (how == NF_REDUCE_MEDIAN)
		return median(value, n);
	for (size_t i = 1; i < n; i++) {
		if (how == NF_REDUCE_SUM)
			v += value[i];
		else if (how == NF_REDUCE_MIN ? value[i] < v : value[i] > v)
			v = value[i];
	}
	return v;
}

int nf_metrics_read(const json_t *record, nf_metric_fn *fn, void *ctx)
{
	const char *schema = nf_metrics_schema(record);
	double value[NF_METRIC_VALUES_MAX];
	int r = 0;

	for (size_t i = 0; schema && i < N_ROWS && r == 0; i++) {
		struct found f = { .value = value, .scale = rows[i].scale };

		if (strcmp(rows[i].schema, schema) != 0)
			continue;
		walk(record, rows[i].path, &f);
		if (f.n > 0)
			r = fn(ctx, &rows[i], value, f.n, reduced(rows[i].reduce, value, f.n));
	}
	return r;
}
