/* SPDX-License-Identifier: MIT */
/* Attempts of a campaign, and a board's console: whatever fails, nothing is left open and nothing half is taken for whole. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "fault.h"
#include "job/lab_attempt.h"
#include "job/lab_board.h"
#include "job/lab_boot_opts.h"
#include "job/lab_plan.h"
#include "nf_scratch.h"

/* --- what an attempt leaves --- */

struct attempt {
	char dir[128];
	struct nf_runfolder *folder;
	struct nf_arena arena;
	struct nf_rec_boot_end got;
	int n;
};

static void make_folder(void *ctx)
{
	struct attempt *x = ctx;

	nf_scratch_make(x->dir, sizeof(x->dir));
	nf_arena_init(&x->arena, 1 << 20);
	x->got = (struct nf_rec_boot_end){ .run = 99 };
	assert_int_equal(nf_runfolder_create(x->dir, nf_now_utc(), "host", "lab", -1, -1, 0,
	                                     &x->folder, NULL),
	                 0);
}

static int leave_attempt(void *ctx, struct nf_err *err)
{
	static const struct nf_rec_boot_image image = { "Image", 42, "abcd" };
	struct nf_rec_boot_end end = { .board = "b",
		                       .config = "c",
		                       .run = 1,
		                       .attempt = 1,
		                       .campaign_sha256 = "00",
		                       .platform_why = "campaign file",
		                       .power_driver = "qmp",
		                       .outcome = NF_BOOT_OK,
		                       .kind = "done",
		                       .why = "done",
		                       .images = { &image, 1 } };
	struct attempt *x = ctx;
	int dir = -1, again = -1;
	int r = nf_lab_attempt_begin(x->folder, "c-1-1", &dir, err);

	if (r == 0)
		r = nf_lab_attempt_end(x->folder, "c-1-1", &end, &x->arena, err);
	if (r == 0)
		r = nf_lab_attempt_copy(dir, "c-1-1", x->folder, "c-1-2", err);
	if (r == 0) {
		char path[512];

		snprintf(path, sizeof(path), "%s/captures/c-1-2", nf_runfolder_path(x->folder));
		again = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		r = again < 0 ? nf_fail_os(err, errno, "cannot open %s", path)
		              : nf_lab_attempt_read(again, "c-1-2", &x->arena, &x->got, err);
	}
	if (again >= 0)
		close(again);
	if (dir >= 0)
		close(dir);
	return r < 0 ? r : 0;
}

static void judge_attempt(void *ctx, int r)
{
	struct attempt *x = ctx;

	assert_int_equal(x->got.run, r == 0 ? 1 : 99);
	nf_runfolder_free(x->folder);
	nf_arena_fini(&x->arena);
	nf_scratch_remove(x->dir);
}

static void attempts_are_left_whole_or_said_not_to_be(void **state)
{
	struct attempt x;
	struct fault_subject s = { .prepare = make_folder,
		                   .run = leave_attempt,
		                   .finish = judge_attempt,
		                   .tolerates = "close,unlinkat,free",
		                   .any_code = true };

	(void)state;
	fault_every(&s, &x);
}

/* --- a plan --- */

static int make_plan(void *ctx, struct nf_err *err)
{
	struct nf_lab_plan p;

	(void)ctx;
	struct nf_arena a;
	nf_arena_init(&a, 1 << 20);
	int r = nf_lab_plan_init(&p, 3, 5, &a, err);
	nf_arena_fini(&a);
	return r;
}

static void a_plan_needs_its_memory(void **state)
{
	(void)state;
	fault_every(&(struct fault_subject){ .run = make_plan }, NULL);
}

/* --- a board that is talked to --- */

struct talked {
	char dir[128];
	int master;
	struct nf_campaign campaign;
	struct nf_arena arena;
};

static void make_board(void *ctx)
{
	struct talked *x = ctx;
	struct nf_err err = { 0 };
	char text[1024];

	nf_scratch_make(x->dir, sizeof(x->dir));
	nf_arena_init(&x->arena, 1 << 20);
	x->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	assert_true(x->master >= 0);
	assert_int_equal(grantpt(x->master), 0);
	assert_int_equal(unlockpt(x->master), 0);
	snprintf(text, sizeof(text),
	         "board:\n  name: b\n  console: { pty: %s }\n"
	         "  power: { driver: command, on: [ /bin/true ], off: [ /bin/true ], verify: none "
	         "}\n"
	         "configs: [ { name: c, done: \"login:\" } ]\n",
	         ptsname(x->master));
	if (nf_campaign_read("b.yaml", text, strlen(text), &x->campaign, &err) < 0)
		fail_msg("%s", err.msg);
}

/* Without a switch: the first thing the dialogue asks for cannot be, and that is an outcome. */
static int talk(void *ctx, struct nf_err *err)
{
	struct talked *x = ctx;
	struct nf_dialogue_opts o;
	struct nf_lab_board b;
	struct nf_lab_loop l = { .epoll = -1 };
	struct nf_lab_talk t = { .opts = &o, .name = "console" };
	int closed;
	int r = nf_lab_boot_opts(&x->campaign, nf_campaign_config(&x->campaign, 0), NULL, &x->arena,
	                         &o, err);

	nf_lab_board_none(&b);
	t.dirfd = open(x->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r == 0 && t.dirfd < 0)
		r = nf_fail_os(err, errno, "cannot open %s", x->dir);
	if (r == 0)
		r = nf_lab_board_open(&b, &x->campaign, NULL, false, err);
	if (r == 0)
		r = nf_lab_loop_init(&l, err);
	if (r == 0)
		r = nf_lab_loop_add(&l, &b, err);
	if (r == 0)
		r = nf_lab_board_talk(&b, &t, err);
	for (int i = 0; r == 0 && !nf_lab_board_outcome(&b) && i < 1000; i++)
		r = nf_lab_loop_turn(&l, 1, err);
	if (r == 0 && nf_lab_board_outcome(&b)->kind != NF_OUTCOME_POWER_OFF)
		r = nf_fail(err, NF_ESUBJECT, "%s", nf_lab_board_outcome(&b)->words);
	nf_lab_loop_fini(&l);
	closed = nf_lab_board_close(&b, r < 0 ? NULL : err);
	if (t.dirfd >= 0)
		close(t.dirfd);
	return r < 0 ? r : closed;
}

static void end_board(void *ctx, int r)
{
	struct talked *x = ctx;

	(void)r;
	close(x->master);
	nf_campaign_fini(&x->campaign);
	nf_arena_fini(&x->arena);
	nf_scratch_remove(x->dir);
}

static void a_talk_leaves_nothing_open(void **state)
{
	struct talked x;
	struct fault_subject s = { .prepare = make_board,
		                   .run = talk,
		                   .finish = end_board,
		                   .tolerates =
		                           "close,epoll_ctl,ioctl,fcntl,readlink,tcsetattr,flock",
		                   .any_code = true };

	(void)state;
	fault_every(&s, &x);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(attempts_are_left_whole_or_said_not_to_be),
	cmocka_unit_test(a_plan_needs_its_memory),
	cmocka_unit_test(a_talk_leaves_nothing_open),
};
NF_UNIT_MAIN(tests)
