/* SPDX-License-Identifier: MIT */
/* The figures of records: every row finds a field of its type, and values come out in order. */
#include "record/metrics.h"

#include "nf_unit.h"
#include "record/rec_hostprobe.h"
#include "record/write.h"

static const struct nf_type *type_of(const char *schema)
{
	for (size_t i = 0; nf_record_types[i]; i++) {
		const char *own = nf_record_schema(nf_record_types[i]);

		if (own ? strcmp(own, schema) == 0 : strcmp(nf_record_types[i]->name, schema) == 0)
			return nf_record_types[i];
	}
	return NULL;
}

static const struct nf_type *member(const struct nf_type *t, const char *key, size_t len)
{
	for (const struct nf_field *f = t->fields; f && f->key; f++)
		if (strlen(f->key) == len && memcmp(f->key, key, len) == 0)
			return f->type;
	return NULL;
}

/* The type at the end of a path, or NULL. */
static const struct nf_type *follow(const struct nf_type *t, const char *path)
{
	while (t && *path) {
		size_t len = strcspn(path, ".[");

		t = member(t, path, len);
		path += len;
		if (t && *path == '[') {
			size_t name = strcspn(path + 1, "=]");

			t = t->kind == NF_T_LIST ? t->elem : NULL;
			if (t && name > 0 && !member(t, path + 1, name))
				return NULL;
			path += strcspn(path, "]") + 1;
		}
		path += *path == '.';
	}
	return t;
}

static void every_row_names_a_number_of_its_record(void **state)
{
	(void)state;
	assert_true(nf_metrics_count() > 0);
	assert_null(nf_metrics_row(nf_metrics_count()));
	for (size_t i = 0; i < nf_metrics_count(); i++) {
		const struct nf_metric *m = nf_metrics_row(i);
		const struct nf_type *t = type_of(m->schema);

		if (!t)
			fail_msg("%s: no record type %s", m->id, m->schema);
		t = follow(t, m->path);
		if (!t || (t->kind != NF_T_REAL && t->kind != NF_T_NAT && t->kind != NF_T_INT))
			fail_msg("%s: %s has no number at %s", m->id, m->schema, m->path);
	}
}

static void rows_of_one_id_agree_and_a_record_has_each_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < nf_metrics_count(); i++) {
		const struct nf_metric *m = nf_metrics_row(i), *first = nf_metrics_find(m->id);

		assert_non_null(first);
		assert_string_equal(m->unit, first->unit);
		assert_string_equal(m->text, first->text);
		assert_int_equal(m->better, first->better);
		for (size_t k = 0; k < i; k++)
			if (strcmp(nf_metrics_row(k)->id, m->id) == 0)
				assert_string_not_equal(nf_metrics_row(k)->schema, m->schema);
	}
	assert_null(nf_metrics_find("no.such"));
}

struct seen {
	size_t n;
	char id[64];
	double value[8];
	size_t n_values;
	double whole;
};

static int see(void *ctx, const struct nf_metric *m, const double *value, size_t n, double whole)
{
	struct seen *s = ctx;

	s->n++;
	if (strcmp(m->id, s->id) == 0) {
		s->n_values = n;
		memcpy(s->value, value, (n < 8 ? n : 8) * sizeof(*value));
		s->whole = whole;
	}
	return 0;
}

static struct seen read_as(const char *json, const char *id)
{
	struct seen s = { 0 };
	json_t *root = json_loads(json, 0, NULL);

	assert_non_null(root);
	snprintf(s.id, sizeof(s.id), "%s", id);
	assert_int_equal(nf_metrics_read(root, see, &s), 0);
	json_decref(root);
	return s;
}

static void values_come_in_order_with_the_one_that_stands_for_the_run(void **state)
{
	static const char window[] =
	        "{\"schema\":\"WindowRun/1\",\"numa\":[{\"body\":{\"speedup\":3}},"
	        "{\"body\":{\"speedup\":null}},{\"body\":{\"speedup\":1}},{\"body\":{\"speedup\":2}"
	        "},"
	        "{\"body\":{\"speedup\":10}}],\"wake\":{\"body\":{\"workers\":["
	        "{\"missed\":2,\"worst_lateness_ns\":5.5,\"lateness\":{\"percentiles\":"
	        "[{\"p\":50.0,\"value\":1},{\"p\":99.0,\"value\":7}]}},"
	        "{\"missed\":3,\"worst_lateness_ns\":4,\"lateness\":null}]}}}";
	struct seen s = read_as(window, "numa.speedup");

	(void)state;
	assert_int_equal(s.n_values, 4);
	assert_true(s.value[0] > 2.9 && s.value[0] < 3.1 && s.value[3] > 9.9);
	assert_true(s.whole > 2.49 && s.whole < 2.51);
	s = read_as(window, "wake.missed");
	assert_int_equal(s.n_values, 2);
	assert_true(s.whole > 4.9 && s.whole < 5.1);
	s = read_as(window, "wake.late.p99");
	assert_int_equal(s.n_values, 1);
	assert_true(s.whole > 6.9 && s.whole < 7.1);
	s = read_as(window, "wake.late.max");
	assert_true(s.whole > 5.4 && s.whole < 5.6);
	assert_int_equal(s.n, 4);
}

static void published_records_are_known_by_their_fields_and_scaled(void **state)
{
	struct seen s = read_as("{\"timingConforms\":true,\"contractCeiling\":\"c\","
	                        "\"serialSeconds\":0.5,\"parallelSeconds\":null}",
	                        "numa.serial");

	(void)state;
	assert_int_equal(s.n, 1);
	assert_true(s.whole > 4.99e8 && s.whole < 5.01e8);
}

static void what_is_no_record_has_no_figures(void **state)
{
	(void)state;
	assert_int_equal(read_as("{}", "x").n, 0);
	assert_int_equal(read_as("[1]", "x").n, 0);
	assert_int_equal(read_as("{\"schema\":7}", "x").n, 0);
	assert_int_equal(read_as("{\"schema\":\"WindowRun/9\",\"numa\":[]}", "x").n, 0);
	assert_int_equal(read_as("{\"schema\":\"NumaRun/1\",\"body\":[{\"speedup\":1}]}", "x").n,
	                 0);
	assert_int_equal(read_as("{\"schema\":\"NumaRun/1\",\"body\":{\"speedup\":\"1\"}}", "x").n,
	                 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_row_names_a_number_of_its_record),
	cmocka_unit_test(rows_of_one_id_agree_and_a_record_has_each_once),
	cmocka_unit_test(values_come_in_order_with_the_one_that_stands_for_the_run),
	cmocka_unit_test(published_records_are_known_by_their_fields_and_scaled),
	cmocka_unit_test(what_is_no_record_has_no_figures),
};
NF_UNIT_MAIN(tests)
