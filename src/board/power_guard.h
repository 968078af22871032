/* SPDX-License-Identifier: MIT */
/*
 * power_guard - a small process that holds a power switch, so that the power ends as was asked whatever happens
 * to the program: when the program is gone, killed too, the guard sets the power and ends. It leads a session of
 * its own and is deaf to what a terminal sends. It also waits for slow switches, so that nobody who times a
 * console has to: an answer is read when `fd` is readable.
 *
 * Starting forks: the caller has one thread.
 */
#ifndef NF_BOARD_POWER_GUARD_H
#define NF_BOARD_POWER_GUARD_H

#include <sys/types.h>

#include "board/power.h"

enum nf_power_end {
	NF_POWER_END_OFF,
	NF_POWER_END_ON,
	NF_POWER_END_LEAVE,
};

enum nf_power_ask {
	NF_POWER_ASK_STATUS,
	NF_POWER_ASK_OFF,
	NF_POWER_ASK_ON,
	NF_POWER_ASK_LEAVE, /* from now on the power stays as it is when the guard ends */
};

struct nf_power_answer {
	uint32_t seq; /* of nf_power_guard_ask() */
	int code; /* 0 or -NF_E... */
	enum nf_power_state state; /* of STATUS */
	struct nf_err err;
};

struct nf_power_guard {
	int fd; /* owned; readable when an answer is there; -1: none */
	pid_t pid;
	uint32_t seq; /* the last asked */
};

/* Starts it and waits until the switch is open; what nf_power_open() fails with. */
NF_NODISCARD int nf_power_guard_start(struct nf_power_guard *ret, const struct nf_power_spec *spec,
                                      const struct nf_power_os *os, enum nf_power_end end,
                                      struct nf_err *err);
/* Does not wait; answers come in order. -NF_ESUBJECT: the guard is gone. */
NF_NODISCARD int nf_power_guard_ask(struct nf_power_guard *g, enum nf_power_ask ask,
                                    uint32_t *ret_seq, struct nf_err *err);
/* 1 with an answer; 0: none yet. -NF_ESUBJECT: the guard is gone. */
NF_NODISCARD int nf_power_guard_take(struct nf_power_guard *g, struct nf_power_answer *ret,
                                     struct nf_err *err);
/* Lets it set the power as it ends, waits for that, and says what came of it. Answers not taken are lost. */
NF_NODISCARD int nf_power_guard_stop(struct nf_power_guard *g, struct nf_err *err);

#endif
