/* SPDX-License-Identifier: MIT */
/* timer - each worker's alarms: a 4-ary heap of deadlines; every alarm knows its place. An alarm
 * that another worker cancels is handed to the one whose heap it is in. */
#ifndef NF_ACTOR_TIMER_H
#define NF_ACTOR_TIMER_H

#include "actor/enter.h"

/* An alarm in w's heap. NULL: no memory. Inside. */
struct nf_actor_alarm *nf_alarm_set(struct nf_wrk *w, int64_t deadline_ns, struct nf_actor_block *a,
                                    uint64_t seq);
uint64_t nf_alarm_generation(const struct nf_actor_alarm *al);
/* False: too late. Inside on w. */
bool nf_alarm_cancel(struct nf_wrk *w, struct nf_actor_alarm *al, uint64_t generation);

/* Fires what is due at now_ns. Inside; was left in between. */
void nf_timers_run(struct nf_wrk *w, int64_t now_ns);
/* Takes in what other threads put into the inbox. Inside. */
void nf_timers_inbox(struct nf_wrk *w);
/* Moves what is due from v's heap, which was seized, to w's. Inside on w. How many. */
uint32_t nf_timers_rescue(struct nf_wrk *w, struct nf_wrk *v, int64_t now_ns);

#endif
