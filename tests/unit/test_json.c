/* SPDX-License-Identifier: MIT */
#include "base/json.h"
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

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(nested_values_get_their_commas_and_indentation),
};

NF_UNIT_MAIN(tests)
