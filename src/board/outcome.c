/* SPDX-License-Identifier: MIT */
#include "board/outcome.h"

#include <stdarg.h>
#include <stdio.h>

#include "noisefloor/err.h"

/* clang-format off */
static const struct {
	const char *name;
	enum nf_outcome_class class;
	const char *words;
	const char *helps; /* NULL: nothing does */
} rows[NF_OUTCOME_N_KINDS] = {
	[NF_OUTCOME_DONE]          = { "done",          NF_OUTCOME_OK,     "done",
		NULL },
	[NF_OUTCOME_POWER_OFF]     = { "power-off",     NF_OUTCOME_INFRA,  "power could not be switched off",
		"try `lab power FILE off`; is the switch there, and nobody else using it?" },
	[NF_OUTCOME_POWER_STAYS]   = { "power-stays",   NF_OUTCOME_INFRA,  "power did not go off",
		"another outlet or channel; a longer `off_time`; `verify: none` where the console has power of its own" },
	[NF_OUTCOME_POWER_ON]      = { "power-on",      NF_OUTCOME_INFRA,  "power could not be switched on",
		"try `lab power FILE on`" },
	[NF_OUTCOME_NO_POWER]      = { "no-power",      NF_OUTCOME_INFRA,  "no power",
		"the switch does not hold: its channel, its supply" },
	[NF_OUTCOME_NO_CONSOLE]    = { "no-console",    NF_OUTCOME_INFRA,  "no console",
		"wiring (TX and RX), ground, the right port: `lab doctor FILE`" },
	[NF_OUTCOME_GARBAGE]       = { "garbage",       NF_OUTCOME_INFRA,  "the console sends no text (is the baud rate right?)",
		"`baud`; `lab doctor FILE` guesses it" },
	[NF_OUTCOME_NO_BANNER]     = { "no-banner",     NF_OUTCOME_INFRA,  "no prompt, and the autoboot line was not seen",
		"`autoboot` as the bootloader writes it (see the capture); a longer `timeout.prompt`" },
	[NF_OUTCOME_NO_PROMPT]     = { "no-prompt",     NF_OUTCOME_INFRA,  "no prompt",
		"`keys` and `prompt` as the bootloader has them" },
	[NF_OUTCOME_NO_ECHO]       = { "no-echo",       NF_OUTCOME_INFRA,  "what was typed was not echoed",
		"the wire from this machine to the board (its RX)" },
	[NF_OUTCOME_WRONG_ECHO]    = { "wrong-echo",    NF_OUTCOME_INFRA,  "what was typed came back changed",
		"noise on the wire, a FIFO that overflows: ground, a shorter cable, a lower `baud`" },
	[NF_OUTCOME_COMMAND_LATE]  = { "command-late",  NF_OUTCOME_INFRA,  "no prompt after a command",
		"a command that asks or waits; a longer `timeout.load`" },
	[NF_OUTCOME_NETWORK]       = { "network",       NF_OUTCOME_INFRA,  "the network failed a command",
		"cable, addresses, the DHCP server" },
	[NF_OUTCOME_TFTP]          = { "tftp",          NF_OUTCOME_INFRA,  "nothing was loaded over TFTP",
		"the TFTP server runs and reaches the board; `tries`, `timeout.load`" },
	[NF_OUTCOME_PORT_LOST]     = { "port-lost",     NF_OUTCOME_INFRA,  "the console's port is gone",
		"the adapter was unplugged or reset: cable, hub, its supply; name the port `by_path`" },
	[NF_OUTCOME_NO_SHELL]      = { "no-shell",      NF_OUTCOME_INFRA,  "no shell",
		"the board is up? `lab console FILE` shows; `shell.prompt`, `shell.login`" },
	[NF_OUTCOME_NO_MARKER]     = { "no-marker",     NF_OUTCOME_INFRA,  "the shell did not take the command",
		"a POSIX shell is behind the prompt? `lab console FILE` shows" },
	[NF_OUTCOME_SHELL_LATE]    = { "shell-late",    NF_OUTCOME_INFRA,  "the command did not end in time",
		"a longer `--timeout`, or a command that ends" },
	[NF_OUTCOME_NO_OUTPUT]     = { "no-output",     NF_OUTCOME_INFRA,  "the command was run, its output is lost",
		"fewer messages on the console (`dmesg -n 1`); it is not run again by itself" },
	[NF_OUTCOME_FAIL]          = { "fail",          NF_OUTCOME_BOARD,  "fail pattern",
		"what the pattern was written for" },
	[NF_OUTCOME_PANIC]         = { "panic",         NF_OUTCOME_BOARD,  "kernel panic",
		"the capture has the trace" },
	[NF_OUTCOME_RESET]         = { "reset",         NF_OUTCOME_BOARD,  "the board began anew",
		"supply, watchdog, a fault early in the boot: see the capture" },
	[NF_OUTCOME_SILENT_KERNEL] = { "silent-kernel", NF_OUTCOME_BOARD,  "nothing came from the kernel",
		"the kernel's `console=` and device tree; a longer `timeout.silence` where it unpacks for long" },
	[NF_OUTCOME_HANG]          = { "hang",          NF_OUTCOME_BOARD,  "the board hangs",
		"the last line says where; a longer `timeout.silence` where that is normal" },
	[NF_OUTCOME_LATE]          = { "late",          NF_OUTCOME_BOARD,  "not done in time",
		"`done` as the board writes it; a longer `timeout.boot`" },
	[NF_OUTCOME_REFUSED]       = { "refused",       NF_OUTCOME_CONFIG, "the bootloader refuses a command",
		"the command, as this bootloader has it" },
	[NF_OUTCOME_NO_FILE]       = { "no-file",       NF_OUTCOME_CONFIG, "the TFTP server has no such file",
		"`tftp.root` is what the server serves? `image` is below it" },
	[NF_OUTCOME_BOOT_RETURNED] = { "boot-returned", NF_OUTCOME_CONFIG, "the boot command came back to the prompt",
		"the boot command, addresses, what the image is" },
	[NF_OUTCOME_LOGIN]         = { "login",         NF_OUTCOME_CONFIG, "the login was refused",
		"`shell.user`, and the password that `password_env` names" },
	[NF_OUTCOME_PATTERN]       = { "pattern",       NF_OUTCOME_CONFIG, "a pattern cannot be sought",
		"a pattern without repeats inside repeats" },
	[NF_OUTCOME_STOPPED]       = { "stopped",       NF_OUTCOME_NONE,   "stopped",
		NULL },
};
static const struct {
	const char *name;
	int exit_code;
} classes[NF_OUTCOME_N_CLASSES] = {
	[NF_OUTCOME_OK] = { "ok", 0 },         [NF_OUTCOME_INFRA] = { "infra", 5 }, [NF_OUTCOME_BOARD] = { "board", 5 },
	[NF_OUTCOME_CONFIG] = { "config", 2 }, [NF_OUTCOME_NONE] = { "none", 0 },
};
/* clang-format on */

const char *nf_outcome_class_name(enum nf_outcome_class class)
{
	return classes[class].name;
}

const char *nf_outcome_kind_name(enum nf_outcome_kind kind)
{
	return rows[kind].name;
}

const char *nf_outcome_helps(enum nf_outcome_kind kind)
{
	return rows[kind].helps;
}

static void describe(enum nf_outcome_kind kind, struct nf_buf *out)
{
	const char *const none = "-";

	(void)nf_buf_addf(out, "| %s | %s | %d | %s | %s |\n", rows[kind].name,
	                  classes[rows[kind].class].name, classes[rows[kind].class].exit_code,
	                  rows[kind].words, rows[kind].helps ? rows[kind].helps : none);
}

void nf_outcome_describe(struct nf_buf *out)
{
	(void)nf_buf_adds(out, "| kind | class | exit code | words | what helps |\n"
	                       "| --- | --- | --- | --- | --- |\n");
	for (int i = 0; i < NF_OUTCOME_N_KINDS; i++)
		describe((enum nf_outcome_kind)i, out);
}

enum nf_outcome_class nf_outcome_class_of(enum nf_outcome_kind kind)
{
	return rows[kind].class;
}

int nf_outcome_exit(enum nf_outcome_class class)
{
	return classes[class].exit_code;
}

void nf_outcome_set(struct nf_outcome *ret, enum nf_outcome_kind kind, const char *fmt, ...)
{
	size_t at;
	va_list ap;

	*ret = (struct nf_outcome){ .kind = kind, .class = rows[kind].class };
	at = (size_t)snprintf(ret->words, sizeof(ret->words), "%s%s", rows[kind].words,
	                      fmt ? ": " : "");
	if (fmt) {
		va_start(ap, fmt);
		vsnprintf(ret->words + at, sizeof(ret->words) - at, fmt, ap);
		va_end(ap);
	}
	for (char *p = ret->words; *p; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7f)
			*p = '?';
}
