/* SPDX-License-Identifier: MIT */
/* Properties inside cmocka tests: assertions of cmocka in the property, one failure in the report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <noisefloor/prop_cmocka.h>

static bool copy_is_the_same(struct pt_case *t, void *arg)
{
	struct pt_mem *m = pt_case_mem(t);
	struct pt_value v = pt_draw(t, "text", pt_text(m, 0, 60, NULL));
	char copy[64];

	(void)arg;
	memcpy(copy, v.text, v.n + 1);
	assert_string_equal(copy, v.text);
	return true;
}

static void copying(void **state)
{
	(void)state;
	pt_cmocka_check("a copy is the same", copy_is_the_same, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(copying) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
