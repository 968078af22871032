/* SPDX-License-Identifier: MIT */
/* Run folders: how they are made, what is refused, what MANIFEST holds. */
#include "nf_unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "record/filelist.h"
#include "record/runfolder.h"

static char top[64];
static const struct nf_instant when = { INT64_C(
	1767323045678000000) }; /* 2026-01-02T03:04:05.678Z */

static int make_top(void **state)
{
	(void)state;
	strcpy(top, "/tmp/nf-runfolder-XXXXXX");
	return mkdtemp(top) ? 0 : -1;
}

static int remove_top(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	return system(command);
}

static struct nf_runfolder *create(const char *tag)
{
	struct nf_runfolder *r = NULL;
	struct nf_err err;
	char runs[128];

	snprintf(runs, sizeof(runs), "%s/runs", top);
	if (nf_runfolder_create(runs, when, "host-a", tag, -1, -1, 0, &r, &err) != 0)
		fail_msg("%s", err.msg);
	return r;
}

static mode_t mode_of(const char *path, const char *below)
{
	char full[512];
	struct stat st;

	snprintf(full, sizeof(full), "%s/%s", path, below);
	assert_int_equal(lstat(full, &st), 0);
	return st.st_mode & 07777;
}

static void a_name_tells_time_host_and_tag(void **state)
{
	(void)state;
	struct nf_runfolder *r = create("quiet");
	assert_string_equal(nf_runfolder_name(r), "20260102T030405Z-host-a-quiet");
	char want[256];
	snprintf(want, sizeof(want), "%s/runs/20260102T030405Z-host-a-quiet", top);
	assert_string_equal(nf_runfolder_path(r), want);
	assert_int_equal(mode_of(nf_runfolder_path(r), "."), 0700);
	assert_int_equal(mode_of(nf_runfolder_path(r), "samples"), 0700);
	nf_runfolder_free(r);
	nf_runfolder_free(NULL);
}

static void a_clash_gets_a_number(void **state)
{
	(void)state;
	struct nf_runfolder *a = create("x"), *b = create("x"), *c = create("x");
	assert_string_equal(nf_runfolder_name(a), "20260102T030405Z-host-a-x");
	assert_string_equal(nf_runfolder_name(b), "20260102T030405Z-host-a-x-2");
	assert_string_equal(nf_runfolder_name(c), "20260102T030405Z-host-a-x-3");
	nf_runfolder_free(a);
	nf_runfolder_free(b);
	nf_runfolder_free(c);
}

static void host_and_tag_cannot_leave_the_folder(void **state)
{
	char longest[400], runs[128];
	struct nf_runfolder *r;

	(void)state;
	snprintf(runs, sizeof(runs), "%s/runs", top);
	assert_int_equal(nf_runfolder_create(runs, when, "../../etc", "a b/\n\xc3\xa4;'", -1, -1, 0,
	                                     &r, NULL),
	                 0);
	assert_string_equal(nf_runfolder_name(r), "20260102T030405Z-.._.._etc-a_b______");
	nf_runfolder_free(r);
	memset(longest, 'y', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(nf_runfolder_create(runs, when, longest, longest, -1, -1, 0, &r, NULL), 0);
	assert_true(strlen(nf_runfolder_name(r)) < 160);
	nf_runfolder_free(r);
	assert_int_equal(nf_runfolder_create(runs, when, "", NULL, -1, -1, 0, &r, NULL), 0);
	assert_string_equal(nf_runfolder_name(r), "20260102T030405Z-host");
	nf_runfolder_free(r);
}

static void files_are_private_and_exclusive(void **state)
{
	struct nf_err err;

	(void)state;
	struct nf_runfolder *r = create("put");
	assert_int_equal(nf_runfolder_put(r, "record.json", "{}", 2, &err), 0);
	assert_int_equal(nf_runfolder_put(r, "captures/cmdline.txt", "x", 1, &err), 0);
	assert_int_equal(nf_runfolder_put(r, "captures/deep/er.txt", "", 0, &err), 0);
	assert_int_equal(mode_of(nf_runfolder_path(r), "record.json"), 0600);
	assert_int_equal(mode_of(nf_runfolder_path(r), "captures"), 0700);
	assert_int_equal(mode_of(nf_runfolder_path(r), "captures/deep/er.txt"), 0600);
	assert_int_equal(nf_runfolder_put(r, "record.json", "{}", 2, &err), -NF_EEXIST);
	char hex[65] = "untouched";
	assert_int_equal(nf_runfolder_digest(r, "missing", hex, &err), -NF_EOS);
	assert_string_equal(hex, "untouched");
	assert_int_equal(nf_runfolder_digest(r, "captures/cmdline.txt", hex, &err), 0);
	assert_string_equal(hex,
	                    "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881");
	nf_runfolder_free(r);
}

static void names_that_leave_the_folder_are_refused(void **state)
{
	static const char *const bad[] = { "",       "/etc/passwd", "../x",
		                           "a/../b", "a//b",        "a/",
		                           "./a",    ".",           "..",
		                           "a/..",   "a\nb",        "a\\b",
		                           "\x7f",   "MANIFEST",    "a/b/c/d/e/f/g/h/i" };
	struct nf_err err;

	(void)state;
	struct nf_runfolder *r = create("names");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (nf_runfolder_put(r, bad[i], "x", 1, &err) != -NF_EARG)
			fail_msg("'%s' was accepted", bad[i]);
	assert_true(nf_path_is_safe("a/b/c/d/e/f/g/h"));
	assert_true(nf_path_is_safe("...a"));
	assert_true(nf_path_is_safe("a b"));
	/* A link planted on the way is not followed. */
	char link[512];
	snprintf(link, sizeof(link), "%s/captures", nf_runfolder_path(r));
	assert_int_equal(symlink("/tmp", link), 0);
	assert_int_equal(nf_runfolder_put(r, "captures/nf-must-not-appear", "x", 1, &err), -NF_EOS);
	assert_int_equal(access("/tmp/nf-must-not-appear", F_OK), -1);
	nf_runfolder_free(r);
}

static void manifest_lists_all_but_derived_and_sha256sum_agrees(void **state)
{
	struct nf_err err;
	char command[512], manifest[512];

	(void)state;
	struct nf_runfolder *r = create("commit");
	assert_int_equal(nf_runfolder_put(r, "record.json", "{}", 2, &err), 0);
	assert_int_equal(nf_runfolder_put(r, "captures/b c.txt", "b", 1, &err), 0);
	assert_int_equal(nf_runfolder_put(r, "captures/a.txt", "a", 1, &err), 0);
	assert_int_equal(nf_runfolder_put(r, "derived/summary.txt", "s", 1, &err), 0);
	int fd = openat(nf_runfolder_samples_fd(r), "x.nfsamples", O_WRONLY | O_CREAT | O_EXCL,
	                0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "raw", 3), 3);
	close(fd);
	snprintf(manifest, sizeof(manifest), "%s/MANIFEST", nf_runfolder_path(r));
	assert_int_equal(access(manifest, F_OK), -1);
	assert_int_equal(nf_runfolder_commit(r, &err), 0);
	assert_int_equal(mode_of(nf_runfolder_path(r), "MANIFEST"), 0600);

	FILE *f = fopen(manifest, "r");
	char line[256];
	static const char *const want[] = { "captures/a.txt", "captures/b c.txt", "record.json",
		                            "samples/x.nfsamples" };
	assert_non_null(f);
	for (size_t i = 0; i < 4; i++) {
		assert_non_null(fgets(line, sizeof(line), f));
		line[strcspn(line, "\n")] = '\0';
		assert_string_equal(line + 66, want[i]);
	}
	assert_null(fgets(line, sizeof(line), f));
	fclose(f);
	snprintf(command, sizeof(command), "cd '%s' && sha256sum --strict -c MANIFEST >/dev/null",
	         nf_runfolder_path(r));
	assert_int_equal(system(command), 0);

	assert_int_equal(nf_runfolder_commit(r, &err), -NF_EARG);
	assert_int_equal(nf_runfolder_put(r, "late.txt", "x", 1, &err), -NF_EARG);
	assert_int_equal(nf_runfolder_put(r, "derived/report.html", "x", 1, &err), 0);
	nf_runfolder_free(r);
}

static void what_is_no_plain_file_is_not_committed(void **state)
{
	struct nf_err err;
	char link[512];

	(void)state;
	struct nf_runfolder *r = create("link");
	snprintf(link, sizeof(link), "%s/samples/evil", nf_runfolder_path(r));
	assert_int_equal(symlink("/etc/passwd", link), 0);
	assert_int_equal(nf_runfolder_commit(r, &err), -NF_EDATA);
	assert_non_null(strstr(err.msg, "samples/evil"));
	assert_int_equal(unlink(link), 0);
	assert_int_equal(nf_runfolder_commit(r, &err), 0);
	nf_runfolder_free(r);
}

static size_t entries(const char *path)
{
	DIR *d = opendir(path);
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void assert_one_line(const struct nf_err *err)
{
	assert_true(err->msg[0] != '\0');
	assert_null(strchr(err->msg, '\n'));
}

static void a_parent_that_is_missing_is_told(void **state)
{
	struct nf_runfolder *r = (void *)&top;
	struct nf_err err;
	char runs[128];

	(void)state;
	snprintf(runs, sizeof(runs), "%s/no/runs", top);
	assert_int_equal(nf_runfolder_create(runs, when, "h", "t", -1, -1, 0, &r, &err), -NF_EOS);
	assert_ptr_equal(r, &top);
	assert_one_line(&err);
	snprintf(runs, sizeof(runs), "%s/file", top);
	close(open(runs, O_WRONLY | O_CREAT, 0600));
	assert_int_equal(nf_runfolder_create(runs, when, "h", "t", -1, -1, 0, &r, &err), -NF_EOS);
	unlink(runs);
}

/* In a child with its own mounts: a small and a read-only tmpfs. 77: mounting is not allowed here. */
static int try_small_places(void)
{
	struct nf_runfolder *r = NULL;
	struct nf_err err;
	char place[128], runs[160];

	snprintf(place, sizeof(place), "%s/small", top);
	snprintf(runs, sizeof(runs), "%s/runs", place);
	if (mkdir(place, 0700) < 0 || unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", place, "tmpfs", 0, "size=64k") < 0)
		return 77;
	int rc = nf_runfolder_create(runs, when, "h", "t", -1, -1, 1 << 20, &r, &err);
	if (rc != -NF_EOS || err.os_errno != ENOSPC || strchr(err.msg, '\n'))
		return 1;
	if (access(runs, F_OK) == 0)
		return 2; /* the runs folder was made by the call that failed */
	mkdir(runs, 0700);
	if (nf_runfolder_create(runs, when, "h", "t", -1, -1, 1 << 20, &r, &err) != -NF_EOS ||
	    entries(runs) != 0)
		return 3;
	if (nf_runfolder_create(runs, when, "h", "t", -1, -1, 8192, &r, &err) != 0)
		return 4;
	nf_runfolder_free(r);
	if (mount("none", place, "tmpfs", MS_REMOUNT | MS_RDONLY, "size=64k") < 0)
		return 77;
	rc = nf_runfolder_create(runs, when, "h", "u", -1, -1, 0, &r, &err);
	if (rc != -NF_EOS || err.os_errno != EROFS || !strstr(err.msg, runs))
		return 5;
	return entries(runs) == 1 ? 0 : 6;
}

static void full_and_read_only_places_fail_at_once_and_stay_as_they_were(void **state)
{
	int status;

	(void)state;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(try_small_places());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	skip_unless(WEXITSTATUS(status) != 77, "mount", "mounting a tmpfs needs root");
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_folder_made_under_sudo_belongs_to_the_user(void **state)
{
	struct nf_runfolder *r;
	struct nf_err err;
	struct stat st;
	char runs[128], path[512];
	static const char *const all[] = { ".",          "samples",     "captures",
		                           "captures/a", "record.json", "samples/s.nfsamples",
		                           "MANIFEST" };

	(void)state;
	skip_unless(geteuid() == 0, "root", "only root can give files away");
	snprintf(runs, sizeof(runs), "%s/sudo", top);
	assert_int_equal(nf_runfolder_create(runs, when, "h", "t", 12345, 23456, 0, &r, &err), 0);
	assert_int_equal(nf_runfolder_put(r, "captures/a", "x", 1, &err), 0);
	assert_int_equal(nf_runfolder_put(r, "record.json", "x", 1, &err), 0);
	close(openat(nf_runfolder_samples_fd(r), "s.nfsamples", O_WRONLY | O_CREAT, 0600));
	assert_int_equal(nf_runfolder_commit(r, &err), 0);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", nf_runfolder_path(r), all[i]);
		assert_int_equal(stat(path, &st), 0);
		if (st.st_uid != 12345 || st.st_gid != 23456)
			fail_msg("%s is not given away", path);
	}
	assert_int_equal(stat(runs, &st), 0);
	assert_int_equal(st.st_uid, 12345);
	nf_runfolder_free(r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(a_name_tells_time_host_and_tag, make_top, remove_top),
	cmocka_unit_test_setup_teardown(a_clash_gets_a_number, make_top, remove_top),
	cmocka_unit_test_setup_teardown(host_and_tag_cannot_leave_the_folder, make_top, remove_top),
	cmocka_unit_test_setup_teardown(files_are_private_and_exclusive, make_top, remove_top),
	cmocka_unit_test_setup_teardown(names_that_leave_the_folder_are_refused, make_top,
	                                remove_top),
	cmocka_unit_test_setup_teardown(manifest_lists_all_but_derived_and_sha256sum_agrees,
	                                make_top, remove_top),
	cmocka_unit_test_setup_teardown(what_is_no_plain_file_is_not_committed, make_top,
	                                remove_top),
	cmocka_unit_test_setup_teardown(a_parent_that_is_missing_is_told, make_top, remove_top),
	cmocka_unit_test_setup_teardown(
	        full_and_read_only_places_fail_at_once_and_stay_as_they_were, make_top, remove_top),
	cmocka_unit_test_setup_teardown(a_folder_made_under_sudo_belongs_to_the_user, make_top,
	                                remove_top),
};
NF_UNIT_MAIN(tests)
