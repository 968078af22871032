/* SPDX-License-Identifier: MIT */
/* Dialogues: every allocation fails in turn, from the machine's beginning to its end. */
#include "dialogue_faults.h"
#include "fault.h"
#include "nf_unit.h"
#include "uboot_texts.h"

static void find(const char *name, struct dialogue_fault *ret)
{
	for (size_t i = 0; i < dialogue_n_faults; i++) {
		if (strcmp(dialogue_faults[i].name, name) == 0) {
			*ret = dialogue_faults[i];
			return;
		}
	}
	fail_msg("no transcript %s", name);
}

/* The play's own buffers fail too: then it has fewer words, and is no failure of the machine's. */
static int boot(void *ctx, struct nf_err *err)
{
	const struct dialogue_fault *f = ctx;
	struct nf_dialogue_opts o = uboot_opts();
	struct played p;
	int r;

	if (f->opts)
		f->opts(&o);
	r = played_run(&p, &o, false, &f->script, NULL, NULL, err);
	if (r == 0) {
		assert_int_equal(p.outcome.kind, f->kind);
		assert_int_equal(p.finishes, 1);
	}
	if (r == 0 && (nf_buf_failed(&p.sent, "a play", err) < 0 ||
	               nf_buf_failed(&p.states, "a play", err) < 0))
		r = -NF_ENOMEM;
	played_fini(&p);
	return r;
}

static void a_boot_fails_for_want_of_memory_or_ends_as_it_does(void **state)
{
	static const char *const names[] = { "good", "TFTP stall, then success", "panic",
		                             "no console, switch fails",
		                             "kernel message inside the prompt" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct dialogue_fault f = { 0 };

		find(names[i], &f);
		fault_every(&(struct fault_subject){ .run = boot }, &f);
	}
}

#define NONCE "0123456789abcdeffedcba9876543210"

static const char *run_shell(void *ctx, const char *line)
{
	(void)ctx;
	return strstr(line, &NONCE[16]) ? NONCE "-b\r\nout\r\n" NONCE "-e 3\r\n# " PLAYED_LINE
	                                : "# " PLAYED_LINE;
}

static int shell(void *ctx, struct nf_err *err)
{
	static const struct played_reply rows[] = {
		{ "<on>", "login: " PLAYED_LINE, 0 }, { "", "login: " PLAYED_LINE, 1 },
		{ "", "# " PLAYED_LINE, 0 },          { "root", "Password: " PLAYED_SECRET, 0 },
		{ "secret", "# " PLAYED_LINE, 0 },
	};
	const struct played_script s = { .reply = rows, .n_replies = 5, .run = run_shell };
	const struct nf_dialogue_opts o = {
		.login = "login:",
		.user = "root",
		.password = "secret",
		.shell_prompt = "# $",
		.shell_command = "echo out",
		.nonce = NONCE,
		.prompt_ns = 30 * SECONDS,
		.shell_ns = 60 * SECONDS,
	};
	struct played p;
	int r = played_run(&p, &o, true, &s, NULL, NULL, err);

	(void)ctx;
	if (r == 0 && (nf_buf_failed(&p.output, "a play", err) < 0 ||
	               nf_buf_failed(&p.sent, "a play", err) < 0 ||
	               nf_buf_failed(&p.states, "a play", err) < 0))
		r = -NF_ENOMEM;
	if (r == 0) {
		assert_string_equal(p.output.data, "out\n");
		assert_int_equal(p.status, 3);
	}
	played_fini(&p);
	return r;
}

static void a_shell_fails_for_want_of_memory_or_ends_as_it_does(void **state)
{
	(void)state;
	fault_every(&(struct fault_subject){ .run = shell }, NULL);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_boot_fails_for_want_of_memory_or_ends_as_it_does),
	cmocka_unit_test(a_shell_fails_for_want_of_memory_or_ends_as_it_does),
};
NF_UNIT_MAIN(tests)
