/* SPDX-License-Identifier: MIT */
/* SMI counting against trees made by the test: an MSR device is a file with 8 bytes at 0x34. */
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/smi.h"
#include "nf_unit.h"

static char dir[64];
static struct nf_rootfs root;
static struct nf_cpuset cpus;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void put(const char *path, const void *data, size_t len, off_t at)
{
	char full[256];
	int fd;

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	for (char *p = full + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		(void)mkdir(full, 0700);
		*p = '/';
	}
	fd = open(full, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, data, len, at), len);
	close(fd);
}

static void put_text(const char *path, const char *text)
{
	put(path, text, strlen(text), 0);
}

static void put_count(int cpu, uint64_t v)
{
	char path[40];

	snprintf(path, sizeof(path), "dev/cpu/%d/msr", cpu);
	put(path, &v, sizeof(v), 0x34);
}

static int make(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/nf-smi-XXXXXX");
	assert_non_null(mkdtemp(dir));
	put_text("proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 1\n");
	assert_int_equal(nf_rootfs_open(&root, dir, NULL), 0);
	nf_cpuset_init(&cpus);
	assert_int_equal(nf_cpuset_parse("1,3", false, &cpus, NULL), 0);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	nf_cpuset_fini(&cpus);
	nf_rootfs_close(&root);
	return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void assert_refused(const char *part)
{
	struct nf_smi *s = NULL;
	struct nf_err e = { 0 };

	assert_int_equal(nf_smi_open(&root, &cpus, &s, &e), -NF_EUNSUPPORTED);
	assert_null(s);
	if (!strstr(e.msg, part))
		fail_msg("'%s' is not in '%s'", part, e.msg);
}

static void the_msr_device_counts_per_cpu(void **state)
{
	struct nf_smi *s = NULL;
	uint64_t v = 0;
	struct nf_err e = { 0 };

	(void)state;
	put_count(1, 41);
	put_count(3, UINT64_C(0xdeadbeef00000007)); /* the upper half is reserved */
	if (nf_smi_open(&root, &cpus, &s, &e) != 0)
		fail_msg("%s", e.msg);
	assert_int_equal(nf_smi_source(s), NF_SMI_MSR);
	assert_int_equal(nf_smi_n_cpus(s), 2);
	assert_int_equal(nf_smi_cpu(s, 0), 1);
	assert_int_equal(nf_smi_cpu(s, 1), 3);
	assert_int_equal(nf_smi_cpu(s, 2), -1);
	assert_int_equal(nf_smi_read(s, 0, &v, &e), 0);
	assert_int_equal(v, 41);
	put_count(1, 44);
	assert_int_equal(nf_smi_read(s, 0, &v, &e), 0);
	assert_int_equal(v, 44);
	assert_int_equal(nf_smi_read(s, 1, &v, &e), 0);
	assert_int_equal(v, 7);
	assert_int_equal(nf_smi_read(s, 2, &v, &e), -NF_EARG);
	assert_int_equal(v, 7);
	nf_smi_close(s);
	nf_smi_close(NULL);
}

static void a_counter_that_vanishes_is_a_failure_not_a_zero(void **state)
{
	struct nf_smi *s = NULL;
	uint64_t v = 99;
	struct nf_err e = { 0 };
	char path[128];

	(void)state;
	put_count(1, 5);
	put_count(3, 5);
	assert_int_equal(nf_smi_open(&root, &cpus, &s, &e), 0);
	snprintf(path, sizeof(path), "%s/dev/cpu/3/msr", dir);
	assert_int_equal(truncate(path, 0x36), 0);
	assert_int_equal(nf_smi_read(s, 1, &v, &e), -NF_EOS);
	assert_int_equal(v, 99);
	assert_non_null(strstr(e.msg, "CPU 3"));
	nf_smi_close(s);
}

static void without_a_source_both_reasons_and_the_remedies_are_told(void **state)
{
	(void)state;
	assert_refused("/dev/cpu/1/msr is absent (as root: modprobe msr");
	assert_refused("perf: this kernel or CPU has no msr/smi event");
	put_text("sys/bus/event_source/devices/msr/type", "10\n");
	put_text("sys/bus/event_source/devices/msr/events/smi", "event=0x04\n");
	assert_refused("perf: a captured host cannot count");
}

static void one_cpu_without_a_counter_makes_the_source_unusable(void **state)
{
	(void)state;
	put_count(1, 5);
	assert_refused("/dev/cpu/3/msr is absent");
	put_text("dev/cpu/3/msr", "short");
	assert_refused("/dev/cpu/3/msr: MSR 0x34 cannot be read");
}

static void other_vendors_have_no_counter(void **state)
{
	struct nf_smi *s = NULL;
	struct nf_err e = { 0 };

	(void)state;
	put_count(1, 5);
	put_count(3, 5);
	put_text("proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel\t\t: 1\n");
	assert_refused("Intel CPUs only; this one is AuthenticAMD");
	put_text("proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 125.0\nFeatures\t: fp asimd\n\n\n\n");
	assert_refused("another architecture");
	assert_int_equal(unlinkat(root.dirfd, "proc/cpuinfo", 0), 0);
	assert_int_equal(nf_smi_open(&root, &cpus, &s, &e), -NF_ENODATA);
}

static void counting_on_no_cpu_is_refused(void **state)
{
	struct nf_cpuset none;
	struct nf_smi *s = NULL;

	(void)state;
	nf_cpuset_init(&none);
	assert_int_equal(nf_smi_open(&root, &none, &s, NULL), -NF_EARG);
	assert_null(s);
}

static void this_host_counts_or_says_why_not(void **state)
{
	struct nf_rootfs live;
	struct nf_cpuset one;
	struct nf_smi *s = NULL;
	struct nf_err e = { 0 };
	uint64_t a = 0, b = 0;
	int r;

	(void)state;
	nf_cpuset_init(&one);
	assert_int_equal(nf_cpuset_add(&one, 0, &e), 0);
	assert_int_equal(nf_rootfs_open(&live, NULL, &e), 0);
	r = nf_smi_open(&live, &one, &s, &e);
	if (r == 0) {
		assert_int_equal(nf_smi_read(s, 0, &a, &e), 0);
		assert_int_equal(nf_smi_read(s, 0, &b, &e), 0);
		assert_true(b >= a);
	} else {
		assert_int_equal(r, -NF_EUNSUPPORTED);
		assert_true(strlen(e.msg) > 20);
		assert_null(s);
	}
	nf_smi_close(s);
	nf_rootfs_close(&live);
	nf_cpuset_fini(&one);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make, clean)
static const struct CMUnitTest tests[] = {
	CASE(the_msr_device_counts_per_cpu),
	CASE(a_counter_that_vanishes_is_a_failure_not_a_zero),
	CASE(without_a_source_both_reasons_and_the_remedies_are_told),
	CASE(one_cpu_without_a_counter_makes_the_source_unusable),
	CASE(other_vendors_have_no_counter),
	CASE(counting_on_no_cpu_is_refused),
	CASE(this_host_counts_or_says_why_not),
};
NF_UNIT_MAIN(tests)
