/* SPDX-License-Identifier: MIT */
/* sched_mailbox - for threads what a channel is for actors: unbounded, many senders, one receiver, who sleeps. */
#ifndef NF_BENCH_SCHED_MAILBOX_H
#define NF_BENCH_SCHED_MAILBOX_H

#include <pthread.h>
#include <stdint.h>

struct nf_sched_letter {
	struct nf_sched_letter *next;
	uint64_t word;
};
struct nf_sched_mailbox {
	pthread_mutex_t lock;
	pthread_cond_t some;
	struct nf_sched_letter *first, *last;
};
void nf_sched_mailbox_init(struct nf_sched_mailbox *m);
void nf_sched_mailbox_fini(struct nf_sched_mailbox *m); /* letters in it are lost */
/* Ends the process without memory: the other side would wait for ever. */
void nf_sched_mailbox_send(struct nf_sched_mailbox *m, uint64_t word);
uint64_t nf_sched_mailbox_receive(struct nf_sched_mailbox *m);

#endif
