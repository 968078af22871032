/* SPDX-License-Identifier: MIT */
#include "job/lab_attempt.h"

#include "nf_scratch.h"
#include "nf_unit.h"

struct fixture {
	char dir[80];
	struct nf_runfolder *folder;
	struct nf_arena arena;
};

static void make(struct fixture *f)
{
	struct nf_err err = { 0 };

	nf_scratch_make(f->dir, sizeof(f->dir));
	nf_arena_init(&f->arena, 1 << 20);
	if (nf_runfolder_create(f->dir, nf_now_utc(), "host", "lab", -1, -1, 0, &f->folder, &err) <
	    0)
		fail_msg("%s", err.msg);
}

static void end(struct fixture *f)
{
	nf_runfolder_free(f->folder);
	nf_arena_fini(&f->arena);
	nf_scratch_remove(f->dir);
}

static struct nf_rec_boot_end sample(const struct nf_rec_boot_image *image)
{
	return (struct nf_rec_boot_end){
		.board = "c4",
		.config = "one",
		.run = 3,
		.attempt = 2,
		.campaign_sha256 = "00ff",
		.platform = NF_BOOT_EMULATOR,
		.platform_why = "campaign file",
		.power_driver = "qmp",
		.outcome = NF_BOOT_BOARD_FAILED,
		.kind = "panic",
		.why = "kernel panic: 'x'",
		.resent = 1,
		.started_utc = "2026-01-02T03:04:05Z",
		.wall_s = nf_some_real(2.5),
		.images = { image, 1 },
		.overruns = nf_some_nat(7),
	};
}

static void put(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void is(int dir, const char *name, const char *want)
{
	char text[256] = "";
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof(text) - 1) >= 0);
	assert_string_equal(text, want);
	close(fd);
}

static void a_name_tells_its_label_run_and_try(void **state)
{
	static const struct {
		const char *name, *label;
		uint64_t run, attempt; /* 0: it is none */
	} row[] = {
		{ "one-1-1", "one", 1, 1 },     { "one-12-345", "one", 12, 345 },
		{ "a.b-c-2-1", "a.b-c", 2, 1 }, { "a-1-1-1", "a-1", 1, 1 },
		{ "a-1-1-1", "a", 0, 0 },       { "one-1", "one", 0, 0 },
		{ "one-1-", "one", 0, 0 },      { "one-0-1", "one", 0, 0 },
		{ "one-01-1", "one", 0, 0 },    { "one-1-1x", "one", 0, 0 },
		{ "two-1-1", "one", 0, 0 },     { "one-1-1234567890", "one", 0, 0 },
		{ "one--1-1", "one", 0, 0 },    { "on", "one", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		uint64_t run = 0, attempt = 0;
		bool is_one = nf_lab_attempt_named(row[i].name, row[i].label, &run, &attempt);

		if (is_one != (row[i].run > 0) || run != row[i].run || attempt != row[i].attempt)
			fail_msg("%s of %s", row[i].name, row[i].label);
	}
}

static void how_it_ended_is_read_again(void **state)
{
	static const struct nf_rec_boot_image image = { "Image", 42, "abcd" };
	struct fixture f;
	struct nf_err err = { 0 };
	struct nf_rec_boot_end e = sample(&image), got = { 0 };
	int dir = -1;

	(void)state;
	make(&f);
	const char *name = nf_lab_attempt_name(&f.arena, "one", 3, 2);
	assert_string_equal(name, "one-3-2");
	assert_int_equal(nf_lab_attempt_begin(f.folder, name, &dir, &err), 0);
	assert_int_equal(nf_lab_attempt_read(dir, name, &f.arena, &got, &err), 0);
	if (nf_lab_attempt_end(f.folder, name, &e, &f.arena, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(nf_lab_attempt_read(dir, name, &f.arena, &got, &err), 1);
	assert_string_equal(got.board, "c4");
	assert_int_equal(got.run, 3);
	assert_int_equal(got.attempt, 2);
	assert_int_equal(got.outcome, NF_BOOT_BOARD_FAILED);
	assert_string_equal(got.kind, "panic");
	assert_string_equal(got.why, "kernel panic: 'x'");
	assert_true(got.wall_s.some && got.overruns.some && !got.breaks.some && !got.driver);
	assert_int_equal(got.overruns.v, 7);
	assert_int_equal(got.images.n, 1);
	assert_string_equal(((const struct nf_rec_boot_image *)got.images.items)->sha256, "abcd");
	close(dir);
	end(&f);
}

static void an_attempts_record_says_what_its_end_does(void **state)
{
	static const struct nf_rec_boot_image image = { "Image", 42, "abcd" };
	static const struct nf_rec_boot_port port = { .kind = "serial", .name = "/dev/ttyUSB0" };
	struct nf_rec_boot_attempt at = { .port = &port, .lines = 5 };
	const struct nf_rec_boot_end e = sample(&image);
	struct nf_arena a;

	(void)state;
	nf_arena_init(&a, 1 << 16);
	nf_lab_attempt_tell(&e, &a, &at);
	assert_true(at.outcome.some && at.outcome.v == NF_BOOT_BOARD_FAILED);
	assert_string_equal(at.outcome_kind, "panic");
	assert_int_equal(at.platform, NF_BOOT_EMULATOR);
	assert_string_equal(at.power_driver, "qmp");
	assert_int_equal(at.lines, 5);
	assert_string_equal(at.port->name, "/dev/ttyUSB0");
	assert_true(at.port->overruns.some && at.port->overruns.v == 7);
	assert_false(at.port->breaks.some);
	nf_arena_fini(&a);
}

static void an_attempt_is_never_overwritten(void **state)
{
	static const struct nf_rec_boot_image image = { "Image", 42, "abcd" };
	struct fixture f;
	struct nf_err err = { 0 };
	struct nf_rec_boot_end e = sample(&image);
	int dir = -1, again = -1;

	(void)state;
	make(&f);
	assert_int_equal(nf_lab_attempt_begin(f.folder, "one-1-1", &dir, &err), 0);
	assert_int_equal(nf_lab_attempt_begin(f.folder, "one-1-1", &again, &err), -NF_EEXIST);
	assert_int_equal(again, -1);
	assert_int_equal(nf_lab_attempt_end(f.folder, "one-1-1", &e, &f.arena, &err), 0);
	assert_int_equal(nf_lab_attempt_end(f.folder, "one-1-1", &e, &f.arena, &err), -NF_EEXIST);
	close(dir);
	end(&f);
}

static void a_broken_end_is_named(void **state)
{
	static const char *const broken[] = { "", "{", "[]", "{\"schema\": \"BootAttemptEnd/1\"}",
		                              "{\"run\": \"three\"}" };
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct nf_rec_boot_end got = { .run = 99 };
		struct nf_err err = { 0 };
		int dir = -1;

		make(&f);
		assert_int_equal(nf_lab_attempt_begin(f.folder, "one-1-1", &dir, &err), 0);
		put(dir, NF_LAB_END, broken[i]);
		assert_int_equal(nf_lab_attempt_read(dir, "one-1-1", &f.arena, &got, &err),
		                 -NF_EDATA);
		assert_non_null(strstr(err.msg, "one-1-1/end.json"));
		assert_int_equal(got.run, 99);
		close(dir);
		end(&f);
	}
}

static void a_copy_has_all_files_and_what_is_not_there_is_not_made(void **state)
{
	struct fixture f, to;
	struct nf_err err = { 0 };
	int dir = -1, copy = -1;
	char path[512];

	(void)state;
	make(&f);
	make(&to);
	assert_int_equal(nf_lab_attempt_begin(f.folder, "one-1-1", &dir, &err), 0);
	put(dir, "console.raw", "what came");
	put(dir, "console.idx", "when");
	assert_int_equal(nf_lab_attempt_copy(dir, "one-1-1", to.folder, "one-1-1", &err), 0);
	assert_int_equal(nf_lab_attempt_copy(dir, "one-1-1", to.folder, "one-1-1", &err),
	                 -NF_EEXIST);
	snprintf(path, sizeof(path), "%s/captures/one-1-1", nf_runfolder_path(to.folder));
	copy = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(copy >= 0);
	is(copy, "console.raw", "what came");
	is(copy, "console.idx", "when");
	assert_int_equal(faccessat(copy, NF_LAB_END, F_OK, 0), -1);
	close(copy);
	close(dir);
	end(&f);
	end(&to);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_name_tells_its_label_run_and_try),
	cmocka_unit_test(how_it_ended_is_read_again),
	cmocka_unit_test(an_attempts_record_says_what_its_end_does),
	cmocka_unit_test(an_attempt_is_never_overwritten),
	cmocka_unit_test(a_broken_end_is_named),
	cmocka_unit_test(a_copy_has_all_files_and_what_is_not_there_is_not_made),
};

NF_UNIT_MAIN(tests)
