/* SPDX-License-Identifier: MIT */
/* Results written and read back, in every form, and what a form cannot hold. */
#include "report/interchange_write.h"

#include <ctype.h>
#include <math.h>

#include "bench/interchange.h"
#include "nf_unit.h"
#include "report/results_of_record.h"

static void put(struct nf_results *r, const char *bench, const char *unit, double v, uint32_t set)
{
	struct nf_result *to;
	struct nf_err err = { 0 };

	assert_int_equal(nf_results_get(r, bench, unit, &to, &err), 0);
	assert_int_equal(nf_results_add(r, to, v, &err), 0);
	to->item[to->n - 1].set = set;
	to->item[to->n - 1].operations = 7;
}

static struct nf_results some(void)
{
	struct nf_results r;

	nf_results_init(&r);
	for (uint32_t i = 0; i < 20; i++) {
		put(&r, "sleep 0.1; \"x\"", "ns", 100000000 + 1234567.0 * i, i);
		put(&r, "BenchmarkA/b=c-8", "ns", 0.1 + i / 3.0, i);
	}
	return r;
}

static struct nf_results again(enum nf_interchange_id id, const struct nf_results *r)
{
	const struct nf_interchange_about about = { .host = "my host", .date = "2026-01-01" };
	struct nf_results back;
	struct nf_err err = { 0 };
	struct nf_buf out;
	int told = -1;

	nf_buf_init(&out, 1 << 20);
	if (nf_interchange_write(id, r, &about, &out, &err) < 0)
		fail_msg("%s", err.msg);
	if (nf_interchange_read(NF_INTERCHANGE_AUTO, out.data, out.len_bytes, "x", &back, &told,
	                        &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(told, (int)id);
	nf_buf_fini(&out);
	return back;
}

static void assert_same_values(const struct nf_result *a, const struct nf_result *b)
{
	assert_int_equal(a->n, b->n);
	assert_string_equal(a->unit, b->unit);
	for (size_t i = 0; i < a->n; i++)
		if (!(fabs(a->item[i].value - b->item[i].value) <= 4e-16 * a->item[i].value))
			fail_msg("%.17g came back as %.17g", a->item[i].value, b->item[i].value);
}

static void every_value_comes_back_from_forms_that_hold_all(void **state)
{
	static const enum nf_interchange_id forms[] = { NF_INTERCHANGE_LINES,
		                                        NF_INTERCHANGE_HYPERFINE,
		                                        NF_INTERCHANGE_GOOGLE, NF_INTERCHANGE_GO };
	struct nf_results r = some();

	(void)state;
	for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
		struct nf_results back = again(forms[f], &r);

		assert_int_equal(back.n, 2);
		for (size_t i = 0; i < 2; i++) {
			assert_same_values(&r.result[i], &back.result[i]);
			if (forms[f] != NF_INTERCHANGE_GO)
				assert_string_equal(back.result[i].bench, r.result[i].bench);
		}
		if (forms[f] == NF_INTERCHANGE_GO || forms[f] == NF_INTERCHANGE_GOOGLE)
			assert_int_equal(back.result[0].item[3].operations, 7);
		/* Whole numbers are the same to the last bit. */
		for (size_t i = 0; i < 20; i++)
			assert_true(back.result[0].item[i].value ==
			            100000000 + 1234567.0 * (double)i);
		nf_results_fini(&back);
	}
	nf_results_fini(&r);
}

static void go_names_are_one_word_with_its_prefix(void **state)
{
	struct nf_results r = some(), back = again(NF_INTERCHANGE_GO, &r);

	(void)state;
	assert_string_equal(back.result[0].bench, "BenchmarkSleep_0.1;_\"x\"");
	assert_string_equal(back.result[1].bench, "BenchmarkA/b=c-8");
	nf_results_fini(&back);
	nf_results_fini(&r);
	nf_results_init(&r);
	put(&r, "Benchmarking", "GB of x", 3, 0);
	back = again(NF_INTERCHANGE_GO, &r);
	assert_string_equal(back.result[0].bench, "BenchmarkBenchmarking");
	assert_string_equal(back.result[0].unit, "GB_of_x");
	nf_results_fini(&back);
	nf_results_fini(&r);
}

static void google_has_the_median_of_each_set(void **state)
{
	struct nf_results r, back;

	(void)state;
	nf_results_init(&r);
	for (uint32_t i = 0; i < 9; i++)
		put(&r, "a", "ns", 10 * (i / 3) + (i % 3), i / 3);
	back = again(NF_INTERCHANGE_GOOGLE, &r);
	assert_int_equal(back.result[0].n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(back.result[0].item[i].value == 10 * (double)i + 1);
	nf_results_fini(&back);
	back = again(NF_INTERCHANGE_SMALLER, &r);
	assert_int_equal(back.result[0].n, 1);
	assert_true(back.result[0].item[0].value == 11);
	nf_results_fini(&back);
	nf_results_fini(&r);
}

static void what_is_known_of_processes_goes_along(void **state)
{
	struct nf_results r = some(), back;

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		r.result[0].item[i].peak_bytes = 4096 * (double)i;
		r.result[0].item[i].exit_code = (int)i;
		r.result[0].item[i].user_ns = 5;
		r.result[0].item[i].system_ns = 6;
	}
	back = again(NF_INTERCHANGE_HYPERFINE, &r);
	assert_true(back.result[0].item[3].peak_bytes == 3 * 4096);
	assert_int_equal(back.result[0].item[3].exit_code, 3);
	assert_true(back.result[1].item[3].peak_bytes < 0);
	assert_int_equal(back.result[1].item[3].exit_code, -1);
	nf_results_fini(&back);
	back = again(NF_INTERCHANGE_GO, &r);
	assert_true(nf_results_find(&back, "BenchmarkSleep_0.1;_\"x\" user-ns/op")->item[0].value ==
	            5);
	nf_results_fini(&back);
	nf_results_fini(&r);
}

static void refused(enum nf_interchange_id id, const struct nf_results *r, const char *why)
{
	struct nf_err err = { 0 };
	struct nf_buf out;

	nf_buf_init(&out, 1 << 20);
	assert_int_equal(nf_interchange_write(id, r, NULL, &out, &err), -NF_EDATA);
	if (!strstr(err.msg, why))
		fail_msg("'%s' is not in '%s'", why, err.msg);
	nf_buf_fini(&out);
}

static void what_a_form_cannot_hold_is_refused(void **state)
{
	struct nf_results r;
	struct nf_result *to;
	struct nf_err err = { 0 };

	(void)state;
	nf_results_init(&r);
	refused(NF_INTERCHANGE_GO, &r, "no value");
	put(&r, "a", "MB/s", 3, 0);
	refused(NF_INTERCHANGE_HYPERFINE, &r, "'a' is in MB/s; hyperfine holds times only");
	refused(NF_INTERCHANGE_GOOGLE, &r, "google holds times only");
	refused(NF_INTERCHANGE_SMALLER, &r, "more is better");
	nf_results_fini(&r);
	/* A failure is no value of 0. */
	nf_results_init(&r);
	put(&r, "good", "ns", 3, 0);
	assert_int_equal(nf_results_get(&r, "bad", "ns", &to, &err), 0);
	to->failure = "it crashed";
	struct nf_results back = again(NF_INTERCHANGE_GOOGLE, &r);
	assert_string_equal(nf_results_find(&back, "bad")->failure, "it crashed");
	assert_int_equal(nf_results_find(&back, "bad")->n, 0);
	nf_results_fini(&back);
	back = again(NF_INTERCHANGE_HYPERFINE, &r);
	assert_null(nf_results_find(&back, "bad"));
	nf_results_fini(&back);
	nf_results_fini(&r);
}

static const char run[] =
        "{'schema': 'BenchRun/1', 'variants': [{'label': 'x\\ty', 'unit': 'ns', 'bench': null,"
        " 'threads': 4}, {'label': 'z', 'unit': null, 'failure': 'SIGSEGV'}], 'sets': ["
        "{'variant': 0, 'values': [5.0, 6.0], 'operations': 3, 'user_ns': [1.0, 2.0], 'system_ns': "
        "[],"
        " 'peak_bytes': [], 'wait_status': [256, 9], 'failure': null},"
        "{'variant': 1, 'values': [9.0], 'operations': 1, 'failure': 'SIGSEGV'},"
        "{'variant': 0, 'values': [7.0], 'operations': 3, 'failure': null}]}";

static json_t *record_of(const char *text)
{
	char *copy = strdup(text);
	json_t *root;

	assert_non_null(copy);
	for (char *p = copy; (p = strchr(p, '\''));)
		*p = '"';
	root = json_loads(copy, 0, NULL);
	free(copy);
	assert_non_null(root);
	return root;
}

static void records_give_every_value_of_sets_that_did_not_fail(void **state)
{
	json_t *root = record_of(run);
	struct nf_err err = { 0 };
	struct nf_results r;

	(void)state;
	assert_int_equal(nf_results_of_record(root, NF_SIDE_BOTH, &r, &err), 0);
	assert_int_equal(r.n, 2);
	assert_string_equal(r.result[0].bench, "x y");
	assert_int_equal(r.result[0].n, 3);
	assert_int_equal(r.result[0].threads, 4);
	assert_true(r.result[0].item[1].value == 6 && r.result[0].item[1].user_ns == 2);
	assert_true(r.result[0].item[1].system_ns < 0 && r.result[0].item[2].user_ns < 0);
	assert_int_equal(r.result[0].item[0].exit_code, 1);
	assert_int_equal(r.result[0].item[1].exit_code, 128 + 9);
	assert_int_equal(r.result[0].item[2].set, 1);
	assert_int_equal(r.result[0].item[2].operations, 3);
	assert_int_equal(r.result[1].n, 0);
	assert_string_equal(r.result[1].failure, "SIGSEGV");
	nf_results_fini(&r);
	assert_int_equal(nf_results_of_record(root, NF_SIDE_OLD, &r, &err), -NF_EARG);
	json_decref(root);
	root = record_of("{'schema': 'FwqRun/1'}");
	assert_int_equal(nf_results_of_record(root, NF_SIDE_BOTH, &r, &err), -NF_EARG);
	assert_non_null(strstr(err.msg, "FwqRun/1"));
	json_decref(root);
}

static void sides_of_a_comparison_have_its_name(void **state)
{
	json_t *root = record_of(
	        "{'schema': 'BenchCompare/1', 'variants': [{'label': 'p', 'unit': 'ns'},"
	        "{'label': 'p', 'unit': 'ns'}, {'label': 'null', 'unit': 'ns'}, {'label': 'null', "
	        "'unit': 'ns'}],"
	        "'sets': [{'variant': 0, 'values': [1.0]}, {'variant': 1, 'values': [2.0]},"
	        " {'variant': 2, 'values': [3.0]}], 'comparisons': ["
	        "{'name': 'c', 'old_variant': 0, 'new_variant': 1, 'is_null': false},"
	        "{'name': 'n', 'old_variant': 2, 'new_variant': 3, 'is_null': true}]}");
	struct nf_err err = { 0 };
	struct nf_results r;

	(void)state;
	assert_int_equal(nf_results_of_record(root, NF_SIDE_NEW, &r, &err), 0);
	assert_int_equal(r.n, 1);
	assert_string_equal(r.result[0].bench, "c");
	assert_true(r.result[0].item[0].value == 2);
	nf_results_fini(&r);
	assert_int_equal(nf_results_of_record(root, NF_SIDE_BOTH, &r, &err), 0);
	assert_int_equal(r.n, 2);
	assert_string_equal(r.result[0].bench, "p (old)");
	assert_string_equal(r.result[1].bench, "p (new)");
	nf_results_fini(&r);
	json_decref(root);
}

static void which_way_is_better_comes_back(void **state)
{
	static const enum nf_interchange_id forms[] = { NF_INTERCHANGE_LINES, NF_INTERCHANGE_GO };
	struct nf_results r, back;

	(void)state;
	nf_results_init(&r);
	put(&r, "BenchmarkA", "frames", 60, 0);
	r.result[0].better = NF_BETTER_LARGER;
	put(&r, "BenchmarkB", "faults/s", 3, 0);
	r.result[1].better = NF_BETTER_SMALLER;
	put(&r, "BenchmarkC", "MB/s", 3, 0);
	put(&r, "BenchmarkD", "ns", 3, 0);
	for (size_t f = 0; f < 2; f++) {
		back = again(forms[f], &r);
		assert_int_equal(back.n, 4);
		for (size_t i = 0; i < 4; i++)
			assert_int_equal(back.result[i].better, r.result[i].better);
		nf_results_fini(&back);
	}
	refused(NF_INTERCHANGE_SMALLER, &r, "more is better");
	put(&r, "BenchmarkE", "frames", 60, 0);
	refused(NF_INTERCHANGE_GO, &r, "go has one way for a unit");
	nf_results_fini(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_value_comes_back_from_forms_that_hold_all),
	cmocka_unit_test(go_names_are_one_word_with_its_prefix),
	cmocka_unit_test(google_has_the_median_of_each_set),
	cmocka_unit_test(what_is_known_of_processes_goes_along),
	cmocka_unit_test(what_a_form_cannot_hold_is_refused),
	cmocka_unit_test(records_give_every_value_of_sets_that_did_not_fail),
	cmocka_unit_test(sides_of_a_comparison_have_its_name),
	cmocka_unit_test(which_way_is_better_comes_back),
};
NF_UNIT_MAIN(tests)
