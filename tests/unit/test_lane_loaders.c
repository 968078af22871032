/* SPDX-License-Identifier: MIT */
/* What loaders make of a machine, and what is refused there; the machine is a few texts. */
#include "lane/arm.h"
#include "lane/bootctl.h"
#include "lane/loader.h"
#include "lane/mount.h"

#include "grub_texts.h"
#include "nf_unit.h"

enum { FILES = 24 };

struct fixture {
	struct nf_arena a;
	struct nf_err e;
	struct {
		const char *path, *text;
		size_t len;
	} file[FILES];
	size_t n;
	const char *names; /* in /boot */
	const char *answer; /* of any command */
	int status;
	char ran[400]; /* the last command */
	const char *then_path, *then_text; /* what a command makes of a file */
	struct nf_lane_host host;
	struct nf_lane_survey s;
};

static int read_file(void *ctx, const char *path, struct nf_buf *out, struct nf_err *err)
{
	const struct fixture *f = ctx;

	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->file[i].path, path) == 0)
			return nf_buf_add(out, f->file[i].text, f->file[i].len);
	return nf_fail(err, NF_ENODATA, "%s is absent", path);
}

static int list_folder(void *ctx, const char *path, struct nf_buf *out, struct nf_err *err)
{
	const struct fixture *f = ctx;

	if (!f->names || strcmp(path, "/boot") != 0)
		return nf_fail(err, NF_ENODATA, "%s is absent", path);
	return nf_buf_adds(out, f->names);
}

static void put(struct fixture *f, const char *path, const char *text)
{
	size_t i = 0;

	while (i < f->n && strcmp(f->file[i].path, path) != 0)
		i++;
	assert_true(i < FILES);
	f->file[i].path = path;
	f->file[i].text = text;
	f->file[i].len = strlen(text);
	if (i == f->n)
		f->n++;
}

static int run(void *ctx, const char *const argv[], bool as_root, int64_t timeout_ns,
               struct nf_buf *out, struct nf_lane_ran *ret, struct nf_err *err)
{
	struct fixture *f = ctx;

	(void)err;
	assert_true(as_root && timeout_ns > 0);
	f->ran[0] = '\0';
	for (int i = 0; argv[i]; i++) {
		strncat(f->ran, argv[i], sizeof(f->ran) - strlen(f->ran) - 1);
		strncat(f->ran, " ", sizeof(f->ran) - strlen(f->ran) - 1);
	}
	if (f->then_path && !strstr(f->ran, "list"))
		put(f, f->then_path, f->then_text);
	*ret = (struct nf_lane_ran){ .status = f->status };
	return f->answer ? nf_buf_adds(out, f->answer) : 0;
}

static int begin(void **state)
{
	static const struct nf_lane_host_ops ops = { read_file, list_folder, run };
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	nf_arena_init(&f->a, (size_t)64 << 20);
	f->host = (struct nf_lane_host){ &ops, f, "a test" };
	put(f, "/proc/sys/kernel/osrelease", GRUB_GENERIC "\n");
	put(f, "/proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC\n");
	put(f, "/proc/cmdline", "root=/dev/vda1 quiet\n");
	put(f, "/proc/self/mountinfo", "26 1 254:1 / / rw - ext4 /dev/vda1 rw\n");
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	nf_arena_fini(&f->a);
	free(f);
	return 0;
}

static void survey(struct fixture *f)
{
	if (nf_lane_survey(&f->host, NULL, &f->a, &f->s, &f->e) != 0)
		fail_msg("%s", f->e.msg);
}

static void refused(struct fixture *f, const char *words)
{
	int chosen = -7;

	survey(f);
	assert_int_equal(nf_lane_choose(&f->s, NULL, &chosen, &f->e), -NF_EUNSUPPORTED);
	if (!strstr(f->e.msg, words))
		fail_msg("\"%s\" in: %s", words, f->e.msg);
	assert_int_equal(chosen, -7);
}

static void grub(struct fixture *f)
{
	put(f, "/boot/grub/grub.cfg", GRUB_HEAD GRUB_BOTH);
	put(f, "/boot/grub/grubenv", GRUB_BLOCK_HEAD "####");
}

static void a_grub_whose_volume_it_cannot_write_is_refused(void **state)
{
	static const struct {
		const char *mounts, *path, *text, *words;
	} bad[] = {
		{ "1 1 0:30 / / rw - btrfs /dev/vda1 rw\n", NULL, NULL, "is on btrfs" },
		{ "1 1 0:30 / / rw - zfs pool/root rw\n", NULL, NULL, "is on zfs" },
		{ "1 1 253:0 / / rw - ext4 /dev/mapper/r rw\n", "/sys/dev/block/253:0/dm/uuid",
		  "LVM-x\n", "is on LVM" },
		{ "1 1 253:0 / / rw - ext4 /dev/mapper/r rw\n", "/sys/dev/block/253:0/dm/uuid",
		  "CRYPT-LUKS2-x\n", "an encrypted volume" },
		{ "1 1 9:0 / / rw - ext4 /dev/md0 rw\n", "/sys/dev/block/9:0/md/level", "raid1\n",
		  "is on RAID" },
		{ "1 1 259:9 / / rw - ext4 /dev/md0p1 rw\n", NULL, NULL, "is on RAID" },
		{ "garbage\n", NULL, NULL, "cannot be read" },
	};
	struct fixture *f = *state;

	grub(f);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		put(f, "/proc/self/mountinfo", bad[i].mounts);
		if (bad[i].path)
			put(f, bad[i].path, bad[i].text);
		refused(f, bad[i].words);
	}
	/* A /boot of its own on a partition is what helps. */
	put(f, "/proc/self/mountinfo",
	    "1 1 0:30 / / rw - btrfs /dev/vda2 rw\n2 1 254:1 / /boot rw - ext4 /dev/vda1 rw\n");
	survey(f);
	assert_int_equal(f->s.n_reasons, 0);
}

static void an_entry_counts_as_set_when_it_is_read_back_and_not_before(void **state)
{
	struct fixture *f = *state;
	struct nf_lane_survey after;
	int chosen;

	grub(f);
	survey(f);
	assert_int_equal(nf_lane_choose(&f->s, NULL, &chosen, &f->e), 0);
	assert_string_equal(f->s.entry[chosen].id, GRUB_RT_SPEC);
	/* A tool that ends well and writes nothing. */
	assert_int_equal(nf_lane_arm(&f->host, &f->s, chosen, &f->a, &after, &f->e),
	                 -NF_EUNSUPPORTED);
	assert_non_null(strstr(f->e.msg, "not there when it is read back"));
	f->then_path = "/boot/grub/grubenv";
	f->then_text = GRUB_BLOCK_HEAD "next_entry=" GRUB_RT_SPEC "\n####";
	assert_int_equal(nf_lane_arm(&f->host, &f->s, chosen, &f->a, &after, &f->e), 0);
	assert_string_equal(f->ran,
	                    "grub-editenv /boot/grub/grubenv set next_entry=" GRUB_RT_SPEC " ");
	assert_string_equal(after.next, GRUB_RT_SPEC);
	refused(f, "set already");
	/* One that changes the default as well. */
	f->then_text = GRUB_BLOCK_HEAD "saved_entry=x\nnext_entry=" GRUB_RT_SPEC "\n####";
	put(f, "/boot/grub/grubenv", GRUB_BLOCK_HEAD "####");
	survey(f);
	assert_int_equal(nf_lane_arm(&f->host, &f->s, chosen, &f->a, &after, &f->e),
	                 -NF_EUNSUPPORTED);
	assert_non_null(strstr(f->e.msg, "changed the persistent default"));
}

static void an_entry_that_stays_was_not_taken_back(void **state)
{
	struct fixture *f = *state;

	grub(f);
	put(f, "/boot/grub/grubenv", GRUB_BLOCK_HEAD "next_entry=x\n####");
	survey(f);
	assert_int_equal(nf_lane_clear(&f->host, &f->s, &f->a, NULL, &f->e), -NF_EUNSUPPORTED);
	f->then_path = "/boot/grub/grubenv";
	f->then_text = GRUB_BLOCK_HEAD "next_entry=\n####";
	assert_int_equal(nf_lane_clear(&f->host, &f->s, &f->a, NULL, &f->e), 0);
}

#define VARIABLE(name) "/sys/firmware/efi/efivars/" name "-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"
static void put_variable(struct fixture *f, const char *path, const char *text)
{
	size_t n = strlen(text);
	char *bytes = nf_arena_alloc(&f->a, 4 + 2 * n + 2, 1);

	assert_non_null(bytes);
	for (size_t i = 0; i < n; i++)
		bytes[4 + 2 * i] = text[i];
	put(f, path, "");
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->file[i].path, path) == 0) {
			f->file[i].text = bytes;
			f->file[i].len = 4 + 2 * n + 2;
		}
}

static void systemd_boot_is_known_by_its_variables(void **state)
{
	static const char list[] =
	        "[{\"id\":\"g.conf\",\"showTitle\":\"G\",\"linux\":\"/m/" GRUB_GENERIC
	        "/linux\",\"version\":\"" GRUB_GENERIC
	        "\",\"isDefault\":true,\"options\":\"quiet\"},"
	        "{\"id\":\"rt.conf\",\"title\":\"R\",\"linux\":\"/m/linux\",\"version\":\"" GRUB_RT
	        "\",\"initrd\":[\"/m/i\"]},{\"id\":\"auto-fw\",\"title\":\"Firmware\"}]";
	struct fixture *f = *state;
	int chosen;

	f->answer = list;
	put_variable(f, VARIABLE("LoaderInfo"), "systemd-boot 252");
	survey(f);
	assert_string_equal(f->s.loader->name, "systemd-boot");
	assert_int_equal(f->s.n, 2);
	assert_int_equal(f->s.default_entry, 0);
	assert_int_equal(nf_lane_choose(&f->s, NULL, &chosen, &f->e), 0);
	assert_string_equal(f->s.entry[chosen].id, "rt.conf");
	put_variable(f, VARIABLE("LoaderEntryOneShot"), "rt.conf");
	survey(f);
	assert_string_equal(f->s.next, "rt.conf");
	/* What bootctl calls the default is the one-shot entry then. */
	assert_int_equal(f->s.default_entry, -1);
	f->answer = "no list";
	refused(f, "bootctl list says no list");
}

static void a_variable_is_text_between_its_attributes_and_its_end(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(nf_bootctl_variable("\6\0\0\0a\0\x1b\0\xe9\0\0\0z\0", 14, &f->a),
	                    "a??");
	assert_string_equal(nf_bootctl_variable("\6\0\0\0", 4, &f->a), "");
	assert_null(nf_bootctl_variable("\6\0\0\0a", 5, &f->a));
	assert_null(nf_bootctl_variable("\6\0", 2, &f->a));
}

static void kexec_takes_the_kernel_that_runs_for_the_default(void **state)
{
	struct fixture *f = *state;
	int chosen;

	f->names = "initrd.img-" GRUB_RT "\nvmlinuz-" GRUB_GENERIC "\nvmlinuz-" GRUB_RT "\n";
	refused(f, "has no kexec");
	put(f, "/sys/kernel/kexec_loaded", "0\n");
	survey(f);
	assert_string_equal(f->s.loader->name, "kexec");
	assert_int_equal(nf_lane_choose(&f->s, NULL, &chosen, &f->e), 0);
	f->then_path = "/sys/kernel/kexec_loaded";
	f->then_text = "1\n";
	assert_int_equal(nf_lane_arm(&f->host, &f->s, chosen, &f->a, NULL, &f->e), 0);
	assert_string_equal(f->ran, "kexec -s -l /boot/vmlinuz-" GRUB_RT
	                            " --command-line=root=/dev/vda1 quiet noisefloor.kexec "
	                            "--initrd=/boot/initrd.img-" GRUB_RT " ");
	put(f, "/sys/kernel/kexec_loaded", "0\n");
	put(f, "/proc/cmdline", "quiet noisefloor.kexec\n");
	refused(f, "was started by kexec");
}

static void a_machine_without_a_loader_is_told_so(void **state)
{
	refused(*state, "no boot loader that can boot an entry once");
}

static void names_tell_a_lane_where_no_configuration_does(void **state)
{
	(void)state;
	assert_true(nf_lane_release_is_rt("6.1.0-18-rt-amd64"));
	assert_true(nf_lane_release_is_rt("4.18.0-425.rt7.230.el8"));
	assert_true(nf_lane_release_is_rt("5.15.0-1032-realtime"));
	assert_false(nf_lane_release_is_rt("6.1.0-18-amd64"));
	assert_false(nf_lane_release_is_rt("6.1.0-art-smart-rtx"));
	assert_string_equal(nf_lane_release_of("/boot/vmlinuz-6.1"), "6.1");
	assert_null(nf_lane_release_of("/boot/vmlinuz-"));
	assert_null(nf_lane_release_of("/boot/vmlinuz"));
	assert_true(nf_lane_args_are_recovery("ro single quiet"));
	assert_false(nf_lane_args_are_recovery("ro singleton"));
}

static const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
	CASE(a_grub_whose_volume_it_cannot_write_is_refused),
	CASE(an_entry_counts_as_set_when_it_is_read_back_and_not_before),
	CASE(an_entry_that_stays_was_not_taken_back),
	CASE(systemd_boot_is_known_by_its_variables),
	CASE(a_variable_is_text_between_its_attributes_and_its_end),
	CASE(kexec_takes_the_kernel_that_runs_for_the_default),
	CASE(a_machine_without_a_loader_is_told_so),
	CASE(names_tell_a_lane_where_no_configuration_does),
};

NF_UNIT_MAIN(tests)
