/* SPDX-License-Identifier: MIT */
/* audit_calls - what a system call is: its name, and which of its arguments is a file. Pure but for
 * nf_audit_target(), which looks into /proc. */
#ifndef NF_BENCH_AUDIT_CALLS_H
#define NF_BENCH_AUDIT_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum nf_audit_way { NF_AUDIT_NO_IO, NF_AUDIT_IN, NF_AUDIT_OUT, NF_AUDIT_MANY };

struct nf_audit_call_kind {
	enum nf_audit_way way;
	int fd; /* index of the argument; -1: none */
};

/* What output or input goes to. */
enum nf_audit_target_kind {
	NF_AUDIT_UNKNOWN,
	NF_AUDIT_TTY,
	NF_AUDIT_SERIAL,
	NF_AUDIT_PIPE,
	NF_AUDIT_FILE,
	NF_AUDIT_SOCKET,
	NF_AUDIT_DEVICE,
	NF_AUDIT_NULL, /* /dev/null */
	NF_AUDIT_OTHER,
};

enum { NF_AUDIT_TARGET_BYTES = 256 };

struct nf_audit_call_kind nf_audit_call_kind(uint64_t nr);
/* NULL: this build does not know the number. */
const char *nf_audit_call_name(uint64_t nr);
/* By the name that the kernel gives a file and its type; mode, rdev: of stat(2). */
enum nf_audit_target_kind nf_audit_kind_of(const char *name, unsigned mode, uint64_t rdev);
/* The file behind a process's descriptor; the name is "" where it cannot be read. */
enum nf_audit_target_kind nf_audit_target(pid_t pid, int fd, char ret_name[NF_AUDIT_TARGET_BYTES]);
/* Whether a byte written there waits for a line of `baud` bits a second. */
bool nf_audit_is_console(enum nf_audit_target_kind kind);

#endif
