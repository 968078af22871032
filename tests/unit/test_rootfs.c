/* SPDX-License-Identifier: MIT */
#include "base/rootfs.h"
#include "nf_unit.h"

static void the_live_host_has_a_kernel_release(void **state)
{
	struct nf_rootfs r;
	struct nf_arena a;
	struct nf_err e = { 0 };
	const char *s = NULL;

	(void)state;
	nf_arena_init(&a, 10000);
	assert_int_equal(nf_rootfs_open(&r, NULL, &e), 0);
	assert_int_equal(nf_rootfs_read_line(&r, "proc/sys/kernel/osrelease", &a, &s, &e), 0);
	assert_non_null(s);
	assert_true(strlen(s) > 0);
	assert_int_equal(nf_rootfs_read_line(&r, "proc/no/such/file", &a, &s, &e), -NF_ENODATA);
	nf_rootfs_close(&r);
	nf_arena_fini(&a);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_live_host_has_a_kernel_release),
};

NF_UNIT_MAIN(tests)
