/* SPDX-License-Identifier: MIT */
/* worker - a thread that runs actors. */
#ifndef NF_ACTOR_WORKER_H
#define NF_ACTOR_WORKER_H

#include "actor/layout.h"

/* number from 1. On failure nothing is left but what nf_worker_fini takes. */
int nf_worker_init(struct nf_wrk *w, struct nf_actor_rt *rt, uint32_t number, struct nf_err *err);
int nf_worker_start(struct nf_wrk *w, struct nf_err *err);
/* After the stop flag was set and all were woken. */
void nf_worker_join(struct nf_wrk *w);
void nf_worker_fini(struct nf_wrk *w);

#endif
