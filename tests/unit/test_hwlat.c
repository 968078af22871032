/* SPDX-License-Identifier: MIT */
/* What the hwlat module reads, without the kernel: mount tables, lists of tracers, event records. The
 * tracer itself is tried on real kernels in tests/integration/qemu. */
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/hwlat.h"
#include "machine/tracer_parse.h"
#include "nf_unit.h"

static char dir[64];
static struct nf_rootfs root;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void put(const char *path, const char *text)
{
	char full[256];
	int fd;

	snprintf(full, sizeof(full), "%s/%s", dir, path);
	for (char *p = full + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		(void)mkdir(full, 0700);
		*p = '/';
	}
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static int make(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/nf-hwlat-XXXXXX");
	assert_non_null(mkdtemp(dir));
	return nf_rootfs_open(&root, dir, NULL);
}

static int clean(void **state)
{
	(void)state;
	nf_rootfs_close(&root);
	return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void the_first_tracefs_is_found_in_a_mount_table(void **state)
{
	char at[64] = "";

	(void)state;
	assert_true(nf_tracer_find_tracefs("proc /proc proc rw 0 0\n"
	                                   "tracefs /sys/kernel/tracing tracefs rw,nosuid 0 0\n"
	                                   "tracefs /sys/kernel/debug/tracing tracefs rw 0 0\n",
	                                   at, sizeof(at)));
	assert_string_equal(at, "/sys/kernel/tracing");
	assert_true(nf_tracer_find_tracefs("x /with\\040blank tracefs rw 0 0", at, sizeof(at)));
	assert_string_equal(at, "/with blank");
}

static void other_mounts_are_not_taken_for_a_tracefs(void **state)
{
	static const char *const tables[] = {
		"",
		"\n\n",
		"tracefs",
		"tracefs /x",
		"tracefs /x debugfs rw 0 0\n",
		"none /tracefs tmpfs rw 0 0\n",
		"none /x tracefs2 rw 0 0\n",
		"none relative tracefs rw 0 0\n",
		"none  tracefs rw 0 0\n",
		"none /nul\\000byte tracefs rw 0 0\n",
	};
	char at[64];

	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		assert_false(nf_tracer_find_tracefs(tables[i], at, sizeof(at)));
	/* A mount point that does not fit is not cut. */
	assert_true(nf_tracer_find_tracefs("n /12345 tracefs rw", at, 7));
	strcpy(at, "-");
	assert_false(nf_tracer_find_tracefs("n /12345 tracefs rw", at, 6));
	assert_string_equal(at, "-");
}

static void assert_mask(const char *list, const char *mask)
{
	struct nf_cpuset set, back;
	struct nf_buf b;
	struct nf_err e = { 0 };

	nf_cpuset_init(&set);
	nf_cpuset_init(&back);
	nf_buf_init(&b, 8192);
	assert_int_equal(nf_cpuset_parse(list, true, &set, &e), 0);
	nf_tracer_print_mask(&set, &b);
	assert_string_equal(b.data, mask);
	assert_int_equal(nf_tracer_parse_mask(b.data, &back, &e), 0);
	assert_true(nf_cpuset_equal(&set, &back));
	nf_buf_fini(&b);
	nf_cpuset_fini(&set);
	nf_cpuset_fini(&back);
}

static void masks_are_words_of_32_cpus_the_highest_first(void **state)
{
	static const char *const broken[] = { "",    ",",         "f,", ",f",   "g",
		                              "0x1", "123456789", "1 ", "f,\n", "1-3" };
	struct nf_cpuset set;
	struct nf_err e = { 0 };

	(void)state;
	assert_mask("0", "00000001");
	assert_mask("1,3", "0000000a");
	assert_mask("31", "80000000");
	assert_mask("0,32,95", "80000000,00000001,00000001");
	assert_mask("", "00000000");
	nf_cpuset_init(&set);
	assert_int_equal(nf_tracer_parse_mask("f\n", &set, &e), 0); /* as short as the machine */
	assert_int_equal(nf_cpuset_count(&set), 4);
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		assert_int_equal(nf_tracer_parse_mask(broken[i], &set, &e), -NF_EDATA);
		assert_int_equal(nf_cpuset_count(&set), 4);
	}
	nf_cpuset_fini(&set);
}

static void a_tracer_is_a_whole_word(void **state)
{
	(void)state;
	assert_true(nf_tracer_has_word("timerlat osnoise hwlat nop\n", "hwlat"));
	assert_true(nf_tracer_has_word("hwlat", "hwlat"));
	assert_false(nf_tracer_has_word("hwlat2 xhwlat\n", "hwlat"));
	assert_false(nf_tracer_has_word("", "hwlat"));
	assert_false(nf_tracer_has_word("nop", ""));
}

static void assert_unsupported(const char *part)
{
	struct nf_err e = { 0 };

	assert_int_equal(nf_hwlat_check(&root, &e), -NF_EUNSUPPORTED);
	if (!strstr(e.msg, part))
		fail_msg("'%s' is not in '%s'", part, e.msg);
}

static void what_is_missing_is_told_with_the_remedy(void **state)
{
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_hwlat_check(&root, &e), -NF_ENODATA); /* not even proc */
	put("proc/mounts", "proc /proc proc rw 0 0\n");
	assert_unsupported("mount -t tracefs");
	put("proc/mounts", "tracefs /sys/kernel/tracing tracefs rw 0 0\n");
	assert_unsupported("no list of tracers");
	put("sys/kernel/tracing/available_tracers", "function nop\n");
	assert_unsupported("CONFIG_HWLAT_TRACER");
	put("sys/kernel/tracing/available_tracers", "hwlat nop\n");
	assert_int_equal(nf_hwlat_check(&root, &e), 0);
}

static void a_captured_host_and_bad_settings_start_nothing(void **state)
{
	struct nf_hwlat_cfg cfg = { 0 };
	struct nf_hwlat_settings got;
	struct nf_hwlat *h = NULL;
	struct nf_rootfs live;
	struct nf_err e = { 0 };

	(void)state;
	assert_int_equal(nf_hwlat_start(&root, NULL, &cfg, &h, &got, &e), -NF_EUNSUPPORTED);
	assert_int_equal(nf_rootfs_open(&live, NULL, &e), 0);
	cfg.window_us = 100;
	cfg.width_us = 101;
	assert_int_equal(nf_hwlat_start(&live, NULL, &cfg, &h, &got, &e), -NF_EARG);
	cfg.width_us = -1;
	assert_int_equal(nf_hwlat_start(&live, NULL, &cfg, &h, &got, &e), -NF_EARG);
	nf_rootfs_close(&live);
	assert_null(h);
}

static void this_host_has_the_tracer_or_says_why_not(void **state)
{
	struct nf_rootfs live;
	struct nf_err e = { 0 };
	int r;

	(void)state;
	assert_int_equal(nf_rootfs_open(&live, NULL, &e), 0);
	r = nf_hwlat_check(&live, &e);
	assert_true(r == 0 || (r == -NF_EUNSUPPORTED && strlen(e.msg) > 20));
	nf_rootfs_close(&live);
}

/* Layouts as a kernel describes them in events/ftrace/hwlat/format: offsets are the contract. */
static const char layout[] =
        "name: hwlat\nID: 13\nformat:\n"
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
        "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
        "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
        "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
        "\tfield:u64 duration;\toffset:8;\tsize:8;\tsigned:0;\n"
        "\tfield:u64 outer_duration;\toffset:16;\tsize:8;\tsigned:0;\n"
        "\tfield:unsigned int seqnum;\toffset:24;\tsize:4;\tsigned:0;\n"
        "%s\n"
        "print fmt: \"cnt:%%u\", REC->seqnum\n";
static const char count_field[] = "\tfield:unsigned int count;\toffset:28;\tsize:4;\tsigned:0;\n";

struct event {
	struct tep_handle *tep;
	struct tep_event *ev;
};

static struct event parse_layout(const char *last_field)
{
	struct event e = { .tep = tep_alloc() };
	char text[2048];
	int n = snprintf(text, sizeof(text), layout, last_field);

	assert_non_null(e.tep);
	assert_int_equal(tep_parse_event(e.tep, text, (unsigned long)n, "ftrace"), 0);
	e.ev = tep_find_event_by_name(e.tep, "ftrace", "hwlat");
	assert_non_null(e.ev);
	return e;
}

struct __attribute__((packed)) raw {
	uint16_t type;
	uint8_t flags, preempt;
	int32_t pid;
	uint64_t duration, outer;
	uint32_t seqnum, count;
};

static void a_record_becomes_a_gap_in_nanoseconds(void **state)
{
	struct raw raw = { .type = 13, .duration = 14, .outer = 12, .seqnum = 3, .count = 2 };
	struct tep_record rec = { .ts = 5000000123, .size = sizeof(raw), .data = &raw };
	struct event e = parse_layout(count_field);
	struct nf_hwlat_gap gap;
	struct nf_err err = { 0 };

	(void)state;
	if (nf_hwlat_decode(e.ev, &rec, 5, 5000000000, &gap, &err) != 0)
		fail_msg("%s", err.msg);
	assert_int_equal(gap.t_ns, 123);
	assert_int_equal(gap.cpu, 5);
	assert_int_equal(gap.inner_ns, 14000);
	assert_int_equal(gap.outer_ns, 12000);
	assert_int_equal(gap.n_in_window, 2);
	tep_free(e.tep);
}

static void a_kernel_without_the_count_reports_one_gap_each(void **state)
{
	struct raw raw = { .type = 13, .duration = 14, .outer = 12, .count = 99 };
	struct tep_record rec = { .ts = 1, .size = sizeof(raw), .data = &raw };
	struct event e = parse_layout("");
	struct nf_hwlat_gap gap;

	(void)state;
	assert_int_equal(nf_hwlat_decode(e.ev, &rec, 0, 5, &gap, NULL), 0);
	assert_int_equal(gap.n_in_window, 1);
	assert_int_equal(gap.t_ns, -4); /* kept as it is */
	tep_free(e.tep);
}

static void records_that_cannot_be_right_are_refused(void **state)
{
	struct raw raw = { .type = 13, .duration = 14, .outer = 12, .count = 1 };
	struct tep_record rec = { .ts = 1, .size = sizeof(raw), .data = &raw };
	struct event e = parse_layout(count_field);
	struct nf_hwlat_gap gap = { .cpu = -7 };
	struct nf_err err = { 0 };

	(void)state;
	for (int size = 0; size < (int)sizeof(raw); size++) {
		rec.size = size;
		assert_int_equal(nf_hwlat_decode(e.ev, &rec, 0, 0, &gap, &err), -NF_EDATA);
	}
	rec.size = sizeof(raw);
	raw.count = 0;
	assert_int_equal(nf_hwlat_decode(e.ev, &rec, 0, 0, &gap, &err), -NF_EDATA);
	raw.count = 1;
	raw.duration = UINT64_MAX / 1000;
	assert_int_equal(nf_hwlat_decode(e.ev, &rec, 0, 0, &gap, &err), -NF_EDATA);
	raw.duration = UINT64_MAX;
	assert_int_equal(nf_hwlat_decode(e.ev, &rec, 0, 0, &gap, &err), -NF_EDATA);
	raw.duration = 1;
	rec.ts = UINT64_MAX;
	assert_int_equal(nf_hwlat_decode(e.ev, &rec, 0, 0, &gap, &err), -NF_EDATA);
	assert_int_equal(gap.cpu, -7);
	tep_free(e.tep);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make, clean)
static const struct CMUnitTest tests[] = {
	CASE(the_first_tracefs_is_found_in_a_mount_table),
	CASE(other_mounts_are_not_taken_for_a_tracefs),
	CASE(masks_are_words_of_32_cpus_the_highest_first),
	CASE(a_tracer_is_a_whole_word),
	CASE(what_is_missing_is_told_with_the_remedy),
	CASE(a_captured_host_and_bad_settings_start_nothing),
	CASE(this_host_has_the_tracer_or_says_why_not),
	CASE(a_record_becomes_a_gap_in_nanoseconds),
	CASE(a_kernel_without_the_count_reports_one_gap_each),
	CASE(records_that_cannot_be_right_are_refused),
};
NF_UNIT_MAIN(tests)
