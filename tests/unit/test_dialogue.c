/* SPDX-License-Identifier: MIT */
/* Whole attempts at a board: what was typed, what it went through, how it ended. */
#include "board/dialogue.h"

#include "nf_unit.h"
#include "played_board.h"
#include "uboot_texts.h"

static const struct played_reply good[] = { UBOOT_ROWS };

static void play(struct played *p, const struct nf_dialogue_opts *o, const struct played_script *s)
{
	struct nf_err err = { 0 };
	int r = played_run(p, o, false, s, NULL, NULL, &err);

	if (r < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(p->finishes, 1);
	assert_false(p->after_finish);
	assert_false(p->over);
	assert_true(nf_dialogue_outcome(p->d) != NULL);
	assert_true(nf_dialogue_due_ns(p->d) == INT64_MAX);
}

static void a_good_boot_goes_from_power_off_to_its_end(void **state)
{
	const struct played_script s = { .reply = good, .n_replies = sizeof(good) / sizeof(*good) };
	struct nf_dialogue_opts o = uboot_opts();
	struct played p;

	(void)state;
	play(&p, &o, &s);
	assert_int_equal(p.outcome.kind, NF_OUTCOME_DONE);
	assert_int_equal(p.outcome.class, NF_OUTCOME_OK);
	assert_string_equal(p.outcome.words, "done: 1.12 s after boot");
	assert_string_equal(p.sent.data, "<off><on>\003" COMMAND_1 "\r" COMMAND_2 "\r" SERVER
	                                 "\r" LOAD "\r" BOOT "\r");
	assert_string_equal(p.states.data, "switches the power off\n"
	                                   "waits with the power off\n"
	                                   "switches the power on\n"
	                                   "waits for the first byte\n"
	                                   "waits for the autoboot line\n"
	                                   "waits for the prompt\n"
	                                   "types a command\nruns a command\n"
	                                   "types a command\nruns a command\n"
	                                   "types a command\nruns a command\n"
	                                   "types a command\nloads an image\n"
	                                   "types a command\nboots\n"
	                                   "# 0\n# 1\n");
	assert_int_equal(p.retries, 0);
	assert_int_equal(p.ons, 1);
	assert_int_equal(p.offs, 1);
	played_fini(&p);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_good_boot_goes_from_power_off_to_its_end),
};
NF_UNIT_MAIN(tests)
