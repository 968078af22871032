/* SPDX-License-Identifier: MIT */
#include "job/audit_log.h"

#include "nf_unit.h"

static void lines_that_differ_in_numbers_are_alike(void **state)
{
	static const struct {
		const char *a, *b;
		bool alike;
	} rows[] = {
		{ "", "", true },
		{ "[    1.5] up", "[    12.25] up", true },
		{ "port 1", "port 22222222222222222222222222", true },
		{ "port 1", "port ", false },
		{ "port ", "port 1", false },
		{ "1a", "a1", false },
		{ "a", "ab", false },
		{ "12", "1 2", false },
		{ "\xc3\xa4 7", "\xc3\xa4 8", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(nf_audit_log_alike(rows[i].a, rows[i].b), rows[i].alike);
		assert_int_equal(nf_audit_log_alike(rows[i].b, rows[i].a), rows[i].alike);
		if (rows[i].alike)
			assert_true(nf_audit_log_hash(rows[i].a) == nf_audit_log_hash(rows[i].b));
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(lines_that_differ_in_numbers_are_alike),
};

NF_UNIT_MAIN(tests)
