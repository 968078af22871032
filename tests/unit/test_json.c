/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <math.h>

#include "nf_unit.h"

static void nested_values_get_their_commas_and_indentation(void **state)
{
	struct nf_json j;
	struct nf_buf b;
	struct nf_err e = { 0 };

	(void)state;
	for (int indent = 0; indent < 2; indent++) {
		nf_buf_init(&b, 1000);
		nf_json_init(&j, &b, indent);
		nf_json_object(&j);
		nf_json_key(&j, "a");
		nf_json_array(&j);
		nf_json_i64(&j, -1);
		nf_json_double(&j, 2);
		nf_json_end(&j);
		nf_json_key(&j, "b\n\"");
		nf_json_text(&j, NULL);
		nf_json_end(&j);
		assert_int_equal(nf_json_done(&j, &e), 0);
		assert_string_equal(b.data, indent ? "{\n  \"a\": [\n    -1,\n    2.0\n  ],\n"
		                                     "  \"b\\n\\\"\": null\n}\n"
		                                   : "{\"a\": [-1, 2.0], \"b\\n\\\"\": null}\n");
		nf_buf_fini(&b);
	}
}

static void every_kind_of_value_is_written(void **state)
{
	struct nf_json j;
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 1000);
	nf_json_init(&j, &b, false);
	nf_json_array(&j);
	nf_json_i64(&j, INT64_MIN);
	nf_json_u64(&j, UINT64_MAX);
	nf_json_double(&j, -0.0);
	nf_json_bool(&j, true);
	nf_json_bool(&j, false);
	nf_json_null(&j);
	nf_json_textn(&j, "a\0\x1f\x7f\\/\t\xff\xc3\xa9", 10);
	nf_json_object(&j);
	nf_json_end(&j);
	nf_json_array(&j);
	nf_json_end(&j);
	nf_json_end(&j);
	assert_int_equal(nf_json_done(&j, NULL), 0);
	assert_string_equal(b.data,
	                    "[-9223372036854775808, 18446744073709551615, -0.0, true, false, null, "
	                    "\"a\\u0000\\u001f\\u007f\\\\/\\t\xef\xbf\xbd\xc3\xa9\", {}, []]\n");
	assert_int_equal(j.n_replaced, 1);
	nf_buf_fini(&b);
}

static void value_without_key(struct nf_json *j)
{
	nf_json_object(j);
	nf_json_i64(j, 1);
	nf_json_end(j);
}

static void key_in_an_array(struct nf_json *j)
{
	nf_json_array(j);
	nf_json_key(j, "k");
	nf_json_end(j);
}

static void two_keys(struct nf_json *j)
{
	nf_json_object(j);
	nf_json_key(j, "k");
	nf_json_key(j, "k");
	nf_json_null(j);
	nf_json_end(j);
}

static void end_after_a_key(struct nf_json *j)
{
	nf_json_object(j);
	nf_json_key(j, "k");
	nf_json_end(j);
}

static void key_outside(struct nf_json *j)
{
	nf_json_key(j, "k");
	nf_json_null(j);
}

static void two_documents(struct nf_json *j)
{
	nf_json_null(j);
	nf_json_null(j);
}

static void nothing(struct nf_json *j)
{
	(void)j;
}

static void not_closed(struct nf_json *j)
{
	nf_json_array(j);
}

static void closed_twice(struct nf_json *j)
{
	nf_json_array(j);
	nf_json_end(j);
	nf_json_end(j);
}

static void too_deep(struct nf_json *j)
{
	for (int i = 0; i <= NF_JSON_DEPTH; i++)
		nf_json_array(j);
	for (int i = 0; i <= NF_JSON_DEPTH; i++)
		nf_json_end(j);
}

static void calls_out_of_order_are_remembered(void **state)
{
	static void (*const fns[])(struct nf_json *) = {
		value_without_key, key_in_an_array, two_keys,   end_after_a_key, key_outside,
		two_documents,     nothing,         not_closed, closed_twice,    too_deep,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(fns) / sizeof(fns[0]); i++) {
		struct nf_err e = { 0 };
		struct nf_json j;
		struct nf_buf b;

		nf_buf_init(&b, 10000);
		nf_json_init(&j, &b, true);
		fns[i](&j);
		if (nf_json_done(&j, &e) != -NF_EARG)
			fail_msg("case %zu is accepted", i);
		assert_int_equal(e.code, NF_EARG);
		nf_buf_fini(&b);
	}
}

static void the_deepest_nesting_is_allowed(void **state)
{
	struct nf_json j;
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 100000);
	nf_json_init(&j, &b, true);
	for (int i = 0; i < NF_JSON_DEPTH; i++)
		nf_json_array(&j);
	for (int i = 0; i < NF_JSON_DEPTH; i++)
		nf_json_end(&j);
	assert_int_equal(nf_json_done(&j, NULL), 0);
	nf_buf_fini(&b);
}

static void a_double_that_is_not_finite_or_a_full_buffer_fails_the_document(void **state)
{
	struct nf_err e = { 0 };
	struct nf_json j;
	struct nf_buf b;

	(void)state;
	nf_buf_init(&b, 100);
	nf_json_init(&j, &b, false);
	nf_json_double(&j, (double)INFINITY);
	assert_int_equal(nf_json_done(&j, &e), -NF_EDATA);
	nf_buf_fini(&b);
	nf_buf_init(&b, 4);
	nf_json_init(&j, &b, false);
	nf_json_text(&j, "long");
	assert_int_equal(nf_json_done(&j, &e), -NF_EDATA);
	assert_string_equal(e.msg, "the JSON text does not fit into 4 bytes");
	nf_buf_fini(&b);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(nested_values_get_their_commas_and_indentation),
	cmocka_unit_test(every_kind_of_value_is_written),
	cmocka_unit_test(calls_out_of_order_are_remembered),
	cmocka_unit_test(the_deepest_nesting_is_allowed),
	cmocka_unit_test(a_double_that_is_not_finite_or_a_full_buffer_fails_the_document),
};

NF_UNIT_MAIN(tests)
