/* SPDX-License-Identifier: MIT */
/*
 * load - a command that runs beside the measurement (--under), in a process group of its own.
 *
 * A keeper process stands between: when this process dies, by whatever signal, the keeper ends the
 * load, so no load outlives the run: neither what left its process group nor what the load orphaned by
 * killing the keeper (this process is a subreaper meanwhile, and its only other children are the
 * load's). Threads: call with no measuring threads alive.
 */
#ifndef NF_JOB_LOAD_H
#define NF_JOB_LOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/fail.h"

struct nf_load {
	pid_t keeper; /* 0: not running */
	pid_t group; /* the command's process group; 0: not known yet */
	int status_fd; /* the command's pid, then its wait status when it ends */
	bool keeper_gone; /* it ended by itself and was reaped */
	bool was_subreaper; /* of this process, before the load */
};

/* Starts `/bin/sh -c command`; its output goes to out_fd (borrowed), its input is /dev/null. */
NF_NODISCARD int nf_load_start(struct nf_load *l, const char *command, int out_fd,
                               struct nf_err *err);
/* Has it ended by itself? Then *ret_status is its wait status. */
bool nf_load_ended(struct nf_load *l, int *ret_status);
/* SIGTERM to the group, SIGKILL a second later; waits for the keeper. Zeroed is fine. */
void nf_load_stop(struct nf_load *l);

#endif
