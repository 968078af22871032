/* SPDX-License-Identifier: MIT */
/* waits - the functions that switch. nf_waits_<x> calls nf_waits_<x>_body as entry.c says;
 * whoever wants it calls it last. */
#ifndef NF_ACTOR_WAITS_H
#define NF_ACTOR_WAITS_H

#include "noisefloor/actor.h"

struct nf_wrk;

int nf_waits_recv(struct nf_chan *c, struct nf_actor_msg *ret);
int nf_waits_recv_body(struct nf_chan *c, struct nf_actor_msg *ret);
int nf_waits_select(struct nf_chan *const *c, size_t n, int64_t deadline_ns, size_t *ret_which,
                    struct nf_actor_msg *ret);
int nf_waits_select_body(struct nf_chan *const *c, size_t n, int64_t deadline_ns, size_t *ret_which,
                         struct nf_actor_msg *ret);
int nf_waits_recv_own(struct nf_chan *c, struct nf_actor_msg *ret, struct nf_wrk *w);
int nf_waits_recv_own_body(struct nf_chan *c, struct nf_actor_msg *ret, struct nf_wrk *w);
/* preempted: the time slice is used up, and the time is read anyway. */
int nf_waits_yield(bool preempted);
int nf_waits_yield_body(bool preempted);
/* The running actor's end; it is entered by the same call as the others, for the sake of who
 * comes next. */
void nf_waits_exit(void) __attribute__((noreturn));
void nf_waits_exit_body(void) __attribute__((noreturn));
void nf_waits_sleep(int64_t ns);
void nf_waits_sleep_body(int64_t ns);
int nf_waits_join(struct nf_actor a, struct nf_actor_status *status, struct nf_err *err);
int nf_waits_join_body(struct nf_actor a, struct nf_actor_status *status, struct nf_err *err);

#endif
