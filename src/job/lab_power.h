/* SPDX-License-Identifier: MIT */
/*
 * lab_power - a board's power switched or asked once. A guard does it (board/power_guard.h), so that what was begun is
 * finished whatever happens to the program; it is gone when the job returns.
 */
#ifndef NF_JOB_LAB_POWER_H
#define NF_JOB_LAB_POWER_H

#include <stdbool.h>

#include "base/stop.h"
#include "board/campaign.h"

enum nf_lab_power_ask {
	NF_LAB_POWER_STATUS,
	NF_LAB_POWER_ON,
	NF_LAB_POWER_OFF,
	NF_LAB_POWER_CYCLE, /* off, off_time, on; ended early: as on_abort says */
};

enum nf_lab_silence {
	NF_LAB_SILENCE_UNASKED, /* verify: none, or nothing was switched off */
	NF_LAB_SILENCE_UNKNOWN, /* the console could not be listened to; see `why` */
	NF_LAB_SILENCE_SEEN, /* not a byte in the second half of off_time */
};

struct nf_lab_power_result {
	enum nf_power_state
	        state; /* what the switch says at the end; UNKNOWN: it cannot be asked */
	enum nf_lab_silence silence;
	char why[200];
	int stopped_by; /* signal; 0: it came to its end */
};

/* -NF_EDATA: the switch is not there. -NF_ESUBJECT: it did not switch, it says the contrary, or the console talks on
 * with the power off. */
NF_NODISCARD int nf_job_lab_power(const struct nf_campaign *c, enum nf_lab_power_ask ask,
                                  const struct nf_stop *stop, struct nf_lab_power_result *ret,
                                  struct nf_err *err);

#endif
