/* SPDX-License-Identifier: MIT */
#include "bench/audit_calls.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const char *const names[] = {
#include "syscall_names.inc"
};

struct row {
	uint64_t nr;
	struct nf_audit_call_kind kind;
};

static const struct row rows[] = {
#define X(name, fd, way) { SYS_##name, { NF_AUDIT_##way, (fd) } },
#include "bench/audit_calls.def"
#undef X
};

struct nf_audit_call_kind nf_audit_call_kind(uint64_t nr)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].nr == nr)
			return rows[i].kind;
	return (struct nf_audit_call_kind){ NF_AUDIT_NO_IO, -1 };
}

const char *nf_audit_call_name(uint64_t nr)
{
	return nr < sizeof(names) / sizeof(names[0]) ? names[nr] : NULL;
}

enum nf_audit_target_kind nf_audit_kind_of(const char *name, unsigned mode, uint64_t rdev)
{
	static const char *const serial[] = { "/dev/ttyS",   "/dev/ttyUSB", "/dev/ttyACM",
		                              "/dev/ttyAMA", "/dev/ttyO",   "/dev/ttymxc",
		                              "/dev/ttyPS",  "/dev/ttyTHS", "/dev/ttySC",
		                              "/dev/ttyGS",  "/dev/rfcomm" };

	if (S_ISREG(mode))
		return NF_AUDIT_FILE;
	if (S_ISFIFO(mode))
		return NF_AUDIT_PIPE;
	if (S_ISSOCK(mode))
		return NF_AUDIT_SOCKET;
	if (S_ISBLK(mode))
		return NF_AUDIT_DEVICE;
	if (!S_ISCHR(mode))
		return NF_AUDIT_OTHER;
	for (size_t i = 0; i < sizeof(serial) / sizeof(serial[0]); i++)
		if (strncmp(name, serial[i], strlen(serial[i])) == 0)
			return NF_AUDIT_SERIAL;
	if (major(rdev) == 1 && minor(rdev) == 3)
		return NF_AUDIT_NULL;
	/* Majors of Linux's devices.txt: consoles, /dev/tty and /dev/console, pseudo-terminals. */
	if (major(rdev) == 4 || major(rdev) == 5 || (major(rdev) >= 136 && major(rdev) <= 143) ||
	    strncmp(name, "/dev/tty", 8) == 0 || strncmp(name, "/dev/hvc", 8) == 0)
		return NF_AUDIT_TTY;
	return NF_AUDIT_DEVICE;
}

enum nf_audit_target_kind nf_audit_target(pid_t pid, int fd, char ret_name[NF_AUDIT_TARGET_BYTES])
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	ssize_t n = readlink(path, ret_name, NF_AUDIT_TARGET_BYTES - 1);
	ret_name[n > 0 ? n : 0] = '\0';
	if (fd < 0 || n < 0 || stat(path, &st) < 0)
		return NF_AUDIT_UNKNOWN;
	return nf_audit_kind_of(ret_name, st.st_mode, st.st_rdev);
}

bool nf_audit_is_console(enum nf_audit_target_kind kind)
{
	return kind == NF_AUDIT_TTY || kind == NF_AUDIT_SERIAL;
}
