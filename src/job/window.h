/* SPDX-License-Identifier: MIT */
/* window - the state of one characterisation, shared by its steps and its conclusion. */
#ifndef NF_JOB_WINDOW_H
#define NF_JOB_WINDOW_H

#include <stdio.h>

#include "job/step.h"
#include "record/rec_window.h"

enum { NF_WINDOW_STEPS = 4096 };

struct nf_window {
	const struct nf_window_opts *opts; /* borrowed */
	struct nf_session session;
	struct nf_rec_window_run record;
	struct nf_rec_step step[NF_WINDOW_STEPS]; /* every step, also those that could not run */
	size_t n_steps;
	bool undecided;
	bool failed; /* a step ended in a failure of the tool or the system */
	const char *load_note; /* arena; NULL: the load ran to the end, or there was none */
};

/* Headline, verdict and the published HostProbeRun records from what the steps left. */
NF_NODISCARD int nf_window_conclude(struct nf_window *win, struct nf_verdict *ret,
                                    struct nf_err *err);
/* Writes one HostProbeRun per NUMA sample, or says in the record why there is none. */
NF_NODISCARD int nf_window_host_probes(struct nf_window *win, struct nf_err *err);
/* The output of the load as captures/under.txt, its first 16 MiB. */
NF_NODISCARD int nf_window_keep_log(struct nf_window *win, FILE *log, struct nf_err *err);

#endif
