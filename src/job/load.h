/* SPDX-License-Identifier: MIT */
/*
 * load - a command that runs beside the measurement (--under), in a process group of its own.
 *
 * A keeper process stands between: when this process dies, by whatever signal, the keeper ends the
 * whole group, so no load outlives the run. Threads: call with no measuring threads alive.
 */
#ifndef NF_JOB_LOAD_H
#define NF_JOB_LOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/fail.h"

struct nf_load {
	pid_t keeper; /* 0: not running */
	int status_fd; /* the command's wait status arrives here when it ends */
};

/* Starts `/bin/sh -c command`; its output goes to out_fd (borrowed), its input is /dev/null. */
NF_NODISCARD int nf_load_start(struct nf_load *l, const char *command, int out_fd,
                               struct nf_err *err);
/* Has it ended by itself? Then *ret_status is its wait status. */
bool nf_load_ended(struct nf_load *l, int *ret_status);
/* SIGTERM to the group, SIGKILL a second later; waits for the keeper. Zeroed is fine. */
void nf_load_stop(struct nf_load *l);

#endif
