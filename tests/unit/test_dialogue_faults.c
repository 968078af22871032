/* SPDX-License-Identifier: MIT */
/* A transcript for each thing that goes wrong between a power switch and a login: class, kind and words. */
#include "board/dialogue.h"

#include "nf_unit.h"
#include "played_board.h"
#include "uboot_texts.h"

#define ROWS(...) \
	(const struct played_reply[]) \
	{ \
		__VA_ARGS__ UBOOT_ROWS \
	}
#define SCRIPT(...) \
	.script = { .reply = ROWS(__VA_ARGS__), \
		    .n_replies = sizeof(ROWS(__VA_ARGS__)) / sizeof(struct played_reply) }

struct fault {
	const char *name;
	enum nf_outcome_kind kind;
	const char *words;
	unsigned retries;
	const char *note; /* the first one; NULL: none */
	struct played_script script;
	void (*opts)(struct nf_dialogue_opts *o);
};

#define NOISE "\377\200x\370\200\340\200\034\370\377\200\340\034x\200\370\001\377"

static void unverified(struct nf_dialogue_opts *o)
{
	o->verify_silence = false;
}

static void no_bootloader(struct nf_dialogue_opts *o)
{
	o->prompt = NULL;
	o->n_commands = o->n_loads = 0;
}

static void catastrophic(struct nf_dialogue_opts *o)
{
	o->done = "^(a+)+$";
}

/* clang-format off */
static const struct fault faults[] = {
	{ "the switch does not go off", NF_OUTCOME_POWER_OFF,
	  "power could not be switched off: relay: no answer", 0, NULL,
	  SCRIPT(), .script.off_fails = "relay: no answer" },
	{ "the switch does not go on", NF_OUTCOME_POWER_ON,
	  "power could not be switched on: relay: no answer", 0, NULL,
	  SCRIPT(), .script.on_fails = "relay: no answer" },
	{ "the switch never answers", NF_OUTCOME_POWER_OFF,
	  "power could not be switched off: the switch does not answer", 0, NULL,
	  SCRIPT(), .script.switch_is_deaf = true },
	{ "the board goes on without power", NF_OUTCOME_POWER_STAYS,
	  "power did not go off: 20 bytes came from the console later than 1.00 s after it", 0, NULL,
	  SCRIPT(), .script.at_off = PLAYED_1S PLAYED_100MS "[    9.0] still here" },
	{ "a glitch at power off", NF_OUTCOME_DONE,
	  "done: 1.12 s after boot", 0, NULL,
	  SCRIPT(), .script.at_off = PLAYED_1S PLAYED_100MS "\370\377" },
	{ "no power", NF_OUTCOME_NO_POWER,
	  "no power: not a byte within 45.0 s of power on, and the switch says that it is off", 0, NULL,
	  SCRIPT({ "<on>", "", 0 },), .script.status = NF_POWER_OFF },
	{ "no console", NF_OUTCOME_NO_CONSOLE,
	  "no console: not a byte within 45.0 s of power on; the switch says that it is on", 0, NULL,
	  SCRIPT({ "<on>", "", 0 },), .script.status = NF_POWER_ON },
	{ "no console, switch cannot be asked", NF_OUTCOME_NO_CONSOLE,
	  "no console: not a byte within 45.0 s of power on; the switch cannot say whether it is on", 0, NULL,
	  SCRIPT({ "<on>", "", 0 },) },
	{ "no console, switch fails", NF_OUTCOME_NO_CONSOLE,
	  "no console: not a byte within 45.0 s of power on; asked, the switch failed: relay: no answer", 0, NULL,
	  SCRIPT({ "<on>", "", 0 },), .script.status_fails = "relay: no answer" },
	{ "garbage", NF_OUTCOME_GARBAGE,
	  "the console sends no text (is the baud rate right?): of 51 bytes 6 are text", 0, NULL,
	  SCRIPT({ "<on>", PLAYED_100MS NOISE NOISE NOISE, 0 },) },
	{ "banner missed", NF_OUTCOME_NO_BANNER,
	  "no prompt, and the autoboot line was not seen: within 45.0 s; the last line: 'buildroot login: '", 0, NULL,
	  SCRIPT({ "<on>", UBOOT_BANNER PLAYED_1S KERNEL_BOOTS GETTY, 0 },) },
	{ "keys do not stop it", NF_OUTCOME_NO_PROMPT,
	  "no prompt: keys were sent at the autoboot line; within 45.0 s; the last line: 'buildroot login: '", 0, NULL,
	  SCRIPT({ "<key>", KERNEL_BOOTS GETTY, 0 },) },
	{ "at the prompt without autoboot", NF_OUTCOME_DONE,
	  "done: 1.12 s after boot", 0, NULL,
	  SCRIPT({ "<on>", UBOOT_BANNER UBOOT_PROMPT, 0 },) },
	{ "silent at the prompt", NF_OUTCOME_DONE,
	  "done: 1.12 s after boot", 0, NULL,
	  SCRIPT({ "<on>", PLAYED_LINE, 0 },), .opts = unverified },
	{ "prompt split", NF_OUTCOME_DONE,
	  "done: 1.12 s after boot", 0, NULL,
	  SCRIPT({ "<key>", "\r\n=" PLAYED_100MS ">" PLAYED_100MS " " PLAYED_LINE, 0 },) },
	{ "echo lost", NF_OUTCOME_NO_ECHO,
	  "what was typed was not echoed: 'setenv autoload no', 3 times", 2, "! typed again: 'setenv autoload no' came back as ''",
	  SCRIPT(), .script.mute = true },
	{ "first characters lost", NF_OUTCOME_DONE,
	  "done: 1.12 s after boot", 1, "! typed again: 'setenv autoload no' came back as 'tenv a'",
	  SCRIPT(), .script.lose = 2 },
	{ "first characters lost always", NF_OUTCOME_WRONG_ECHO,
	  "what was typed came back changed: 'setenv autoload no' as 'tenv a', 3 times", 2, "! typed again: 'setenv autoload no' came back as 'tenv a'",
	  SCRIPT(), .script.lose = 2, .script.lose_lines = 1000 },
	{ "a command is refused", NF_OUTCOME_REFUSED,
	  "the bootloader refuses a command: 'dhcp': 'Unknown command 'dhcp' - try 'help''", 0, NULL,
	  SCRIPT({ COMMAND_2, "Unknown command 'dhcp' - try 'help'\r\n" UBOOT_PROMPT, 0 },) },
	{ "no network", NF_OUTCOME_NETWORK,
	  "the network failed a command: 'dhcp': 'No ethernet found.'", 0, NULL,
	  SCRIPT({ COMMAND_2, "BOOTP broadcast 1\r\n" PLAYED_10S "\r\nRetry time exceeded; starting again\r\nNo ethernet found.\r\n" UBOOT_PROMPT, 0 },) },
	{ "a command does not end", NF_OUTCOME_COMMAND_LATE,
	  "no prompt after a command: 'dhcp', within 1.50 min; the last line: 'BOOTP broadcast 1'", 0, NULL,
	  SCRIPT({ COMMAND_2, "BOOTP broadcast 1\r\n", 0 },) },
	{ "file missing", NF_OUTCOME_NO_FILE,
	  "the TFTP server has no such file: 'Image'", 0, NULL,
	  SCRIPT({ LOAD, UBOOT_LOADING "\r\nTFTP error: 'File not found' (1)\r\nNot retrying...\r\n" UBOOT_PROMPT, 0 },) },
	{ "another TFTP error", NF_OUTCOME_TFTP,
	  "nothing was loaded over TFTP: 'Image', 3 tries; the last: 'TFTP error: 'Access violation' (2)'", 2, "! 'Image' is loaded again: 'TFTP error: 'Access violation' (2)'",
	  SCRIPT({ LOAD, UBOOT_LOADING "\r\nTFTP error: 'Access violation' (2)\r\nNot retrying...\r\n" UBOOT_PROMPT, 0 },) },
	{ "TFTP stall, then success", NF_OUTCOME_DONE,
	  "done: 1.12 s after boot", 1, "! 'Image' is loaded again: three timeouts in a row (T T T)",
	  SCRIPT({ LOAD, UBOOT_LOADING "##T " PLAYED_1S "T " PLAYED_1S "T " PLAYED_1S "T ", 1 },) },
	{ "two timeouts", NF_OUTCOME_DONE,
	  "done: 1.12 s after boot", 0, NULL,
	  SCRIPT({ LOAD, UBOOT_LOADING "##T " PLAYED_1S "T " PLAYED_1S "###\r\ndone\r\nBytes transferred = 32768000 (1f40000 hex)\r\n" UBOOT_PROMPT, 0 },) },
	{ "retry exhausted", NF_OUTCOME_TFTP,
	  "nothing was loaded over TFTP: 'Image', 3 tries; the last: 'ARP Retry count exceeded; starting again'", 2, "! 'Image' is loaded again: 'ARP Retry count exceeded; starting again'",
	  SCRIPT({ LOAD, "ARP Retry count exceeded; starting again\r\n", 0 },) },
	{ "never loaded", NF_OUTCOME_TFTP,
	  "nothing was loaded over TFTP: 'Image', 3 tries; the last: not loaded within 1.50 min", 2, "! 'Image' is loaded again: not loaded within 1.50 min",
	  SCRIPT({ LOAD, UBOOT_LOADING "###", 0 },) },
	{ "cannot be broken off", NF_OUTCOME_NO_PROMPT,
	  "no prompt: after 5 times Ctrl-C, to break off a load: not loaded within 1.50 min", 1, "! 'Image' is loaded again: not loaded within 1.50 min",
	  SCRIPT({ LOAD, UBOOT_LOADING "###", 0 }, { "<break>", "", 0 },) },
	{ "another size", NF_OUTCOME_TFTP,
	  "nothing was loaded over TFTP: 'Image', 3 tries; the last: 4096 bytes were loaded, the file has 32768000", 2, "! 'Image' is loaded again: 4096 bytes were loaded, the file has 32768000",
	  SCRIPT({ LOAD, UBOOT_LOADING "##\r\ndone\r\nBytes transferred = 4096 (1000 hex)\r\n" UBOOT_PROMPT, 0 },) },
	{ "the boot command returns", NF_OUTCOME_BOOT_RETURNED,
	  "the boot command came back to the prompt: 'booti 0x40400000 - ${fdtcontroladdr}'; before it: 'Bad Linux ARM64 Image magic!'", 0, NULL,
	  SCRIPT({ BOOT, "Bad Linux ARM64 Image magic!\r\n" UBOOT_PROMPT, 0 },) },
	{ "silence after Starting kernel", NF_OUTCOME_SILENT_KERNEL,
	  "nothing came from the kernel: silent for 30.0 s after 'Starting kernel ...'", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_STARTS, 0 },) },
	{ "panic", NF_OUTCOME_PANIC,
	  "kernel panic: '[    1.2] Kernel panic - not syncing: VFS: no root'", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS "[    1.2] Kernel panic - not syncing: VFS: no root\r\n[    1.3] CPU: 0\r\n", 0 },) },
	{ "fault dump before login", NF_OUTCOME_FAIL,
	  "fail pattern: 'cap fault' in '<<seL4: cap fault in send phase at 0x0>>'", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS "<<seL4: cap fault in send phase at 0x0>>\r\nregisters\r\n" PLAYED_1S GETTY, 0 },) },
	{ "reset", NF_OUTCOME_RESET,
	  "the board began anew: 'U-Boot 2023.01+dfsg-2 (Jan 01 2023 - 00:00:00 +0000)'", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS PLAYED_1S PLAYED_RESET, 0 },) },
	{ "reset loop", NF_OUTCOME_RESET,
	  "the board began anew: 'U-Boot 2023.01+dfsg-2 (Jan 01 2023 - 00:00:00 +0000)'", 0, NULL,
	  SCRIPT({ "<on>", UBOOT_BANNER PLAYED_1S KERNEL_BOOTS PLAYED_RESET, 0 },), .opts = no_bootloader },
	{ "reset without a bootloader", NF_OUTCOME_RESET,
	  "the board began anew: 'U-Boot 2023.01+dfsg-2 (Jan 01 2023 - 00:00:00 +0000)'", 0, NULL,
	  SCRIPT({ "<on>", "U-Boot SPL 2023.01\r\nU-Boot 2023.01\r\n" PLAYED_1S KERNEL_BOOTS PLAYED_RESET, 1 }, { "<on>", UBOOT_BANNER KERNEL_BOOTS GETTY, 0 }, ), .opts = no_bootloader },
	{ "good without a bootloader", NF_OUTCOME_DONE,
	  "done: 2.12 s after boot", 0, NULL,
	  SCRIPT({ "<on>", "U-Boot SPL 2023.01\r\nU-Boot 2023.01\r\n" PLAYED_1S KERNEL_BOOTS GETTY, 1 },), .opts = no_bootloader },
	{ "resets at each command", NF_OUTCOME_RESET,
	  "the board began anew: 'U-Boot 2023.01+dfsg-2 (Jan 01 2023 - 00:00:00 +0000)'", 0, NULL,
	  SCRIPT({ COMMAND_1, PLAYED_RESET, 0 },) },
	{ "resets while typing", NF_OUTCOME_RESET,
	  "the board began anew: 'U-Boot 2023.01+dfsg-2 (Jan 01 2023 - 00:00:00 +0000)'", 0, NULL,
	  SCRIPT({ "<key>", "\r\n=> " PLAYED_LINE PLAYED_100MS UBOOT_ON, 0 },) },
	{ "resets at the load", NF_OUTCOME_RESET,
	  "the board began anew: 'U-Boot 2023.01+dfsg-2 (Jan 01 2023 - 00:00:00 +0000)'", 0, NULL,
	  SCRIPT({ LOAD, UBOOT_LOADING "###" PLAYED_RESET, 0 },) },
	{ "resets before the prompt once", NF_OUTCOME_DONE,
	  "done: 1.12 s after boot", 0, NULL,
	  SCRIPT({ "<on>", UBOOT_BANNER PLAYED_RESET, 1 },) },
	{ "resets after the key once", NF_OUTCOME_DONE,
	  "done: 1.12 s after boot", 0, NULL,
	  SCRIPT({ "<key>", PLAYED_RESET, 1 },) },
	{ "resets before the prompt for ever", NF_OUTCOME_RESET,
	  "the board began anew: 'U-Boot 2023.01+dfsg-2 (Jan 01 2023 - 00:00:00 +0000)'", 0, NULL,
	  SCRIPT({ "<on>", UBOOT_BANNER PLAYED_100MS PLAYED_RESET, 0 },) },
	{ "resets at the key for ever", NF_OUTCOME_RESET,
	  "the board began anew: 'U-Boot 2023.01+dfsg-2 (Jan 01 2023 - 00:00:00 +0000)'", 0, NULL,
	  SCRIPT({ "<key>", PLAYED_RESET, 0 },) },
	{ "hang", NF_OUTCOME_HANG,
	  "the board hangs: silent for 30.0 s after '[    1.5] usb 1-1: new'", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS "[    1.5] usb 1-1: new", 0 },) },
	{ "late", NF_OUTCOME_LATE,
	  "not done in time: 3.00 min after boot; the last line: 'abcdefghi'", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS "a" PLAYED_10S PLAYED_10S "b" PLAYED_10S PLAYED_10S "c" PLAYED_10S PLAYED_10S "d" PLAYED_10S PLAYED_10S "e" PLAYED_10S PLAYED_10S "f" PLAYED_10S PLAYED_10S "g" PLAYED_10S PLAYED_10S "h" PLAYED_10S PLAYED_10S "i" PLAYED_10S PLAYED_10S "j" PLAYED_10S PLAYED_10S, 0 },) },
	{ "noise in the boot", NF_OUTCOME_GARBAGE,
	  "the console sends no text (is the baud rate right?): of 34 bytes 4 are text", 0, NULL,
	  SCRIPT({ "<on>", NOISE NOISE, 0 },), .opts = no_bootloader },
	{ "unplugged", NF_OUTCOME_PORT_LOST,
	  "the console's port is gone: the port hung up, while it boots", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS, 0 },), .script.lost_ns = 8 * SECONDS },
	{ "stopped", NF_OUTCOME_STOPPED,
	  "stopped: while it boots", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS, 0 },), .script.stop_ns = 3 * SECONDS },
	{ "a pattern that takes too long", NF_OUTCOME_PATTERN,
	  "a pattern cannot be sought: pattern '^(a+)+$' takes more than 1000000 steps on a line of 50 bytes; allowed: one without repeats inside repeats", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b\r\n", 0 },), .opts = catastrophic },
	{ "login without a newline", NF_OUTCOME_DONE,
	  "done: 1.11 s after boot", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS "buildroot login:", 0 },) },
	{ "kernel message after the prompt", NF_OUTCOME_DONE,
	  "done: 1.11 s after boot", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS "\r\nbuildroot login: [    3.141593] random: crng init done\r\n", 0 },) },
	{ "kernel message inside the prompt", NF_OUTCOME_DONE,
	  "done: 1.17 s after boot", 0, NULL,
	  SCRIPT({ BOOT, KERNEL_BOOTS "\r\nbuildroot lo[    3.141593] random: crng init done\r\ngin: ", 0 },) },
	{ "prompt text inside output", NF_OUTCOME_DONE,
	  "done: 1.12 s after boot", 0, NULL,
	  SCRIPT({ COMMAND_2, "BOOTP => here\r\n=> not yet\r\n" PLAYED_100MS "x => \r\n" PLAYED_100MS DHCP_SAYS, 0 },) },
};
/* clang-format on */

static void check(const struct fault *f, const struct played *p)
{
	const char *note = strstr(p->states.data, "\n! ");
	enum nf_outcome_class class = nf_outcome_class_of(f->kind);

	if (strcmp(p->outcome.words, f->words) != 0)
		fail_msg("%s: '%s'; not '%s'", f->name, p->outcome.words, f->words);
	if (p->outcome.kind != f->kind || p->outcome.class != class || p->retries != f->retries)
		fail_msg("%s: %s, class %s, %u retries", f->name,
		         nf_outcome_kind_name(p->outcome.kind),
		         nf_outcome_class_name(p->outcome.class), p->retries);
	if (!f->note != !note || (note && strncmp(note + 1, f->note, strlen(f->note)) != 0))
		fail_msg("%s: %s", f->name, p->states.data);
	if (p->finishes != 1 || p->after_finish || p->over || p->offs != 1 || p->ons > 1)
		fail_msg("%s: %u ends, power off %u times and on %u times", f->name, p->finishes,
		         p->offs, p->ons);
}

static void each_fault_has_its_class_and_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		const struct fault *f = &faults[i];
		struct nf_dialogue_opts o = uboot_opts();
		struct nf_err err = { 0 };
		struct played p;

		if (f->opts)
			f->opts(&o);
		if (played_run(&p, &o, false, &f->script, NULL, NULL, &err) < 0)
			fail_msg("%s: %s", f->name, err.msg);
		check(f, &p);
		played_fini(&p);
	}
}

/* Of what can end a boot, each was there. */
static void every_kind_of_a_boot_has_a_transcript(void **state)
{
	static const enum nf_outcome_kind elsewhere[] = { NF_OUTCOME_NO_SHELL, NF_OUTCOME_NO_MARKER,
		                                          NF_OUTCOME_SHELL_LATE,
		                                          NF_OUTCOME_NO_OUTPUT, NF_OUTCOME_LOGIN };
	bool seen[NF_OUTCOME_N_KINDS] = { false };

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		seen[faults[i].kind] = true;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		seen[elsewhere[i]] = true;
	for (int k = 0; k < NF_OUTCOME_N_KINDS; k++)
		if (!seen[k])
			fail_msg("no transcript ends in '%s'",
			         nf_outcome_kind_name((enum nf_outcome_kind)k));
}

static void the_class_is_the_exit_code(void **state)
{
	(void)state;
	assert_int_equal(nf_outcome_exit(NF_OUTCOME_OK), 0);
	assert_int_equal(nf_outcome_exit(NF_OUTCOME_INFRA), 5);
	assert_int_equal(nf_outcome_exit(NF_OUTCOME_BOARD), 5);
	assert_int_equal(nf_outcome_exit(NF_OUTCOME_CONFIG), 2);
	assert_string_equal(nf_outcome_class_name(NF_OUTCOME_INFRA), "infra");
	assert_string_equal(nf_outcome_class_name(NF_OUTCOME_BOARD), "board");
	assert_string_equal(nf_outcome_class_name(NF_OUTCOME_CONFIG), "config");
	assert_string_equal(nf_outcome_class_name(NF_OUTCOME_OK), "ok");
}

/* What a board sends does not get into the words as it is. */
static void words_are_printable_and_bounded(void **state)
{
	struct nf_outcome o;
	char many[1000];

	(void)state;
	memset(many, 'x', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	nf_outcome_set(&o, NF_OUTCOME_PANIC, "a\033[2Jb\n\377%s", many);
	assert_int_equal(strlen(o.words), NF_OUTCOME_WORDS - 1);
	assert_int_equal(strncmp(o.words, "kernel panic: a?[2Jb??xxx", 25), 0);
	nf_outcome_set(&o, NF_OUTCOME_DONE, NULL);
	assert_string_equal(o.words, "done");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_fault_has_its_class_and_words),
	cmocka_unit_test(every_kind_of_a_boot_has_a_transcript),
	cmocka_unit_test(the_class_is_the_exit_code),
	cmocka_unit_test(words_are_printable_and_bounded),
};
NF_UNIT_MAIN(tests)
