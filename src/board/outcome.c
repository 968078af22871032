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
} rows[NF_OUTCOME_N_KINDS] = {
	[NF_OUTCOME_DONE]          = { "done",          NF_OUTCOME_OK,     "done" },
	[NF_OUTCOME_POWER_OFF]     = { "power-off",     NF_OUTCOME_INFRA,  "power could not be switched off" },
	[NF_OUTCOME_POWER_STAYS]   = { "power-stays",   NF_OUTCOME_INFRA,  "power did not go off" },
	[NF_OUTCOME_POWER_ON]      = { "power-on",      NF_OUTCOME_INFRA,  "power could not be switched on" },
	[NF_OUTCOME_NO_POWER]      = { "no-power",      NF_OUTCOME_INFRA,  "no power" },
	[NF_OUTCOME_NO_CONSOLE]    = { "no-console",    NF_OUTCOME_INFRA,  "no console" },
	[NF_OUTCOME_GARBAGE]       = { "garbage",       NF_OUTCOME_INFRA,  "the console sends no text (is the baud rate right?)" },
	[NF_OUTCOME_NO_BANNER]     = { "no-banner",     NF_OUTCOME_INFRA,  "no prompt, and the autoboot line was not seen" },
	[NF_OUTCOME_NO_PROMPT]     = { "no-prompt",     NF_OUTCOME_INFRA,  "no prompt" },
	[NF_OUTCOME_NO_ECHO]       = { "no-echo",       NF_OUTCOME_INFRA,  "what was typed was not echoed" },
	[NF_OUTCOME_WRONG_ECHO]    = { "wrong-echo",    NF_OUTCOME_INFRA,  "what was typed came back changed" },
	[NF_OUTCOME_COMMAND_LATE]  = { "command-late",  NF_OUTCOME_INFRA,  "no prompt after a command" },
	[NF_OUTCOME_NETWORK]       = { "network",       NF_OUTCOME_INFRA,  "the network failed a command" },
	[NF_OUTCOME_TFTP]          = { "tftp",          NF_OUTCOME_INFRA,  "nothing was loaded over TFTP" },
	[NF_OUTCOME_PORT_LOST]     = { "port-lost",     NF_OUTCOME_INFRA,  "the console's port is gone" },
	[NF_OUTCOME_NO_SHELL]      = { "no-shell",      NF_OUTCOME_INFRA,  "no shell" },
	[NF_OUTCOME_NO_MARKER]     = { "no-marker",     NF_OUTCOME_INFRA,  "the shell did not take the command" },
	[NF_OUTCOME_SHELL_LATE]    = { "shell-late",    NF_OUTCOME_INFRA,  "the command did not end in time" },
	[NF_OUTCOME_NO_OUTPUT]     = { "no-output",     NF_OUTCOME_INFRA,  "the command was run, its output is lost" },
	[NF_OUTCOME_FAIL]          = { "fail",          NF_OUTCOME_BOARD,  "fail pattern" },
	[NF_OUTCOME_PANIC]         = { "panic",         NF_OUTCOME_BOARD,  "kernel panic" },
	[NF_OUTCOME_RESET]         = { "reset",         NF_OUTCOME_BOARD,  "the board began anew" },
	[NF_OUTCOME_SILENT_KERNEL] = { "silent-kernel", NF_OUTCOME_BOARD,  "nothing came from the kernel" },
	[NF_OUTCOME_HANG]          = { "hang",          NF_OUTCOME_BOARD,  "the board hangs" },
	[NF_OUTCOME_LATE]          = { "late",          NF_OUTCOME_BOARD,  "not done in time" },
	[NF_OUTCOME_REFUSED]       = { "refused",       NF_OUTCOME_CONFIG, "the bootloader refuses a command" },
	[NF_OUTCOME_NO_FILE]       = { "no-file",       NF_OUTCOME_CONFIG, "the TFTP server has no such file" },
	[NF_OUTCOME_BOOT_RETURNED] = { "boot-returned", NF_OUTCOME_CONFIG, "the boot command came back to the prompt" },
	[NF_OUTCOME_LOGIN]         = { "login",         NF_OUTCOME_CONFIG, "the login was refused" },
	[NF_OUTCOME_PATTERN]       = { "pattern",       NF_OUTCOME_CONFIG, "a pattern cannot be sought" },
	[NF_OUTCOME_STOPPED]       = { "stopped",       NF_OUTCOME_NONE,   "stopped" },
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
