/* SPDX-License-Identifier: MIT */
/*
 * worker - a process that runs cases, forked when it is needed and again only after it died.
 *
 * It dies with its parent (PR_SET_PDEATHSIG), leads a process group that is killed with it, writes no
 * core, and may not map more than its limit.
 */
#ifndef PT_WORKER_H
#define PT_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "prop/case.h"

struct pt_worker {
	struct pt_shared *sh; /* owned: mapped */
	const struct pt_property *property; /* borrowed */
	uint64_t memory_limit_bytes;
	enum pt_isolation isolation;
	pid_t pid; /* 0: none */
	int fd; /* to the worker: a byte is an order, a byte back its answer */
	int output_fd; /* stdout and stderr of the worker; -1: as ours */
	struct pt_case inline_case;
};

/* What became of an order. */
struct pt_ran {
	enum pt_failure failure;
	int code; /* signal, exit status */
};

/* -PT_ENOMEM, -PT_EOS. */
int pt_worker_init(struct pt_worker *w, const struct pt_property *p, const struct pt_config *c);
void pt_worker_fini(struct pt_worker *w);
/* Ends the process and its group. */
void pt_worker_stop(struct pt_worker *w);
/* Carries out sh->order. limit_ms: longest case; deadline_ms (pt_now_ms(), 0: none): no further random
 * case after it. */
int pt_worker_run(struct pt_worker *w, unsigned limit_ms, uint64_t deadline_ms, struct pt_ran *ret);
uint64_t pt_now_ms(void);

#endif
