/* SPDX-License-Identifier: MIT */
/*
 * prop_cmocka - properties as cmocka tests. Include after cmocka.h.
 *
 *   static void reversing(void **state)
 *   {
 *           (void)state;
 *           pt_cmocka_check("reversed twice is the same", reversed_twice, NULL);
 *   }
 *
 * The property may use cmocka's assertions: in the worker they abort (CMOCKA_TEST_ABORT), which is shrunk
 * like any failure. The test fails once, in the parent, with the report of the shrunk case.
 * PT_SEED, PT_CASES and PT_SAVE in the environment are as in pt_main(). Without a seed: 1.
 */
#ifndef NOISEFLOOR_PROP_CMOCKA_H
#define NOISEFLOOR_PROP_CMOCKA_H

#include <stdlib.h>

#include "noisefloor/prop.h"

/* config may be NULL; what the environment says goes before it. */
static inline void pt_cmocka_check_with(const char *name, pt_property_fn fn, void *arg,
                                        const struct pt_config *config)
{
	struct pt_property p = { name, fn, arg, 0 };
	struct pt_config c = config ? *config : (struct pt_config){ .seed = 1 };
	const char *seed = getenv("PT_SEED"), *cases = getenv("PT_CASES"),
	           *save = getenv("PT_SAVE");
	const char *was = getenv("CMOCKA_TEST_ABORT");
	char *old = was ? strdup(was) : NULL, *text = NULL;
	struct pt_result r;
	size_t size;
	FILE *f;
	int err;

	if (seed && *seed)
		c.seed = strtoull(seed, NULL, 10);
	if (cases && *cases)
		c.cases = (unsigned)strtoul(cases, NULL, 10);
	if (save && *save)
		c.save_dir = save;
	c.isolation = c.isolation == PT_FORK ? PT_FORK : PT_WORKER; /* an abort must not end us */
	setenv("CMOCKA_TEST_ABORT", "1", 1);
	err = pt_check(&p, &c, &r);
	if (old)
		setenv("CMOCKA_TEST_ABORT", old, 1);
	else
		unsetenv("CMOCKA_TEST_ABORT");
	free(old);
	if (err) {
		fail_msg("%s: %s", name, pt_strerror(err));
		return;
	}
	if (r.outcome == PT_PASSED) {
		pt_result_fini(&r);
		return;
	}
	f = open_memstream(&text, &size);
	if (f) {
		const char *names[] = { name };
		struct pt_report report = { "cmocka", names, &r, 1, c.seed };

		if (pt_report_write(pt_reporter_find("console"), &report, f) != 0)
			print_error("the report is not complete\n");
		fclose(f);
	}
	print_error("%s", text ? text : "out of memory\n");
	free(text);
	pt_result_fini(&r);
	fail_msg("%s: does not hold", name);
}

static inline void pt_cmocka_check(const char *name, pt_property_fn fn, void *arg)
{
	pt_cmocka_check_with(name, fn, arg, NULL);
}

#endif
