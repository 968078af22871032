/* SPDX-License-Identifier: MIT */
/* This host, captured by tools/gather-host and expanded again, has the posture that it has live. */
#include "host_tree.h"
#include "machine/posture.h"

/* Facts that are no files, or that gather-host replaces. */
static bool may_differ(const char *fact)
{
	static const char *const facts[] = { "hypervisor",   "clock_sync", "kernel_cmdline",
		                             "boot_id",      "host_name",  "machine_hash",
		                             "cgroup_path",  "dmi_vendor", "dmi_product",
		                             "tuned_profile" };

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (strcmp(fact, facts[i]) == 0)
			return true;
	return false;
}

static void NF_PRINTF(1, 2) run(const char *fmt, ...)
{
	char command[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

static void a_capture_of_this_host_has_its_posture(void **state)
{
	const char *source = getenv("NF_SOURCE");
	struct nf_posture live, captured;
	struct nf_posture_diff *d;
	struct nf_rootfs root, tree;
	struct nf_arena a;
	struct nf_err e = { 0 };
	char folder[256], path[512];
	size_t n;

	(void)state;
	skip_unless(source, "gather", "NF_SOURCE is not set");
	make_tree(folder, sizeof(folder));
	run("'%s/tools/gather-host' '%s/x.host'", source, folder);
	run("'%s/tests/fixtures/expand-host' '%s/x.host' '%s/x'", source, folder, folder);
	snprintf(path, sizeof(path), "%s/x", folder);
	nf_arena_init(&a, 16 << 20);
	assert_int_equal(nf_rootfs_open(&root, NULL, &e), 0);
	assert_int_equal(nf_rootfs_open(&tree, path, &e), 0);
	assert_int_equal(nf_posture_read(&root, &a, &live, &e), 0);
	assert_int_equal(nf_posture_read(&tree, &a, &captured, &e), 0);
	assert_int_equal(nf_posture_compare(&live, &captured, &a, &d, &n, &e), 0);
	for (size_t i = 0; i < n; i++) {
		if (d[i].is_volatile || may_differ(d[i].name))
			continue;
		/* Without a file that says so, only the CPU knows that this is a guest; uname has a
		 * file since Linux 6.1. */
		if (strcmp(d[i].name, "platform_kind") == 0 && live.hypervisor &&
		    !captured.hypervisor)
			continue;
		if (strcmp(d[i].name, "machine_arch") == 0 && !d[i].after)
			continue;
		fail_msg("%s: live '%s', captured '%s'", d[i].name,
		         d[i].before ? d[i].before : "unknown",
		         d[i].after ? d[i].after : "unknown");
	}
	nf_rootfs_close(&tree);
	nf_rootfs_close(&root);
	nf_arena_fini(&a);
	remove_tree(folder);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_capture_of_this_host_has_its_posture),
};

NF_UNIT_MAIN(tests)
