/* SPDX-License-Identifier: MIT */
#include "bench/sched_mailbox.h"

#include <stdlib.h>
#include <unistd.h>

void nf_sched_mailbox_init(struct nf_sched_mailbox *m)
{
	m->first = m->last = NULL;
	pthread_mutex_init(&m->lock, NULL); /* neither can fail without attributes here */
	pthread_cond_init(&m->some, NULL);
}

void nf_sched_mailbox_fini(struct nf_sched_mailbox *m)
{
	for (struct nf_sched_letter *l = m->first, *next; l; l = next) {
		next = l->next;
		free(l);
	}
	pthread_cond_destroy(&m->some);
	pthread_mutex_destroy(&m->lock);
}

void nf_sched_mailbox_send(struct nf_sched_mailbox *m, uint64_t word)
{
	struct nf_sched_letter *l = malloc(sizeof(*l));

	if (!l)
		_exit(4);
	*l = (struct nf_sched_letter){ NULL, word };
	pthread_mutex_lock(&m->lock);
	if (m->last)
		m->last->next = l;
	else
		m->first = l;
	m->last = l;
	pthread_cond_signal(&m->some);
	pthread_mutex_unlock(&m->lock);
}

uint64_t nf_sched_mailbox_receive(struct nf_sched_mailbox *m)
{
	pthread_mutex_lock(&m->lock);
	while (!m->first)
		pthread_cond_wait(&m->some, &m->lock);
	struct nf_sched_letter *l = m->first;
	m->first = l->next;
	if (!m->first)
		m->last = NULL;
	pthread_mutex_unlock(&m->lock);
	uint64_t word = l->word;
	free(l);
	return word;
}
