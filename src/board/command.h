/* SPDX-License-Identifier: MIT */
/* command - a command run to its end, bounded: its own process group, killed when it takes too long; the first
 * of what it printed is kept. */
#ifndef NF_BOARD_COMMAND_H
#define NF_BOARD_COMMAND_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum { NF_COMMAND_SAID = 512 };

struct nf_command_end {
	int wait_status;
	char said[NF_COMMAND_SAID]; /* of both outputs, NUL-terminated; may hold anything */
	size_t said_bytes; /* without the NUL, at most NF_COMMAND_SAID - 1 */
};

/* argv[0] is looked for in PATH. What it starts in the background and leaves in its group is killed with it.
 * -NF_EARG: not found or not executable. -NF_ETIMEOUT. */
NF_NODISCARD int nf_command_run(const char *const argv[], int64_t timeout_ns,
                                struct nf_command_end *ret, struct nf_err *err);

#endif
